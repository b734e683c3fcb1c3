// SPDX-License-Identifier: Apache-2.0

/** What the page shows, as it stands in its address: a reload and Back lead to the same. */

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * @typedef {{is: "home"} | {is: "footage"} | {is: "session", id: string}} View
 * @param {string} search Of the address, from the question mark on.
 * @returns {View} Home where it says nothing that there is.
 */
export function viewOf(search) {
  const query = new URLSearchParams(search);
  const id = query.get("session") ?? "";
  if (uuid.test(id)) return { is: "session", id };
  return query.has("footage") ? { is: "footage" } : { is: "home" };
}

/** @param {View} view @returns {string} */
export function addressOf(view) {
  if (view.is === "session") return `/console?session=${view.id}`;
  return view.is === "footage" ? "/console?footage" : "/console";
}
