// SPDX-License-Identifier: Apache-2.0
import { forgetUnsent, storesOf } from "../core/chat.js";
import { toast } from "../core/dom.js";
import { draftsIn, forgetDraft } from "../core/draft.js";
import { allLost, lostWords } from "../core/lost.js";
import { pictureNames } from "../core/pictures.js";
import { local } from "../core/storage.js";

const prefix = "unsent/";

/** Under what name an operator's unsent messages to a caller are kept on this device: nobody else who signs in here sends them. */
export function unsentStore(user, session) {
  return `${prefix}${user}/${session}`;
}

/** Says what did not reach callers, or may not have. @param {import("../core/lost.js").Lost} given */
export function tellUnsent(given) {
  if (given.count > 0) toast(`${lostWords(given, "to a caller")} The session was over or left.`, "bad");
}

/** A session is over or left for good: what was not sent in it stays unsent, and is not kept. */
export async function forgetSession(user, session) {
  tellUnsent(await forgetStore(unsentStore(user, session)));
}

/** Forgets what somebody has half written: who signs out gives their sessions up. */
export function forgetDrafts(user) {
  for (const name of draftsIn(local)) if (name.startsWith(unsentStore(user, ""))) forgetDraft(local, name);
}

function forgetStore(name) {
  forgetDraft(local, name);
  return forgetUnsent(name, local);
}

async function stores() {
  return new Set([...storesOf(local), ...draftsIn(local), ...(await pictureNames())].filter((name) => name.startsWith(prefix)));
}

/** Forgets what somebody else wrote here who was signed in before: it is nobody's to send any more. */
export async function forgetOthers(user) {
  const others = [...(await stores())].filter((name) => !name.startsWith(unsentStore(user, "")));
  const given = allLost(await Promise.all(others.map(forgetStore)));
  if (given.count > 0) toast(lostWords(given, "of somebody else who was signed in here"), "bad");
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
