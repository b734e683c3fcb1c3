// SPDX-License-Identifier: Apache-2.0
/**
 * Finds the three finder patterns of QR codes in a plane of `qr-light.js`: along any line through its middle such a pattern is dark, light, dark, light, dark for 1, 1, 3, 1, 1 modules.
 *
 * @typedef {{x: number, y: number, module: number, count: number}} Corner Middle and module in pixels, and how many rows showed it.
 */

/** Smaller modules cannot be told apart, in pixels. */
const moduleMin = 1.2;
/** What only one row shows is noise. */
const rowsMin = 2;
/** So many corners are kept, those that most rows showed. */
const cornersMax = 14;

/** What lies so near its neighbourhood is neither dark nor light: noise on a wall. */
const contrastMin = 3;

/** The corners of codes that are dark on light, and of those that are light on dark. @param {import("./qr-light.js").Plane} plane @returns {{dark: Corner[], light: Corner[]}} */
export function corners(plane) {
  const { values, width, height } = plane;
  const found = { dark: [], light: [] };
  const edges = new Float64Array(6);
  for (let y = 1; y < height - 1; y++) {
    let count = 0;
    let isDark = false;
    for (let x = 1, at = y * width + 1; x < width; x++, at++) {
      const here = values[at];
      if (isDark ? here < contrastMin : here > -contrastMin) continue;
      isDark = !isDark;
      const before = values[at - 1];
      edges[0] = edges[1];
      edges[1] = edges[2];
      edges[2] = edges[3];
      edges[3] = edges[4];
      edges[4] = edges[5];
      edges[5] = x - 1 + (here < 0 !== before < 0 ? before / (before - here) : 0);
      if (++count < 6 || !isPattern(edges)) continue;
      // What ended is of the other kind than what begins.
      const corner = checked(plane, isDark ? -1 : 1, (edges[2] + edges[3]) / 2, y, (edges[5] - edges[0]) / 7);
      if (corner) gather(isDark ? found.light : found.dark, corner);
    }
  }
  for (const kind of Object.keys(found)) found[kind] = found[kind].filter(({ count }) => count >= rowsMin).sort((one, other) => other.count - one.count).slice(0, cornersMax);
  return found;
}

/** Whether six edges are 1:1:3:1:1 apart; a dark and a light module together are more certain than each, which blur makes wider or narrower. */
function isPattern(edges) {
  const module = (edges[5] - edges[0]) / 7;
  if (module < moduleMin) return false;
  const [a, b, c, d, e] = [edges[1] - edges[0], edges[2] - edges[1], edges[3] - edges[2], edges[4] - edges[3], edges[5] - edges[4]];
  const least = 0.3 * module;
  return a > least && b > least && d > least && e > least && Math.abs(a + b - 2 * module) < 0.85 * module && Math.abs(d + e - 2 * module) < 0.85 * module && Math.abs(c - 3 * module) < 1.2 * module;
}

/** The corner at a place of a row, if its column and row say so, too. @param {number} sign 1 for dark on light, -1 for light on dark. */
function checked({ values, width, height }, sign, x, y, module) {
  const column = Math.round(x);
  const down = across(values, sign, column, width, height, y, 14 * module);
  if (!down) return null;
  const middle = (down[2] + down[3]) / 2;
  const row = Math.round(middle);
  const right = across(values, sign, row * width, 1, width, column, 14 * module);
  if (!right) return null;
  const [wide, high] = [(right[5] - right[0]) / 7, (down[5] - down[0]) / 7];
  return { x: (right[2] + right[3]) / 2, y: middle, module: Math.sqrt(wide * high), count: 1 };
}

const found = new Float64Array(6);

/** The edges of a pattern around a place of a line, or `null`. @param {number} from Where the line begins among the values. @param {number} step To its next pixel. */
function across(values, sign, from, step, length, place, most) {
  place = Math.min(length - 1, Math.max(0, Math.round(place)));
  if (sign * values[from + place * step] >= 0) return null;
  for (const way of [-1, 1]) {
    let at = place;
    const end = way < 0 ? Math.max(0, place - most) : Math.min(length - 1, place + most);
    for (let edge = 0; edge < 3; edge++) {
      const isDark = edge !== 1;
      while (way < 0 ? at > end : at < end) {
        if (sign * values[from + (at + way) * step] < 0 !== isDark) break;
        at += way;
      }
      if (way < 0 ? at <= end : at >= end) return null;
      const [here, next] = [values[from + at * step], values[from + (at + way) * step]];
      found[way < 0 ? 2 - edge : 3 + edge] = at + (way * here) / (here - next);
      at += way;
    }
  }
  return isPattern(found) ? found : null;
}

/** Adds a corner to those found, or to the one of them that it is. */
function gather(all, corner) {
  for (const one of all) {
    const near = 2 * Math.max(one.module, corner.module);
    if (Math.abs(one.x - corner.x) > near || Math.abs(one.y - corner.y) > near) continue;
    const weight = 1 / ++one.count;
    for (const key of ["x", "y", "module"]) one[key] += (corner[key] - one[key]) * weight;
    return;
  }
  all.push(corner);
}

/** How long a module is from a corner's middle towards another place, in pixels: the pattern ends after three and a half. @returns {number} 0 where it does not end. */
export function moduleTowards({ values, width, height }, corner, toX, toY) {
  const length = Math.hypot(toX - corner.x, toY - corner.y);
  const [dx, dy] = [(toX - corner.x) / length / 2, (toY - corner.y) / length / 2];
  const most = 24 * corner.module;
  let [wanted, before] = [true, -1];
  let edges = 0;
  for (let step = 0; step < most; step++) {
    const [x, y] = [Math.round(corner.x + dx * step), Math.round(corner.y + dy * step)];
    if (x < 0 || y < 0 || x >= width || y >= height) return 0;
    const value = values[y * width + x];
    if (value < 0 !== wanted) {
      wanted = !wanted;
      if (++edges === 3) return (step - 1 + before / (before - value)) / 2 / 3.5;
    }
    before = value;
  }
  return 0;
}
