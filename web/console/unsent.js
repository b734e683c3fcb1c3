// SPDX-License-Identifier: Apache-2.0
import { forgetUnsent, unsentWords } from "../core/chat.js";
import { toast } from "../core/dom.js";
import { pictureNames } from "../core/pictures.js";

const prefix = "unsent/";

/** Under what name an operator's unsent messages to a caller are kept on this device. */
export function unsentStore(session) {
  return prefix + session;
}

/** Says how much was not sent to callers. */
export function tellUnsent(count) {
  if (count > 0) toast(`${unsentWords(count, "to a caller")} The session was over or left.`, "bad");
}

/** A session is over or left for good: what was not sent in it stays unsent, and is not kept. */
export async function forgetSession(session) {
  tellUnsent(await forgetUnsent(unsentStore(session), localStorage));
}

/** Forgets what pages before this one kept for sessions that are not this operator's any more. */
export async function forgetOtherSessions(api, user) {
  const names = [...Object.keys(localStorage), ...(await pictureNames())].filter((name) => name.startsWith(prefix));
  for (const name of new Set(names)) {
    const session = name.slice(prefix.length);
    if (!(await isTheirs(api, session, user))) await forgetSession(session);
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
