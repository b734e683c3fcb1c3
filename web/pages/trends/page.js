// SPDX-License-Identifier: Apache-2.0
/** The analysts' page: how many asked for help, how long they waited, and what became of it, in the period that the address names. */
import { API } from "../../core/api.js";
import { fill, find, h } from "../../core/dom.js";
import { now } from "../../core/time.js";
import { pressed } from "../../dom/busy.js";
import { Shell } from "../../dom/shell.js";
import { contactsByHour, funnels, headline, outcomes, periodOf, waitingByHour } from "../../model/trends.js";
import { columns, funnel, lines, list } from "./parts/figures.js";
import { numbers } from "./parts/numbers.js";
import { PeriodForm } from "./parts/period-form.js";

const outcomeWords = { open: "still open", handled: "handled", transferred: "passed on", false_alarm: "false alarm", no_contact: "no contact", expired: "nothing was started", other: "other" };
const stepWords = { sent: "asked", opened: "seen by the caller", accepted: "agreed" };
const askWords = { start_video: "Asked for video", send_location: "Asked for the location" };

const api = new API();
const main = find("#main");
let asked = 0;

begin();

async function begin() {
  await new Shell(api).enter("read trends");
  const form = new PeriodForm((query) => {
    history.pushState(null, "", `/trends?${query}`);
    show(form);
  });
  addEventListener("popstate", () => show(form));
  await show(form);
  document.documentElement.dataset.ready = "";
}

/** Shows the period of the address. */
async function show(form) {
  const mine = ++asked;
  const period = periodOf(new URLSearchParams(location.search), now());
  form.show(period);
  const place = h("div", { class: "figures-place", "aria-busy": "true" }, h("p", { class: "soft", role: "status" }, "Counting …"));
  fill(main, h("div", { class: "trends" }, form.element, place));
  try {
    const figures = await figuresOf(period);
    if (mine !== asked) return;
    fill(place, figures);
  } catch (error) {
    if (mine === asked) fill(place, h("p", { class: "notice bad", role: "alert" }, error.message), h("button", { type: "button", onclick: pressed(() => show(form)) }, "Try again"));
  }
  place.removeAttribute("aria-busy");
}

async function figuresOf({ from, until, before }) {
  const ask = (first, last, by) => api.get(`/v1/trends?from=${first.toISOString()}&until=${last.toISOString()}&by=${by}`);
  const [hours, period, earlier] = await Promise.all([ask(from, until, "hour"), ask(from, until, "period"), ask(before, from, "period")]);
  const isEmpty = !period.rows.some((row) => row.metric === "sessions" || row.metric === "claim_wait_ms");
  if (isEmpty) return h("p", { class: "card empty" }, "Nobody asked for help in this period, and nobody was answered.", await sinceWhen(until));
  const contacts = contactsByHour(hours.rows);
  const waiting = waitingByHour(hours.rows);
  return [
    numbers(headline(period.rows, earlier.rows)),
    h("p", { class: "soft small" }, `Hours are those of ${hours.timeZone}. Change is against the same length of time before.`),
    columns({ title: "Contacts by hour and channel", name: "contacts", hours: contacts, series: [["chat", "Chat"], ["video", "Video"]], period: { from, until } }),
    lines({ title: "How long callers waited, by the hour in which they were answered", name: "waiting", hours: waiting, series: [["p50", "half of them"], ["p90", "nine in ten"]], period: { from, until } }),
    funnels(period.rows).map(({ ask: what, steps }) => funnel({ title: askWords[what], name: what, steps: steps.map(({ name, value }) => ({ name: stepWords[name], value })) })),
    list({ title: "How contacts ended, as of now", name: "outcomes", rows: outcomes(period.rows).map(({ name, value }) => ({ name: outcomeWords[name] ?? name, value })) }),
  ].flat();
}

/** Since when there is anything at all, for who looks at an empty time. */
async function sinceWhen(until) {
  const { rows } = await api.get(`/v1/trends?until=${until.toISOString()}`);
  const first = rows.find((row) => row.metric === "sessions");
  return first ? ` The first contact was in the hour of ${first.localHour.slice(0, 16).replace("T", " ")}.` : " There has been no contact before it, either.";
}
