// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { exifSegment, withOrigin } from "../core/exif.js";

/** A JPEG with an EXIF segment of one directory: orientation 6, and another tag. */
function jpeg({ isLittle = false, count = 2, length = 10 + 8 + 2 + 24 - 2 } = {}) {
  const bytes = new Uint8Array(2 + 10 + 8 + 2 + 24 + 4);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xffd8);
  view.setUint16(2, 0xffe1);
  view.setUint16(4, length);
  bytes.set([..."Exif\0\0"].map((letter) => letter.charCodeAt(0)), 6);
  view.setUint16(12, isLittle ? 0x4949 : 0x4d4d);
  view.setUint16(14, 42, isLittle);
  view.setUint32(16, 8, isLittle);
  view.setUint16(20, count, isLittle);
  for (const [index, [tag, value]] of [[0x0112, 6], [0x0128, 2]].entries()) {
    const at = 22 + index * 12;
    view.setUint16(at, tag, isLittle);
    view.setUint16(at + 2, 3, isLittle);
    view.setUint32(at + 4, 1, isLittle);
    view.setUint16(at + 8, value, isLittle);
  }
  view.setUint16(46, 0xffd9);
  return bytes;
}

for (const isLittle of [false, true])
  test(`EXIF goes along, and says that the picture is upright (${isLittle ? "little" : "big"} endian)`, async () => {
    const file = jpeg({ isLittle });
    const drawn = new Blob([new Uint8Array([0xff, 0xd8, 1, 2, 3])], { type: "image/jpeg" });
    const made = new Uint8Array(await (await withOrigin(drawn, new Blob([file]))).arrayBuffer());
    const view = new DataView(made.buffer);
    assert.deepEqual([view.getUint16(0), view.getUint16(2)], [0xffd8, 0xffe1]);
    assert.equal(view.getUint16(30, isLittle), 1, "orientation");
    assert.equal(view.getUint16(42, isLittle), 2, "the rest");
    assert.deepEqual([...made.slice(-3)], [1, 2, 3]);
  });

test("a file without EXIF, of another kind or malformed goes as it was drawn", async () => {
  const cut = jpeg();
  for (const bytes of [[], [0xff, 0xd8], [0xff, 0xd8, 0xff, 0xd9], [0x89, 0x50, 0x4e, 0x47], [...cut.slice(0, 20)], [...jpeg({ count: 9 })], [...jpeg({ length: 2 })]]) assert.equal(exifSegment(new Uint8Array(bytes)), null);
  const drawn = new Blob([new Uint8Array([0xff, 0xd8, 7])]);
  assert.equal(await withOrigin(drawn, new Blob(["GIF89a"])), drawn);
});
