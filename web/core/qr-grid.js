// SPDX-License-Identifier: Apache-2.0
import { moduleTowards } from "./qr-find.js";
import { alignmentMiddles, formatPlaces, frameOf, versionMax } from "./qr-symbol.js";

/**
 * Lays the grid of a QR code's modules over a plane of `qr-light.js`. A grid has three corners (the middles of finder patterns), and two weights by which it narrows
 * with distance.
 *
 * @typedef {{version: number, values: Float64Array}} Grid Values: x and y of the three corners, then the weights of the second and third.
 */

const valueCount = 8;
const weightsFrom = 6;

/** From a corner's middle to the code's border, in modules. */
const inset = 3.5;

/** What of each version is known before it is read: places of modules, and for each 1 where it is light and -1 where it is dark; and the places of all others. */
const knownOf = Array.from({ length: versionMax + 1 }, () => null);
export function known(version) {
  return (knownOf[version] ??= makeKnown(version));
}

function makeKnown(version) {
  const frame = frameOf(version);
  const size = frame.length;
  for (const [x, y] of formatPlaces(size).flat()) frame[y][x] = null;
  const [places, signs, others] = [[], [], []];
  frame.forEach((row, y) => row.forEach((isDark, x) => {
    if (isDark === null) others.push(x + 0.5, y + 0.5);
    else {
      places.push(x + 0.5, y + 0.5);
      signs.push(isDark ? -1 : 1);
    }
  }));
  return { size, places: Float64Array.from(places), signs: Float64Array.from(signs), others: Float64Array.from(others) };
}

const at = new Float64Array(2);

/** Puts the pixel of a place in modules into `at`. */
function locate(values, span, x, y) {
  const [u, v] = [(x - inset) / span, (y - inset) / span];
  const [b, c, a] = [u * values[6], v * values[7], 1 - u - v];
  const weight = a + b + c;
  at[0] = (values[0] * a + values[2] * b + values[4] * c) / weight;
  at[1] = (values[1] * a + values[3] * b + values[5] * c) / weight;
}

/** How light a plane is between pixels; 0 outside. */
function lightAt({ values, width, height }, x, y) {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  if (!(left >= 0 && top >= 0 && left + 1 < width && top + 1 < height)) return 0;
  const from = top * width + left;
  const [right, down] = [x - left, y - top];
  const above = values[from] + (values[from + 1] - values[from]) * right;
  const below = values[from + width] + (values[from + width + 1] - values[from + width]) * right;
  return above + (below - above) * down;
}

// MARK: Where a code may be

/** So much alike a code and the plane must be, of 1, before it is looked at closely. */
const likenessMin = 0.35;
/** Modules of one code differ so much in size, and its sides so much in length, where it is tilted. */
const modulesApartMax = 2.2;
const sidesApartMax = 1.7;
/** Two corners of a code are at least so many modules apart, which look half as long where they are tilted; and three of them do not lie in a line. */
const cornersApartMin = 14 / 2;
const slantMin = 0.1;
/** A code narrows so much from one corner to the next. */
const narrowsMax = 2;
/** The version is taken for one more or less where its measure is not surer than that. */
const versionDoubt = 0.35;

/** The grids that any three corners may be of, the likeliest first. @returns {{grid: Grid, likeness: number}[]} */
export function grids(plane, corners) {
  const found = [];
  for (let one = 0; one < corners.length; one++)
    for (let two = one + 1; two < corners.length; two++)
      for (let three = two + 1; three < corners.length; three++) {
        const any = [corners[one], corners[two], corners[three]];
        const modules = any.map(({ module }) => module);
        if (Math.max(...modules) > modulesApartMax * Math.min(...modules)) continue;
        for (let first = 0; first < 3; first++) found.push(...gridsOf(plane, any[first], any[(first + 1) % 3], any[(first + 2) % 3]));
      }
  return found.sort(likeliest);
}

function gridsOf(plane, a, b, c) {
  // Seen from the first corner the second is to the right of the third, unless the code is mirrored.
  const area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  if (area < 0) [b, c] = [c, b];
  const [ab, ac] = [Math.hypot(b.x - a.x, b.y - a.y), Math.hypot(c.x - a.x, c.y - a.y)];
  if (Math.min(ab, ac) < cornersApartMin * a.module || Math.abs(area) < slantMin * ab * ac) return [];
  const [right, down] = [side(plane, a, b, ab), side(plane, a, c, ac)];
  if (right.modules > sidesApartMax * down.modules || down.modules > sidesApartMax * right.modules) return [];
  const version = ((right.modules + down.modules) / 2 + 2 * inset - 17) / 4;
  const found = [];
  for (let one = Math.max(1, Math.floor(version - versionDoubt)); one <= Math.min(versionMax, Math.ceil(version + versionDoubt)); one++) {
    const tried = [[1, 1], [right.narrows, down.narrows]].map((weights) => ({ version: one, values: Float64Array.of(a.x, a.y, b.x, b.y, c.x, c.y, ...weights) }));
    const [best] = tried.map((grid) => ({ grid, likeness: likenessOf(plane, grid) })).sort(likeliest);
    if (best.likeness >= likenessMin) found.push(best);
  }
  return found;
}

const likeliest = (one, other) => other.likeness - one.likeness;

/** How many modules two corners are apart, and how much the code narrows from the one to the other, by how long a module is at each end: in perspective the mean is the root of both. */
function side(plane, from, to, length) {
  const [near, far] = [moduleTowards(plane, from, to.x, to.y) || from.module, moduleTowards(plane, to, from.x, from.y) || to.module];
  return { modules: length / Math.sqrt(near * far), narrows: Math.min(narrowsMax, Math.max(1 / narrowsMax, Math.sqrt(near / far))) };
}

/** How much alike the plane and what is known of the code are: 1 where all modules are as they should be, 0 where half of them are. */
export function likenessOf(plane, { version, values }) {
  const { size, places, signs } = known(version);
  let [sum, all] = [0, 0];
  for (let index = 0; index < signs.length; index++) {
    locate(values, size - 2 * inset, places[2 * index], places[2 * index + 1]);
    const light = lightAt(plane, at[0], at[1]);
    sum += light * signs[index];
    all += Math.abs(light);
  }
  return all ? sum / all : 0;
}

// MARK: The fourth corner

/** So many places of the alignment pattern are kept, and so many are looked at closely before. */
const alignmentsMax = 3;
const climbsMax = 12;

/** Grids that have an alignment pattern where this one has the one near its fourth corner, and the grid itself. @param {Grid} grid @returns {Grid[]} */
export function aligned(plane, { version, values }) {
  const middles = alignmentMiddles(version);
  if (!middles.length) return [{ version, values }];
  const place = middles[middles.length - 1][0] + 0.5;
  const span = known(version).size - 2 * inset;
  // The further the corner is from the others, the less is known of where it is.
  const reach = Math.round(3 + (span + 2 * inset) / 7);
  const found = [];
  for (let dy = -reach; dy <= reach; dy++) for (let dx = -reach; dx <= reach; dx++) found.push({ dx, dy, score: alignmentScore(plane, values, span, place + dx, place + dy) });
  const best = found.sort(highest).slice(0, climbsMax);
  for (const one of best) climb(one, (dx, dy) => alignmentScore(plane, values, span, place + dx, place + dy));
  const kept = [];
  for (const one of best.sort(highest)) if (kept.length < alignmentsMax && kept.every(({ dx, dy }) => Math.abs(dx - one.dx) + Math.abs(dy - one.dy) > 1)) kept.push(one);
  const grids = kept.map(({ dx, dy }) => {
    locate(values, span, place + dx, place + dy);
    return { version, values: through(values, (place - inset) / span, at[0], at[1]) };
  });
  return [...grids.filter((one) => one.values), { version, values }];
}

const highest = (one, other) => other.score - one.score;

/** Goes from a place to where the score is highest. */
function climb(one, scoreAt) {
  for (let step = 0.5; step > 0.2; step /= 2) {
    for (let isBetter = true; isBetter; ) {
      isBetter = false;
      for (const [right, down] of [[step, 0], [-step, 0], [0, step], [0, -step]]) {
        const score = scoreAt(one.dx + right, one.dy + down);
        if (score <= one.score) continue;
        Object.assign(one, { dx: one.dx + right, dy: one.dy + down, score });
        isBetter = true;
      }
    }
  }
}

/** How much a place looks like the middle of an alignment pattern: dark, within a ring of light, within a ring of dark. */
function alignmentScore(plane, values, span, x, y) {
  let sum = 0;
  for (let down = -2; down <= 2; down++) {
    for (let right = -2; right <= 2; right++) {
      locate(values, span, x + right, y + down);
      const ring = Math.max(Math.abs(right), Math.abs(down));
      const light = lightAt(plane, at[0], at[1]);
      // One in the middle, 8 light ones, and 16 around them that count for 8.
      sum += ring === 1 ? light : -light * (ring === 0 ? 2 : 0.5);
    }
  }
  return sum;
}

/** A weight that is more than this is of no grid that is seen. */
const weightMax = 5;

/** Values of a grid whose place (u, u), in spans from the first corner, is at a pixel; `null` where there is none. */
function through(values, u, x, y) {
  const [bx, by, cx, cy] = [u * (values[2] - x), u * (values[3] - y), u * (values[4] - x), u * (values[5] - y)];
  const [rx, ry] = [(x - values[0]) * (1 - 2 * u), (y - values[1]) * (1 - 2 * u)];
  const determinant = bx * cy - by * cx;
  const [b, c] = [(rx * cy - ry * cx) / determinant, (bx * ry - by * rx) / determinant];
  const isPossible = (weight) => weight > 1 / weightMax && weight < weightMax;
  if (!isPossible(b) || !isPossible(c)) return null;
  const out = Float64Array.from(values);
  [out[6], out[7]] = [b, c];
  return out;
}

// MARK: A closer fit

/** So many modules that are not known are looked at. */
const othersMax = 200;

/** Moves a grid to where what is known of the code fits best, and all other modules are as dark or light as they can be. @returns {Grid} */
export function fitted(plane, { version, values: from }) {
  const values = Float64Array.from(from);
  const { size, places, signs, others } = known(version);
  const span = size - 2 * inset;
  const module = Math.max(Math.hypot(values[2] - values[0], values[3] - values[1]), Math.hypot(values[4] - values[0], values[5] - values[1])) / span;
  const cap = 1.2 * typical(plane, values, span, places);
  const clip = (light) => (light > cap ? cap : light < -cap ? -cap : light);
  const every = 2 * Math.ceil(others.length / 2 / othersMax);
  const fit = () => {
    let sum = 0;
    for (let index = 0; index < signs.length; index++) {
      locate(values, span, places[2 * index], places[2 * index + 1]);
      sum += 2 * clip(lightAt(plane, at[0], at[1])) * signs[index];
    }
    for (let index = 0; index < others.length; index += every) {
      locate(values, span, others[index], others[index + 1]);
      sum += (every / 2) * Math.abs(clip(lightAt(plane, at[0], at[1])));
    }
    return sum;
  };
  let best = fit();
  for (let step = 0.5; step > 0.05; step /= 2) {
    for (let round = 0; round < 3; round++) {
      const before = best;
      for (let index = 0; index < valueCount; index++) {
        const size = index < weightsFrom ? step * module : (1.5 * step) / span;
        for (const change of [size, -size]) {
          values[index] += change;
          const score = fit();
          if (score > best) {
            best = score;
            break;
          }
          values[index] -= change;
        }
      }
      if (best === before) break;
    }
  }
  return { version, values };
}

/** How far from its neighbourhood a module is on average. */
function typical(plane, values, span, places) {
  let sum = 0;
  for (let index = 0; index < places.length; index += 2) {
    locate(values, span, places[index], places[index + 1]);
    sum += Math.abs(lightAt(plane, at[0], at[1]));
  }
  return sum / (places.length / 2);
}

// MARK: The modules

/** From the middle of a module so far, in modules, are the other places that are looked at. */
const beside = 0.22;
/** So many modules around the code are looked at, too. */
export const border = 2;

/** How light each module is, row by row, with some of the margin around. @param {Grid} grid */
export function sampled(plane, { version, values }) {
  const { size } = known(version);
  const span = size - 2 * inset;
  const whole = size + 2 * border;
  const out = new Float64Array(whole * whole);
  for (let y = -border, to = 0; y < size + border; y++) {
    for (let x = -border; x < size + border; x++, to++) {
      for (const [right, down] of [[0, 0], [beside, beside], [-beside, beside], [beside, -beside], [-beside, -beside]]) {
        locate(values, span, x + 0.5 + right, y + 0.5 + down);
        out[to] += lightAt(plane, at[0], at[1]);
      }
    }
  }
  return out;
}
