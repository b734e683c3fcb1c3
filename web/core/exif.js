// SPDX-License-Identifier: Apache-2.0

/** EXIF stands near the beginning of a file. */
const headMost = 256 * 1024;
const orientationTag = 0x0112;
/** `Exif`, and two zeros. */
const mark = [0x45, 0x78, 0x69, 0x66, 0, 0];

/**
 * A JPEG that was drawn anew, with what the camera wrote into the file that it was drawn from: place and time are evidence, which the centre encrypts and never shows to the public.
 * @param {Blob} drawn Upright.
 * @param {Blob} file As the camera made it.
 * @returns {Promise<Blob>} `drawn` itself where the file says nothing.
 */
export async function withOrigin(drawn, file) {
  const exif = exifSegment(new Uint8Array(await file.slice(0, headMost).arrayBuffer()));
  if (!exif) return drawn;
  const start = new Uint8Array(await drawn.slice(0, 2).arrayBuffer());
  return new Blob([start, exif, drawn.slice(2)], { type: drawn.type });
}

/**
 * The EXIF segment of a JPEG, made to say that the picture is upright.
 * @param {Uint8Array} bytes The beginning of the file.
 * @returns {Uint8Array | null} `null` for another file, one without EXIF, and one that is malformed.
 */
export function exifSegment(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    const [marker, end] = [bytes[at + 1], at + 2 + view.getUint16(at + 2)];
    // The picture itself begins.
    if (marker === 0xda || end > bytes.length) return null;
    if (marker === 0xe1 && mark.every((byte, index) => bytes[at + 4 + index] === byte)) return upright(bytes.slice(at, end));
    at = end;
  }
  return null;
}

/** @param {Uint8Array} segment With marker, length and `Exif`: the numbers begin at 10. */
function upright(segment) {
  if (segment.length < 20) return null;
  const view = new DataView(segment.buffer, 10);
  const order = view.getUint16(0);
  if (order !== 0x4949 && order !== 0x4d4d) return null;
  const isLittle = order === 0x4949;
  const directory = view.getUint32(4, isLittle);
  if (directory + 2 > view.byteLength) return null;
  const count = view.getUint16(directory, isLittle);
  if (directory + 2 + count * 12 > view.byteLength) return null;
  for (let entry = directory + 2; entry < directory + 2 + count * 12; entry += 12) if (view.getUint16(entry, isLittle) === orientationTag) view.setUint16(entry + 8, 1, isLittle);
  return segment;
}
