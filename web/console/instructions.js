// SPDX-License-Identifier: Apache-2.0

/** What operators say most while a caller waits: by button, by Alt and its number, and by its words in the command bar. The administrator writes them. */
export const instructions = [];

/** Reads them, before the first session is shown. @param {import("../core/api.js").API} api */
export async function readInstructions(api) {
  const { items } = await api.get("/v1/templates");
  const language = document.documentElement.lang.slice(0, 2) || "en";
  const found = items.filter(({ name, language: of }) => name.startsWith("instruction-") && of === language).sort((first, second) => first.name.localeCompare(second.name, "en", { numeric: true }));
  instructions.splice(0, instructions.length, ...found.map(({ text }) => text));
}
