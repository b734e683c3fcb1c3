// SPDX-License-Identifier: Apache-2.0
/**
 * What the site is, as the gateway wrote it into the page: whom to telephone, how numbers are dialled there, which time it is.
 *
 * @typedef {{code: string, callingCode: string, trunkPrefix?: string, internationalPrefix?: string, digitsMost: number}} Dialling
 * @typedef {{name: string | null, emergencyNumber: string, emergencySMS: string | null, country: string | null, dialling: Dialling | null, zone: string | null, publicAddress: string | null, answersCitizens: boolean, isDemo: boolean}} Site
 */

/** What holds where no gateway has written anything: a page opened as a file, or kept from before. */
const unknown = { name: null, emergencyNumber: "112", emergencySMS: null, country: null, dialling: null, zone: null, publicAddress: null, answersCitizens: false, isDemo: false };

/**
 * @param {string | null | undefined} text What the page has.
 * @returns {Site} Never fails: a page without it still has a number to dial.
 */
export function siteFrom(text) {
  try {
    const site = { ...unknown, ...JSON.parse(text ?? "{}") };
    return { ...site, zone: isKnown(site.zone) ? site.zone : null };
  } catch {
    return unknown;
  }
}

/** A browser may be older than a zone's name. @param {any} zone */
export function isKnown(zone) {
  if (typeof zone !== "string") return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** This page's. A service worker, and a test, have no page. @type {Site} */
export const site = siteFrom(globalThis.document?.querySelector('meta[name="daybook-site"]')?.content);
