// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { checkInsByHour, hasPatrols, patrolAlarms, patrolAlarmsByHour, patrolHeadline, patrolTimes, refusals, timesByHour, tourSteps, verdicts } from "../../../model/trends.js";
import { columns, funnel, lines, quantiles } from "./figures.js";
import { numbers } from "./numbers.js";

/**
 * The figures of guards' tours below a title of their own: check-ins, tours and their points, and what alarmed a supervisor. Nothing where there were no tours.
 * @param {{hours: import("../../../model/trends.js").TrendRow[], now: import("../../../model/trends.js").TrendRow[], before: import("../../../model/trends.js").TrendRow[], period: {from: Date, until: Date}, charts: import("./charts.js").Charts | null}} rows By the hour, of the period, and of the period before.
 */
export function patrols({ hours, now, before, period, charts }) {
  if (!hasPatrols(now)) return [];
  const heading = "h3";
  const figure = { heading, period, charts };
  const { tours, points } = tourSteps(now);
  const shares = (title, name, first, steps) => steps.length > 0 && funnel({ title, name, heading, first, saved: first, steps });
  const times = patrolTimes.map((one) => ({ ...one, measured: timesByHour(hours, one.metric) })).filter(({ measured }) => measured.length > 0);
  return [
    h("h2", {}, t("trends.patrols")),
    numbers(patrolHeadline(now, before)),
    columns({ ...figure, title: t("trends.check-ins"), name: "check-ins", hours: checkInsByHour(hours), series: verdicts.map((name) => [name, `trends.verdict.${name}`]) }),
    columns({ ...figure, title: t("trends.patrol-alarms"), name: "patrol-alarms", hours: patrolAlarmsByHour(hours), series: patrolAlarms.map((name) => [name, `trends.patrol-alarm.${name}`]) }),
    shares(t("trends.tours"), "tours", "trends.tour", tours.map(({ name, value }) => ({ key: `trends.tour.${name}`, value }))),
    shares(t("trends.tour-points"), "tour-points", "trends.point", points.map(({ name, value }) => ({ key: `trends.point.${name}`, value }))),
    shares(t("trends.refusals"), "refusals", "trends.refusal", refusals(now).map(({ name, value }) => ({ key: `trends.refusal.${name}`, value }))),
    times.map(({ name, measured }) => lines({ ...figure, title: t(`trends.patrol-time.${name}`), name: `patrol-${name}`, hours: measured, series: quantiles, counted: `trends.patrol-time.count.${name}`, none: "trends.none" })),
  ];
}
