// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { alertHeadline, alertTimes, answers, hasAlerts, partsByWay, timesByHour } from "../../../model/trends.js";
import { compare, funnel, lines, quantiles } from "./figures.js";
import { numbers } from "./numbers.js";

/**
 * The figures of alerts below a title of their own: what became of their messages, how long those took, and what people answered.
 * @param {{hours: import("../../../model/trends.js").TrendRow[], now: import("../../../model/trends.js").TrendRow[], before: import("../../../model/trends.js").TrendRow[], period: {from: Date, until: Date}, charts: import("./charts.js").Charts | null}} rows By the hour, of the period, and of the period before.
 */
export function alerts({ hours, now, before, period, charts }) {
  const title = h("h2", {}, t("trends.alerts"));
  if (!hasAlerts(now)) return [title, h("p", { class: "card empty" }, t("trends.alerts.none"))];
  const heading = "h3";
  const { results, ways } = partsByWay(now);
  const answered = answers(now);
  return [
    title,
    numbers(alertHeadline(now, before)),
    ways.length > 0 && compare({ title: t("trends.parts"), name: "alert-parts", heading, first: "trends.way", things: ways.map(({ name, values }) => ({ key: `trends.way.${name}`, values })), kinds: results.map((name) => [name, `trends.result.${name}`]) }),
    answered.length > 0 && funnel({ title: t("trends.answers"), name: "alert-answers", heading, first: "trends.answer", saved: "trends.answer", steps: answered.map(({ name, value }) => ({ key: `trends.answer.${name}`, value })) }),
    alertTimes.map(({ name, metric }) => lines({ title: t(`trends.until.${name}`), name: `alerts-${name}`, heading, hours: timesByHour(hours, metric), series: quantiles, period, charts, counted: `trends.until.count.${name}`, none: `trends.until.none.${name}` })),
  ];
}
