// SPDX-License-Identifier: Apache-2.0
/** For tests: every catalogue that there is, and which modules a page has at once. */
import { readFileSync, readdirSync } from "node:fs";

const web = new URL("../", import.meta.url);

/** The catalogues of a language, below `web/`. @param {string} code @returns {string[]} */
export function catalogues(code, folder = "locales/") {
  const entries = readdirSync(new URL(folder, web), { withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => catalogues(code, `${folder}${name}/`));
  return [...entries.filter(({ name }) => name === `${code}.js`).map(({ name }) => `${folder}${name}`), ...below];
}

/** The words of a catalogue. @param {string} file @returns {Promise<Record<string, string | Record<string, string>>>} */
export const wordsOf = async (file) => (await import(new URL(file, web))).default;

/** All words of a language, of callers and of those who work here. @param {string} code */
export const allIn = async (code) => Object.assign({}, ...(await Promise.all(catalogues(code).map(wordsOf))));

/** A module and all that it imports before it runs. @param {string} file Below `web/`. @returns {Set<string>} */
export function modulesOf(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(new URL(file, web), "utf8");
  for (const [, named, bare] of text.matchAll(/^(?:import|export)\s[^;]*?from "(\.[^"]+)";|^import "(\.[^"]+)";/gm)) modulesOf(new URL(named ?? bare, new URL(file, web)).pathname.slice(web.pathname.length), found);
  return found;
}
