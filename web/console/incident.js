// SPDX-License-Identifier: Apache-2.0

/**
 * What an incident's sessions tell together. Each is what the gateway tells of a session: `{session, locations, …}`.
 *
 * @typedef {{id: string, tag: string | null, sessions: any[], classification?: any}} Incident As the gateway tells of it, and at which revision.
 */

/** An incident, and at which revision it is. @returns {Promise<Incident & {merged?: string[]}>} */
export async function readIncident(api, id) {
  const { members, tag } = await api.tagged(`/v1/incidents/${id}`);
  return { ...members, tag };
}

/** By what a caller is known: the number that is theirs, else the one that their telephone says, else their name. @param {{phone?: string, telephone?: {number?: string, name?: string}}} session @returns {string | undefined} */
export const knownAs = ({ phone, telephone }) => phone ?? telephone?.number ?? telephone?.name;

/** Whether that number is the word of a telephone alone. @param {{phone?: string, telephone?: {number?: string}}} session */
export const isUnverified = ({ phone, telephone }) => !phone && Boolean(telephone?.number);

/** How a session is called: by its caller. */
export const nameOfSession = (session) => knownAs(session) ?? "number unknown";

/**
 * Where the callers of an incident are: one's own caller's places, newest first, and the newest of every other caller. Where nothing is known of one's
 * own, another caller of the same event stands for them, and it is said whose place it is.
 * @param {{session: any, locations: any[]}} own
 * @param {{session: any, locations: any[]}[]} others
 * @returns {{places: any[], whose: string, others: {fix: any, at: string, name: string}[]}} `whose` is empty where the places are one's own caller's.
 */
export function placesOf(own, others) {
  const known = others.map((one) => ({ name: nameOfSession(one.session), locations: one.locations.filter((place) => place.fix) })).filter(({ locations }) => locations.length > 0);
  const newest = ({ name, locations: [{ fix, at }] }) => ({ fix, at, name });
  const hasOwn = own.locations.some((place) => place.fix);
  if (hasOwn || known.length === 0) return { places: own.locations, whose: "", others: known.map(newest) };
  const [first, ...rest] = known.sort((one, other) => (one.locations[0].at < other.locations[0].at ? 1 : -1));
  return { places: [...first.locations, ...own.locations], whose: first.name, others: rest.map(newest) };
}

/**
 * Whose chats can be read beside one's own, with what is new in them.
 * @param {{session: any}[]} others
 * @param {string | null} read Which one is read now.
 * @returns {{id: string, name: string, owner: string | undefined, isRead: boolean, unread: number}[]}
 */
export function tabsOf(others, read) {
  return others.map(({ session }) => ({ id: session.id, name: nameOfSession(session), owner: session.owner, isRead: session.id === read, unread: session.owner ? 0 : (session.unreadForOperator ?? 0) }));
}
