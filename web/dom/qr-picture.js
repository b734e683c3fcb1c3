// SPDX-License-Identifier: Apache-2.0
import { qrCode } from "../core/qr.js";

const space = "http://www.w3.org/2000/svg";
/** So many light modules a scanner wants around it. */
const margin = 4;

/** The QR code of an address, as a picture; dark on light in every theme, for scanners know no other. @param {string} text @param {string} label What it is, for who does not see it. */
export function qrPicture(text, label) {
  const modules = qrCode(text);
  const size = modules.length + 2 * margin;
  const make = (name, attributes) => {
    const element = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const picture = make("svg", { viewBox: `0 0 ${size} ${size}`, class: "qr", role: "img", "aria-label": label, "shape-rendering": "crispEdges" });
  const dark = modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x + margin} ${y + margin}h1v1h-1z`] : [])));
  picture.append(make("rect", { width: size, height: size, fill: "#fff" }), make("path", { d: dark.join(""), fill: "#000" }));
  return picture;
}

/** So large is a picture where it is put into another document, with the light margin around it. */
const fileMillimetres = 50;

/** A picture of this kind as a file. @param {Element} picture @returns {Blob} */
export function svgFile(picture) {
  const copy = /** @type {Element} */ (picture.cloneNode(true));
  for (const side of ["width", "height"]) copy.setAttribute(side, `${fileMillimetres}mm`);
  copy.removeAttribute("class");
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
}
