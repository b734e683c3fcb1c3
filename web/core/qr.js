// SPDX-License-Identifier: Apache-2.0
import { alphanumeric, blocksFor, countBits, dataPlaces, formatPlaces, formatWord, frameOf, isTurned, modes, power, times, versionMax } from "./qr-symbol.js";

/**
 * QR codes of short texts (ISO/IEC 18004:2015): error correction level M, up to version 10, which is 213 bytes. A text of digits, capitals and `$%*+-./:` and space takes two thirds of the room.
 */

const level = "M";
const maskCount = 8;

/**
 * The modules of a text's code, row by row; `true` is dark. Around it four light ones are wanted.
 * @param {string} text
 * @returns {boolean[][]}
 */
export function qrCode(text) {
  const segment = segmentOf(text);
  let version = 1;
  while (version <= versionMax && dataCount(version) * 8 < bitCount(segment, version)) version++;
  if (version > versionMax) throw new Error(`a QR code of ours holds ${dataCount(versionMax) - 3} bytes, and not ${new TextEncoder().encode(text).length}`);
  const codewords = interleaved(dataOf(segment, version), version);
  const candidates = Array.from({ length: maskCount }, (_, mask) => drawn(codewords, version, mask));
  return candidates.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}

const dataCount = (version) => blocksFor(version, level).data.reduce((sum, one) => sum + one, 0);

/** A text in the mode that holds it in fewest bits: how long it is, and its parts, each a number and how many bits that takes. */
function segmentOf(text) {
  const isPlain = [...text].every((one) => alphanumeric.includes(one));
  if (!isPlain) {
    const bytes = new TextEncoder().encode(text);
    return { mode: modes.bytes, length: bytes.length, parts: Array.from(bytes, (byte) => [byte, 8]) };
  }
  const pairs = text.match(/..?/g) ?? [];
  const number = (pair) => [...pair].reduce((sum, one) => sum * alphanumeric.length + alphanumeric.indexOf(one), 0);
  return { mode: modes.alphanumeric, length: text.length, parts: pairs.map((pair) => [number(pair), pair.length === 2 ? 11 : 6]) };
}

const bitCount = ({ mode, parts }, version) => 4 + countBits(mode, version) + parts.reduce((sum, [, count]) => sum + count, 0);

/** The data codewords: mode, length, text, and what fills the rest (clause 7.4). */
function dataOf({ mode, length, parts }, version) {
  const bits = [];
  const put = (value, count) => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  put(mode, 4);
  put(length, countBits(mode, version));
  for (const [value, count] of parts) put(value, count);
  const most = dataCount(version) * 8;
  put(0, Math.min(4, most - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  for (let filler = 0xec; bits.length < most; filler ^= 0xec ^ 0x11) put(filler, 8);
  return Uint8Array.from({ length: most / 8 }, (_, index) => parseInt(bits.slice(index * 8, index * 8 + 8).join(""), 2));
}

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
  const { correction: count, data: sizes } = blocksFor(version, level);
  let from = 0;
  const blocks = sizes.map((size) => data.slice(from, (from += size)));
  const corrections = blocks.map((block) => correction(block, count));
  const inTurn = (lists) => Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, index) => lists.flatMap((list) => (index < list.length ? [list[index]] : []))).flat();
  return [...inTurn(blocks), ...inTurn(corrections)];
}

// MARK: The picture

function drawn(codewords, version, mask) {
  const frame = frameOf(version);
  const modules = frame.map((row) => [...row]);
  let place = 0;
  for (const [x, y] of dataPlaces(frame)) {
    const bit = (codewords[place >> 3] >> (7 - (place & 7))) & 1;
    modules[y][x] = Boolean(bit) !== isTurned(mask, x, y);
    place++;
  }
  const format = formatWord(level, mask);
  for (const places of formatPlaces(frame.length)) places.forEach(([x, y], bit) => (modules[y][x] = Boolean((format >> bit) & 1)));
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
