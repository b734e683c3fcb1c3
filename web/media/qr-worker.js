// SPDX-License-Identifier: Apache-2.0
/**
 * A worker that reads the QR code in a picture of the camera: `{pixels, width, height}`, four bytes a pixel as a canvas has them, is answered by `{text}`, which is `null` where there is none.
 *
 * It is a module: `new Worker("/web/media/qr-worker.js", { type: "module" })`. Firefox before 114 runs none in workers and says so by an `error` event; there a page calls `readQR` itself.
 */
import { lumaOf } from "../core/qr-light.js";
import { readQR } from "../core/qr-read.js";

/** Nothing waits for a worker but the next picture, so that it may look longer than a page may. */
const millisecondsMax = 250;

self.onmessage = ({ data: { pixels, width, height } }) => {
  self.postMessage({ text: readQR(lumaOf(new Uint8ClampedArray(pixels), width, height), { millisecondsMax }) });
};
