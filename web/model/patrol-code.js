// SPDX-License-Identifier: Apache-2.0
/**
 * The text on the label of a patrol point: `DAYBOOK-PATROL:`, the point's id as 26 characters of Crockford's base32, a dot, and a tag of 16 of them. A phone scans the whole; who
 * cannot scan it chooses the point and types the tag.
 */
import { distance } from "../map/geo.js";

const prefix = "DAYBOOK-PATROL:";
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const idLength = 26;
export const tagLength = 16;
const groupLength = 4;

/** A UUID in Crockford's base32: its 128 bits, the highest first, with two zero bits before them. @param {string} uuid */
export function base32(uuid) {
  const bits = BigInt(`0x${uuid.replace(/-/g, "")}`);
  return Array.from({ length: idLength }, (_, index) => alphabet[Number((bits >> BigInt(5 * (idLength - 1 - index))) & 31n)]).join("");
}

/** What somebody wrote in base32, as it is meant: in capitals, without what stands between the characters; I and L are 1, O is 0. @param {string} text */
export const normalised = (text) => text.replace(/[\s-]/g, "").toUpperCase().replace(/[IL]/g, "1").replace(/O/g, "0");

const isBase32 = (text) => [...text].every((character) => alphabet.includes(character));

/** A point's id and tag as the text on its label. @param {string} point @param {string} tag */
const textOf = (point, tag) => `${prefix}${base32(point)}.${tag}`;

/**
 * The code that a scanned or pasted text is, as the gateway takes it.
 * @param {string} text
 * @returns {string | null} `null` where it is no patrol code.
 */
export function patrolCode(text) {
  const found = /^\s*DAYBOOK-PATROL:([^.]+)\.([^.]+)$/is.exec(text);
  if (!found) return null;
  const [id, tag] = [normalised(found[1]), normalised(found[2])];
  if (id.length === idLength && tag.length === tagLength && isBase32(id + tag)) return `${prefix}${id}.${tag}`;
  // Labels of before say the id in hexadecimal, and small: whether they still count, the gateway says.
  return /^[0-9a-f]{32}$/i.test(found[1].replace(/[\s-]/g, "")) ? text.replace(/\s+/g, "").toLowerCase() : null;
}

/**
 * The code that somebody typed: the 16 characters of the tag for a point that was chosen, or the whole text.
 * @param {string} text @param {string} point Its id; empty where none is chosen.
 * @returns {{code: string} | {fault: "other" | "point" | "signs" | "length", count: number}} `other`: another code; `point`: for which point; `signs`: characters that no tag has;
 *   `length`: `count` are not 16.
 */
export function typedCode(text, point) {
  const whole = patrolCode(text);
  if (whole) return { code: whole };
  const tag = normalised(text);
  const fault = (name) => ({ fault: name, count: tag.length });
  if (/[:/.]/.test(text)) return fault("other");
  if (!isBase32(tag)) return fault("signs");
  if (tag.length !== tagLength) return fault("length");
  return point ? { code: textOf(point, tag) } : fault("point");
}

/** The tag of a code as it stands on the label, in groups of four; of an older code none. @param {string} code @returns {string[]} */
export function tagGroups(code) {
  const tag = code.startsWith(prefix) ? code.slice(prefix.length + idLength + 1) : "";
  return tag.match(new RegExp(`.{1,${groupLength}}`, "g")) ?? [];
}

/**
 * How far a check-in was from its point, as the phone measured it.
 * @param {{latitude: number, longitude: number, accuracyMetres?: number}} fix
 * @param {{latitude: number, longitude: number}} point
 * @returns {{metres: number, accuracy: number | null}} In whole metres.
 */
export function distanceTo(point, fix) {
  return { metres: Math.round(distance(fix, point)), accuracy: Number.isFinite(fix.accuracyMetres) ? Math.max(1, Math.round(Number(fix.accuracyMetres))) : null };
}
