// SPDX-License-Identifier: Apache-2.0
/** The page that plays incidents back: who is there, which incident, and how it is left. */
import { API } from "../../core/api.js";
import { fill, find, h } from "../../core/dom.js";
import { Shell } from "../../dom/shell.js";
import { IncidentList } from "./parts/incident-list.js";
import { read } from "./parts/load.js";
import { Player } from "./parts/player.js";

const api = new API();
const main = find("#main");

begin();

async function begin() {
  const me = await new Shell(api).enter("replay incidents");
  try {
    const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
    await (id ? open(id, me) : new IncidentList(api, main).show());
  } catch (error) {
    fill(main, h("div", { class: "card stack door" }, h("p", { class: "notice bad", role: "alert" }, error.message), h("a", { class: "button", href: "/replay" }, "All incidents")));
  }
}

async function open(id, me) {
  const progress = h("p", { role: "status" }, "Reading the ledger …");
  fill(main, h("div", { class: "card stack door" }, progress));
  const recording = await read(api, id, me, (count) => (progress.textContent = `Reading the ledger: ${count.toLocaleString()} entries …`));
  if (recording.source.events.length === 0) throw new Error("The ledger has no entry of this incident that you may read.");
  new Player(api, recording, { main, about: find("#about"), title: find("#title") }).begin();
}
