// SPDX-License-Identifier: Apache-2.0
import { forgetUnsent, storesOf, unsentWords } from "../core/chat.js";
import { toast } from "../core/dom.js";
import { pictureNames } from "../core/pictures.js";
import { local } from "../core/storage.js";

const prefix = "unsent/";

/** Under what name an operator's unsent messages to a caller are kept on this device: nobody else who signs in here sends them. */
export function unsentStore(user, session) {
  return `${prefix}${user}/${session}`;
}

/** Says how much was not sent to callers. */
export function tellUnsent(count) {
  if (count > 0) toast(`${unsentWords(count, "to a caller")} The session was over or left.`, "bad");
}

/** A session is over or left for good: what was not sent in it stays unsent, and is not kept. */
export async function forgetSession(user, session) {
  tellUnsent(await forgetUnsent(unsentStore(user, session), local));
}

async function stores() {
  return new Set([...storesOf(local), ...(await pictureNames())].filter((name) => name.startsWith(prefix)));
}

/** Forgets what somebody else wrote here who was signed in before: it is nobody's to send any more. */
export async function forgetOthers(user) {
  let count = 0;
  for (const name of await stores()) if (!name.startsWith(unsentStore(user, ""))) count += await forgetUnsent(name, local);
  if (count > 0) toast(`${unsentWords(count, "of somebody else who was signed in here")} The caller does not have ${count === 1 ? "it" : "them"}.`, "bad");
}

/** Forgets what pages before this one kept for sessions that are not this operator's any more. */
export async function forgetOtherSessions(api, user) {
  const own = unsentStore(user, "");
  for (const name of await stores()) {
    if (!name.startsWith(own)) continue;
    const session = name.slice(own.length);
    if (!(await isTheirs(api, session, user))) await forgetSession(user, session);
  }
}

async function isTheirs(api, id, user) {
  try {
    const { session } = await api.get(`/v1/sessions/${id}`);
    return session.owner === user && ["waiting", "open"].includes(session.state);
  } catch (error) {
    // What cannot be asked now is kept.
    return ![403, 404].includes(error.status);
  }
}
