// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { base32, distanceTo, normalised, patrolCode, tagGroups, typedCode } from "../model/patrol-code.js";

const point = "01993f2a-7c4b-7def-8123-456789abcdef";
const tag = "7K3M9QX2VB8N5T4W";
const code = `DAYBOOK-PATROL:${base32(point)}.${tag}`;

test("a UUID in base32 is its bits, five at a time, after two zero bits", () => {
  assert.equal(base32("00000000-0000-0000-0000-000000000000"), "0".repeat(26));
  assert.equal(base32("ffffffff-ffff-ffff-ffff-ffffffffffff"), `7${"Z".repeat(25)}`);
  assert.equal(base32("00000000-0000-0000-0000-000000000021"), `${"0".repeat(24)}11`);
  // The example of the ULID specification: 01ARZ3NDEKTSV4RRFFQ69G5FAV.
  assert.equal(base32("01563e3a-b5d3-d676-4c61-efb99302bd5b"), "01ARZ3NDEKTSV4RRFFQ69G5FAV");
  assert.equal(code.length, 58);
  assert.match(code, /^[0-9A-Z $%*+\-./:]+$/, "the characters of an alphanumeric QR code");
});

test("what somebody types is read as it is meant", () => {
  assert.equal(normalised(" 7k3m-9qx2 vb8n\t5t4w "), tag);
  assert.equal(normalised("oOiIlL"), "001111");
});

test("a tag that is typed becomes the code of the point that was chosen", () => {
  assert.deepEqual(typedCode("7k3m 9qx2 vb8n 5t4w", point), { code });
  assert.deepEqual(typedCode("7k3m 9qx2 vb8n 5t4w", ""), { fault: "point", count: 16 });
  assert.deepEqual(typedCode("7k3m 9qx2 vb8n 5t4", point), { fault: "length", count: 15 });
  assert.deepEqual(typedCode("", point), { fault: "length", count: 0 });
  assert.deepEqual(typedCode("7k3m 9qx2 vb8n 5t4u", point), { fault: "signs", count: 16 });
  assert.deepEqual(typedCode("https://example.org/", point), { fault: "other", count: 20 });
});

test("the whole text counts, whichever point is chosen", () => {
  const other = "01993f2a-7c4b-7def-8123-000000000000";
  for (const text of [code, code.toLowerCase(), ` ${code.slice(0, 30)} ${code.slice(30)}\n`]) assert.deepEqual(typedCode(text, other), { code }, text);
});

test("a scanned text that is no patrol code is told from one", () => {
  assert.equal(patrolCode(code), code);
  for (const text of ["", "hello", "https://example.org/menu", "WIFI:S:guest;T:WPA;P:secret;;", `DAYBOOK-PATROL:${base32(point)}`, `DAYBOOK-PATROL:${base32(point)}.${tag}0`, `DAYBOOK-PATROL:${base32(point).slice(1)}.${tag}`, `X${code}`, `DAYBOOK-PATROL:${base32(point)}.${tag.slice(1)}U`])
    assert.equal(patrolCode(text), null, text);
});

test("an older label goes to the gateway as it is", () => {
  const older = `daybook-patrol:${point}.${"0123456789abcdef".repeat(2)}`;
  assert.equal(patrolCode(older), older);
  assert.equal(patrolCode(` ${older.toUpperCase().slice(0, 30)} ${older.slice(30)} `), older);
  assert.deepEqual(tagGroups(older), []);
});

test("the tag stands on the label in four groups of four", () => {
  assert.deepEqual(tagGroups(code), ["7K3M", "9QX2", "VB8N", "5T4W"]);
});

test("the distance to a point is in whole metres, with what the phone says of its accuracy", () => {
  const gate = { latitude: 51.6565, longitude: -0.3903 };
  assert.deepEqual(distanceTo(gate, { ...gate, accuracyMetres: 8.4 }), { metres: 0, accuracy: 8 });
  assert.deepEqual(distanceTo(gate, { latitude: 51.6566, longitude: -0.3903, accuracyMetres: 0.2 }), { metres: 11, accuracy: 1 });
  assert.deepEqual(distanceTo(gate, { latitude: 51.6665, longitude: -0.3903 }), { metres: 1112, accuracy: null });
});
