// SPDX-License-Identifier: Apache-2.0
/** The analysts' page: how many asked for help, how long they waited, what became of it, how far alerts came, how guards' tours went, and what became of reports of animals, in the period that the address names. */
import { API } from "../../core/api.js";
import { fill, find, h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { now } from "../../core/time.js";
import { dygraphs } from "../../core/vendor.js";
import { pressed } from "../../dom/busy.js";
import { Shell } from "../../dom/shell.js";
import { contactsByHour, funnels, hasAlerts, headline, outcomes, periodOf, reportGroupOf, timesByHour } from "../../model/trends.js";
import { alerts } from "./parts/alerts.js";
import { Charts } from "./parts/charts.js";
import { columns, funnel, lines, localHourOf, quantiles } from "./parts/figures.js";
import { numbers } from "./parts/numbers.js";
import { patrols } from "./parts/patrols.js";
import { PeriodForm } from "./parts/period-form.js";
import { Reports } from "./parts/reports.js";
import { trendsReady } from "./words.js";

const api = new API();
const main = find("#main");
let asked = 0;
/** What is drawn now. @type {Charts | null} */
let drawn = null;

await trendsReady;
begin();

async function begin() {
  const me = await new Shell(api).enter(t("trends.purpose"));
  const form = new PeriodForm((query) => {
    go(query);
    show(form, reports);
  });
  const reports = new Reports(api, me, (group) => {
    go([["reports", group]]);
    reports.show(...chosen());
  });
  addEventListener("popstate", () => show(form, reports));
  await show(form, reports);
  document.documentElement.dataset.ready = "";
}

/** What was chosen goes into the address, beside what stands there. @param {Iterable<[string, string]>} choices */
function go(choices) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of choices) query.set(name, value);
  history.pushState(null, "", `/trends?${query}`);
}

/** The period of the address, and how its reports are put together. */
function chosen() {
  const query = new URLSearchParams(location.search);
  return /** @type {const} */ ([periodOf(query, now()), reportGroupOf(query)]);
}

/** Shows the period of the address. */
async function show(form, reports) {
  const mine = ++asked;
  const [period, group] = chosen();
  form.show(period);
  const place = h("div", { class: "figures-place", "aria-busy": "true" }, h("p", { class: "soft", role: "status" }, t("trends.counting")));
  fill(main, h("div", { class: "trends" }, form.element, place, reports.element));
  const counted = reports.show(period, group);
  try {
    const [rows, Dygraph] = await Promise.all([rowsOf(period), dygraphs()]);
    if (mine !== asked) return;
    drawn?.end();
    drawn = Dygraph && new Charts(Dygraph, period);
    fill(place, await figuresOf(period, rows, drawn));
    reports.showHours(rows.hours.rows, period, drawn);
    drawn?.draw();
  } catch (error) {
    if (mine === asked) fill(place, h("p", { class: "notice bad", role: "alert" }, error.message), h("button", { type: "button", onclick: pressed(() => show(form, reports)) }, t("page.try-again")));
  }
  place.removeAttribute("aria-busy");
  await counted;
}

/** The numbers by the hour, of the period, and of the period before. */
async function rowsOf({ from, until, before }) {
  const ask = (first, last, by) => api.get(`/v1/trends?from=${first.toISOString()}&until=${last.toISOString()}&by=${by}`);
  const [hours, period, earlier] = await Promise.all([ask(from, until, "hour"), ask(from, until, "period"), ask(before, from, "period")]);
  return { hours, period, earlier };
}

async function figuresOf({ from, until }, { hours, period, earlier }, charts) {
  const isEmpty = !period.rows.some((row) => row.metric === "sessions" || row.metric === "claim_wait_ms");
  const about = [h("p", { class: "soft small" }, t("trends.about", { zone: hours.timeZone })), charts ? charts.controls : h("p", { class: "notice" }, t("trends.no-drawings"))];
  const shown = { period: { from, until }, charts };
  const sections = { ...shown, hours: hours.rows, now: period.rows, before: earlier.rows };
  const [ofAlerts, ofPatrols] = [alerts(sections), patrols(sections)];
  if (isEmpty) return [h("p", { class: "card empty" }, t("trends.empty"), " ", await sinceWhen(until)), hasAlerts(period.rows) || ofPatrols.length > 0 ? [about, hasAlerts(period.rows) && ofAlerts, ofPatrols] : []];
  return [
    numbers(headline(period.rows, earlier.rows)),
    about,
    columns({ ...shown, title: t("trends.contacts"), name: "contacts", hours: contactsByHour(hours.rows), series: [["chat", "trends.channel.chat"], ["video", "trends.channel.video"], ["telephone", "trends.channel.telephone"]] }),
    lines({ ...shown, title: t("trends.waiting"), name: "waiting", hours: timesByHour(hours.rows, "claim_wait_ms"), series: quantiles, counted: "trends.answered", none: "trends.nobody" }),
    lines({ ...shown, title: t("trends.first-answer"), name: "first-answer", hours: timesByHour(hours.rows, "first_answer_ms"), series: quantiles, counted: "trends.first-answer.count", none: "trends.first-answer.none" }),
    funnels(period.rows).map(({ ask: what, steps }) => funnel({ title: t(`trends.ask.${what}`), name: what, first: "trends.step", steps: steps.map(({ name, value }) => ({ key: `trends.step.${name}`, value })) })),
    funnel({ title: t("trends.outcomes"), name: "outcomes", first: "trends.outcome", steps: outcomes(period.rows).map(({ name, value }) => ({ key: `outcome.${name}`, value })) }),
    ofAlerts,
    ofPatrols,
  ];
}

/** Since when there is anything at all, for who looks at an empty time. */
async function sinceWhen(until) {
  const { rows } = await api.get(`/v1/trends?until=${until.toISOString()}`);
  const first = rows.find((row) => row.metric === "sessions");
  return first ? t("trends.first", { hour: localHourOf(first) }) : t("trends.first.none");
}
