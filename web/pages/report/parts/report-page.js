// SPDX-License-Identifier: Apache-2.0
import { API } from "../../../core/api.js";
import { choose, fill, find, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { limits, tooLong } from "../../../core/limits.js";
import { whenAwake } from "../../../core/patience.js";
import { site } from "../../../core/site.js";
import { pressed } from "../../../dom/busy.js";
import { keepBounds } from "./bounds.js";
import { showReport, showReports, spokenOf } from "./cards.js";
import { Draft, missingIn } from "./draft.js";
import { isWaiting, Outbox } from "./outbox.js";
import { PhotoField } from "./photos.js";
import { PlaceField } from "./place.js";
import { Proof } from "./proof.js";
import { ReportPhotos } from "./report-photos.js";
import { speciesTiles, standardTypes } from "./species.js";

/** What must be answered, in the order of the page; each has its question. */
const questions = ["species", "size", "condition", "place"];
/** So often the page asks whether reports are taken, until it knows that they are. */
const askAgainMilliseconds = 30_000;

/** The form, what waits on this phone, and who has the report. */
export class ReportPage {
  #api;
  #shelf;
  #proof;
  #outbox;
  #draft = new Draft();
  #place;
  #photos;
  /** Which questions are marked as without an answer. @type {string[]} */
  #marked = [];
  /** What the centre takes, as far as it has said it. */
  #rescue = { isOpen: true, types: standardTypes, photosMax: 16, photoBytesMax: 4 * 1024 * 1024 };
  /** The report that is shown whole, by its id on this phone; the form is shown where it is none. */
  #shown = "";
  #timer = 0;

  /** @param {{api?: API, shelf?: ReportPhotos, proof?: Proof, prepare?: (file: Blob, bytesMost: number) => Promise<Blob>}} [parts] */
  constructor({ api = new API(), shelf = new ReportPhotos(), proof = new Proof(api), prepare } = {}) {
    [this.#api, this.#shelf, this.#proof] = [api, shelf, proof];
    this.#outbox = new Outbox(api, proof, shelf, () => this.#show());
    this.#place = new PlaceField(this.#draft, () => this.#unsay());
    this.#photos = new PhotoField(this.#draft, shelf, () => this.#rescue, prepare);
  }

  async begin() {
    if (site.name) find("#centre").textContent = site.name;
    const { reports } = this.#outbox;
    const left = this.#shelf.keepOnly([this.#draft.value.id, ...reports.map(({ id }) => id)]);
    find("#draft").hidden = !this.#draft.isBegun;
    find("#next").onclick = () => this.#next();
    find("#restart").onclick = () => this.#restart();
    find("#form").onsubmit = pressed((event) => this.#send(event));
    find("#form").oninput = ({ target }) => this.#changed(target);
    this.#fillForm();
    this.#show();
    this.#outbox.deliver();
    whenAwake(() => this.#ask(), new AbortController().signal);
    await Promise.all([left, this.#ask()]);
  }

  /** What is taken here; the form is there meanwhile, with what is usual. */
  async #ask() {
    clearTimeout(this.#timer);
    try {
      const { centre, ...rescue } = await this.#api.get("/v1/public/rescue", { isLevel: false });
      const isOther = JSON.stringify(rescue.types) !== JSON.stringify(this.#rescue.types);
      this.#rescue = { ...this.#rescue, ...rescue };
      keepBounds(rescue.bounds);
      if (centre) find("#centre").textContent = centre;
      if (isOther) this.#fillSpecies();
      // Solved while the form is filled in.
      if (rescue.isOpen) this.#proof.begin();
      this.#show();
      if (rescue.isOpen) return;
    } catch {
      // The form does without; what is sent waits on this phone.
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), askAgainMilliseconds);
  }

  // MARK: The form

  #fillForm() {
    const { size, condition, stage = "", notes = "", contact = "", publishes = false } = this.#draft.value;
    for (const [name, value] of Object.entries({ size, condition, stage })) for (const input of this.#choices(name)) input.checked = input.value === value;
    find("#notes").value = notes;
    find("#contact").value = contact;
    find("#publish").checked = publishes;
    find("#stage").hidden = condition !== "dead";
    this.#fillSpecies();
    this.#mark([]);
    this.#place.show();
    this.#photos.show();
    this.#unsay();
  }

  #fillSpecies() {
    const { species } = this.#draft.value;
    // What was chosen stays to be seen, also where the centre has not named it.
    const types = species && !this.#rescue.types.includes(species) ? [...this.#rescue.types, species] : this.#rescue.types;
    fill(find("#species"), speciesTiles(types, species));
  }

  #choices(name) {
    return [...find("#form").querySelectorAll(`input[name="${name}"]`)];
  }

  #changed({ name, id, value, checked }) {
    if (["species", "size", "condition", "stage"].includes(name)) this.#draft.change({ [name]: value });
    if (name === "condition") find("#stage").hidden = value !== "dead";
    if (id === "notes" || id === "contact") this.#draft.change({ [id]: value });
    if (id === "publish") this.#draft.change({ publishes: checked });
    this.#unsay();
  }

  /** What was wrong may be right by now; what is still missing stays marked. */
  #unsay() {
    find("#fault").hidden = true;
    const missing = missingIn(this.#draft.value);
    this.#mark(this.#marked.filter((name) => missing.includes(name)));
  }

  /** Marks questions that have no answer, and no others. @param {string[]} names */
  #mark(names) {
    for (const name of questions.filter((one) => names.includes(one) !== this.#marked.includes(one))) {
      const ask = find(`#ask-${name}`);
      const isMissing = names.includes(name);
      ask.className = isMissing ? "card missing" : "card";
      if (isMissing) ask.setAttribute("aria-invalid", "true");
      else ask.removeAttribute("aria-invalid");
      if (isMissing) ask.querySelector("legend").append(h("span", { class: "please" }, t("report.please")));
      else ask.querySelector(".please").remove();
    }
    this.#marked = names;
  }

  async #send(event) {
    event.preventDefault();
    await this.#photos.ready;
    const missing = missingIn(this.#draft.value);
    this.#mark(missing);
    if (missing.length) return this.#tell(t("report.missing", { what: missing.map((name) => t(`report.missing.${name}`)).join(", ") }), `#ask-${missing[0]}`);
    const { notes = "", contact = "" } = this.#draft.value;
    const long = tooLong(notes, limits.noteBytes) || tooLong(contact, limits.wordBytes);
    if (long) return this.#tell(long, tooLong(notes, limits.noteBytes) ? "#notes" : "#contact");
    this.#shown = this.#draft.value.id;
    const written = this.#draft.value;
    // The form is for the next report only once this one is kept.
    this.#outbox.add(written);
    this.#draft.restart();
    find("#draft").hidden = true;
    this.#fillForm();
    this.#show();
    scrollTo(0, 0);
    find("#sent").focus({ preventScroll: true });
  }

  /** Says what is wrong where it is, and leads there. */
  #tell(words, selector) {
    const at = find(selector);
    const card = at.closest(".card");
    card.prepend(find("#fault"));
    find("#fault").textContent = words;
    find("#fault").hidden = false;
    (at.querySelector("input, button") ?? at).focus({ preventScroll: true });
    card.scrollIntoView({ block: "start" });
  }

  async #restart() {
    const { id, photos } = this.#draft.value;
    this.#draft.restart();
    find("#draft").hidden = true;
    this.#fillForm();
    find("#main").focus({ preventScroll: true });
    for (const { number } of photos) await this.#shelf.remove(id, number);
  }

  // MARK: What is shown

  #show() {
    const { reports, reason } = this.#outbox;
    const whole = reports.find(({ id }) => id === this.#shown);
    if (!whole) this.#shown = "";
    const acts = { change: (report) => this.#change(report), remove: (report) => this.#remove(report) };
    find("#sent").hidden = !whole;
    if (whole) showReport(find("#sent"), whole, reason, acts);
    const spoken = whole ? spokenOf(whole, reason) : "";
    if (find("#spoken").textContent !== spoken) find("#spoken").textContent = spoken;
    find("#next").hidden = !whole;
    const { isOpen } = this.#rescue;
    // Where no team takes reports, none is told at once.
    find("#purpose").hidden = Boolean(whole) || !isOpen;
    find("#closed").hidden = find("#elsewhere").hidden = isOpen;
    // English stands in the file already, with a number that is not every site's.
    find("#closed").textContent = t("report.closed");
    find("#form").hidden = Boolean(whole) || !isOpen;
    const others = reports.filter((report) => report !== whole);
    const count = others.filter((report) => isWaiting(report) || report.state === "refused").length;
    find("#waiting").hidden = count === 0;
    find("#waiting").textContent = count ? t("report.waits.count", { count }) : "";
    find("#mine").hidden = others.length === 0;
    showReports(find("#mine-list"), others, reason, acts);
  }

  /** The next animal. */
  #next() {
    this.#shown = "";
    this.#proof.begin();
    this.#show();
    scrollTo(0, 0);
    find("#main").focus({ preventScroll: true });
  }

  /** A report that was refused is a draft again. @param {import("./outbox.js").Report} report */
  #change(report) {
    const written = this.#outbox.takeBack(report.id);
    if (!written) return;
    this.#draft.change(written);
    this.#shown = "";
    this.#fillForm();
    this.#show();
    find("#form").scrollIntoView({ block: "start" });
  }

  /** @param {import("./outbox.js").Report} report */
  async #remove(report) {
    if (report.state !== "sent" && (await choose(find("#delete"))) !== "yes") return;
    // It may have been sent while the question stood there.
    const now = this.#outbox.reports.find(({ id }) => id === report.id);
    if (now?.state !== report.state) return;
    await this.#outbox.forget(report.id);
    find("#main").focus({ preventScroll: true });
  }
}
