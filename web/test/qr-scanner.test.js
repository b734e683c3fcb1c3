// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { faultOf, readSize } from "../media/qr-scanner.js";

test("pictures are read 640 wide at most, as high as they are then", () => {
  assert.deepEqual(readSize(1280, 720), { width: 640, height: 360 });
  assert.deepEqual(readSize(720, 1280), { width: 640, height: 1138 });
  assert.deepEqual(readSize(320, 240), { width: 320, height: 240 });
});

test("why a camera did not open is told apart", () => {
  const names = ["NotAllowedError", "NotFoundError", "OverconstrainedError", "NotReadableError", "AbortError"];
  assert.deepEqual(names.map((name) => faultOf({ name })), ["refused", "missing", "missing", "busy", "busy"]);
});
