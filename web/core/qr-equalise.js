// SPDX-License-Identifier: Apache-2.0
import { border, known } from "./qr-grid.js";

/**
 * Undoes blur and motion in a sampled QR code: a module is what a weighted sum of it and its neighbours says. The weights are those that suit the modules that are known before reading
 * (least squares); then, once more, those that suit all modules as they were read.
 */

/** Neighbours this far away have a weight, in modules; one more weight is for what all have in common. */
const reach = 2;
const taps = (2 * reach + 1) ** 2 + 1;
/** How much weights are held back, as a part of the mean square: without it noise would choose them. */
const restraint = 0.02;
const rounds = 2;

/** @param {number} version @param {Float64Array} lights As `sampled` gives them. @returns {Iterable<Float64Array>} The lights after each round. */
export function* equalised(version, lights) {
  const { size, places, signs } = known(version);
  const whole = size + 2 * border;
  const scale = lights.reduce((sum, one) => sum + Math.abs(one), 0) / lights.length || 1;
  let indices = Int32Array.from(signs, (_, index) => (Math.floor(places[2 * index + 1]) + border) * whole + Math.floor(places[2 * index]) + border);
  let wanted = signs;
  for (let round = 0; round < rounds; round++) {
    const weights = weightsFor(lights, whole, scale, indices, wanted);
    if (!weights) return;
    const next = Float64Array.from(lights);
    const row = new Float64Array(taps);
    const [all, read] = [[], []];
    for (let y = border; y < size + border; y++) {
      for (let x = border; x < size + border; x++) {
        const index = y * whole + x;
        gather(row, lights, whole, scale, index);
        let sum = 0;
        for (let tap = 0; tap < taps; tap++) sum += weights[tap] * row[tap];
        next[index] = sum;
        all.push(index);
        read.push(sum < 0 ? -1 : 1);
      }
    }
    yield next;
    [indices, wanted] = [all, read];
  }
}

/** A module and its neighbours. */
function gather(row, lights, whole, scale, index) {
  let tap = 0;
  for (let y = -reach; y <= reach; y++) for (let x = -reach; x <= reach; x++) row[tap++] = lights[index + y * whole + x] / scale;
  row[tap] = 1;
}

/** The weights whose sums come nearest to what is wanted. */
function weightsFor(lights, whole, scale, indices, wanted) {
  const matrix = Array.from({ length: taps }, () => new Float64Array(taps + 1));
  const row = new Float64Array(taps);
  for (let sample = 0; sample < indices.length; sample++) {
    gather(row, lights, whole, scale, indices[sample]);
    for (let one = 0; one < taps; one++) {
      for (let other = one; other < taps; other++) matrix[one][other] += row[one] * row[other];
      matrix[one][taps] += row[one] * wanted[sample];
    }
  }
  for (let one = 0; one < taps; one++) {
    matrix[one][one] += restraint * indices.length;
    for (let other = 0; other < one; other++) matrix[one][other] = matrix[other][one];
  }
  return solved(matrix);
}

/** Solves linear equations, each a row with its right side at the end, by elimination; the matrix is positive definite, so no rows are exchanged. */
function solved(matrix) {
  const count = matrix.length;
  for (let pivot = 0; pivot < count; pivot++) {
    if (!(matrix[pivot][pivot] > 0)) return null;
    for (let row = pivot + 1; row < count; row++) {
      const factor = matrix[row][pivot] / matrix[pivot][pivot];
      for (let column = pivot; column <= count; column++) matrix[row][column] -= factor * matrix[pivot][column];
    }
  }
  const out = new Float64Array(count);
  for (let row = count - 1; row >= 0; row--) {
    let sum = matrix[row][count];
    for (let column = row + 1; column < count; column++) sum -= matrix[row][column] * out[column];
    out[row] = sum / matrix[row][row];
  }
  return out;
}
