// SPDX-License-Identifier: Apache-2.0
/** How cameras and their pictures are spoken of. */
import { t, term } from "../../../core/i18n.js";
import { now, span, timeAndZone, dayAndTime } from "../../../core/time.js";

const dayMilliseconds = 86_400_000;
const kinds = { live: "live", frozen: "bad", offline: "bad", behind: "warn", lost: "bad", waits: "" };

/** @param {number} floor */
export const floorWords = (floor) => t("wall.floor", { floor });

/** How a camera stands: `No picture since 14:03:10 CET: the address cannot be reached`. @param {{standing: string, cause?: string, since?: string}} camera */
export function standingWords({ standing, cause, since }) {
  if (standing === "unknown") return t("wall.standing.unknown");
  const time = since ? (now() - Date.parse(since) < dayMilliseconds ? timeAndZone(new Date(since)) : dayAndTime(since)) : "";
  const words = since ? t(`wall.since.${standing}`, { time }) : t(`wall.standing.${standing}`);
  return cause && standing === "offline" ? t("wall.because", { words, cause: term(`wall.cause.${cause}`, cause) }) : words;
}

/** What stands in the corner of a live picture. @param {ReturnType<typeof import("../../../model/cameras.js").liveState>} live */
export function chipOf({ word, seconds }) {
  return { words: word === "waits" ? "" : t(`wall.state.${word}`, { time: span(seconds) }), kind: kinds[word], state: word };
}

/** How a camera stands by its live picture, which knows it sooner than the list. @param {import("../../../model/cameras.js").Camera} camera @param {{standing: string, cause?: string}} live */
export function nowOf({ standing, cause, since }, live) {
  if (live.standing === "unknown" || live.standing === standing) return { standing, cause, since };
  return { standing: live.standing, cause: live.cause };
}
