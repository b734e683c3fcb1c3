// SPDX-License-Identifier: Apache-2.0
import { t } from "../core/i18n.js";
import "../core/staff-words.js";

/** An account may be made after the page was opened: for an id without a name the list is read again, so often at most. */
const againMilliseconds = 60_000;
/** Who may list those of the desk, and the accounts. */
const mayList = { colleagues: new Set(["operator", "supervisor", "org-admin", "admin"]), users: new Set(["supervisor", "auditor", "org-admin", "admin"]) };

/**
 * @typedef {{nameOf: (user: string) => string, choices: [string, string][], version: number}} People `choices` are who can be sent: the id and what they are called, guards first.
 *   `version` is another one whenever the list was read.
 */

/**
 * Who is here. Somebody is named to those who may list the people, and goes by number elsewhere.
 * @param {import("../core/api.js").API} api @param {string} role Of who looks. @param {() => void} [onChange] Told when the list was read again.
 * @returns {Promise<People>} Never fails: who cannot be read goes by number.
 */
export async function peopleOf(api, role, onChange = () => {}) {
  const names = new Map();
  const askedAt = new Map();
  let [choices, version, reading] = [[], 0, null];

  async function read() {
    const [colleagues, users] = await Promise.all(Object.keys(mayList).map((list) => (mayList[list].has(role) ? listOf(api, `/v1/${list}`) : [])));
    const accounts = (users ?? []).map(({ id, name, login, role, disabled }) => ({ user: id, name: name ?? login, role, disabled }));
    for (const { user, name } of [...(colleagues ?? []), ...accounts]) names.set(user, name);
    // What cannot be read again stays as it was.
    if ((colleagues && users) || version === 0) choices = choicesOf(colleagues ?? [], accounts);
    if (colleagues || users) version += 1;
  }

  async function readAgain() {
    const before = version;
    await read();
    reading = null;
    if (version !== before) onChange();
  }

  function nameOf(user) {
    const at = performance.now();
    if (user && !names.has(user) && at - (askedAt.get(user) ?? -Infinity) >= againMilliseconds) {
      askedAt.set(user, at);
      reading ??= readAgain();
    }
    return names.get(user) ?? user;
  }

  await read();
  return { nameOf, get choices() { return choices; }, get version() { return version; } };
}

function choicesOf(colleagues, accounts) {
  const atDesk = new Set(colleagues.map(({ user }) => user));
  const sent = accounts.length ? accounts.filter(({ user, role, disabled }) => !disabled && (role === "guard" || atDesk.has(user))) : [...colleagues];
  const rank = ({ role }) => (role === "guard" ? 0 : 1);
  sent.sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1));
  return sent.map(({ user, name, role }) => [user, role ? t("page.person", { name, role: t(`role.${role}`) }) : name]);
}

/** @returns {Promise<any[] | null>} `null` where it cannot be read. */
async function listOf(api, path) {
  try {
    return (await api.get(path)).items;
  } catch {
    return null;
  }
}
