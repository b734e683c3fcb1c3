// SPDX-License-Identifier: Apache-2.0
/** Whom a caller may need at once, by the ledger's name, and a small picture of what comes then. */
const shapes = {
  police: {
    line: "M10 25H3v-6l7-2 5-7h15l7 7 8 2v6h-4 M18 25h15 M10 17h27 M22 10v7 M14 21a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M37 21a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M15 5l-3-2 M30 5l3-2",
    solid: "M19 4h7v5h-7z",
  },
  fire: {
    line: "M8 25H3V14h29 M16 25h17 M41 25h4v-8l-4-8h-9v16 M36 12v5h8 M12 21a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M37 21a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M2 5h27 M2 10h27 M6 5v5 M12 5v5 M18 5v5 M24 5v5",
    solid: "M34 4h5v4h-5z",
  },
  ambulance: {
    line: "M7 25H3V7h28v18 M15 25h18 M31 12h7l7 7v6h-4 M36 12v6h8 M11 21a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M37 21a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
    solid: "M19 9h4v3h3v4h-3v3h-4v-3h-3v-4h3z M25 2h6v4h-6z",
  },
};

/** @type {string[]} */
export const services = Object.keys(shapes);

/** A picture beside words that say the same; it says nothing to a screen reader. @param {string} service */
export function serviceIcon(service) {
  const svg = drawn("svg", { viewBox: "0 0 48 32", class: "service", "data-service": service, "aria-hidden": "true" });
  const { line, solid } = shapes[service];
  svg.append(
    drawn("path", { d: line, fill: "none", stroke: "currentColor", "stroke-width": "2", "stroke-linecap": "round", "stroke-linejoin": "round" }),
    drawn("path", { d: solid, fill: "currentColor" }),
  );
  return svg;
}

function drawn(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
