// SPDX-License-Identifier: Apache-2.0
/**
 * Areas of jurisdiction: polygons with holes on the globe, read from GeoJSON (RFC 7946) and written as such, and what is wrong with one.
 *
 * An edge is straight in longitude and latitude. Here a ring has no closing point, and while it is drawn its longitudes may go on past 180.
 *
 * @typedef {[number, number]} Corner Longitude and latitude, in degrees.
 * @typedef {Corner[]} Ring Without the first corner again at its end.
 * @typedef {Ring[]} Polygon The outline, then its holes.
 * @typedef {{fault: "json" | "type" | "none" | "number" | "range" | "few" | "unclosed" | "crosses" | "long" | "wide" | "hole" | "holes" | "many", polygon?: number, ring?: number, at?: Corner, count?: number, type?: string}} Fault
 *   `polygon` and `ring` are places in lists, from 0; `at` is near where it is.
 */

/** So many points an area has at most, closing points counted. */
export const pointsMost = 2000;
/** Degrees of longitude that an edge, or its whole way round, has at most. */
const [edgeMost, widthMost] = [180, 360];
const earthRadius = 6371008.8; // metres
const radians = Math.PI / 180;

// MARK: Reading and writing

/**
 * An area as somebody pasted it: a Polygon, a MultiPolygon, or a Feature, GeometryCollection or FeatureCollection of these.
 * @param {string} text @returns {{polygons: Polygon[], faults: Fault[]}} Polygons are of use only where there is no fault.
 */
export function readArea(text) {
  let parsed;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { polygons: [], faults: [{ fault: "json" }] };
  }
  return areaOf(parsed);
}

/** The same of what is parsed already. @param {any} value @returns {{polygons: Polygon[], faults: Fault[]}} */
export function areaOf(value) {
  const raw = polygonsIn(value);
  if (!Array.isArray(raw)) return { polygons: [], faults: [raw] };
  const found = raw.map((rings, polygon) => polygonOf(rings, polygon));
  const polygons = found.map((one) => one.rings);
  const faults = found.flatMap((one) => one.faults);
  return { polygons, faults: faults.length ? faults : areaFaults(polygons) };
}

/** The coordinates of each polygon, however deep; or what is wrong. @returns {any[] | Fault} */
function polygonsIn(value) {
  const lists = { FeatureCollection: "features", GeometryCollection: "geometries" };
  const type = value?.type;
  if (type === "Polygon") return [value.coordinates];
  if (type === "MultiPolygon") return Array.isArray(value.coordinates) && value.coordinates.length ? value.coordinates : { fault: "none" };
  if (type === "Feature") return value.geometry ? polygonsIn(value.geometry) : { fault: "none" };
  if (!Object.hasOwn(lists, type ?? "")) return { fault: "type", type: typeof type === "string" ? type : "?" };
  const members = value[lists[type]];
  const all = Array.isArray(members) ? members.map(polygonsIn) : [];
  return all.find((one) => !Array.isArray(one)) ?? (all.length ? all.flat() : { fault: "none" });
}

/** @returns {{rings: Polygon, faults: Fault[]}} */
function polygonOf(rings, polygon) {
  if (!Array.isArray(rings) || rings.length === 0) return { rings: [], faults: [{ fault: "number", polygon, ring: 0 }] };
  const faults = rings.map((points, ring) => pointsFault(points)).flatMap((fault, ring) => (fault ? [{ ...fault, polygon, ring }] : []));
  return { rings: faults.length ? [] : rings.map((points) => withoutDoubles(points.map(([longitude, latitude]) => [longitude, latitude]))), faults };
}

/** What is wrong with a ring's points before it can be a ring. @returns {Fault | null} */
function pointsFault(points) {
  if (!Array.isArray(points) || !points.every((point) => Array.isArray(point) && point.length >= 2 && Number.isFinite(point[0]) && Number.isFinite(point[1]))) return { fault: "number" };
  const outside = points.find(([longitude, latitude]) => Math.abs(longitude) > 180 || Math.abs(latitude) > 90);
  if (outside) return { fault: "range", at: [outside[0], outside[1]] };
  if (points.length < 4) return { fault: "few" };
  return isSame(points[0], points[points.length - 1]) ? null : { fault: "unclosed", at: [points[0][0], points[0][1]] };
}

/** A ring in which no corner stands twice in a row. @param {Ring} ring @returns {Ring} */
const withoutDoubles = (ring) => ring.filter((corner, index) => ring.length === 1 || !isSame(corner, ring[(index + 1) % ring.length]));

const isSame = (one, other) => one[0] === other[0] && one[1] === other[1];

/**
 * An area as it is sent: rings closed, outlines counter-clockwise and holes clockwise, cut at 180 degrees where it crosses the date line, to a millionth of a degree.
 * @param {Polygon[]} polygons Without faults. @returns {{type: "MultiPolygon", coordinates: number[][][][]} | null} `null` where there is none.
 */
export function multiPolygon(polygons) {
  const exact = (value) => Math.round(value * 1e6) / 1e6 || 0;
  const coordinates = polygons.flatMap(cutAtDateLine).map((rings) => rings.map((ring, index) => {
    const turned = wound(ring, index === 0).map(([longitude, latitude]) => [exact(longitude), exact(latitude)]);
    return [...turned, turned[0]];
  }));
  return coordinates.length ? { type: "MultiPolygon", coordinates } : null;
}

/** An area as a file of its own, which `readArea` reads. @param {{type: "MultiPolygon", coordinates: number[][][][]}} geometry @param {string} name */
export const featureText = (geometry, name) => JSON.stringify({ type: "Feature", properties: { name }, geometry }, null, 1);

/** A ring in the direction that is asked for. @param {Ring} ring */
const wound = (ring, isCounterClockwise) => (squareDegrees(ring) > 0 === isCounterClockwise ? ring : [...ring].reverse());

/** Twice nothing but signed: positive for a ring that runs counter-clockwise. @param {Ring} ring */
function squareDegrees(ring) {
  return ring.reduce((sum, [x, y], index) => sum + x * ring[(index + 1) % ring.length][1] - ring[(index + 1) % ring.length][0] * y, 0) / 2;
}

// MARK: What is wrong

/** What is wrong with an area, the first fault of each ring. @param {Polygon[]} polygons @returns {Fault[]} */
export function areaFaults(polygons) {
  const faults = polygons.flatMap((rings, polygon) => {
    const ofRings = rings.flatMap((ring, index) => {
      const fault = ringFault(ring);
      return fault ? [{ ...fault, polygon, ring: index }] : [];
    });
    return ofRings.length ? ofRings : holeFaults(rings, polygon);
  });
  const count = pointCount(polygons);
  return count > pointsMost ? [{ fault: "many", count }, ...faults] : faults;
}

/** How many points an area has as it is sent. @param {Polygon[]} polygons */
export const pointCount = (polygons) => polygons.flat().reduce((sum, ring) => sum + ring.length + 1, 0);

/** What is wrong with one ring by itself. @param {Ring} ring @returns {Fault | null} */
export function ringFault(ring) {
  if (ring.length < 3) return { fault: "few" };
  const long = ring.find((corner, index) => Math.abs(corner[0] - ring[(index + 1) % ring.length][0]) > edgeMost);
  if (long) return { fault: "long", at: long };
  const longitudes = ring.map(([longitude]) => longitude);
  if (Math.max(...longitudes) - Math.min(...longitudes) > widthMost) return { fault: "wide" };
  // Before the crossings: where there are far too many points, looking for these takes long.
  if (ring.length > pointsMost) return null;
  const at = crossing(ring);
  return at && { fault: "crosses", at };
}

/** Where a ring meets itself anywhere but at the next corner; `null` where it does not. @param {Ring} ring @returns {Corner | null} */
function crossing(ring) {
  const count = ring.length;
  const at = (index) => ring[index % count];
  for (let index = 0; index < count; index++) {
    const [from, to] = [at(index), at(index + 1)];
    // Back along the edge by which it came.
    if (turn(from, to, at(index + 2)) === 0 && (from[0] - to[0]) * (at(index + 2)[0] - to[0]) + (from[1] - to[1]) * (at(index + 2)[1] - to[1]) > 0) return to;
    for (let other = index + 2; other < count - (index === 0 ? 1 : 0); other++) {
      const [start, end] = [ring[other], at(other + 1)];
      if (meet(from, to, start, end)) return meeting(from, to, start, end);
    }
  }
  return null;
}

/** Holes lie in their outline and apart from each other; corners may touch, edges are nobody's twice. @param {Polygon} rings @returns {Fault[]} */
function holeFaults([outline, ...holes], polygon) {
  for (const [index, hole] of holes.entries()) {
    const outside = hole.find((corner) => placeIn([outline], corner) === "out");
    if (outside || edgesCross([outline], [hole]) || edgesShare([outline], [hole])) return [{ fault: "hole", polygon, ring: index + 1, at: outside ?? hole[0] }];
    if (holes.slice(0, index).some((other) => overlaps([[other]], [[hole]]) || edgesShare([other], [hole]))) return [{ fault: "holes", polygon, ring: index + 1, at: hole[0] }];
  }
  return [];
}

// MARK: Points and edges

/** Of three points, whether the third lies to the left (1) of the way from first to second, to the right (−1) or on it (0), as exact as the numbers are. */
function turn([ax, ay], [bx, by], [cx, cy]) {
  const [one, other] = [(bx - ax) * (cy - ay), (by - ay) * (cx - ax)];
  // Shewchuk's bound of what rounding can make of it.
  return Math.abs(one - other) <= 3.4e-16 * (Math.abs(one) + Math.abs(other)) ? 0 : Math.sign(one - other);
}

const isBetween = ([ax, ay], [bx, by], [x, y]) => x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by);

/** Whether two edges have a point in common. */
function meet(a, b, c, d) {
  if (Math.max(a[0], b[0]) < Math.min(c[0], d[0]) || Math.max(c[0], d[0]) < Math.min(a[0], b[0]) || Math.max(a[1], b[1]) < Math.min(c[1], d[1]) || Math.max(c[1], d[1]) < Math.min(a[1], b[1])) return false;
  const [abc, abd, cda, cdb] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  if (abc * abd < 0 && cda * cdb < 0) return true;
  return (abc === 0 && isBetween(a, b, c)) || (abd === 0 && isBetween(a, b, d)) || (cda === 0 && isBetween(c, d, a)) || (cdb === 0 && isBetween(c, d, b));
}

/** Where two edges meet, near enough to be shown. @returns {Corner} */
function meeting(a, b, c, d) {
  const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]];
  const across = ux * vy - uy * vx;
  if (across === 0) return [c, d].find((one) => isBetween(a, b, one)) ?? a;
  const part = Math.max(0, Math.min(1, ((c[0] - a[0]) * vy - (c[1] - a[1]) * vx) / across));
  return [a[0] + part * ux, a[1] + part * uy];
}

/** Each edge of some rings beside each of others, until one pair is found. @param {Ring[]} rings @param {Ring[]} others @param {(a: Corner, b: Corner, c: Corner, d: Corner) => boolean} isFound */
function somePair(rings, others, isFound) {
  const edges = others.flatMap((ring) => ring.map((corner, index) => [corner, ring[(index + 1) % ring.length]]));
  return rings.some((ring) => ring.some((a, index) => edges.some(([c, d]) => isFound(a, ring[(index + 1) % ring.length], c, d))));
}

/** Whether an edge of some rings runs through one of others, from one side to the other. @param {Ring[]} rings @param {Ring[]} others */
const edgesCross = (rings, others) => somePair(rings, others, (a, b, c, d) => Math.max(a[0], b[0]) > Math.min(c[0], d[0]) && Math.max(c[0], d[0]) > Math.min(a[0], b[0]) && turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0);

/** Whether an edge of some rings lies on one of others, with more than an end. @param {Ring[]} rings @param {Ring[]} others */
const edgesShare = (rings, others) => somePair(rings, others, (a, b, c, d) => {
  if (turn(a, b, c) !== 0 || turn(a, b, d) !== 0) return false;
  const part = Math.abs(b[1] - a[1]) > Math.abs(b[0] - a[0]) ? 1 : 0;
  return Math.max(Math.min(a[part], b[part]), Math.min(c[part], d[part])) < Math.min(Math.max(a[part], b[part]), Math.max(c[part], d[part]));
});

/** Whether a point is in a polygon, on an edge of it or of a hole, or out of it. @param {Polygon} polygon @param {Corner} point @returns {"in" | "on" | "out"} */
function placeIn(polygon, point) {
  const [x, y] = point;
  let isIn = false;
  for (const ring of polygon) {
    for (const [index, a] of ring.entries()) {
      const b = ring[(index + 1) % ring.length];
      if (isBetween(a, b, point) && turn(a, b, point) === 0) return "on";
      if (a[1] > y !== b[1] > y && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0]) isIn = !isIn;
    }
  }
  return isIn ? "in" : "out";
}

/** Whether a place is in an area, or on its edge; −180 and 180 are one longitude. @param {Polygon[]} polygons @param {{longitude: number, latitude: number}} place */
export function covers(polygons, { longitude, latitude }) {
  return polygons.some((polygon) => [-360, 0, 360].some((turned) => placeIn(polygon, [longitude + turned, latitude]) !== "out"));
}

/** Whether two areas have more in common than an edge. @param {Polygon[]} one @param {Polygon[]} other */
export function overlaps(one, other) {
  const [mine, theirs] = [one, other].map((polygons) => polygons.flatMap(cutAtDateLine));
  return mine.some((polygon) => theirs.some((second) => areApart(polygon, second) === false && (edgesCross(polygon, second) || reachesInto(polygon, second) || reachesInto(second, polygon))));
}

function areApart([outline], [other]) {
  const [a, b] = [boundsOf([[outline]]), boundsOf([[other]])];
  return a.east <= b.west || b.east <= a.west || a.north <= b.south || b.north <= a.south;
}

/** Whether a corner, the middle of an edge or the inside of one polygon lies within another. @param {Polygon} one @param {Polygon} other */
function reachesInto(one, other) {
  const [outline] = one;
  const middles = outline.map(([x, y], index) => [(x + outline[(index + 1) % outline.length][0]) / 2, (y + outline[(index + 1) % outline.length][1]) / 2]);
  return [...outline, ...middles, pointWithin(one)].some((point) => placeIn(other, /** @type {Corner} */ (point)) === "in");
}

/** A point within a polygon, off its edges. @param {Polygon} polygon @returns {Corner} */
export function pointWithin(polygon) {
  // Between two heights at which corners lie, a line runs through the inside from every odd edge to the next.
  const heights = [...new Set(polygon.flat().map(([, latitude]) => latitude))].sort((first, second) => first - second);
  const bands = heights.slice(1).map((height, index) => ({ y: (height + heights[index]) / 2, height: height - heights[index] })).sort((first, second) => second.height - first.height);
  const { y } = bands[0];
  const hits = polygon.flatMap((ring) => ring.flatMap(([ax, ay], index) => {
    const [bx, by] = ring[(index + 1) % ring.length];
    return ay > y !== by > y ? [(bx - ax) * (y - ay) / (by - ay) + ax] : [];
  })).sort((first, second) => first - second);
  const spans = hits.flatMap((hit, index) => (index % 2 ? [{ x: (hit + hits[index - 1]) / 2, width: hit - hits[index - 1] }] : [])).sort((first, second) => second.width - first.width);
  return [spans[0].x, y];
}

// MARK: Measures

/** The box around an area. @param {Polygon[]} polygons With a corner at least. */
export function boundsOf(polygons) {
  const corners = polygons.flat(2);
  const [longitudes, latitudes] = [0, 1].map((part) => corners.map((corner) => corner[part]));
  return { west: Math.min(...longitudes), east: Math.max(...longitudes), south: Math.min(...latitudes), north: Math.max(...latitudes) };
}

/** What a polygon covers of the globe, without its holes. @param {Polygon} polygon */
export function squareMetres(polygon) {
  const [outline, ...holes] = polygon.map((ring) => Math.abs(ring.reduce((sum, [longitude, latitude], index) => {
    const [next, there] = ring[(index + 1) % ring.length];
    return sum + (next - longitude) * radians * (2 + Math.sin(latitude * radians) + Math.sin(there * radians));
  }, 0)) * earthRadius ** 2 / 2);
  return outline - holes.reduce((sum, hole) => sum + hole, 0);
}

// MARK: The date line

/** Polygons written beside each other, as a map shows them: parts on both sides of the date line go on past 180. @param {Polygon[]} polygons @param {number} [near] A longitude. @returns {Polygon[]} */
export function besideEachOther(polygons, near) {
  const middle = (polygon) => (boundsOf([polygon]).west + boundsOf([polygon]).east) / 2;
  if (polygons.length === 0) return [];
  const first = near ?? middle(polygons[0]);
  return polygons.map((polygon) => shifted(polygon, 360 * Math.round((first - middle(polygon)) / 360)));
}

/** @param {Polygon} polygon @returns {Polygon} */
const shifted = (polygon, by) => (by === 0 ? polygon : polygon.map((ring) => ring.map(([longitude, latitude]) => [longitude + by, latitude])));

/** A polygon within −180 and 180, in several where it crosses the date line. @param {Polygon} polygon Without faults. @returns {Polygon[]} */
export function cutAtDateLine(polygon) {
  const { west } = boundsOf([polygon]);
  const inside = shifted(polygon, -360 * Math.floor((west + 180) / 360));
  if (boundsOf([inside]).east <= 180) return [inside];
  const [left, right] = cut(inside, 180);
  return [...left, ...right.map((one) => shifted(one, -360))];
}

/**
 * A polygon in two, by a meridian. The chains of corners on one side are joined along it, where the inside lies: from its first crossing to the second, from the third to the fourth.
 * @param {Polygon} polygon @param {number} line @returns {[Polygon[], Polygon[]]} To the west of it, and to the east.
 */
function cut(polygon, line) {
  const rings = polygon.map((ring, index) => wound(ring, index === 0));
  const isEast = ([longitude]) => longitude > line;
  const whole = rings.filter((ring) => ring.every((corner) => isEast(corner) === isEast(ring[0])));
  const chains = rings.filter((ring) => !whole.includes(ring)).flatMap((ring) => chainsOf(ring, line, isEast));
  return /** @type {[Polygon[], Polygon[]]} */ ([false, true].map((east) => {
    const outlines = joined(chains.filter((chain) => chain.isEast === east)).map((ring) => [ring]);
    for (const hole of whole.filter((ring) => isEast(ring[0]) === east)) outlines.find(([outline]) => placeIn([outline], pointWithin([hole])) === "in")?.push(hole);
    return outlines;
  }));
}

/** What of a ring lies on one side after the other, each from the line to the line. @param {Ring} ring */
function chainsOf(ring, line, isEast) {
  const first = ring.findIndex((corner, index) => isEast(corner) !== isEast(ring[(index + ring.length - 1) % ring.length]));
  const turned = [...ring.slice(first), ...ring.slice(0, first)];
  const crossingOf = ([ax, ay], [bx, by]) => /** @type {Corner} */ ([line, ay + (by - ay) * (line - ax) / (bx - ax)]);
  const chains = [];
  for (const [index, corner] of turned.entries()) {
    const before = turned[(index + turned.length - 1) % turned.length];
    if (isEast(corner) !== isEast(before)) {
      chains.at(-1)?.corners.push(crossingOf(before, corner));
      chains.push({ isEast: isEast(corner), corners: [crossingOf(before, corner)] });
    }
    chains.at(-1).corners.push(corner);
  }
  chains.at(-1).corners.push(chains[0].corners[0]);
  return chains;
}

/** Chains as rings. @returns {Ring[]} Without those that cover nothing. */
function joined(chains) {
  const ends = chains.flatMap((chain) => [{ chain, isStart: true, y: chain.corners[0][1] }, { chain, isStart: false, y: chain.corners.at(-1)[1] }]).sort((one, other) => one.y - other.y);
  const next = new Map();
  for (let index = 0; index + 1 < ends.length; index += 2) {
    // Of two at one height the one that fits comes first: an end goes on with a start.
    if (ends[index].isStart === ends[index + 1].isStart && ends[index + 2]?.y === ends[index + 1].y) [ends[index + 1], ends[index + 2]] = [ends[index + 2], ends[index + 1]];
    const [start, end] = ends[index].isStart ? [ends[index], ends[index + 1]] : [ends[index + 1], ends[index]];
    next.set(end.chain, start.chain);
  }
  const rings = [];
  const used = new Set();
  for (const chain of chains) {
    const ring = [];
    for (let one = chain; one && !used.has(one); one = next.get(one)) {
      used.add(one);
      ring.push(...one.corners);
    }
    const clean = withoutDoubles(ring);
    if (clean.length >= 3 && squareDegrees(clean) !== 0) rings.push(clean);
  }
  return rings;
}
