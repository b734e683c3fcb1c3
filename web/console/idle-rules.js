// SPDX-License-Identifier: Apache-2.0
import { limits } from "../core/limits.js";

/** So long somebody with an open session of their own may do nothing at this page: they are on the telephone with the caller. */
const idleMostAtWork = 900;
/** How long before the end it is asked. */
const askSeconds = 60;
/** Somebody who was here so lately keeps the sign-in alive. */
const hereSeconds = 60;

/**
 * What idleness means now.
 *
 * Whoever has an open session is never signed out from here: the question comes later, with sound, and what follows it locks the page and no more. Nobody is
 * signed out or locked out before the question has stood its whole time, however late it came: a page in the background is slowed down.
 * @param {{idle: number, asked: number | null, hasSession: boolean}} now Seconds since somebody was here, and since the question stands, if it does.
 * @returns {{isToAsk: boolean, left: number, end: "none" | "lock" | "leave", keepsAlive: boolean}}
 */
export function idleness({ idle, asked, hasSession }) {
  const most = hasSession ? idleMostAtWork : limits.idleSeconds;
  const isToAsk = idle >= most - askSeconds;
  const left = Math.max(most - idle, askSeconds - (asked ?? 0));
  const isOver = isToAsk && asked !== null && left <= 0;
  return { isToAsk, left, end: !isOver ? "none" : hasSession ? "lock" : "leave", keepsAlive: !isOver && (hasSession || idle < hereSeconds) };
}
