// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { documentOf } from "./dom.js";
import { shotOf } from "../call/shot.js";

test("the camera and the saved pictures are two ways: who may choose is not led to the camera", () => {
  const page = documentOf("call/index.html");
  assert.equal(page.querySelector("#camera-file").getAttribute("capture"), "environment");
  assert.equal(page.querySelector("#saved-file").getAttribute("capture"), null);
  assert.equal(page.querySelector("#saved-file").getAttribute("multiple"), "");
});

test("a shot is what the preview shows, in its whole size, as a JPEG", async () => {
  const drawn = [];
  globalThis.document = {
    createElement: () => ({
      getContext: () => ({ drawImage: (...what) => drawn.push(what) }),
      toBlob(done, type) {
        done(new Blob([`${this.width}x${this.height}`], { type }));
      },
    }),
  };
  const video = { videoWidth: 1280, videoHeight: 720 };
  const picture = await shotOf(video);
  assert.equal(picture.type, "image/jpeg");
  assert.equal(await picture.text(), "1280x720");
  assert.deepEqual(drawn, [[video, 0, 0, 1280, 720]]);
});

test("a camera that shows nothing yet gives no picture", async () => {
  assert.equal(await shotOf({ videoWidth: 0, videoHeight: 0 }), null);
});
