// SPDX-License-Identifier: Apache-2.0
/**
 * Accounts, as the administrator's page shows them: who may change whose, which are looked for, how one stands.
 *
 * @typedef {{id: string, login: string, role: string, organisation: string, mustChangePassword: boolean, disabled: boolean, createdAt: string, person?: string, name?: string, lastSignInAt?: string}} User
 * @typedef {{user: string, role: string, organisation: string}} Me
 */

/** All roles, those of the desk first. */
export const roles = ["operator", "supervisor", "analyst", "auditor", "rescuer", "guard", "reporter", "caller", "service", "org-admin", "admin"];
/** Those that only an admin of the whole ledger gives, and takes. */
const ofTheWhole = new Set(["admin", "auditor"]);

/** The roles that somebody may give. @param {Me} me */
export function rolesToGive(me) {
  if (me.role === "admin") return roles;
  return me.role === "org-admin" ? roles.filter((role) => !ofTheWhole.has(role)) : [];
}

/** Whether somebody may change an account. @param {Me} me @param {User} user */
export function mayChange(me, user) {
  if (me.role === "admin") return true;
  return me.role === "org-admin" && user.organisation === me.organisation && !ofTheWhole.has(user.role);
}

/** Those whom nobody calls out: they do not work here, or are programs. */
const uncalled = new Set(["caller", "reporter", "service"]);

/** Whether somebody may be called out, and has ways to be told. @param {{role: string, disabled: boolean}} user */
export const isCalled = ({ role, disabled }) => !disabled && !uncalled.has(role);

/** How an account stands. @param {User} user @returns {"disabled" | "temporary" | "good"} */
export function standing(user) {
  if (user.disabled) return "disabled";
  return user.mustChangePassword ? "temporary" : "good";
}

/**
 * The accounts in which all words are found, of one role if that is said.
 * @param {User[]} users @param {{find?: string | null, role?: string | null}} wanted
 */
export function matching(users, { find, role }) {
  const words = (find ?? "").toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const isFound = (user) => words.every((word) => [user.login, user.name ?? "", user.id, user.organisation].some((text) => text.toLocaleLowerCase().includes(word)));
  return users.filter((user) => (!role || user.role === role) && isFound(user));
}

/** Whether it is the only admin who can still sign in: nobody ends that one. @param {User[]} users @param {User} user */
export function isLastAdmin(users, user) {
  return user.role === "admin" && !user.disabled && !users.some((other) => other.id !== user.id && other.role === "admin" && !other.disabled);
}

/** The tokens that are still good. @param {{expires: string, revokedAt?: string}[]} tokens @param {number} now */
export function goodTokens(tokens, now) {
  return tokens.filter((token) => !token.revokedAt && Date.parse(token.expires) > now);
}
