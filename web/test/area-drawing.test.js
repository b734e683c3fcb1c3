// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { AreaDrawing, draft } from "../model/area-drawing.js";

const square = [[0, 0], [10, 0], [10, 10], [0, 10]];

function drawn(corners, isHole = false, drawing = new AreaDrawing([], null)) {
  drawing.begin(isHole);
  for (const corner of corners) drawing.add(corner);
  return drawing;
}

test("an outline is drawn corner by corner and closed; the same corner twice is one", () => {
  const drawing = drawn([...square, square[3]]);
  assert.deepEqual([drawing.polygons, drawing.draft.corners.length], [[], 4]);
  assert.equal(drawing.close(), null);
  assert.deepEqual([drawing.polygons, drawing.draft, drawing.isChanged], [[[square]], null, true]);
});

test("an outline of two corners, or one that crosses itself, stays open", () => {
  const drawing = drawn([[0, 0], [2, 2]]);
  assert.equal(drawing.close().fault, "few");
  drawing.add([2, 0]);
  drawing.add([0, 2]);
  assert.deepEqual(drawing.close(), { fault: "crosses", at: [1, 1] });
  assert.equal(drawing.draft.corners.length, 4);
  drawing.undo();
  assert.equal(drawing.close(), null);
});

test("a hole goes to the area around it, and elsewhere is refused", () => {
  const drawing = new AreaDrawing([[square], [[[20, 0], [30, 0], [30, 10]]]], null);
  drawn([[26, 2], [28, 2], [28, 4]], true, drawing);
  assert.equal(drawing.close(), null);
  assert.deepEqual(drawing.polygons.map((rings) => rings.length), [1, 2]);
  drawn([[50, 50], [51, 50], [51, 51]], true, drawing);
  assert.equal(drawing.close().fault, "hole");
  drawing.cancel();
  drawn([[27, 2.5], [28, 2.5], [28, 3.5]], true, drawing);
  assert.equal(drawing.close().fault, "holes");
  drawing.cancel();
  drawing.removeRing(1, 1);
  assert.deepEqual(drawing.polygons.map((rings) => rings.length), [1, 1]);
  drawing.removeRing(0, 0);
  assert.equal(drawing.polygons.length, 1);
});

test("corners are moved, put in and taken out, of what is closed and of what is not", () => {
  const drawing = new AreaDrawing([[square]], null);
  drawing.move({ polygon: 0, ring: 0, corner: 1 }, [12, -1]);
  assert.deepEqual(drawing.cornerAt({ polygon: 0, ring: 0, corner: 1 }), [12, -1]);
  assert.deepEqual(drawing.insert({ polygon: 0, ring: 0, corner: 3 }), { polygon: 0, ring: 0, corner: 4 });
  assert.deepEqual(drawing.cornerAt({ polygon: 0, ring: 0, corner: 4 }), [0, 5]);
  assert.equal(drawing.remove({ polygon: 0, ring: 0, corner: 4 }), null);
  assert.equal(drawing.remove({ polygon: 0, ring: 0, corner: 0 }), null);
  assert.equal(drawing.remove({ polygon: 0, ring: 0, corner: 0 }).fault, "few");
  drawn([[1, 1], [2, 2]], false, drawing);
  drawing.move({ polygon: draft, ring: 0, corner: 0 }, [1, 2]);
  assert.equal(drawing.remove({ polygon: draft, ring: 0, corner: 1 }), null);
  assert.deepEqual(drawing.draft.corners, [[1, 2]]);
});

test("each step can be taken back, to the beginning", () => {
  const drawing = new AreaDrawing([[square]], { latitude: 5, longitude: 5 });
  drawing.setBase({ latitude: 6, longitude: 5 });
  drawing.setBase(null);
  drawn([[1, 1], [2, 1], [2, 2]], true, drawing).close();
  drawing.replace([]);
  assert.ok(drawing.isChanged);
  let steps = 0;
  for (; drawing.canUndo; steps++) drawing.undo();
  assert.deepEqual([steps, drawing.polygons, drawing.base, drawing.isChanged], [8, [[square]], { latitude: 5, longitude: 5 }, false]);
  drawing.undo();
});

test("an outline that was moved into a fault stays, and the fault is told", () => {
  const drawing = new AreaDrawing([[square]], null);
  drawing.move({ polygon: 0, ring: 0, corner: 1 }, [-5, 5]);
  assert.deepEqual(drawing.faults.map(({ fault, polygon, ring }) => [fault, polygon, ring]), [["crosses", 0, 0]]);
});

test("an area on both sides of the date line is drawn beside its base", () => {
  const parts = [[[[175, 0], [180, 0], [180, 10]]], [[[-180, 0], [-175, 0], [-180, 10]]]];
  const longitudes = (base) => new AreaDrawing(parts, base).polygons.map(([outline]) => outline[0][0]);
  assert.deepEqual([longitudes(null), longitudes({ latitude: 0, longitude: -179 })], [[175, 180], [-185, -180]]);
});

test("each step is told once", () => {
  let count = 0;
  const drawing = new AreaDrawing([], null, () => count++);
  drawn(square, false, drawing).close();
  drawing.undo();
  assert.equal(count, 7);
});
