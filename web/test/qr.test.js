// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { dataPlaces, formatPlaces, frameOf, isTurned, power, times } from "../core/qr-symbol.js";
import { qrCode } from "../core/qr.js";

/** By version, as the standard's table 9 has it: codewords for correction in a block, blocks, data codewords. */
const table = { 1: [10, [16]], 2: [16, [28]], 3: [26, [44]], 4: [18, [32, 32]], 5: [24, [43, 43]], 8: [22, [38, 38, 39, 39]], 10: [26, [43, 43, 43, 43, 44]] };

/** Reads a code as a scanner does behind its camera: format, mask, codewords, their correction, bytes. */
function read(modules) {
  const version = (modules.length - 17) / 4;
  const formats = formatPlaces(modules.length).map((places) => places.reduce((sum, [x, y], bit) => sum | (Number(modules[y][x]) << bit), 0) ^ 0x5412);
  assert.equal(formats[0], formats[1], "the format stands there twice");
  assert.equal(formats[0] >> 13, 0, "level M");
  const mask = (formats[0] >> 10) & 7;
  const bits = [...dataPlaces(frameOf(version))].map(([x, y]) => Number(modules[y][x] !== isTurned(mask, x, y)));
  const codewords = Array.from({ length: bits.length >> 3 }, (_, index) => parseInt(bits.slice(index * 8, index * 8 + 8).join(""), 2));
  const [count, sizes] = table[version];
  const blocks = sizes.map(() => []);
  let place = 0;
  for (let index = 0; index < Math.max(...sizes); index++) sizes.forEach((size, block) => index < size && blocks[block].push(codewords[place++]));
  const whole = blocks.map((block) => [...block]);
  for (let index = 0; index < count; index++) for (const block of whole) block.push(codewords[place++]);
  for (const block of whole) for (let root = 0; root < count; root++) assert.equal(block.reduce((sum, one) => times(sum, power(root)) ^ one, 0), 0, "a block is a multiple of its generator");
  const data = blocks.flat().map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const number = (from, count) => parseInt(data.slice(from, from + count), 2);
  if (data.slice(0, 4) === "0010") return alphanumeric(number, version < 10 ? 9 : 11);
  assert.equal(data.slice(0, 4), "0100", "bytes");
  const lengthBits = version < 10 ? 8 : 16;
  const length = parseInt(data.slice(4, 4 + lengthBits), 2);
  return new TextDecoder().decode(Uint8Array.from({ length }, (_, index) => parseInt(data.slice(4 + lengthBits + index * 8, 12 + lengthBits + index * 8), 2)));
}

/** A text of pairs of characters, 11 bits each, and one of 6 bits where their count is odd (clause 7.4.4). */
function alphanumeric(number, lengthBits) {
  const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
  const length = number(4, lengthBits);
  const pairs = Array.from({ length: length >> 1 }, (_, index) => number(4 + lengthBits + index * 11, 11));
  const last = length % 2 ? letters[number(4 + lengthBits + pairs.length * 11, 6)] : "";
  return pairs.map((pair) => letters[Math.floor(pair / 45)] + letters[pair % 45]).join("") + last;
}

test("a code says what it was made of, whatever its size", () => {
  for (const [text, version] of [["https://a.uk", 1], ["https://daybook.uk/call", 2], [`https://daybook.example.org/call#${"ä".repeat(10)}`, 4], ["x".repeat(80), 5], ["y".repeat(150), 8], ["z".repeat(213), 10]]) {
    const modules = qrCode(text);
    assert.equal(modules.length, 17 + 4 * version, text);
    assert.equal(read(modules), text);
  }
});

test("a text of capitals and digits takes less room, so that a patrol point's code has version 3", () => {
  for (const [text, version] of [["DAYBOOK-PATROL:0123456789ABCDEFGHJKMNPQRS.TVWXYZ0123456789", 3], ["HTTPS://DAYBOOK.UK/$%*+", 2], ["A", 1], ["7".repeat(311), 10]]) {
    const modules = qrCode(text);
    assert.equal(modules.length, 17 + 4 * version, text);
    assert.equal(read(modules), text);
  }
  assert.throws(() => qrCode("A".repeat(312)), /213 bytes/);
});

test("the corners are there, and what stands beside them; what is too long is refused", () => {
  const modules = qrCode("https://daybook.example.org/call");
  const row = (y, from, count) => modules[y].slice(from, from + count).map(Number).join("");
  assert.equal(row(0, 0, 8), "11111110");
  assert.equal(row(3, 0, 8), "10111010");
  assert.equal(row(7, 0, 8), "00000000");
  assert.equal(row(0, modules.length - 7, 7), "1111111");
  assert.throws(() => qrCode("x".repeat(214)), /213 bytes/);
});
