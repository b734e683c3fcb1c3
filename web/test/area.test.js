// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { areaFaults, areaOf, besideEachOther, boundsOf, covers, cutAtDateLine, featureText, multiPolygon, overlaps, pointCount, pointWithin, pointsMost, readArea, ringFault, squareMetres } from "../map/area.js";

/** A rectangle, counter-clockwise. */
const box = (west, south, east, north) => [[west, south], [east, south], [east, north], [west, north]];
const closed = (ring) => [...ring, ring[0]];
const polygon = (...rings) => ({ type: "Polygon", coordinates: rings.map(closed) });
const faultsOf = (value) => areaOf(value).faults.map(({ fault }) => fault);

test("a polygon is read from each of the shapes in which it may come, however deep", () => {
  const one = polygon(box(0, 0, 2, 2), box(0.5, 0.5, 1, 1));
  const feature = { type: "Feature", properties: { name: "a" }, geometry: one };
  const multi = { type: "MultiPolygon", coordinates: [one.coordinates, polygon(box(5, 5, 6, 6)).coordinates] };
  for (const [value, count] of [[one, 1], [feature, 1], [multi, 2], [{ type: "FeatureCollection", features: [feature, { type: "Feature", geometry: multi }] }, 3], [{ type: "GeometryCollection", geometries: [one] }, 1]]) {
    const { polygons, faults } = readArea(JSON.stringify(value));
    assert.deepEqual(faults, [], value.type);
    assert.equal(polygons.length, count, value.type);
    assert.deepEqual(polygons[0], [box(0, 0, 2, 2), box(0.5, 0.5, 1, 1)]);
  }
});

test("heights are left away, and corners that stand twice in a row count once", () => {
  const { polygons, faults } = areaOf({ type: "Polygon", coordinates: [[[0, 0, 5], [1, 0, 5], [1, 0, 5], [1, 1, 5], [0, 0, 5]]] });
  assert.deepEqual([polygons, faults], [[[[[0, 0], [1, 0], [1, 1]]]], []]);
});

test("what is no area is told by its name", () => {
  assert.deepEqual(readArea("{").faults, [{ fault: "json" }]);
  const cases = [
    [{ type: "Point", coordinates: [0, 0] }, "type"], [[], "type"], [null, "type"], [{ type: "toString" }, "type"], [{ type: "FeatureCollection", features: [] }, "none"], [{ type: "MultiPolygon", coordinates: [] }, "none"],
    [{ type: "Feature", geometry: null }, "none"], [{ type: "FeatureCollection", features: [{ type: "Feature", geometry: polygon(box(0, 0, 1, 1)) }, { type: "Feature", geometry: { type: "LineString" } }] }, "type"],
    [{ type: "Polygon", coordinates: [] }, "number"], [{ type: "Polygon", coordinates: [[[0, 0], ["1", 0], [1, 1], [0, 0]]] }, "number"], [{ type: "Polygon" }, "number"],
    [polygon([[0, 0], [200, 0], [1, 1]]), "range"], [polygon([[36.8, -121.8], [36.9, -121.8], [36.9, -121.7]]), "range"],
    [{ type: "Polygon", coordinates: [[[0, 0], [1, 0], [0, 0]]] }, "few"], [{ type: "Polygon", coordinates: [[[0, 0], [1, 0], [1, 0], [0, 0]]] }, "few"],
    [{ type: "Polygon", coordinates: [box(0, 0, 1, 1)] }, "unclosed"],
  ];
  for (const [value, fault] of cases) assert.deepEqual(faultsOf(value), [fault], JSON.stringify(value));
});

test("numbers without an end are none", () => {
  assert.deepEqual(readArea('{"type":"Polygon","coordinates":[[[0,0],[1e999,0],[1,1],[0,0]]]}').faults.map(({ fault }) => fault), ["number"]);
});

test("a fault says which polygon and which ring", () => {
  const value = { type: "MultiPolygon", coordinates: [polygon(box(0, 0, 1, 1)).coordinates, [closed(box(5, 5, 9, 9)), box(6, 6, 7, 7)]] };
  assert.deepEqual(areaOf(value).faults, [{ fault: "unclosed", polygon: 1, ring: 1, at: [6, 6] }]);
});

test("an outline that crosses or touches itself is refused, and where is told", () => {
  assert.deepEqual(ringFault([[0, 0], [2, 2], [2, 0], [0, 2]]), { fault: "crosses", at: [1, 1] });
  for (const [name, ring] of Object.entries({
    "a corner on another edge": [[0, 0], [4, 0], [4, 4], [2, 0], [0, 4]], "a corner twice": [[0, 0], [2, 2], [4, 0], [4, 4], [2, 2], [0, 4]],
    "a spike": [[0, 0], [2, 0], [4, 0], [2, 0], [2, 2]], "a spike at the first corner": [[0, 0], [0, 4], [4, 4], [0, 8]], "no width": [[0, 0], [1, 1], [2, 2]], "an edge along another": [[0, 0], [4, 0], [4, 1], [3, 0], [1, 0], [0, 1]],
  })) assert.equal(ringFault(ring)?.fault, "crosses", name);
  for (const ring of [box(0, 0, 1, 1), [...box(0, 0, 1, 1)].reverse(), [[0, 0], [1, 0], [2, 0], [2, 2], [0, 2]], [[0.1, 0.1], [0.2, 0.2], [0.3, 0.3], [0.3, 0.1]], [[0, 0], [4, 0], [4, 4], [2, 1], [0, 4]]]) assert.equal(ringFault(ring), null, JSON.stringify(ring));
});

test("an edge of more than 180 degrees is refused, one of 180 is not", () => {
  assert.deepEqual(faultsOf(polygon(box(179, 0, -179, 1))), ["long"]);
  assert.equal(ringFault(box(-90, 0, 90, 10)), null);
  assert.equal(ringFault([[-200, 0], [-100, 0], [0, 0], [100, 0], [200, 0], [200, 10], [100, 10], [0, 10], [-100, 10], [-200, 10]])?.fault, "wide");
});

test("holes lie in their outline and apart; corners may touch, edges may not", () => {
  const outline = box(0, 0, 10, 10);
  for (const [holes, fault] of [[[box(1, 1, 2, 2)], null], [[box(0, 1, 2, 2)], "hole"], [[[[0, 1], [2, 0.5], [2, 2]]], null], [[box(20, 1, 22, 2)], "hole"], [[box(8, 1, 12, 2)], "hole"], [[box(1, 1, 3, 3), box(3, 1, 5, 3)], "holes"], [[box(1, 1, 3, 3), box(3, 3, 5, 5)], null], [[box(1, 1, 3, 3), box(2, 2, 5, 5)], "holes"], [[box(1, 1, 9, 9), box(2, 2, 5, 5)], "holes"], [[box(1, 1, 3, 3), box(1, 1, 3, 3)], "holes"]])
    assert.deepEqual(areaFaults([[outline, ...holes]]).map((one) => one.fault), fault ? [fault] : [], JSON.stringify(holes));
  // Corners within, an edge across a bay.
  assert.deepEqual(areaFaults([[[[0, 0], [10, 0], [10, 10], [5, 2], [0, 10]], [[1, 6], [9, 6], [5, 1]]]]).map((one) => one.fault), ["hole"]);
});

test("so many points are taken, and not one more", () => {
  const round = (count) => [Array.from({ length: count }, (_, index) => [10 * Math.cos(2 * Math.PI * index / count), 10 * Math.sin(2 * Math.PI * index / count)])];
  assert.equal(pointCount([round(pointsMost - 1)]), pointsMost);
  assert.deepEqual(areaFaults([round(pointsMost - 1)]), []);
  assert.deepEqual(areaFaults([round(pointsMost)]), [{ fault: "many", count: pointsMost + 1 }]);
});

test("outlines go counter-clockwise and holes clockwise, closed, whichever way they were drawn", () => {
  const [outline, hole] = [box(0, 0, 10, 10), box(1, 1, 2, 2)];
  const wanted = { type: "MultiPolygon", coordinates: [[closed(outline), closed([...hole].reverse())]] };
  assert.deepEqual(multiPolygon([[outline, hole]]), wanted);
  const other = multiPolygon([[[...outline].reverse(), [...hole].reverse()]]);
  const signs = ({ coordinates }) => coordinates[0].map((ring) => Math.sign(ring.slice(1).reduce((sum, [x, y], index) => sum + ring[index][0] * y - x * ring[index][1], 0)));
  assert.deepEqual([signs(wanted), signs(other)], [[1, -1], [1, -1]]);
  assert.equal(multiPolygon([]), null);
});

test("what is sent is read back as it was", () => {
  const area = [[box(-121.9, 36.5, -121.5, 36.9), [...box(-121.8, 36.6, -121.7, 36.7)].reverse()], [box(10, 10, 11, 11)]];
  assert.deepEqual(areaOf(multiPolygon(area)), { polygons: area, faults: [] });
  assert.deepEqual(readArea(featureText(multiPolygon(area), "Bay")), { polygons: area, faults: [] });
});

test("a point on an edge is in, one in a hole is out", () => {
  const area = [[box(0, 0, 10, 10), box(4, 4, 6, 6)]];
  for (const [longitude, latitude, isIn] of [[1, 1, true], [0, 5, true], [10, 10, true], [5, 5, false], [4, 5, true], [11, 5, false], [5, -1, false], [370, 5, true]]) assert.equal(covers(area, { longitude, latitude }), isIn, `${longitude} ${latitude}`);
  assert.equal(covers([[box(170, 0, 180, 10)]], { longitude: -180, latitude: 5 }), true);
});

test("areas overlap where they share ground, not where they share an edge or lie in a hole", () => {
  const one = [[box(0, 0, 10, 10)]];
  for (const [name, other, wanted] of [
    ["through each other", [[box(5, 5, 15, 15)]], true], ["the same", [[box(0, 0, 10, 10)]], true], ["within", [[box(2, 2, 3, 3)]], true], ["around", [[box(-5, -5, 15, 15)]], true], ["as a cross", [[box(-5, 4, 15, 6)]], true], ["half of it", [[box(0, 0, 5, 10)]], true],
    ["side by side", [[box(10, 0, 20, 10)]], false], ["at a corner", [[box(10, 10, 20, 20)]], false], ["far away", [[box(50, 50, 60, 60)]], false], ["in the hole", [[box(-10, -10, 20, 20), box(0, 0, 10, 10)]], false], ["a bay", [[[[10, -5], [20, -5], [20, 15], [10, 15], [15, 5]]]], false],
  ]) {
    assert.equal(overlaps(one, other), wanted, name);
    assert.equal(overlaps(other, one), wanted, `${name}, the other way`);
  }
  assert.equal(overlaps([[box(175, 0, 185, 10)]], [[box(-180, 2, -178, 4)]]), true, "over the date line");
});

test("what crosses the date line is cut in two there", () => {
  const parts = cutAtDateLine([box(175, -20, 185, -10)]);
  assert.deepEqual(parts.map((one) => boundsOf([one])), [{ west: 175, east: 180, south: -20, north: -10 }, { west: -180, east: -175, south: -20, north: -10 }]);
  assert.deepEqual(areaFaults(parts), []);
  const sent = areaOf(multiPolygon([[box(175, -20, 185, -10)]]));
  assert.deepEqual(sent.faults, []);
  for (const [longitude, isIn] of [[179, true], [-179, true], [180, true], [-180, true], [174, false], [-174, false]]) assert.equal(covers(sent.polygons, { longitude, latitude: -15 }), isIn, String(longitude));
});

test("what lies in another copy of the world is brought back, and not cut", () => {
  assert.deepEqual(cutAtDateLine([box(-200, 0, -190, 10)]), [[box(160, 0, 170, 10)]]);
  assert.deepEqual(cutAtDateLine([box(180, 0, 190, 10)]), [[box(-180, 0, -170, 10)]]);
  assert.deepEqual(cutAtDateLine([box(170, 0, 180, 10)]), [[box(170, 0, 180, 10)]]);
});

test("an outline like a comb, with holes on the date line and beside it, is cut into its teeth", () => {
  // Teeth point east over the line; one hole lies across it, one to each side.
  const comb = [[170, 0], [190, 0], [190, 10], [175, 10], [175, 20], [190, 20], [190, 30], [170, 30]];
  const polygon = [comb, box(178, 2, 182, 4), box(185, 22, 186, 23), box(171, 5, 172, 6)];
  assert.deepEqual(areaFaults([polygon]), []);
  const parts = cutAtDateLine(polygon);
  assert.deepEqual(parts.map((one) => one.length).sort(), [1, 2, 2]);
  assert.deepEqual(areaFaults(parts), []);
  const size = (polygons) => polygons.reduce((sum, one) => sum + squareMetres(one), 0);
  assert.ok(Math.abs(size(parts) / size([polygon]) - 1) < 0.01);
  for (const [longitude, latitude, isIn] of [[179, 1, true], [-179, 1, true], [-179, 3, false], [179, 3, false], [-179, 15, false], [179, 15, false], [-179, 25, true], [-174.5, 22.5, false], [171.5, 5.5, false], [172, 15, true]]) assert.equal(covers(parts, { longitude, latitude }), isIn, `${longitude} ${latitude}`);
});

test("a corner that only touches the date line cuts nothing off", () => {
  const [polygon] = [[[170, 0], [180, 5], [190, 0], [190, 20], [170, 20]]];
  const parts = cutAtDateLine([polygon]);
  assert.deepEqual(areaFaults(parts), []);
  assert.equal(parts.length, 2);
  assert.deepEqual(cutAtDateLine([[[170, 0], [180, 5], [170, 10]]]), [[[[170, 0], [180, 5], [170, 10]]]]);
});

test("parts on both sides of the date line are shown beside each other", () => {
  const shown = besideEachOther([[box(175, 0, 180, 10)], [box(-180, 0, -175, 10)]]);
  assert.deepEqual(shown.map((one) => boundsOf([one]).west), [175, 180]);
  assert.deepEqual(besideEachOther([[box(10, 0, 20, 10)]], -350).map((one) => boundsOf([one]).west), [-350]);
  assert.deepEqual(besideEachOther([]), []);
});

test("a point within a polygon is off its holes", () => {
  for (const polygon of [[box(0, 0, 10, 10)], [box(0, 0, 10, 10), box(1, 1, 9, 9)], [[[0, 0], [10, 0], [10, 10], [5, 1], [0, 10]]]]) {
    const [longitude, latitude] = pointWithin(polygon);
    assert.ok(covers([polygon], { longitude, latitude }));
  }
});

test("a degree square at the equator has 12,364 square kilometres", () => {
  assert.ok(Math.abs(squareMetres([box(0, 0, 1, 1)]) / 1e6 - 12364) < 10);
  assert.ok(squareMetres([box(0, 0, 1, 1), box(0.2, 0.2, 0.8, 0.8)]) < squareMetres([box(0, 0, 1, 1)]));
});
