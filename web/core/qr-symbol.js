// SPDX-License-Identifier: Apache-2.0
/**
 * The parts of a QR code (ISO/IEC 18004:2015), versions 1 to 10: tables, where each module stands, and arithmetic for its correction. Writing (`qr.js`) and reading (`qr-read.js`) share them.
 */

export const versionMax = 10;

/** By level, as its two bits say it: for each version, codewords for correction in a block, and how many blocks (table 9). */
const blocksOf = {
  M: [[10, 1], [16, 1], [26, 1], [18, 2], [24, 2], [16, 4], [18, 4], [22, 4], [22, 5], [26, 5]],
  L: [[7, 1], [10, 1], [15, 1], [20, 1], [26, 1], [18, 2], [20, 2], [24, 2], [30, 2], [18, 4]],
  H: [[17, 1], [28, 1], [22, 2], [16, 4], [22, 4], [28, 4], [26, 5], [26, 6], [24, 8], [28, 8]],
  Q: [[13, 1], [22, 1], [18, 2], [26, 2], [18, 4], [24, 4], [18, 6], [22, 6], [20, 8], [24, 8]],
};
export const levels = Object.keys(blocksOf);
/** By version: codewords in all. */
const codewordsOf = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346];
/** By version: where alignment patterns have their middles (annex E). */
const middlesOf = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
/** Which modules each mask turns over (table 10). */
const masks = [(x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3, (x, y) => ((y >> 1) + Math.floor(x / 3)) % 2, (x, y) => ((x * y) % 2) + ((x * y) % 3), (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2];

/** The characters of the alphanumeric mode, in the order of their numbers (table 5). */
export const alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
export const modes = { numeric: 1, alphanumeric: 2, bytes: 4, extended: 7 };

/** How many bits say how long a text is (table 3). */
export const countBits = (mode, version) => ({ [modes.numeric]: [10, 12], [modes.alphanumeric]: [9, 11], [modes.bytes]: [8, 16] })[mode][version < 10 ? 0 : 1];

/** The blocks of a code: data codewords of each, shorter ones first, and codewords for correction, which all have in the same number. @param {number} version @param {string} level */
export function blocksFor(version, level) {
  const [correction, count] = blocksOf[level][version - 1];
  const all = codewordsOf[version - 1];
  const short = Math.floor(all / count) - correction;
  return { correction, data: Array.from({ length: count }, (_, block) => short + (block >= count - (all % count) ? 1 : 0)) };
}

// MARK: GF(256) by x⁸ + x⁴ + x³ + x² + 1

const powers = new Uint8Array(510);
const logs = new Uint8Array(256);
for (let exponent = 0, value = 1; exponent < 255; exponent++) {
  powers[exponent] = powers[exponent + 255] = value;
  logs[value] = exponent;
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0);
}

export const times = (one, other) => (one && other ? powers[logs[one] + logs[other]] : 0);
export const over = (one, other) => (one ? powers[logs[one] + 255 - logs[other]] : 0);
export const power = (exponent) => powers[exponent % 255];

// MARK: Where modules stand

/** What is not data: `null` where data goes. */
export function frameOf(version) {
  const size = 17 + 4 * version;
  const modules = Array.from({ length: size }, () => Array(size).fill(null));
  const square = (x, y, reach, isDark) => {
    for (let dy = -reach; dy <= reach; dy++) for (let dx = -reach; dx <= reach; dx++) if (modules[y + dy]?.[x + dx] !== undefined) modules[y + dy][x + dx] = isDark(Math.max(Math.abs(dx), Math.abs(dy)));
  };
  for (let place = 8; place < size - 8; place++) modules[6][place] = modules[place][6] = place % 2 === 0;
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) square(x, y, 4, (ring) => ring !== 2 && ring !== 4);
  for (const [x, y] of alignmentMiddles(version)) square(x, y, 2, (ring) => ring !== 1);
  for (const [x, y] of formatPlaces(size).flat()) modules[y][x] = false;
  modules[size - 8][8] = true;
  if (version >= 7) versionBits(version).forEach((bit, index) => (modules[Math.floor(index / 3)][size - 11 + (index % 3)] = modules[size - 11 + (index % 3)][Math.floor(index / 3)] = bit));
  return modules;
}

/** The middles of the alignment patterns, of which none is in a corner that a finder pattern has. */
export function alignmentMiddles(version) {
  const [middles, last] = [middlesOf[version - 1], 10 + 4 * version];
  const isCorner = (x, y) => (x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6);
  return middles.flatMap((y) => middles.map((x) => [x, y])).filter(([x, y]) => !isCorner(x, y));
}

/** Where each bit of the format stands, the least one first, twice (figure 25). */
export function formatPlaces(size) {
  const range = (count, place) => Array.from({ length: count }, (_, index) => place(index));
  return [
    [...range(6, (index) => [8, index]), [8, 7], [8, 8], [7, 8], ...range(6, (index) => [5 - index, 8])],
    [...range(8, (index) => [size - 1 - index, 8]), ...range(7, (index) => [8, size - 7 + index])],
  ];
}

/** A level and a mask in 15 bits, with their correction (annex C). @param {string} level @param {number} mask */
export function formatWord(level, mask) {
  const value = (levels.indexOf(level) << 3) | mask;
  return ((value << 10) | remainder(value, 5, 10, 0x537)) ^ 0x5412;
}

/** The version with its correction (annex D). */
function versionBits(version) {
  const value = (version << 12) | remainder(version, 6, 12, 0x1f25);
  return Array.from({ length: 18 }, (_, bit) => Boolean((value >> bit) & 1));
}

function remainder(value, length, count, generator) {
  let rest = value << count;
  for (let bit = length + count - 1; bit >= count; bit--) if ((rest >> bit) & 1) rest ^= generator << (bit - count);
  return rest;
}

/** Where data goes, in its order: two columns at a time from the right, up and down (clause 7.7.3). */
export function* dataPlaces(frame) {
  const size = frame.length;
  for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) if (frame[y][x] === null) yield [x, y];
    }
  }
}

export const isTurned = (mask, x, y) => masks[mask](x, y) === 0;
