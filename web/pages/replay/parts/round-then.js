// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { minuteOf, timeElement } from "../../../core/time.js";
import { standingChip } from "../../../dom/patrol.js";
import { table } from "../../../dom/table.js";
import { standingOf } from "../../../model/patrol.js";
import { short } from "../../../model/words.js";

/** A guard's round as it stood at the moment: each point with its window, whether somebody was there, and what was done about it. */
export class RoundThen {
  #source;
  #names;
  #body = h("div", { class: "stack" });

  /** @param {import("../../../source/recorded.js").Recorded<any>} source @param {Record<string, string>} names */
  constructor(source, names) {
    this.#source = source;
    this.#names = names;
    this.element = h("section", { class: "round-then card", "aria-label": t("replay.round") }, this.#body);
  }

  draw() {
    const { at, state: { round } } = this.#source;
    const standings = round.points.map((point) => standingOf(round, point, at));
    refill(this.#body, [round, standings], () => this.#told(round, standings));
  }

  #told(round, standings) {
    const { finishedAt, reason } = round;
    const rows = round.points.map((point, index) => [
      this.#name(point.point), t("patrol.window", { from: minuteOf(Date.parse(point.from)), until: minuteOf(Date.parse(point.until)) }),
      h("span", { class: "row" }, standingChip(standings[index]), point.reachedAt && timeElement(point.reachedAt)), this.#done(point)]);
    return [
      h("h2", {}, t("replay.round.of", { tour: this.#name(round.tour), name: this.#name(round.guardID) })),
      h("p", { class: "soft" }, t("replay.round.since", { time: minuteOf(Date.parse(round.startedAt)) }), finishedAt && ` · ${t("replay.round.over", { reason: t(`patrol.reason.${reason}`), time: minuteOf(Date.parse(finishedAt)) })}`),
      table(t("replay.round.points"), [t("replay.round.point"), t("replay.round.window"), t("replay.column.state"), t("replay.round.done")], rows),
    ];
  }

  #done({ handledAt, handledBy, sent, note }) {
    if (!handledAt) return "–";
    const what = [sent && t("replay.round.sent", { name: this.#name(sent) }), note].filter(Boolean).join(" ");
    return [what || t("replay.round.erased"), h("p", { class: "small soft" }, this.#name(handledBy), ", ", timeElement(handledAt))];
  }

  #name(id) {
    return this.#names[id] ?? short(id);
  }
}
