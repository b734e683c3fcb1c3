// SPDX-License-Identifier: Apache-2.0
import { decoded } from "./qr-decode.js";
import { equalised } from "./qr-equalise.js";
import { corners } from "./qr-find.js";
import { aligned, border, fitted, grids, known, likenessOf, sampled } from "./qr-grid.js";
import { blurred, halved, inverted, planeOf } from "./qr-light.js";

/**
 * Reads a QR code (ISO/IEC 18004:2015) in a picture: versions 1 to 10, all levels; digits, capitals and bytes in ISO 8859-1 or UTF-8; turned, tilted, mirrored, and light on dark.
 * It never guesses: each block of a code has to be right by its own correction.
 */

/** So many places in a picture are looked at closely, the likeliest first; and so many fits of each. */
const gridsMax = 5;
const fitsMax = 2;
/** So much alike a code and the picture must be, of 1, before the code is read. */
const likenessMin = 0.5;

/** What is looked at in turn: the picture, then with less noise, in which larger modules are found, too. */
const passes = [(light) => light, halved, blurred];

/**
 * @param {{luma: Uint8ClampedArray, width: number, height: number}} light How light each pixel is, row by row.
 * @param {{millisecondsMax?: number, now?: () => number}} [limit] After so long it gives up, at the next place in the picture.
 * @returns {string | null} The text of one code, or `null` where none could be read.
 */
export function readQR(light, { millisecondsMax = 60, now = () => performance.now() } = {}) {
  const end = now() + millisecondsMax;
  const isLate = () => now() >= end;
  for (const pass of passes) {
    if (isLate()) return null;
    const plane = planeOf(pass(light));
    const found = corners(plane);
    const text = readPlane(plane, found.dark, isLate) ?? (found.light.length < 3 ? null : readPlane(inverted(plane), found.light, isLate));
    if (text !== null) return text;
  }
  return null;
}

/** The text of a code that has three of these corners. */
function readPlane(plane, found, isLate) {
  for (const { grid } of grids(plane, found).slice(0, gridsMax)) {
    if (isLate()) return null;
    const text = readNear(plane, grid, isLate);
    if (text !== null) return text;
  }
  return null;
}

/** The text of the code near a grid: at once where its alignment pattern is found, else where a closer fit is. */
function readNear(plane, near, isLate) {
  const found = aligned(plane, near).map((grid) => ({ grid, likeness: likenessOf(plane, grid) })).sort((one, other) => other.likeness - one.likeness);
  for (const { grid, likeness } of found) {
    const text = likeness < likenessMin ? null : reader(grid)(sampled(plane, grid));
    if (text !== null) return text;
  }
  for (const one of found.slice(0, fitsMax)) {
    if (isLate()) return null;
    const grid = fitted(plane, one.grid);
    if (likenessOf(plane, grid) < likenessMin) continue;
    const [read, lights] = [reader(grid), sampled(plane, grid)];
    let text = read(lights);
    if (text !== null) return text;
    for (const sharper of equalised(grid.version, lights)) if ((text = read(sharper)) !== null) return text;
  }
  return null;
}

/** What reads the lights of a grid's modules, around which there is a border. */
function reader({ version }) {
  const whole = known(version).size + 2 * border;
  return (lights) => decoded(version, (x, y) => lights[(y + border) * whole + x + border]);
}
