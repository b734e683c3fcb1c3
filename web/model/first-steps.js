// SPDX-License-Identifier: Apache-2.0
/**
 * What a new site needs before its first call, in order, and how far it is: its own facts, somebody who answers, a phone that called.
 *
 * @typedef {{option: string, value: string | null, isNeeded: boolean}} Setting One that stands on the command line, by what pages were told of it.
 */

/** What pages know of their site, by the option of `daybook serve` that says it. @param {import("../core/site.js").Site} site @returns {Setting[]} */
export function settings(site) {
  return [
    { option: "--site-name", value: site.name, isNeeded: true },
    { option: "--emergency-number", value: site.emergencyNumber, isNeeded: true },
    { option: "--emergency-sms", value: site.emergencySMS, isNeeded: false },
    { option: "--country", value: site.country, isNeeded: true },
    { option: "--time-zone", value: site.zone, isNeeded: true },
    // Without it links in e-mails, SMS and the sitemap lead nowhere.
    { option: "--public-address", value: site.publicAddress, isNeeded: true },
  ];
}

/** Those who can take a call. @param {import("./people.js").User[]} users */
export function operators(users) {
  return users.filter((user) => !user.disabled && (user.role === "operator" || user.role === "supervisor"));
}

/**
 * The steps; `site` counts as done when nothing that is needed is missing, `call` when a session was ever opened.
 * @param {{site: import("../core/site.js").Site, users: import("./people.js").User[], sessions: number}} known
 * @returns {{name: "password" | "site" | "operator" | "call", isDone: boolean}[]}
 */
export function steps({ site, users, sessions }) {
  return [
    // Whoever has a temporary password is not let in here.
    { name: "password", isDone: true },
    { name: "site", isDone: settings(site).every(({ value, isNeeded }) => value !== null || !isNeeded) },
    { name: "operator", isDone: operators(users).length > 0 },
    { name: "call", isDone: sessions > 0 },
  ];
}
