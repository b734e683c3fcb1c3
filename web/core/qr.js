// SPDX-License-Identifier: Apache-2.0
/**
 * QR codes of short texts (ISO/IEC 18004:2015): bytes, error correction level M, up to version 10, which is 213 bytes. So a phone opens an address that stands on a screen.
 */

/** By version: codewords for correction in each block, then how many blocks of how many data codewords (table 9). */
const blocksOf = [null, [10, [1, 16]], [16, [1, 28]], [26, [1, 44]], [18, [2, 32]], [24, [2, 43]], [16, [4, 27]], [18, [4, 31]], [22, [2, 38], [2, 39]], [22, [3, 36], [2, 37]], [26, [4, 43], [1, 44]]];
/** By version: where alignment patterns have their middles (annex E). */
const middlesOf = [null, [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
/** Which modules each mask turns over (table 10). */
const masks = [(x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3, (x, y) => ((y >> 1) + Math.floor(x / 3)) % 2, (x, y) => ((x * y) % 2) + ((x * y) % 3), (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2];

/**
 * The modules of a text's code, row by row; `true` is dark. Around it four light ones are wanted.
 * @param {string} text
 * @returns {boolean[][]}
 */
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text);
  const version = blocksOf.findIndex((blocks, index) => blocks && dataCount(index) * 8 >= 4 + countBits(index) + bytes.length * 8);
  if (version < 0) throw new Error(`a QR code of ours holds ${dataCount(10) - 3} bytes, and not ${bytes.length}`);
  const codewords = interleaved(dataOf(bytes, version), version);
  const candidates = masks.map((mask, number) => drawn(codewords, version, mask, number));
  return candidates.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}

const dataCount = (version) => blocksOf[version].slice(1).reduce((sum, [count, size]) => sum + count * size, 0);
const countBits = (version) => (version < 10 ? 8 : 16);

/** The data codewords: mode, length, bytes, and what fills the rest (clause 7.4). */
function dataOf(bytes, version) {
  const bits = [];
  const put = (value, count) => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  put(4, 4);
  put(bytes.length, countBits(version));
  for (const byte of bytes) put(byte, 8);
  const most = dataCount(version) * 8;
  put(0, Math.min(4, most - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  for (let filler = 0xec; bits.length < most; filler ^= 0xec ^ 0x11) put(filler, 8);
  return Uint8Array.from({ length: most / 8 }, (_, index) => parseInt(bits.slice(index * 8, index * 8 + 8).join(""), 2));
}

// MARK: Correction, over GF(256) by x⁸ + x⁴ + x³ + x² + 1

const powers = new Uint8Array(255);
const logs = new Uint8Array(256);
for (let exponent = 0, value = 1; exponent < 255; exponent++) {
  powers[exponent] = value;
  logs[value] = exponent;
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0);
}

export const times = (one, other) => (one && other ? powers[(logs[one] + logs[other]) % 255] : 0);
export const power = (exponent) => powers[exponent % 255];

/** What is left of a block's data by the generator of so many roots. */
function correction(data, count) {
  let generator = Uint8Array.of(1);
  for (let root = 0; root < count; root++) {
    const next = new Uint8Array(generator.length + 1);
    generator.forEach((factor, index) => {
      next[index] ^= factor;
      next[index + 1] ^= times(factor, power(root));
    });
    generator = next;
  }
  const rest = new Uint8Array(data.length + count);
  rest.set(data);
  data.forEach((_, place) => {
    const lead = rest[place];
    generator.forEach((factor, index) => (rest[place + index] ^= times(factor, lead)));
  });
  return rest.slice(data.length);
}

/** The blocks, each codeword of all of them in turn (clause 7.6). */
function interleaved(data, version) {
  const [count, ...groups] = blocksOf[version];
  const blocks = [];
  let from = 0;
  for (const [number, size] of groups) for (let block = 0; block < number; block++, from += size) blocks.push(data.slice(from, from + size));
  const corrections = blocks.map((block) => correction(block, count));
  const inTurn = (lists) => Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, index) => lists.flatMap((list) => (index < list.length ? [list[index]] : []))).flat();
  return [...inTurn(blocks), ...inTurn(corrections)];
}

// MARK: The picture

/** What is not data: `null` where data goes. */
export function frameOf(version) {
  const size = 17 + 4 * version;
  const modules = Array.from({ length: size }, () => Array(size).fill(null));
  const square = (x, y, reach, isDark) => {
    for (let dy = -reach; dy <= reach; dy++) for (let dx = -reach; dx <= reach; dx++) if (modules[y + dy]?.[x + dx] !== undefined) modules[y + dy][x + dx] = isDark(Math.max(Math.abs(dx), Math.abs(dy)));
  };
  for (let place = 8; place < size - 8; place++) modules[6][place] = modules[place][6] = place % 2 === 0;
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) square(x, y, 4, (ring) => ring !== 2 && ring !== 4);
  const middles = middlesOf[version];
  const isCorner = (x, y) => (x === 6 && y === 6) || (x === 6 && y === size - 7) || (x === size - 7 && y === 6);
  for (const y of middles) for (const x of middles) if (!isCorner(x, y)) square(x, y, 2, (ring) => ring !== 1);
  for (const [x, y] of formatPlaces(size).flat()) modules[y][x] = false;
  modules[size - 8][8] = true;
  if (version >= 7) versionBits(version).forEach((bit, index) => (modules[Math.floor(index / 3)][size - 11 + (index % 3)] = modules[size - 11 + (index % 3)][Math.floor(index / 3)] = bit));
  return modules;
}

/** Where each bit of the format stands, the least one first, twice (figure 25). */
export function formatPlaces(size) {
  const range = (count, place) => Array.from({ length: count }, (_, index) => place(index));
  return [
    [...range(6, (index) => [8, index]), [8, 7], [8, 8], [7, 8], ...range(6, (index) => [5 - index, 8])],
    [...range(8, (index) => [size - 1 - index, 8]), ...range(7, (index) => [8, size - 7 + index])],
  ];
}

/** Level M and the mask, with their correction (annex C). */
function formatBits(mask) {
  const rest = remainder(mask, 5, 10, 0x537);
  const value = ((mask << 10) | rest) ^ 0x5412;
  return Array.from({ length: 15 }, (_, bit) => Boolean((value >> bit) & 1));
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

function drawn(codewords, version, mask, number) {
  const frame = frameOf(version);
  const modules = frame.map((row) => [...row]);
  let place = 0;
  for (const [x, y] of dataPlaces(frame)) {
    const bit = (codewords[place >> 3] >> (7 - (place & 7))) & 1;
    modules[y][x] = Boolean(bit) !== (mask(x, y) === 0);
    place++;
  }
  for (const places of formatPlaces(frame.length)) formatBits(number).forEach((bit, index) => (modules[places[index][1]][places[index][0]] = bit));
  return modules;
}

/** How hard a picture is to read (clause 7.8.3): runs, squares, what looks like a corner, too much of one colour. */
function penalty(modules) {
  const size = modules.length;
  const lines = [...modules, ...modules[0].map((_, x) => modules.map((row) => row[x]))].map((line) => line.map(Number).join(""));
  let sum = 0;
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
    for (let at = 0; at + 11 <= size; at++) if (["10111010000", "00001011101"].includes(line.slice(at, at + 11))) sum += 40;
  }
  for (let y = 0; y + 1 < size; y++) for (let x = 0; x + 1 < size; x++) if (modules[y][x] === modules[y][x + 1] && modules[y][x] === modules[y + 1][x] && modules[y][x] === modules[y + 1][x + 1]) sum += 3;
  const dark = modules.flat().filter(Boolean).length / (size * size);
  return sum + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}
