// SPDX-License-Identifier: Apache-2.0
import { t } from "../../../core/i18n.js";

/** @typedef {{nameOf: (user: string) => string, choices: [string, string][]}} People `choices` are who can be sent: the id and what they are called, guards first. */

/**
 * Who is here. Guards are named to those who may list the accounts, and go by their numbers elsewhere.
 * @param {import("../../../core/api.js").API} api @param {boolean} supervises
 * @returns {Promise<People>} Never fails: who cannot be read goes by number.
 */
export async function peopleOf(api, supervises) {
  const [colleagues, users] = await Promise.all([listOf(api, "/v1/colleagues"), supervises ? listOf(api, "/v1/users") : []]);
  const accounts = users.map(({ id, name, login, role, disabled }) => ({ user: id, name: name ?? login, role, disabled }));
  const names = new Map([...colleagues, ...accounts].map(({ user, name }) => [user, name]));
  const atDesk = new Set(colleagues.map(({ user }) => user));
  const sent = accounts.length ? accounts.filter(({ user, role, disabled }) => !disabled && (role === "guard" || atDesk.has(user))) : [...colleagues];
  const rank = ({ role }) => (role === "guard" ? 0 : 1);
  sent.sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1));
  return { nameOf: (user) => names.get(user) ?? user, choices: sent.map(({ user, name, role }) => [user, role ? t("patrols.person", { name, role: t(`role.${role}`) }) : name]) };
}

async function listOf(api, path) {
  try {
    return (await api.get(path)).items;
  } catch {
    return [];
  }
}
