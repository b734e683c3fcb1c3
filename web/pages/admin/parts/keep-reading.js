// SPDX-License-Identifier: Apache-2.0

/**
 * Reads something now, and anew so often while somebody looks.
 * @param {() => Promise<void>} read @param {number} milliseconds
 * @returns {Promise<{stop: () => void}>} Throws where the first reading fails.
 */
export async function keepReading(read, milliseconds) {
  await read();
  const timer = setInterval(() => document.visibilityState === "visible" && read().catch(() => {
    // The head of the page says that the centre is not reached.
  }), milliseconds);
  return { stop: () => clearInterval(timer) };
}
