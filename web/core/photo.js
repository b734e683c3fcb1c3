// SPDX-License-Identifier: Apache-2.0
import { withOrigin } from "./exif.js";

const sideMost = 2048;
/** By side and quality of a JPEG; the first whose bytes fit is taken. */
const attempts = [[sideMost, 0.85], [sideMost, 0.7], [1536, 0.7], [1024, 0.6]];

/** This browser cannot show a file as a picture. */
export class NotAPicture extends Error {}

/**
 * A file as a JPEG of at most 2048 px a side, upright, with the EXIF of a JPEG.
 * @param {Blob} file
 * @param {number} bytesMost
 * @returns {Promise<Blob>}
 * @throws {NotAPicture}
 */
export async function prepared(file, bytesMost) {
  const picture = await decoded(file);
  try {
    for (const [side, quality] of attempts) {
      const blob = await withOrigin(await drawn(picture, side, quality), file);
      if (blob.size <= bytesMost) return blob;
    }
  } finally {
    picture.close?.();
  }
  throw new NotAPicture();
}

async function decoded(file) {
  try {
    return await createImageBitmap(file);
  } catch {
    // Some browsers show more kinds in an image than they make bitmaps of.
    return asImage(file);
  }
}

async function asImage(file) {
  const address = URL.createObjectURL(file);
  try {
    const image = Object.assign(new Image(), { src: address });
    await image.decode();
    return image;
  } catch {
    throw new NotAPicture();
  } finally {
    URL.revokeObjectURL(address);
  }
}

function drawn(picture, side, quality) {
  const [wide, high] = [picture.naturalWidth ?? picture.width, picture.naturalHeight ?? picture.height];
  const scale = Math.min(1, side / Math.max(wide, high));
  const canvas = Object.assign(document.createElement("canvas"), { width: Math.max(1, Math.round(wide * scale)), height: Math.max(1, Math.round(high * scale)) });
  const pen = canvas.getContext("2d");
  // A JPEG is never transparent; what was would become black.
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new NotAPicture())), "image/jpeg", quality));
}
