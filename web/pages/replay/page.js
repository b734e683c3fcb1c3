// SPDX-License-Identifier: Apache-2.0
/** The page that plays incidents back: who is there, which incident, and how it is left. */
import { API } from "../../core/api.js";
import { fill, find, h } from "../../core/dom.js";
import { numeral, t } from "../../core/i18n.js";
import { Shell } from "../../dom/shell.js";
import { IncidentList } from "./parts/incident-list.js";
import { read } from "./parts/load.js";
import { Player } from "./parts/player.js";
import { replayReady } from "./words.js";

const api = new API();
const main = find("#main");

await replayReady;
begin();

async function begin() {
  const me = await new Shell(api).enter(t("replay.purpose"));
  try {
    const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
    await (id ? open(id, me) : new IncidentList(api, main).show(me));
  } catch (error) {
    fill(main, h("div", { class: "card stack door" }, h("p", { class: "notice bad", role: "alert" }, error.message), h("a", { class: "button", href: "/replay" }, t("replay.all"))));
  }
}

async function open(id, me) {
  const progress = h("p", { role: "status" }, t("replay.reading"));
  fill(main, h("div", { class: "card stack door" }, progress));
  const recording = await read(api, id, me, (count) => (progress.textContent = t("replay.reading.count", { count, entries: numeral(count) })));
  if (recording.source.events.length === 0) throw new Error(t("replay.no-entry"));
  new Player(api, recording, { main, about: find("#about"), title: find("#title") }).begin();
}
