// SPDX-License-Identifier: Apache-2.0
/**
 * The pages' QR encoder and reader for programs outside (Tests/Tools/qr_codes.py):
 *
 *     node web/test/qr-pictures.js make < TEXTS      the modules of each text of a list, in lines of 0 and 1
 *     node web/test/qr-pictures.js read FILE.pgm …   for each picture its text, and how long that took
 */
import { readFileSync } from "node:fs";
import { qrCode } from "../core/qr.js";
import { readQR } from "../core/qr-read.js";

/** What a page gives a picture. */
const pageMilliseconds = 60;

/** A grey picture of one byte a pixel (PGM, P5). */
function picture(file) {
  const bytes = readFileSync(file);
  const [head, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.subarray(0, 32).toString("latin1"));
  return { luma: new Uint8ClampedArray(bytes.subarray(head.length)), width: Number(width), height: Number(height) };
}

const [command, ...files] = process.argv.slice(2);
if (command === "make") console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map((text) => qrCode(text).map((row) => row.map(Number).join("")))));
else {
  // The first readings are slower, as the program is compiled.
  for (const file of files.slice(0, 10)) readQR(picture(file), { millisecondsMax: Infinity });
  for (const file of files) {
    const light = picture(file);
    const began = performance.now();
    const text = readQR(light, { millisecondsMax: Infinity });
    const milliseconds = performance.now() - began;
    console.log(JSON.stringify({ text, milliseconds, isSlow: text !== null && milliseconds > pageMilliseconds }));
  }
}
