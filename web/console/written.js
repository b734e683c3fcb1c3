// SPDX-License-Identifier: Apache-2.0
import { phoneDigits, phoneOf } from "../core/phone.js";

/** So many digits begin a search for callers. */
const digitsLeast = 2;
/** So many digits may be a whole number. */
const numberLeast = 7;
const wanted = { code: "Go on: the whole number, with its country code.", merge: "Go on: the whole id of a session or an incident." };
const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/** A number, perhaps with an extension or a note behind it: what it is the gateway says. */
const isNumber = (text) => /^[+\d\s()/.-]+$/.test(text) || (/^[\s(]*\+?\d/.test(text) && phoneDigits(text).length >= numberLeast);

/**
 * What a line of the command bar means, by the line alone: whatever was typed before, and whatever is still being looked up, has no part in it.
 * @param {string} text
 * @returns {{is: "nothing"} | {is: "id", id: string, isToMerge: boolean} | {is: "code", text: string} | {is: "number", text: string, digits: string, phone: string | null, isWhole: boolean} | {is: "begun", wanted: string} | {is: "word", word: string}} `phone` is what is certain of the number before the gateway has read it.
 */
export function meaningOf(text) {
  const line = text.trim();
  if (!line) return { is: "nothing" };
  const id = new RegExp(`^(merge\\s+)?(?:(?:incident|session)/)?(${uuid})$`, "i").exec(line);
  if (id) return { is: "id", id: id[2].toLowerCase(), isToMerge: Boolean(id[1]) };
  const code = /^code\s*([+\d(].*)$/i.exec(line);
  if (code && phoneDigits(code[1]).length >= numberLeast) return { is: "code", text: code[1] };
  const digits = isNumber(line) ? phoneDigits(line) : "";
  if (digits.length >= digitsLeast) return { is: "number", text: line, digits, phone: phoneOf(line), isWhole: digits.length >= numberLeast };
  const begun = /^(code|merge)(?![a-z])./i.exec(line);
  if (begun) return { is: "begun", wanted: wanted[begun[1].toLowerCase()] };
  return { is: "word", word: line.replace(/^\//, "").toLowerCase() };
}

/**
 * The commands that a word finds. Enter takes the first where the word is the beginning of its name, or where only one speaks of it; else one has to be chosen.
 * @template {{word: string, text: string}} Command
 * @param {Command[]} commands
 * @param {string} word In small letters; all commands where it is empty.
 * @returns {{found: Command[], isCertain: boolean}}
 */
export function commandsFor(commands, word) {
  const named = commands.filter((one) => one.word.startsWith(word));
  const spoken = word.length > 1 ? commands.filter((one) => !named.includes(one) && one.text.toLowerCase().includes(word)) : [];
  return { found: [...named, ...spoken], isCertain: word !== "" && (named.length > 0 || spoken.length === 1) };
}
