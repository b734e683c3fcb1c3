// SPDX-License-Identifier: Apache-2.0
/**
 * Light of a picture as the QR reader wants it: a plane says of each pixel how much lighter it is than its neighbourhood, so that shadows do not matter. Below zero is dark.
 *
 * @typedef {{values: Int16Array, width: number, height: number}} Plane
 */

/** A neighbourhood is 5 × 5 of such blocks. */
const block = 8;
const blocksAround = 2;

/** @param {{luma: Uint8ClampedArray, width: number, height: number}} light @returns {Plane} */
export function planeOf({ luma, width, height }) {
  const [across, down] = [Math.ceil(width / block), Math.ceil(height / block)];
  const means = smoothed(blockMeans(luma, width, height, across, down), across, down);
  const values = new Int16Array(width * height);
  const line = new Float64Array(across);
  for (let y = 0, at = 0; y < height; y++) {
    // Between the middles of blocks the mean changes evenly.
    const place = Math.min(down - 1, Math.max(0, (y + 0.5) / block - 0.5));
    const [above, part] = [Math.floor(place), place % 1];
    const below = Math.min(down - 1, above + 1);
    for (let column = 0; column < across; column++) line[column] = means[above * across + column] * (1 - part) + means[below * across + column] * part;
    for (let column = -1, x = 0; column < across; column++) {
      const end = Math.min(width, column * block + block * 1.5);
      const [from, to] = [line[Math.max(0, column)], line[Math.min(across - 1, column + 1)]];
      const step = (to - from) / block;
      for (let mean = from + step * Math.max(0.5, x - column * block - (block - 1) / 2); x < end; x++, at++, mean += step) values[at] = luma[at] - mean;
    }
  }
  return { values, width, height };
}

function blockMeans(luma, width, height, across, down) {
  const sums = new Float64Array(across * down);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / block) * across;
    for (let column = 0; column < across; column++) {
      let sum = 0;
      for (let at = y * width + column * block, end = y * width + Math.min(width, (column + 1) * block); at < end; at++) sum += luma[at];
      sums[row + column] += sum;
    }
  }
  for (let row = 0; row < down; row++) for (let column = 0; column < across; column++) sums[row * across + column] /= Math.min(block, width - column * block) * Math.min(block, height - row * block);
  return sums;
}

/** Each value becomes the mean of those around it. */
function smoothed(means, across, down) {
  const out = new Float64Array(means.length);
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      let [sum, count] = [0, 0];
      for (let y = Math.max(0, row - blocksAround); y <= Math.min(down - 1, row + blocksAround); y++)
        for (let x = Math.max(0, column - blocksAround); x <= Math.min(across - 1, column + blocksAround); x++) {
          sum += means[y * across + x];
          count++;
        }
      out[row * across + column] = sum / count;
    }
  }
  return out;
}

/** A picture of half the size: each pixel is the mean of four. */
export function halved({ luma, width, height }) {
  const [across, down] = [width >> 1, height >> 1];
  const out = new Uint8ClampedArray(across * down);
  for (let y = 0, to = 0; y < down; y++) for (let x = 0, from = 2 * y * width; x < across; x++, from += 2, to++) out[to] = (luma[from] + luma[from + 1] + luma[from + width] + luma[from + width + 1] + 2) >> 2;
  return { luma: out, width: across, height: down };
}

/** A picture whose pixels are the means of 3 × 3: less noise. Its border stays as it was. */
export function blurred({ luma, width, height }) {
  const sums = new Uint16Array(luma.length);
  for (let at = 1; at + 1 < luma.length; at++) sums[at] = luma[at - 1] + luma[at] + luma[at + 1];
  const out = luma.slice();
  for (let y = 1; y + 1 < height; y++) for (let at = y * width + 1, end = (y + 1) * width - 1; at < end; at++) out[at] = (sums[at - width] + sums[at] + sums[at + width]) / 9;
  return { luma: out, width, height };
}

/** White becomes black. @param {Plane} plane @returns {Plane} */
export function inverted({ values, width, height }) {
  const out = new Int16Array(values.length);
  for (let at = 0; at < out.length; at++) out[at] = -values[at];
  return { values: out, width, height };
}

/** How light each pixel of a canvas is. @param {Uint8ClampedArray} pixels Red, green, blue and opacity of each. */
export function lumaOf(pixels, width, height) {
  const luma = new Uint8ClampedArray(width * height);
  for (let at = 0, from = 0; at < luma.length; at++, from += 4) luma[at] = (77 * pixels[from] + 150 * pixels[from + 1] + 29 * pixels[from + 2]) >> 8;
  return { luma, width, height };
}
