// SPDX-License-Identifier: Apache-2.0
/** The page that plays incidents back: who is there, which incident, and how it is left. */
import { API } from "../../core/api.js";
import { fill, find, h, icon, pressOnce, theme, toast } from "../../core/dom.js";
import { showReach } from "../../dom/reach.js";
import "../../ui/connection-bar.js";
import { admitted } from "../door.js";
import { IncidentList } from "./parts/incident-list.js";
import { read } from "./parts/load.js";
import { Player } from "./parts/player.js";

/** Whoever may read incidents; which, the gateway says. */
const readers = ["auditor", "supervisor", "operator", "org-admin", "admin"];
const ofTrends = ["analyst", "supervisor", "auditor", "org-admin", "admin"];

const api = new API();
const main = find("#main");
let player = null;

theme.start();
pressOnce();
showReach(api, find("connection-bar"));
fill(find("#theme-button"), icon("sun")).addEventListener("click", () => theme.switch());
fill(find("#sign-out-button"), icon("out")).addEventListener("click", signOut);
api.onSignedOut = () => player && location.reload();
api.onOther = () => location.reload();
begin();

async function begin() {
  const me = await admitted(api, main, { roles: readers, purpose: "replay incidents" });
  api.as = me.user;
  find("#who").textContent = `${me.login} · ${me.role}`;
  find("#sign-out-button").hidden = false;
  find("#trends-link").hidden = !ofTrends.includes(me.role);
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
  player = new Player(api, recording, { main, about: find("#about"), title: find("#title") });
  player.begin();
}

async function signOut() {
  try {
    await api.post("/v1/auth/logout", {}, { tries: 1 });
    location.reload();
  } catch (error) {
    toast(error.message, "bad");
  }
}
