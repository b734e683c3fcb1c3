// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { minuteOf, timeOfDay } from "../../../core/time.js";
import { countsOf, nextOf, standingOf } from "../../../model/patrol.js";
import { standingChip } from "../../../dom/patrol.js";

/**
 * @typedef {import("../../../model/patrol.js").Round} Round
 * @typedef {{tourName: (id: string) => string, pointName: (id: string) => string}} Names
 */

/** What of a round is seen at a moment: it is drawn anew where this is another. @param {Round} round @param {Names} names @param {number} at */
export function signatureOf(round, names, at) {
  return [round, names.tourName(round.tour), round.points.map(({ point }) => names.pointName(point)), round.points.map((point) => standingOf(round, point, at))];
}

/** What a guard on a round needs first: the next point. @param {Round} round @param {Names} names @param {number} at */
export function nextView(round, names, at) {
  const next = nextOf(round, at);
  return [
    h("p", { class: "soft" }, t("patrol.started", { tour: names.tourName(round.tour), time: minuteOf(Date.parse(round.startedAt)) })),
    next && nextCard(round, next, names, at),
  ];
}

/** All points of a round in order, then the way to end it. @param {Round} round @param {Names} names @param {number} at @param {() => void} stop */
export function pointsView(round, names, at, stop) {
  const next = nextOf(round, at);
  return [
    h("ol", { class: "card points", "aria-label": t("patrol.points") }, round.points.map((point) => h("li", { "aria-current": point === next && "step" },
      h("span", { class: "grow" }, h("strong", {}, names.pointName(point.point)), h("span", { class: "small soft" }, whenOf(point))), standingChip(standingOf(round, point, at))))),
    h("p", {}, h("button", { type: "button", class: "big", dataset: { key: "stop" }, onclick: stop }, t("patrol.stop"))),
  ];
}

function nextCard(round, point, names, at) {
  const standing = standingOf(round, point, at);
  const time = minuteOf(Date.parse({ ahead: point.from, due: point.until, late: point.lateUntil }[standing]));
  return h("section", { class: `card stack padded next ${standing}`, "aria-labelledby": "next-name" }, h("p", { class: "soft" }, t("patrol.next")), h("h2", { id: "next-name" }, names.pointName(point.point)),
    h("p", { class: "when" }, t(`patrol.next.${standing}`, { time, until: minuteOf(Date.parse(point.until)) })));
}

/** The window, or when somebody was there. */
function whenOf(point) {
  if (point.reachedAt) return t("patrol.reached", { time: timeOfDay(Date.parse(point.reachedAt)) });
  return t("patrol.window", { from: minuteOf(Date.parse(point.from)), until: minuteOf(Date.parse(point.until)) });
}

/** What became of a round that is over. @param {Round} round @param {Names} names @param {number} at */
export function endView(round, names, at) {
  return h("section", { class: "card stack padded ended", role: "status" }, h("h2", {}, t(`patrol.ended.${round.reason ?? "done"}`, { tour: names.tourName(round.tour), time: minuteOf(Date.parse(round.finishedAt ?? "")) })),
    h("p", { class: "row" }, countsOf(round, at).map(([standing, count]) => standingChip(standing, count))));
}
