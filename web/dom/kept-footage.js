// SPDX-License-Identifier: Apache-2.0
import { fill, h, toast } from "../core/dom.js";
import { add, numeral, t } from "../core/i18n.js";
import { timeElement, timeOfDay } from "../core/time.js";
import english from "../locales/staff/kept/en.js";
import { cameraAddress } from "../model/cameras.js";
import { keptPath, keptTimes, keptTitle } from "../model/footage.js";
import { pressed } from "./busy.js";

/** Done when the words are there in the page's language, or English has to do. */
export const keptReady = add(english, { de: () => import("../locales/staff/kept/de.js") });

const savedFor = 60_000;

/**
 * A span of a camera's footage that an incident keeps, as an item of a list: what it is, where it is played, and what of it can be downloaded.
 * @param {import("../core/api.js").API} api @param {string} incident @param {import("../model/footage.js").Kept} span
 * @param {string} by Who kept it. @param {((at: number) => void) | null} [play] Plays it here from a moment; without it the incident's replay does.
 */
export function keptItem(api, incident, span, by, play = null) {
  const { number, camera, from, until, at } = span;
  const here = play ? h("button", { type: "button", onclick: () => play(keptTimes(span).from) }, t("kept.play"))
    : h("a", { class: "button", href: `/replay/${incident}?${new URLSearchParams({ t: from })}`, target: "_blank", rel: "noopener", dataset: { key: `replay-${number}` } }, t("kept.replay"));
  return h("li", { class: "kept-span" }, h("strong", {}, keptTitle(span)), h("span", { class: "small figures" }, timeElement(from), " – ", timeElement(until)),
    h("span", { class: "small soft" }, t("kept.by", { name: by }), " ", timeElement(at)),
    h("div", { class: "row" }, here, h("a", { class: "button", href: cameraAddress({ id: camera }, from), target: "_blank", rel: "noopener", dataset: { key: `camera-${number}` } }, t("kept.at-camera"))),
    downloads(api, keptPath(incident, span)));
}

function downloads(api, path) {
  const body = h("div", { class: "stack small" });
  const element = h("details", { ontoggle: () => element.open && list(api, path, body) }, h("summary", {}, t("kept.downloads")), body);
  return element;
}

async function list(api, path, body) {
  try {
    const { items } = await api.get(`${path}/files`);
    if (!items.length) return fill(body, h("p", { class: "soft" }, t("kept.none")));
    fill(body, h("ul", { class: "kept-files" }, items.map((file) => h("li", {}, film(path, file), file.missingMilliseconds >= 1000 && h("span", { class: "soft" }, " ", t("kept.missing", { seconds: numeral(file.missingMilliseconds / 1000) }))))),
      h("p", { class: "soft" }, t("kept.film.about")), h("div", { class: "row" }, h("button", { type: "button", onclick: pressed(() => saveProof(api, path)) }, t("kept.proof"))), h("p", { class: "soft" }, t("kept.proof.about")), h("p", { class: "soft" }, t("kept.check")));
  } catch (error) {
    fill(body, h("p", { class: "notice bad" }, error.message));
  }
}

/** The film of an hour, which the gateway names. */
function film(path, { startedAt, firstAt, lastAt, bytes }) {
  const times = { from: timeOfDay(Date.parse(firstAt)), until: timeOfDay(Date.parse(lastAt)) };
  return h("a", { class: "button", href: `${path}/export?${new URLSearchParams({ hour: startedAt })}`, download: "" }, t("kept.film", { ...times, size: numeral(bytes / 1_000_000, 1) }));
}

/** A proof is asked for first: where no checkpoint covers it yet, that is said. */
async function saveProof(api, path) {
  try {
    const address = URL.createObjectURL(await api.file(`${path}/proof`));
    h("a", { href: address, download: `${path.split("/").slice(3).join("-")}-proof.json` }).click();
    setTimeout(() => URL.revokeObjectURL(address), savedFor);
  } catch (error) {
    toast(error.message, "bad");
  }
}
