// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { pressed } from "../../../dom/busy.js";
import { moment, table } from "../../../dom/table.js";
import { statusWord, titleOf } from "../../../model/rescue.js";
import { short } from "../../../model/words.js";
import { namesOf } from "./load.js";

/** So many rounds are listed, and so many reports, the newest; one before is opened by its id. */
const listedMost = 50;

/** The incidents, guards' rounds and reports of animals that somebody may replay, the newest first; one can also be opened by its id. */
export class IncidentList {
  #api;
  #place;
  #rows = h("tbody");
  #rounds = h("div", { class: "stack" });
  #reports = h("div", { class: "stack" });
  #status = h("p", { class: "soft", role: "status" });
  #more = h("button", { type: "button", hidden: true, onclick: pressed(() => this.#readMore()) }, t("replay.incidents.more"));

  constructor(api, place) {
    this.#api = api;
    this.#place = place;
  }

  /** @param {{role: string}} me */
  async show(me) {
    const incidents = h("div", { class: "card table" }, h("table", {}, h("caption", { class: "visually-hidden" }, t("replay.incidents")),
      h("thead", {}, h("tr", {}, ["begun", "callers", "address", "state", "incident"].map((name) => h("th", { scope: "col" }, t(`replay.column.${name}`))))), this.#rows));
    const form = h("form", { class: "card row find", onsubmit: (event) => this.#open(event) },
      h("label", { class: "grow" }, t("replay.find"), h("input", { name: "id", autocomplete: "off", spellcheck: "false", required: true })), h("button", { class: "primary" }, t("replay.press")));
    fill(this.#place, h("div", { class: "incidents stack" }, h("h2", {}, t("replay.incidents.which")), form, this.#status, incidents, this.#more, this.#rounds, this.#reports));
    await Promise.all([this.#read(), this.#readRounds(me), this.#readReports()]);
    incidents.hidden = this.#rows.childElementCount === 0;
  }

  /** A centre without guards has none, and is shown none. */
  async #readRounds(me) {
    const [{ items }, names] = await Promise.all([this.#api.get(`/v1/rounds?limit=${listedMost}`), namesOf(this.#api, me, "round")]);
    if (items.length === 0) return;
    const name = (id) => names[id] ?? short(id);
    const rows = items.map(({ id, tour, guardID, startedAt, reason }) => [
      moment(startedAt), name(guardID), name(tour), t(reason ? `patrol.reason.${reason}` : "replay.incidents.open"), this.#link(id)]);
    fill(this.#rounds, h("h2", {}, t("replay.rounds")), table(t("replay.rounds"), ["begun", "guard", "tour", "state", "round"].map((column) => t(`replay.column.${column}`)), rows));
  }

  async #readReports() {
    const { items } = await this.#api.get(`/v1/reports?limit=${listedMost}`);
    if (items.length === 0) return;
    const rows = items.map((report) => [moment(report.submittedAt), titleOf(report), report.agency?.name ?? t("rescue.agency.none"), statusWord(report.status), this.#link(report.id)]);
    fill(this.#reports, h("h2", {}, t("rescue.views")), table(t("rescue.views"), ["rescue.submitted", "rescue.past.species", "rescue.agency", "replay.column.state", "rescue.report"].map((key) => t(key)), rows));
  }

  #link(id) {
    return h("a", { href: `/replay/${id}`, title: id }, t("replay.incidents.replay", { id: short(id) }));
  }

  #open(event) {
    event.preventDefault();
    const id = String(new FormData(event.target).get("id")).trim();
    if (id) location.assign(`/replay/${encodeURIComponent(id)}`);
  }

  async #readMore() {
    try {
      await this.#read(this.#more.dataset.after);
    } catch (error) {
      this.#status.textContent = error.message;
    }
  }

  async #read(before) {
    const { items, next } = await this.#api.get(`/v1/incidents?limit=50${before ? `&before=${before}` : ""}`);
    this.#rows.append(...items.map((item) => this.#row(item)));
    this.#status.textContent = this.#rows.childElementCount ? "" : t("replay.incidents.none");
    this.#more.hidden = !next;
    this.#more.dataset.after = next ?? "";
  }

  #row({ id, sessions }) {
    const begun = sessions.map((one) => one.createdAt).sort()[0];
    const isOpen = sessions.some((one) => !one.endedAt);
    const address = sessions.find((one) => one.address)?.address;
    return h("tr", {},
      h("td", {}, moment(begun)), h("td", { class: "figures" }, sessions.map((one) => one.phone ?? t("replay.number.unknown")).join(", ")),
      h("td", {}, address ?? "–"), h("td", {}, t(isOpen ? "replay.incidents.open" : "replay.incidents.ended")),
      h("td", {}, this.#link(id)));
  }
}
