// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { limits, tooLong } from "../../../core/limits.js";
import { patience } from "../../../core/patience.js";
import { age, dayOf, hourOf, minuteOf, now } from "../../../core/time.js";
import { ask, choice, field } from "../../../dom/ask.js";
import { looks, standingChip } from "../../../dom/patrol.js";
import { table } from "../../../dom/table.js";
import { countsOf, nextOf, overdueOf, readTours, sorted, standingOf } from "../../../model/patrol.js";
import { Rounds } from "./rounds.js";

/** Many events of a moment are one question. */
const pauseMilliseconds = 200;
/** How often it is looked how long something is late, and whether a point has become due. */
const lookMilliseconds = 5000;
/** For how long it is told that a round did not begin. */
const notBegunMilliseconds = 12 * 3_600_000;

/** What goes on: points that are late or missed, rounds under way, and those that ended today. */
export class Board {
  #desk;
  #listening = new AbortController();
  #timers = [];
  #again = 0;
  #asked = 0;
  #shown = 0;
  #failures = 0;
  #reader;
  #rounds = [];
  #tours = new Map();
  #points = new Map();
  /** Starts of tours at which no guard set out. */
  #notBegun = [];
  #fault = h("p", { class: "notice bad", role: "alert", hidden: true });
  #late = h("div", {});
  #open = h("div", {});
  #finished = h("div", {});

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    this.#reader = new Rounds(desk.api);
  }

  async open() {
    await this.#read();
    const { signal } = this.#listening;
    // Somebody may have gone to another part meanwhile.
    if (signal.aborted) return [];
    this.#desk.changes.addEventListener("change", () => this.#soon(pauseMilliseconds), { signal });
    this.#desk.changes.addEventListener("names", () => this.#show(), { signal });
    this.#timers = [setInterval(() => this.#show(), lookMilliseconds)];
    const section = (name, content) => h("section", { class: `stack ${name}`, "aria-labelledby": `${name}-title` }, h("h2", { id: `${name}-title` }, t(`patrols.${name}`)), content);
    return [this.#fault, section("late", this.#late), section("open", this.#open), section("finished", this.#finished)];
  }

  stop() {
    this.#listening.abort();
    clearTimeout(this.#again);
    for (const timer of this.#timers) clearInterval(timer);
  }

  // MARK: Reading

  #soon(wait) {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.#readAgain(), wait);
  }

  async #readAgain() {
    try {
      await this.#read();
      [this.#failures, this.#fault.hidden] = [0, true];
    } catch (error) {
      if (this.#listening.signal.aborted) return;
      [this.#fault.textContent, this.#fault.hidden] = [error.message, false];
      this.#soon(patience(this.#failures++));
    }
  }

  async #read() {
    const mine = ++this.#asked;
    const since = new Date(now() - notBegunMilliseconds).toISOString();
    // What else is late stands there even where this cannot be read.
    const notBegun = this.#desk.supervises ? this.#desk.api.get(`/v1/patrol-exceptions?kind=not_begun&from=${since}`).catch(() => ({ items: this.#notBegun })) : { items: [] };
    const [rounds, { tours, points }, { items }] = await Promise.all([this.#reader.read(), readTours(this.#desk.api), notBegun]);
    if (mine < this.#shown) return;
    this.#shown = mine;
    [this.#rounds, this.#notBegun] = [rounds, items];
    this.#tours = new Map(tours.map((tour) => [tour.id, tour]));
    this.#points = new Map(points.map((point) => [point.id, point]));
    this.#show();
  }

  #tourName(round) {
    return this.#tours.get(round.tour)?.name ?? t("patrol.tour.gone");
  }

  #pointName(id) {
    return this.#points.get(id)?.name ?? t("patrol.point.gone");
  }

  #guardName(round) {
    return this.#desk.people.nameOf(round.guardID);
  }

  // MARK: What is shown

  #show() {
    const at = now();
    const isToday = (moment) => dayOf(new Date(moment)) === dayOf(new Date(at));
    const all = [...new Map(this.#rounds.map((round) => [round.id, round])).values()];
    const { open, finished } = sorted(this.#rounds, isToday);
    const notBegun = this.#notBegun.filter((one) => at - Date.parse(one.at) < notBegunMilliseconds);
    const late = overdueOf(all, isToday).map((one) => ({ ...one, waits: age(one.point.until, at) }));
    const standings = (rounds) => rounds.map((round) => round.points.map((point) => standingOf(round, point, at)));
    const names = [[...this.#tours.values()].map(({ name }) => name), [...this.#points.values()].map(({ name }) => name), this.#desk.people.version];
    refill(this.#late, [late, notBegun, names], () => (late.length || notBegun.length ? h("ul", { class: "stack" }, notBegun.map((one) => this.#notBegunRow(one)), late.map((one) => this.#lateRow(one))) : h("p", { class: "card empty" }, t("patrols.late.none"))));
    refill(this.#open, [open, standings(open), names], () => (open.length ? h("ul", { class: "stack" }, open.map((round) => this.#openRow(round, at))) : h("p", { class: "card empty" }, t("patrols.open.none"))));
    refill(this.#finished, [finished, names], () => (finished.length ? this.#finishedTable(finished, at) : h("p", { class: "card empty" }, t("patrols.finished.none"))));
  }

  #notBegunRow({ tour, at }) {
    return h("li", { class: "card row padded missed" }, h("p", {}, t("patrols.not-begun.one", { tour: this.#tourName({ tour }), time: this.#when(at) })));
  }

  #lateRow(one) {
    const { round, point, isMissed, isHandled, waits } = one;
    const key = `${round.id}-${point.point}`;
    const standing = isMissed ? "missed" : "late";
    return h("li", { class: `card row padded ${isHandled ? "is-handled" : standing}` },
      h("div", { class: "grow" }, h("div", { class: "row" }, h("strong", {}, this.#pointName(point.point)), standingChip(standing)),
        h("p", {}, t("patrols.late.whose", { name: this.#guardName(round), tour: this.#tourName(round), time: this.#when(point.until), waits })), isHandled && this.#handling(point)),
      this.#desk.supervises && h("div", { class: "row" }, h("button", { type: "button", class: isHandled ? "" : "primary", dataset: { key: `send-${key}` }, onclick: () => this.#send(one) }, t("patrols.send")),
        h("button", { type: "button", dataset: { key: `note-${key}` }, onclick: () => this.#note(one) }, t("patrols.note"))));
  }

  /** What was done about a point. */
  #handling(point) {
    const { nameOf } = this.#desk.people;
    const what = [point.sent && t("patrols.handled.sent", { name: nameOf(point.sent) }), point.note && t("patrols.handled.note", { note: point.note })].filter(Boolean);
    if (what.length === 0) what.push(t("patrols.handled.erased"));
    return h("div", { class: "handled" }, what.map((words) => h("p", {}, words)), h("p", { class: "small soft" }, t("patrols.handled.by", { name: nameOf(point.handledBy), time: this.#when(point.handledAt) })));
  }

  /** The time of day, with the day where that is another. */
  #when(moment) {
    const at = Date.parse(moment);
    return dayOf(new Date(at)) === dayOf(new Date(now())) ? minuteOf(at) : hourOf(at);
  }

  #openRow(round, at) {
    const next = nextOf(round, at);
    return h("li", { class: "card stack padded" },
      h("div", { class: "row" }, h("strong", {}, this.#guardName(round)), h("span", { class: "grow" }, t("patrol.started", { tour: this.#tourName(round), time: minuteOf(Date.parse(round.startedAt)) })),
        next && h("span", { class: "soft" }, t("patrols.next", { name: this.#pointName(next.point), time: minuteOf(Date.parse(next.until)) })),
        this.#desk.supervises && h("button", { type: "button", dataset: { key: `stop-${round.id}` }, onclick: () => this.#stop(round) }, t("patrols.stop"))),
      this.#marks(round, at));
  }

  /** The points of a round in a row, each as a mark with its name. */
  #marks(round, at) {
    return h("ol", { class: "marks" }, round.points.map((point) => {
      const standing = standingOf(round, point, at);
      const [look, mark] = looks[standing];
      const window = t("patrol.window", { from: minuteOf(Date.parse(point.from)), until: minuteOf(Date.parse(point.until)) });
      return h("li", { title: window }, h("span", { class: `chip mark ${look}`, "aria-hidden": "true" }, mark), h("span", { class: "small" }, this.#pointName(point.point)), h("span", { class: "small soft" }, t(`patrol.standing.${standing}`)));
    }));
  }

  #finishedTable(rounds, at) {
    const rows = rounds.map((round) => [this.#tourName(round), this.#guardName(round), t("patrol.window", { from: minuteOf(Date.parse(round.startedAt)), until: minuteOf(Date.parse(round.finishedAt)) }),
      t(`patrol.reason.${round.reason ?? "done"}`), h("span", { class: "row" }, countsOf(round, at).map(([standing, count]) => standingChip(standing, count))), h("a", { href: `/replay/${round.id}` }, t("patrols.replay"))]);
    return table(t("patrols.finished"), [t("patrols.tour"), t("patrols.guard"), t("patrols.when"), t("patrols.how"), t("patrols.points"), ""], rows);
  }

  // MARK: What is done

  async #send({ round, point }) {
    const { choices } = this.#desk.people;
    await this.#handle(round, point, {
      title: t("patrols.send.ask", { point: this.#pointName(point.point) }), press: t("patrols.send.press"), will: [t("patrols.send.will")],
      // Nobody is sent by a press too many.
      fields: [choice(t("patrols.send.whom"), "send", [["", t("patrols.send.choose")], ...choices], "", { required: true })],
    });
  }

  async #note({ round, point }) {
    await this.#handle(round, point, {
      title: t("patrols.note.ask", { point: this.#pointName(point.point) }), press: t("patrols.note.press"), fields: [field(t("patrols.note.why"), { name: "note", required: true }, t("patrols.note.hint"))],
    });
  }

  /** Asks what is done about a point, and records it: whom one sends, or why it is late. */
  async #handle(round, point, question) {
    const act = async ({ send, note }) => {
      const fault = tooLong(note ?? "", limits.noteBytes);
      if (fault) throw new Error(fault);
      return this.#desk.api.post(`/v1/rounds/${round.id}/points/${point.point}`, { send, note });
    };
    if (await ask({ ...question, act })) await this.#readAgain();
  }

  async #stop(round) {
    const left = round.points.filter((point) => !point.standing).length;
    const stopped = await ask({
      title: t("patrols.stop.ask", { name: this.#guardName(round), tour: this.#tourName(round) }), will: [t("patrol.stop.will", { count: left })], press: t("patrol.stop"), isForGood: true,
      act: () => this.#desk.api.post(`/v1/rounds/${round.id}/stop`),
    });
    if (stopped) await this.#readAgain();
  }
}
