// SPDX-License-Identifier: Apache-2.0
import { h, refill, toast } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { dayAndTime, momentElement } from "../../../core/time.js";
import { agencyView, awayView, awayWords } from "./agency.js";
import { isWaiting } from "./outbox.js";
import { speciesWords } from "./species.js";

/**
 * @typedef {import("./outbox.js").Report} Report
 * @typedef {{change: (report: Report) => void, remove: (report: Report) => void}} Acts
 */

/** Shows a report that was just sent, or is about to be, whole. @param {HTMLElement} place @param {Report} report @param {string} reason @param {Acts} acts */
export function showReport(place, report, reason, acts) {
  refill(place, [report, reason], () => [h("div", { class: "card" }, headOf(report, reason), isAway(report) && awayView(report.agency), report.state === "sent" && agencyView(report.agency, { isAway: isAway(report) })), report.state === "sent" && followView(report),
    photosView(report), actsOn(report, acts)]);
}

/** What a screen reader says of a report when it changes. @param {Report} report @param {string} reason */
export function spokenOf(report, reason) {
  const { state, agency, photos } = report;
  if (state === "refused") return t("report.refused");
  if (state === "waiting") return `${t("report.waits")}. ${t(`report.waits.${reason || "sending"}`)}`;
  const sent = photos.filter((photo) => photo.state === "sent").length;
  return `${titleOf(agency)}. ${isAway(report) ? `${awayWords(agency)} ` : ""}${photos.length ? t("report.photos.progress", { sent, all: photos.length }) : ""}`;
}

/** Whether nobody was on duty who could have heard of it. @param {Report} report */
const isAway = ({ state, agency, isOnDuty }) => state === "sent" && Boolean(agency) && isOnDuty === false;

const titleOf = (agency) => (agency ? t("report.sent", { agency: agency.name }) : t("report.sent.centre"));

/** Shows reports of this phone in short, newest first. @param {HTMLElement} place @param {Report[]} reports @param {string} reason @param {Acts} acts */
export function showReports(place, reports, reason, acts) {
  refill(place, [reports, reason], () => [...reports].reverse().map((report) => h("article", { class: "card", dataset: { report: report.id } },
    h("h3", {}, speciesWords(report.species), " · ", momentElement(report.submittedAt ?? report.at)), headOf(report, reason, "p"), report.photos.some(({ state }) => state !== "sent") && report.state !== "refused" && photoList(report),
    report.state === "sent" && h("p", {}, h("a", { class: "button", href: `/r/${report.token}` }, t("report.follow"))), actsOn(report, acts))));
}

/** What waits of a report's photos; nothing where all are there. @param {HTMLElement} place @param {Report | undefined} report */
export function showWaitingPhotos(place, report) {
  const { photos = [] } = report ?? {};
  const isDone = photos.every(({ state }) => state === "sent");
  refill(place, isDone ? null : photos, () => !isDone && h("section", { class: "card" }, isWaiting(report) && h("p", {}, t("report.waits.photos")), photoList(report)));
}

function headOf(report, reason, name = "h2") {
  if (report.state === "refused") return [h(name, {}, t("report.refused")), h("p", { class: "notice bad" }, whyNot(report.fault))];
  if (report.state === "sent") {
    const { agency, submittedAt } = report;
    return [h(name, {}, titleOf(agency)),
      name === "h2" && h("p", { class: "soft" }, t("report.sent.at"), " ", momentElement(submittedAt)), isWaiting(report) && h("p", { class: "notice" }, t("report.waits.photos"))];
  }
  return [h(name, {}, t("report.waits")), h("p", { class: "notice warn" }, t(`report.waits.${reason || "sending"}`))];
}

/** The private link; who has it sees how the rescue goes. */
function followView({ token }) {
  const address = `${location.origin}/r/${token}`;
  return h("div", { class: "card" }, h("p", {}, h("a", { class: "button primary big", href: `/r/${token}` }, t("report.follow"))), h("p", { class: "small soft" }, t("report.follow.about")),
    h("p", { class: "link mono" }, h("a", { href: `/r/${token}` }, address)),
    h("div", { class: "ways" }, h("button", { type: "button", dataset: { key: "copy" }, onclick: () => copy(address) }, t("report.copy")),
      globalThis.navigator?.share && h("button", { type: "button", dataset: { key: "share" }, onclick: () => share(address) }, t("report.share"))));
}

async function copy(address) {
  try {
    await navigator.clipboard.writeText(address);
    toast(t("report.copied"), "good");
  } catch {
    toast(t("report.copy.refused"), "warn");
  }
}

async function share(url) {
  try {
    await navigator.share({ title: document.title, url });
  } catch {
    // It was left without sharing.
  }
}

const photosView = (report) => report.photos.length > 0 && report.state !== "refused" && h("div", { class: "card" }, photoList(report));

function photoList({ photos, state }) {
  const sent = photos.filter((photo) => photo.state === "sent").length;
  return [state === "sent" && h("p", {}, t("report.photos.progress", { sent, all: photos.length })),
    h("ol", { class: "photos" }, photos.map((photo, index) => h("li", {}, h("span", {}, t("report.photo", { number: index + 1 })), h("span", { class: "small soft" }, photoWords(photo)))))];
}

function photoWords({ state, fault, name }) {
  if (state === "refused") return `${name}: ${t("report.photo.refused", { why: whyNot(fault) })}`;
  return t(`report.photo.${state}`);
}

/** The gateway's reasons in the reader's language, as far as the page knows them. */
function whyNot({ slug, status, detail } = { slug: "", status: 0, detail: "" }) {
  if (slug === "report-photos-over") return t("report.fault.late");
  if (slug === "photo-taken") return t("report.fault.taken");
  if (status === 404) return t("report.fault.gone");
  if (status === 413) return t("report.fault.large");
  if (status === 415) return t("report.fault.photo");
  return t("report.fault.other", { detail });
}

function actsOn(report, acts) {
  // Several reports have the same buttons.
  const animal = `${speciesWords(report.species)}, ${dayAndTime(report.submittedAt ?? report.at)}`;
  const button = (key, words, act) => h("button", { type: "button", dataset: { key: `${key}-${report.id}` }, "aria-label": `${words}: ${animal}`, onclick: () => act(report) }, words);
  return h("div", { class: "ways" },
    report.state === "refused" && button("change", t("report.refused.change"), acts.change),
    report.state === "waiting" && !report.isPosted && button("undo", t("report.undo"), acts.remove),
    report.state === "refused" && button("delete", t("report.delete"), acts.remove),
    report.state === "sent" && !isWaiting(report) && button("forget", t("report.forget"), acts.remove));
}
