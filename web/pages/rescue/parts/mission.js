// SPDX-License-Identifier: Apache-2.0
import { h, refill, toast } from "../../../core/dom.js";
import { t, term } from "../../../core/i18n.js";
import { limits, tooLong } from "../../../core/limits.js";
import { NotAPicture, prepared } from "../../../core/photo.js";
import { ofTab } from "../../../core/storage.js";
import { dayAndTime, timeElement, timeOfDay } from "../../../core/time.js";
import { ask } from "../../../dom/ask.js";
import { pressed } from "../../../dom/busy.js";
import { CamerasNearby } from "../../../dom/cameras-nearby.js";
import { facts } from "../../../dom/table.js";
import { userOf } from "../../../model/duty.js";
import { contactParts, happened, isDesk, mayAct, mayModerate, mayPublish, nextOf, statusWord, titleOf, waitsAfterMilliseconds, wayOf, waysTo } from "../../../model/rescue.js";
import { IncidentPart } from "./incident.js";
import { chips, factsOf, follow } from "./list.js";
import { deedOf } from "./outbox.js";
import { refusedList } from "./refused.js";
import { SameAnimal } from "./same-animal.js";
import { turn } from "./turn.js";

/** Photos go over weak networks: larger ones are made this large at most. */
const photoBytesMost = 1_500_000;
/** What comes in place of a button that was just pressed is no button for the second press of an uneasy finger. */
const secondPressMilliseconds = 1200;

/** When a step was pressed last, in whichever view. */
let pressedAt = -Infinity;
export const notePress = () => void (pressedAt = performance.now());

/**
 * One report at a time: where it is and how to get there, what is known, what happened, and one big button for what comes next. Its elements stay in the page for each report: a map
 * that is put in anew asks for its sheets, which it does not get without a network.
 */
export class Mission {
  #desk;
  id = "";
  /** When the button for a step came to be, and for which. */
  #step = { name: "", since: 0 };
  #head = h("div", { class: "stack head" });
  #act = h("section", { class: "act", "aria-label": t("rescue.act") });
  #refused = h("div", { class: "stack", role: "alert" });
  #state = h("div", { class: "stack", role: "status" });
  #map = h("place-map", {});
  #ways = h("div", { class: "row ways" });
  #cameras;
  #nearby = h("div", {});
  #noPlace = h("p", { class: "soft" }, t("rescue.place.none"));
  #pictures = h("div", { class: "row pictures" });
  #noPictures = h("p", { class: "soft" }, t("rescue.photo.none"));
  #about = h("div", { class: "stack" });
  #text = h("textarea", { name: "text", rows: "3", required: true, "aria-describedby": "update-fault" });
  #textFault = h("p", { class: "notice bad", id: "update-fault", role: "alert", hidden: true });
  #photoAdder = this.#photoButton();
  #updateCard;
  #events = h("ol", { class: "events" });
  #more = h("div", { class: "stack" });
  #moreCard;
  #same;
  #incident;
  #public = h("div", { class: "stack" });
  #publicCard;
  #body;
  element;

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    this.#cameras = new CamerasNearby(desk.api);
    this.#text.addEventListener("input", () => ofTab.setItem(this.#draft, this.#text.value));
    const section = (name, ...content) => h("section", { class: `card stack padded ${name}`, "aria-labelledby": `title-${name}` }, h("h3", { id: `title-${name}` }, t(`rescue.part.${name}`)), content);
    this.#moreCard = h("details", { class: "card padded" }, h("summary", {}, t("rescue.more")), this.#more);
    this.#updateCard = section("update", this.#updateForm());
    [this.#same, this.#incident, this.#publicCard] = [new SameAnimal(desk), new IncidentPart(desk), section("public", this.#public)];
    this.#body = h("div", { class: "columns" },
      h("div", { class: "stack" }, section("place", this.#noPlace, this.#ways, this.#map, this.#nearby), section("photos", this.#noPictures, this.#pictures, this.#photoAdder)),
      h("div", { class: "stack" }, section("about", this.#about), this.#updateCard, section("history", this.#events), isDesk(desk.me) && section("incident", this.#incident.element), this.#publicCard, this.#moreCard));
    this.element = h("article", { class: "report stack" }, this.#head, this.#act, this.#refused, this.#state, this.#same.element, this.#body);
  }

  /** Shows another report from now on. @param {string} id */
  open(id) {
    this.id = id;
    this.#text.value = ofTab.getItem(this.#draft) ?? "";
    this.#textFault.hidden = true;
    this.#moreCard.open = false;
    this.#step = { name: "", since: 0 };
  }

  /** Brings what a map needs, while there is a network. @param {{fix?: any}[]} reports */
  prepare(reports) {
    const known = reports.find(({ fix }) => fix);
    if (known && !this.#map.place) this.#map.places = [{ fix: known.fix }];
  }

  get #draft() {
    return `rescue-draft/${this.#desk.me.user}/${this.id}`;
  }

  /** What was written and refused stands in the field again. @param {string} text */
  writeAgain(text) {
    this.#text.value = [this.#text.value.trim(), text].filter(Boolean).join("\n");
    ofTab.setItem(this.#draft, this.#text.value);
    this.#text.focus();
  }

  // MARK: What is shown

  show() {
    const { missions, outbox, people } = this.#desk;
    const report = missions.report(this.id);
    const waiting = outbox.waiting(this.id);
    refusedList(this.#refused, this.#desk, outbox.refused.filter((one) => one.report === this.id), this.id);
    this.#showState(report);
    this.#act.hidden = this.#body.hidden = !report;
    this.#showHead(report);
    this.#same.show(report);
    if (!report) return;
    this.#showAct(report, waiting);
    this.#incident.show(report);
    this.#showPublic(report);
    // Others may look, and add nothing.
    this.#photoAdder.hidden = this.#updateCard.hidden = !mayAct(this.#desk.me, report);
    this.#showPlace(report);
    this.#showPictures(report, waiting.filter(({ kind }) => kind === "photo"));
    refill(this.#about, [report.notes, report.contact, report.sizeClass, report.submittedAt, report.erased, report.agency], () => this.#aboutOf(report));
    refill(this.#events, [report, waiting, people.version], () => [...waiting.map((one) => this.#waits(one)).reverse(), ...happened(report).map((one) => this.#event(report, one))]);
    this.#showMore(report);
  }

  #showHead(report) {
    const back = h("a", { class: "button back", href: this.#desk.back(), dataset: { key: "back" }, onclick: (event) => follow(event, () => this.#desk.open(null)) }, t("rescue.back"));
    refill(this.#head, [this.#desk.back(), report && [titleOf(report), report.status, report.condition, report.isWaiting], report && factsOf(this.#desk, report)], () => [h("div", {}, back),
      h("h2", { tabindex: "-1" }, report ? titleOf(report) : t("rescue.report")), report && [h("p", { class: "row" }, chips(report)), h("p", {}, factsOf(this.#desk, report))]]);
  }

  #showState(report) {
    const fault = this.#desk.missions.faults.get(this.id);
    refill(this.#state, [fault, Boolean(report), report?.isWhole, report?.erased], () => {
      if (fault?.isGone) return h("p", { class: "notice warn" }, t("rescue.gone"));
      if (!report) return h("p", { class: `notice ${fault ? "bad" : ""}` }, fault?.words ?? t("page.reading"));
      return [fault && h("p", { class: "notice warn" }, t("rescue.old")), report.erased && h("p", { class: "notice" }, t("rescue.erased"))];
    });
  }

  // MARK: The next step

  #showAct(report, waiting) {
    // The steps of an animal are taken on one report of it.
    this.#act.hidden = Boolean(report.duplicateOf);
    const next = nextOf(report);
    const may = mayAct(this.#desk.me, report);
    const name = next.step ?? (next.outcomes ? "outcomes" : "");
    if (this.#step.name !== name) this.#step = { name, since: performance.now() };
    const last = report.isWaiting && waiting.filter(({ kind }) => kind === "step").pop();
    const back = may && (next.undo || next.mayReopen);
    refill(this.#act, [name, may, report.status, last, report.agency?.name, back, next.mayReopen], () => {
      const waits = last && h("p", { class: "notice warn wait", role: "status" }, t("rescue.step.waits", { deed: deedOf(last) }));
      const ways = back && h("div", { class: "row back-ways" }, next.undo && this.#back(next.undo), next.mayReopen && this.#reopen());
      if (!name) return [waits || h("p", { class: "notice over" }, t("rescue.over", { status: statusWord(report.status) })), ways];
      if (!may) return h("p", { class: "notice" }, report.agency ? t("rescue.not-yours", { agency: report.agency.name }) : t("rescue.nobodys"));
      if (next.outcomes) return [waits, h("h3", { id: "outcome-title" }, t("rescue.outcome")), h("div", { class: "outcomes", role: "group", "aria-labelledby": "outcome-title" }, next.outcomes.map((one) => this.#outcome(one))), ways];
      const isOut = next.step === "heading_out";
      return [waits, h("button", { type: "button", class: "primary big step", dataset: { key: "step" }, "aria-describedby": isOut ? "step-hint" : null, onclick: pressed(() => this.#go(next.step)) }, t(`rescue.do.${next.step}`)),
        isOut && h("p", { class: "small soft", id: "step-hint" }, t("rescue.do.heading_out.hint")), ways];
    });
  }

  /** Back to where the last step came from. @param {string} status */
  #back(status) {
    const [from, to] = [statusWord(this.#desk.missions.report(this.id)?.status ?? ""), statusWord(status)];
    return h("button", { type: "button", dataset: { key: "undo" }, onclick: () => this.#turns(status, "undo", { title: t("rescue.undo.ask", { status: from }), will: [t("rescue.undo.will", { status: to })], press: t("rescue.undo.press") }) }, t("rescue.undo", { status: from }));
  }

  #reopen() {
    return h("button", { type: "button", dataset: { key: "reopen" }, onclick: () => this.#turns("acknowledged", "reopen", { title: t("rescue.reopen.ask"), will: [t("rescue.reopen.will")], press: t("rescue.reopen") }) }, t("rescue.reopen"));
  }

  /** @param {string} status @param {"undo" | "reopen"} way @param {{title: string, will: string[], press: string}} question */
  async #turns(status, way, question) {
    const { id } = this;
    const act = async () => {
      notePress();
      await this.#desk.outbox.step(id, status, "", way);
      return status;
    };
    if (await ask({ ...question, act })) this.#desk.show();
  }

  #outcome(one) {
    const good = one === "rescued" || one === "released";
    return h("button", { type: "button", class: `big ${good ? "primary" : ""}`, dataset: { key: `outcome:${one}` }, onclick: () => this.#finish(one) }, t(`rescue.do.${one}`));
  }

  /** The second press of two counts for nothing: what it hits is another button by then. */
  get #isSecondPress() {
    const at = performance.now();
    return at - this.#step.since < secondPressMilliseconds && at - pressedAt < secondPressMilliseconds;
  }

  async #go(step) {
    if (this.#isSecondPress) return;
    notePress();
    const sent = this.#desk.outbox.step(this.id, step);
    // While the press still counts as one: browsers open nothing by themselves.
    if (step === "heading_out") this.#openWay();
    await sent;
  }

  #openWay() {
    const fix = this.#desk.missions.report(this.id)?.fix;
    if (!fix) return;
    const { best } = waysTo(fix);
    if (best.startsWith("geo:")) location.assign(best);
    else window.open(best, "_blank", "noopener");
  }

  async #finish(outcome) {
    if (this.#isSecondPress) return;
    await this.#asks(outcome, t(`rescue.ask.${outcome}`), t(`rescue.will.${outcome}`), t(`rescue.do.${outcome}`));
  }

  /** A step that ends the rescue, with a note that says how it was. */
  async #asks(status, title, will, press) {
    const { id } = this;
    const note = h("textarea", { name: "note", rows: "2" });
    const done = await ask({
      title, will: [will], press, isForGood: status === "stood_down", fields: [h("label", {}, t("rescue.note"), note)],
      act: async ({ note: words }) => {
        const fault = tooLong(words, limits.noteBytes);
        if (fault) throw new Error(fault);
        notePress();
        await this.#desk.outbox.step(id, status, words);
        return status;
      },
    });
    if (done) this.#desk.show();
  }

  #showMore(report) {
    const may = mayAct(this.#desk.me, report) && nextOf(report).mayStandDown && !report.duplicateOf;
    this.#moreCard.hidden = !may;
    refill(this.#more, [may], () => may && [h("p", {}, t("rescue.stand-down.about")), h("div", {}, h("button", { type: "button", class: "danger big", onclick: () => this.#asks("stood_down", t("rescue.ask.stood_down"), t("rescue.will.stood_down"), t("rescue.do.stood_down")) }, t("rescue.do.stood_down")))]);
  }

  // MARK: Where it is

  #showPlace({ fix, submittedAt }) {
    this.#noPlace.hidden = Boolean(fix);
    this.#map.places = fix ? [{ fix, at: submittedAt }] : [];
    this.#ways.hidden = !fix;
    refill(this.#nearby, [fix, submittedAt], () => fix && isDesk(this.#desk.me) && this.#cameras.list(fix, submittedAt));
    refill(this.#ways, fix ?? null, () => {
      if (!fix) return null;
      const { geo, map } = waysTo(fix);
      return [h("a", { class: "button", href: map, target: "_blank", rel: "noreferrer" }, t("rescue.way.map")), h("a", { class: "button", href: geo }, t("rescue.way.phone"))];
    });
  }

  // MARK: Photos

  #showPictures(report, waiting) {
    const { photos, outbox } = this.#desk;
    const { pictures } = report;
    this.#noPictures.hidden = pictures.length + waiting.length > 0;
    refill(this.#pictures, [pictures.map(({ id, isPublic }) => [id, isPublic]), waiting.map(({ key }) => key), report.publishesPhotos], () => [
      pictures.map((one, index) => h("figure", {}, photos.large(report.id, one, t("rescue.photo.of", { number: index + 1, animal: titleOf(report) })), this.#publishing(report, one))),
      waiting.map(({ key }) => h("figure", {}, photos.waiting(key, () => outbox.picture(key)), h("figcaption", {}, h("span", { class: "chip warn" }, t("rescue.waiting"))))),
    ]);
  }

  /** Whether the public sees a photo: for who may say so. */
  #publishing(report, picture) {
    if (picture.isPublic === undefined || !mayPublish(this.#desk.me, report, picture)) return null;
    if (!picture.by && !report.publishesPhotos) return h("figcaption", { class: "small soft" }, t("rescue.public.photo.not-agreed"));
    return h("figcaption", {}, turn(this.#desk, `public:${picture.id}`, t("rescue.public.photo"), picture.isPublic, (isPublic) => this.#desk.api.put(`/v1/reports/${report.id}/visibility`, { photo: picture.id, isPublic })));
  }

  #showPublic(report) {
    this.#publicCard.hidden = report.isHidden === undefined || !mayModerate(this.#desk.me);
    refill(this.#public, [report.id, report.isHidden], () => [h("p", { class: "small soft" }, t("rescue.public.about")),
      turn(this.#desk, "hidden", t("rescue.public.hide"), Boolean(report.isHidden), (isHidden) => this.#desk.api.put(`/v1/reports/${report.id}/visibility`, { isPublic: !isHidden }))]);
  }

  #photoButton() {
    const input = h("input", { type: "file", accept: "image/jpeg,image/png,image/webp", multiple: true, hidden: true, tabindex: "-1", "aria-label": t("rescue.photo.add"), onchange: () => this.#add(input) });
    return h("div", {}, h("button", { type: "button", onclick: () => input.click() }, t("rescue.photo.add")), input);
  }

  async #add(input) {
    const { id } = this;
    const files = [...input.files];
    input.value = "";
    for (const file of files) {
      try {
        if (!(await this.#desk.outbox.photo(id, await prepared(file, photoBytesMost)))) toast(t("rescue.photo.unkept"), "warn");
      } catch (error) {
        toast(error instanceof NotAPicture ? t("chat.picture.none") : error.message, "bad");
      }
    }
  }

  // MARK: What is known, and what happened

  #aboutOf({ notes, contact, submittedAt, agency, ...report }) {
    const parts = contact && contactParts(contact).map(({ text, href }) => (href ? h("a", { href, class: "contact" }, text) : text));
    return [notes ? h("p", { class: "written" }, notes) : h("p", { class: "soft" }, t("rescue.notes.none")),
      facts([[t("rescue.contact"), parts || t(contact === null ? "rescue.contact.unkept" : "rescue.contact.none")], [t("rescue.agency"), agency?.name ?? t("rescue.agency.none")], [t("rescue.submitted"), dayAndTime(submittedAt)], [t("rescue.size"), term(`rescue.size.${report.sizeClass}`, report.sizeClass)]])];
  }

  #updateForm() {
    return h("form", { class: "stack", onsubmit: pressed((event) => this.#update(event)) }, h("label", {}, t("rescue.update.text"), this.#text), this.#textFault, h("div", {}, h("button", {}, t("rescue.update.send"))));
  }

  async #update(event) {
    event.preventDefault();
    const text = this.#text.value;
    const fault = text.trim() ? tooLong(text, limits.noteBytes) : t("rescue.update.empty");
    this.#textFault.hidden = !fault;
    this.#textFault.textContent = fault;
    if (fault) return;
    this.#text.value = "";
    ofTab.removeItem(this.#draft);
    await this.#desk.outbox.update(this.id, text);
  }

  #waits(item) {
    return h("li", { class: "waits" }, h("span", { class: "chip warn" }, t("rescue.waiting")), " ", deedOf(item), " ", h("span", { class: "small soft" }, timeOfDay(Date.parse(item.at))));
  }

  #event(report, one) {
    const says = {
      submitted: () => t("rescue.happened.submitted"), step: () => this.#stepWords(one), update: () => t("rescue.happened.update"), picture: () => t("rescue.happened.photo"),
      assigned: () => t(`rescue.happened.assigned.${one.rule}`, { agency: one.agency.name }),
    };
    const written = one.is === "update" ? one.text ?? t("rescue.happened.erased") : one.note ?? one.reason;
    return h("li", {}, h("p", {}, h("strong", {}, says[one.is]()), one.by && [" ", h("span", {}, this.#nameOf(report, one.by))], " ", h("span", { class: "small soft" }, this.#when(one))), written && h("p", { class: "written" }, written));
  }

  #stepWords(step) {
    const way = wayOf(step);
    return way === "on" ? t(`rescue.happened.${step.to}`) : t(`rescue.happened.${way}`, { status: statusWord(step.to) });
  }

  /** What was done without a network has two times. */
  #when({ at, occurredAt }) {
    const isLate = Date.parse(at) - Date.parse(occurredAt ?? at) > waitsAfterMilliseconds;
    return isLate ? [t("rescue.happened.made"), " ", timeElement(occurredAt), ", ", t("rescue.happened.arrived"), " ", timeElement(at)] : timeElement(at);
  }

  /** Names of colleagues are not for every role: those go by what they are. */
  #nameOf(report, by) {
    const { me, nameOf, missions } = this.#desk;
    const user = userOf(by);
    if (!user) return t("rescue.by.itself");
    if (user === me.user) return t("rescue.by.you");
    if (nameOf(user) !== user) return t("rescue.by.name", { name: nameOf(user) });
    return t(missions.agency?.members.includes(user) ? "rescue.by.colleague" : "rescue.by.other");
  }

  /** The keyboard and the eye begin at what the report is. */
  focus() {
    this.#head.querySelector("h2")?.focus({ preventScroll: true });
  }
}

