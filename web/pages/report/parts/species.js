// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { term } from "../../../core/i18n.js";

/** What agencies take where the centre has not said it yet. */
export const standardTypes = ["sea-lion", "harbor-seal", "elephant-seal", "fur-seal", "dolphin", "porpoise", "whale", "sea-otter", "sea-turtle", "seabird", "other"];

/** Silhouettes of 64 by 40, drawn for this page. */
const shapes = {
  "sea-lion": "M4 35c9-1 15-3 20-7 3-9 8-16 14-20 1-4 4-6 8-6 3 0 5 1 7 3l5 3c1 1 0 3-1 3l-8 1c-2 4-1 8 1 13 2 4 4 7 8 9l-2 3c-5-1-9-3-11-7-3 2-6 4-9 5l5 2-1 2c-5 1-9 0-12-3-6 1-9 2-14 2l-3 3-4-2-4 1z",
  "harbor-seal": "M3 20c3-1 6 0 8 2 8-5 18-9 30-9 3-4 8-6 12-4 3 1 5 3 6 5l3 2c0 2-1 3-3 3l-5 1c-2 5-8 8-15 10l-1 5h-5l-3-4c-8 0-15-2-20-5-2 2-5 3-8 2l3-4z",
  "elephant-seal": "M2 23c4-1 7 0 9 2 7-7 15-12 26-14 3-6 9-9 15-8 4 1 7 4 8 8l2 6c0 2-2 3-3 2l-3-4-3 1c1 8-2 13-7 17l2 4h-9l-4-2c-9 1-17 0-23-4-3 2-6 2-9 0l4-3z",
  "fur-seal": "M5 36c6-2 11-5 14-10 2-9 8-16 15-18 1-5 5-7 9-6l2-2 1 3c3 1 5 2 6 4l7 2c1 1 0 2-2 3l-8 1c-2 3-2 6-1 10 3 5 7 9 13 11l-2 3c-7-1-12-4-15-9-3 3-6 5-9 6l6 1c-2 3-9 4-14 1-5 1-8 2-11 2l-5 1-3-1z",
  dolphin: "M2 26c5-9 14-15 25-16 1-4 4-7 8-8 0 3 0 6 1 9 7 2 13 6 17 12l9-2c-2 3-4 5-6 6 1 3 1 6 0 9-3-2-6-5-8-8-6 1-12 1-18-1l-6 6c-2-2-2-5-1-8-6 0-12 1-17 3-2 1-5 0-4-2z",
  porpoise: "M4 24c3-9 13-15 25-15l7-5 1 6c8 2 14 6 18 12l7-2c-1 3-3 5-5 6 0 3 0 6-2 8-2-2-4-5-6-7-6 2-13 2-19 1l-5 5c-2-2-3-4-2-7-5-1-10 0-15 1-3 0-4-1-4-3z",
  whale: "M2 18c4-7 13-11 24-10 10 1 17 6 22 13 2 3 4 4 6 3 2-2 1-5-1-7 3-1 6 0 8 3 1-3 1-5 0-7l2 3c1 6-1 12-6 15-8 5-20 6-32 4l-6 4c-2-2-2-4-1-6-9-2-16-8-16-15z M18 6c-1-2-3-3-5-3 2-2 5-1 6 1 1-2 4-3 6-1-2 0-4 1-5 3z",
  "sea-otter": "M3 27c4-4 9-5 14-4 4-4 9-6 15-6l3-5 3 3 6-1c2-5 7-8 12-6 4 2 6 6 5 10-2 5-7 7-12 6-3 5-8 8-14 9l-5 4-3-4c-5 0-9-1-12-3-4 2-8 1-12-3z M2 36c8-3 14 3 21 0s14 3 21 0 12 1 18 0v3H2z",
  "sea-turtle": "M12 22c4-10 12-15 22-14 8 1 13 5 16 10 2-3 5-4 8-3 4 1 5 5 3 8-2 2-6 3-10 2-1 2-3 3-5 4l5 7c-5 1-9-1-12-5-6 1-13 1-18-1-2 4-6 6-11 6 1-4 3-7 5-9-4 1-8 0-11-3 3-2 6-2 8-2z",
  seabird: "M2 14c8-4 16-3 23 3 3-7 9-12 18-13-3 4-4 8-4 12 5-2 9-2 12 0l9 1c1 0 1 1 0 2l-8 2c-3 7-9 11-17 11l-6 5 1 2h-6l1-8c-4-2-7-5-8-9-4-5-9-7-15-8z",
  other: "M20 15c3 0 5 3 5 6s-2 5-5 5-5-3-5-6 2-5 5-5z M29 5c3 0 5 3 5 6s-2 6-5 6-5-3-5-6 2-6 5-6z M40 5c3 0 5 3 5 6s-2 6-5 6-5-3-5-6 2-6 5-6z M49 15c3 0 5 2 5 5s-2 6-5 6-5-2-5-5 2-6 5-6z M34 19c6 0 13 8 13 14 0 4-3 5-6 5-2 0-4-1-7-1s-5 1-7 1c-3 0-6-1-6-5 0-6 7-14 13-14z",
};

/** A word of the site's own stands as it is. @param {string} type */
export const speciesWords = (type) => term(`report.species.${type}`, type);

/** Picture buttons, one of which can be chosen. @param {string[]} types @param {string | undefined} chosen */
export function speciesTiles(types, chosen) {
  return types.map((type) => h("label", { class: "tile" }, h("input", { type: "radio", name: "species", value: type, checked: type === chosen, ".checked": type === chosen }),
    h("span", { class: "face" }, silhouette(type), h("span", {}, speciesWords(type)))));
}

function silhouette(type) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 64 40", "aria-hidden": "true" })) svg.setAttribute(key, value);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", Object.hasOwn(shapes, type) ? shapes[type] : shapes.other);
  svg.append(path);
  return svg;
}
