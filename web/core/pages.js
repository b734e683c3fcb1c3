// SPDX-License-Identifier: Apache-2.0
/**
 * Which page is where, and for whom: `pages.json`, by which the gateway serves them. What somebody may do there, the gateway says.
 *
 * @typedef {{file: string, roles?: string[], isHomeOf?: string[]}} Page
 * @typedef {Record<string, Page>} Pages By address; `{incident}` in it stands for any one part.
 */
import { Unreachable } from "./api.js";

/** @returns {Promise<Pages>} */
export async function readPages() {
  try {
    return await (await fetch("/web/pages.json")).json();
  } catch {
    throw new Unreachable();
  }
}

/** The page at an address. @param {Pages} pages @param {string} path @returns {Page | null} */
export function pageAt(pages, path) {
  const parts = path.split("/");
  const isAt = (address) => {
    const wanted = address.split("/");
    return wanted.length === parts.length && wanted.every((one, index) => one === parts[index] || (one.startsWith("{") && parts[index] !== ""));
  };
  return pages[path] ?? pages[Object.keys(pages).find(isAt) ?? ""] ?? null;
}

/** Where somebody of a role begins. @returns {string | null} */
export function homeOf(pages, role) {
  return Object.keys(pages).find((address) => pages[address].isHomeOf?.includes(role)) ?? null;
}

/** The addresses that a role is led to: those without an open part. @returns {string[]} */
export function openTo(pages, role) {
  return Object.keys(pages).filter((address) => !address.includes("{") && pages[address].roles?.includes(role));
}
