// SPDX-License-Identifier: Apache-2.0
/**
 * The people of a demo: in which order they stand on its start page, and under which host each is at work.
 *
 * @typedef {{person: string, role: string, home: string, login?: string, name?: string, phone?: string}} Person
 */

/** Who calls comes first, then who answers, then who looks back. */
const order = ["caller", "operator", "supervisor", "guard", "rescuer", "auditor", "analyst", "org-admin", "admin"];

/** @param {Person[]} people @returns {Person[]} */
export function sorted(people) {
  const place = ({ role }) => (order.includes(role) ? order.indexOf(role) : order.length);
  return [...people].sort((one, other) => place(one) - place(other));
}

/** As what somebody is told of: by their role, but a phone with a name is a citizen's, who has contacts. @param {Person} person */
export const kindOf = ({ role, phone, name }) => (phone && name ? "citizen" : role);

/** What somebody is called; `null` for a phone of which only the number is known. @param {Person} person */
export const nameOf = ({ name, login }) => name ?? login ?? null;

/** A host for a person, below `localhost`: of the login, where that makes one. @param {Person} person @param {Person[]} people */
export function hostOf(person, people) {
  const phones = people.filter(({ phone }) => phone);
  return `${person.phone ? `caller${phones.indexOf(person) + 1}` : label(person)}.localhost`;
}

const label = ({ login, person }) => (/^[a-z][a-z0-9-]{0,50}$/i.test(login ?? "") && !/^caller\d*$/i.test(login) ? login.toLowerCase() : `user-${person.replace(/[^a-z0-9-]/gi, "-").toLowerCase()}`);

/** Whether a page at this address may open others below `localhost`: they are this machine without TLS alone. @param {{protocol: string, hostname: string}} address */
export function mayHaveHosts({ protocol, hostname }) {
  return protocol === "http:" && (["127.0.0.1", "localhost"].includes(hostname) || hostname.endsWith(".localhost"));
}
