// SPDX-License-Identifier: Apache-2.0
import { alphanumeric, blocksFor, countBits, dataPlaces, formatPlaces, formatWord, frameOf, isTurned, levels, modes, over, power, times } from "./qr-symbol.js";

/** From how light each module of a QR code is to its text. */

/** So many wrong codewords less are corrected than could be, where a block is so short that by chance it would often seem right (table 9, note b). */
const sparedOf = { "1L": 1, "1M": 1, "2L": 1 };
/** So many bits of both formats together may be wrong. */
const formatWrongMax = 7;

/** @typedef {(x: number, y: number) => number} Light How light a module is: below 0 it is dark. */

/** The text of a code, read as it is or mirrored; `null` where there is none. @param {number} version @param {Light} light @returns {string | null} */
export function decoded(version, light) {
  return decodedOnce(version, light) ?? decodedOnce(version, (x, y) => light(y, x));
}

function decodedOnce(version, light) {
  const format = formatOf(17 + 4 * version, light);
  if (!format) return null;
  const data = corrected(codewords(version, light, format.mask), version, format.level);
  return data && textOf(data, version);
}

const formats = levels.flatMap((level) => Array.from({ length: 8 }, (_, mask) => ({ level, mask, word: formatWord(level, mask) })));

/** The format that fits best: modules that are neither dark nor light say little. */
function formatOf(size, light) {
  const lights = formatPlaces(size).map((places) => places.map(([x, y]) => light(x, y)));
  const fit = ({ word }) => lights.reduce((sum, one) => one.reduce((all, value, bit) => all + ((word >> bit) & 1 ? -value : value), sum), 0);
  const [best] = formats.map((format) => ({ ...format, fit: fit(format) })).sort((one, other) => other.fit - one.fit);
  const wrong = lights.flat().filter((value, index) => value < 0 !== Boolean((best.word >> index % 15) & 1)).length;
  return wrong <= formatWrongMax ? best : null;
}

const placesOf = new Map();

function codewords(version, light, mask) {
  if (!placesOf.has(version)) placesOf.set(version, [...dataPlaces(frameOf(version))]);
  const places = placesOf.get(version);
  const out = new Uint8Array(places.length >> 3);
  for (let bit = 0; bit < out.length * 8; bit++) {
    const [x, y] = places[bit];
    if (light(x, y) < 0 !== isTurned(mask, x, y)) out[bit >> 3] |= 0x80 >> (bit & 7);
  }
  return out;
}

// MARK: Correction

/** The data of all blocks, or `null` where one has more wrong codewords than can be corrected. */
function corrected(all, version, level) {
  const { correction, data: sizes } = blocksFor(version, level);
  const blocks = sizes.map((size) => new Uint8Array(size + correction));
  let from = 0;
  for (let index = 0; index < sizes[sizes.length - 1]; index++) blocks.forEach((block, number) => index < sizes[number] && (block[index] = all[from++]));
  for (let index = 0; index < correction; index++) blocks.forEach((block, number) => (block[sizes[number] + index] = all[from++]));
  const most = (correction >> 1) - (sparedOf[`${version}${level}`] ?? 0);
  if (!blocks.every((block) => correct(block, correction, most))) return null;
  return Uint8Array.from(blocks.flatMap((block, number) => [...block.subarray(0, sizes[number])]));
}

/** The syndromes of a block, all 0 where nothing is wrong. */
function syndromes(block, count) {
  return Uint8Array.from({ length: count }, (_, root) => block.reduce((sum, one) => times(sum, power(root)) ^ one, 0));
}

/** Corrects a block of Reed-Solomon in place: errors by Berlekamp and Massey, places by Chien, values by Forney. @returns {boolean} Whether it is right now. */
function correct(block, count, most) {
  const sums = syndromes(block, count);
  if (sums.every((one) => one === 0)) return true;
  const locator = locatorOf(sums);
  const wrong = locator.length - 1;
  if (wrong > most) return false;
  const evaluator = Uint8Array.from({ length: wrong }, (_, index) => locator.slice(0, index + 1).reduce((sum, one, place) => sum ^ times(one, sums[index - place]), 0));
  let repaired = 0;
  for (let place = 0; place < block.length; place++) {
    const exponent = block.length - 1 - place;
    const inverse = power(255 - (exponent % 255));
    if (valueAt(locator, inverse) !== 0) continue;
    // The derivative has the odd powers alone.
    let slope = 0;
    for (let index = 1, base = 1; index < locator.length; index += 2, base = times(base, times(inverse, inverse))) slope ^= times(locator[index], base);
    if (slope === 0) return false;
    block[place] ^= times(power(exponent), over(valueAt(evaluator, inverse), slope));
    repaired++;
  }
  return repaired === wrong && syndromes(block, count).every((one) => one === 0);
}

const valueAt = (polynomial, x) => polynomial.reduceRight((sum, one) => times(sum, x) ^ one, 0);

/** The shortest recurrence of the syndromes, the factor of the lowest power first; its degree says how many codewords are wrong. */
function locatorOf(sums) {
  let [locator, before] = [[1], [1]];
  let [length, shift, last] = [0, 1, 1];
  for (let index = 0; index < sums.length; index++) {
    let gap = sums[index];
    for (let place = 1; place <= length; place++) gap ^= times(locator[place] ?? 0, sums[index - place]);
    if (gap === 0) {
      shift++;
      continue;
    }
    const factor = over(gap, last);
    const next = Array.from({ length: Math.max(locator.length, before.length + shift) }, (_, place) => (locator[place] ?? 0) ^ times(factor, before[place - shift] ?? 0));
    if (2 * length <= index) {
      [before, length, last, shift] = [locator, index + 1 - length, gap, 1];
    } else shift++;
    locator = next;
  }
  // A recurrence that is longer than its polynomial is of no places.
  while (locator.length > 1 && locator[locator.length - 1] === 0) locator.pop();
  return locator.length - 1 === length ? locator : Array(sums.length + 2).fill(1);
}

// MARK: Text

/** Encodings by their ECI number: ISO 8859-1, and UTF-8. */
const encodings = { 1: "latin", 3: "latin", 26: "utf-8" };

/** What the data say (clause 7.4); `null` where they say nothing, break off, or are in an encoding that is not read. */
function textOf(data, version) {
  let at = 0;
  const left = () => data.length * 8 - at;
  const take = (count) => {
    let value = 0;
    for (; count > 0; count--, at++) value = value * 2 + ((data[at >> 3] >> (7 - (at & 7))) & 1);
    return value;
  };
  let [text, encoding] = ["", null];
  while (left() >= 4) {
    const mode = take(4);
    if (mode === 0) break;
    if (mode === modes.extended) {
      encoding = left() < 8 ? undefined : encodings[take(8)];
      if (!encoding) return null;
      continue;
    }
    if (!readers[mode] || left() < countBits(mode, version)) return null;
    const length = take(countBits(mode, version));
    if (left() < readers[mode].bits(length)) return null;
    const part = readers[mode].read(take, length, encoding);
    if (part === null) return null;
    text += part;
  }
  return text || null;
}

const digits = (value, count, base) => Array.from({ length: count }, (_, index) => alphanumeric[Math.floor(value / base ** (count - 1 - index)) % base]).join("");

/** Reads groups of characters, each group a number. @param {number} size Of a group. @param {number[]} bits For groups by their size. */
function grouped(size, bits, base) {
  return {
    bits: (length) => Math.floor(length / size) * bits[size] + bits[length % size],
    read(take, length) {
      let text = "";
      for (; length > 0; length -= size) {
        const count = Math.min(size, length);
        const value = take(bits[count]);
        if (value >= base ** count) return null;
        text += digits(value, count, base);
      }
      return text;
    },
  };
}

const readers = {
  [modes.numeric]: grouped(3, [0, 4, 7, 10], 10),
  [modes.alphanumeric]: grouped(2, [0, 6, 11], alphanumeric.length),
  [modes.bytes]: {
    bits: (length) => length * 8,
    read: (take, length, encoding) => textOfBytes(Uint8Array.from({ length }, () => take(8)), encoding),
  },
};

/** Codes that name no encoding are in UTF-8 far more often than not, and what is not UTF-8 is hardly ever so by chance. */
function textOfBytes(bytes, encoding) {
  if (encoding !== "latin") {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      if (encoding) return null;
    }
  }
  return String.fromCharCode(...bytes);
}
