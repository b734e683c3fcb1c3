// SPDX-License-Identifier: Apache-2.0
import { none } from "./list.js";

/**
 * The messages of one session as they stood: who wrote what, what had arrived and what had been seen.
 *
 * @typedef {{id: string, position: number, from: string, actor: string, text?: string, picture?: {mediaType: string, width: number, height: number},
 *   sentAt: string, writtenAt: number | null, deliveredAt?: string, seenAt?: string}} Message Without text and picture it was erased.
 * @typedef {{messages: import("./list.js").List<Message>, rejected: import("./list.js").List<object>, unread: {caller: number, other: number},
 *   seenTo: Record<string, number>, places: Map<string, number>}} Chat `unread` by who wrote; `seenTo` is the number of first messages among which
 *   nothing of a side is unseen; `places` is where a message stands, which never changes and so is shared by all states of one chat.
 */

/** A chat in which nothing was written. @returns {Chat} */
export function emptyChat() {
  return { messages: none, rejected: none, unread: { caller: 0, other: 0 }, seenTo: { caller: 0, operator: 0, system: 0 }, places: new Map() };
}

/** Whether a message can be read by the other side, has arrived there, or was seen. */
export function stateOf(message) {
  return message.seenAt ? "seen" : message.deliveredAt ? "delivered" : "queued";
}

/**
 * @param {Chat} chat
 * @param {import("./event.js").ModelEvent} event
 * @returns {Chat}
 */
export function applyToChat(chat, event) {
  switch (event.kind) {
    case "chat.message_sent": return added(chat, event, event.says.text === undefined ? {} : { text: event.says.text });
    case "chat.attachment_added": {
      const { mediaType, width, height } = event.says;
      return added(chat, event, { picture: { mediaType, width: Number(width), height: Number(height) } });
    }
    case "chat.message_rejected": {
      const { from, temporaryID, reason } = event.says;
      return { ...chat, rejected: chat.rejected.push({ position: event.position, from, temporaryID, reason, at: event.time }) };
    }
    case "chat.message_delivered": return delivered(chat, event);
    case "chat.message_seen": return seen(chat, event);
    default: return chat;
  }
}

function added(chat, event, content) {
  const { message: id, from } = event.says;
  chat.places.set(id, chat.messages.length);
  const message = { id, position: event.position, from, actor: event.actor, ...content, sentAt: event.time, writtenAt: writtenAt(event.says.clientTimestamp) };
  const side = from === "caller" ? "caller" : "other";
  return { ...chat, messages: chat.messages.push(message), unread: { ...chat.unread, [side]: chat.unread[side] + 1 } };
}

/** Where a message stands; `undefined` if it was not yet written. */
function place(chat, id) {
  const found = chat.places.get(id);
  return found < chat.messages.length ? found : undefined;
}

function delivered(chat, event) {
  const at = place(chat, event.says.message);
  if (at === undefined || chat.messages.at(at).deliveredAt) return chat;
  return { ...chat, messages: chat.messages.with(at, { ...chat.messages.at(at), deliveredAt: event.time }) };
}

/** With the message that is named, all earlier ones of the other sides are seen. */
function seen(chat, event) {
  const at = place(chat, event.says.upTo);
  if (at === undefined) return chat;
  const others = ["caller", "operator", "system"].filter((side) => side !== event.says.by);
  const first = Math.min(...others.map((side) => chat.seenTo[side]));
  const news = { caller: 0, other: 0 };
  const messages = chat.messages.map(first, at + 1, (message) => {
    if (message.seenAt || !others.includes(message.from)) return message;
    news[message.from === "caller" ? "caller" : "other"]++;
    return { ...message, seenAt: event.time };
  });
  const seenTo = { ...chat.seenTo };
  for (const side of others) seenTo[side] = Math.max(seenTo[side], at + 1);
  const unread = { caller: chat.unread.caller - news.caller, other: chat.unread.other - news.other };
  return { ...chat, messages, seenTo, unread };
}

/**
 * When a phone says that something was written: seconds or milliseconds since 1970, as phones have it.
 * @param {string | undefined} text
 * @returns {number | null} In milliseconds; `null` where it says nothing of the kind.
 */
export function writtenAt(text) {
  if (!/^\d{9,11}$|^\d{12,14}$/.test(text ?? "")) return null;
  return Number(text) * (text.length < 12 ? 1000 : 1);
}
