// SPDX-License-Identifier: Apache-2.0
/** Pictures of QR codes for the tests of their reader. */

/** Numbers from 0 to 1 by chance, the same again for the same seed (a linear congruence by Knuth). */
export function chance(seed) {
  let state = BigInt(seed) + 1n;
  return () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number(state >> 40n) / 2 ** 24;
  };
}

/** The modules of a fixture: bits row by row, the highest of each byte first, in base64. */
export function unpacked({ version, modules }) {
  const size = 17 + 4 * version;
  const bytes = Buffer.from(modules, "base64");
  return Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => Boolean((bytes[(y * size + x) >> 3] >> (7 - ((y * size + x) & 7))) & 1)));
}

/** Samples a pixel has, a side. */
const fine = 2;
/** Light modules around a code. */
const margin = 4;

/**
 * A grey picture of codes.
 * @param {{modules: boolean[][], x: number, y: number, module?: number, degrees?: number, narrows?: number, isMirrored?: boolean}[]} codes Where the middle of each is, how large a module,
 * how it is turned, and how much it narrows across its width, as what is tilted does.
 * @param {{width?: number, height?: number, light?: number, dark?: number, noise?: number, seed?: number}} [look]
 */
export function drawn(codes, { width = 320, height = 240, light = 220, dark = 30, noise = 0, seed = 1 } = {}) {
  const luma = new Uint8ClampedArray(width * height).fill(light);
  for (const code of codes) draw(code, { luma, width, height }, light, dark);
  const random = chance(seed);
  if (noise) for (let at = 0; at < luma.length; at++) luma[at] += noise * (random() + random() + random() + random() - 2) * Math.sqrt(3);
  return { luma, width, height };
}

function draw({ modules, x: middleX, y: middleY, module = 5, degrees = 0, narrows = 0, isMirrored = false }, { luma, width, height }, light, dark) {
  const [size, reach] = [modules.length, room(modules, module)];
  const [cosine, sine] = [Math.cos((degrees * Math.PI) / 180) / module, Math.sin((degrees * Math.PI) / 180) / module];
  const isDark = (x, y) => {
    const [across, down] = [x * cosine + y * sine, y * cosine - x * sine];
    const nearer = 1 / (1 - (narrows * across) / size);
    return modules[Math.floor(down * nearer + size / 2)]?.[Math.floor(across * nearer * (isMirrored ? -1 : 1) + size / 2)] ?? false;
  };
  for (let y = Math.max(0, Math.floor(middleY - reach)); y < Math.min(height, middleY + reach); y++) {
    for (let x = Math.max(0, Math.floor(middleX - reach)); x < Math.min(width, middleX + reach); x++) {
      let count = 0;
      for (let down = 0; down < fine; down++) for (let right = 0; right < fine; right++) if (isDark(x - middleX + right / fine, y - middleY + down / fine)) count++;
      if (count) luma[y * width + x] = light + ((dark - light) * count) / fine ** 2;
    }
  }
}

/** How wide a picture is that has a whole code, however it is turned. */
export const room = (modules, module) => Math.ceil((modules.length + 2 * margin) * module * Math.SQRT2);
