// SPDX-License-Identifier: Apache-2.0
/** The administrators' page: who is there, which part of it, and what was done. */
import { API } from "../../core/api.js";
import { fill, find, focusIfLost, h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { staffReady } from "../../core/staff-words.js";
import { Shell } from "../../dom/shell.js";
import { operators } from "../../model/first-steps.js";
import { Devices } from "./parts/devices.js";
import { Done } from "./parts/done.js";
import { Erasure } from "./parts/erasure.js";
import { Holds } from "./parts/holds.js";
import { LedgerState } from "./parts/ledger-state.js";
import { People } from "./parts/people.js";
import { Person } from "./parts/person.js";
import { Start } from "./parts/start.js";

/**
 * @typedef {{api: API, me: any, done: Done, go: (part: string, query?: Record<string, string>) => void, note: (query: Record<string, string>) => void,
 *   again: () => void}} Desk What parts have in common: `go` leads to a part, `note` keeps in the address what is shown, `again` reads the part anew.
 */

/** The parts, by their address, and who is led to each; what somebody may do there, the gateway says. */
const parts = {
  people: { roles: ["supervisor", "org-admin", "admin"], make: (desk, query) => (query.has("user") ? new Person(desk, query) : new People(desk, query)) },
  devices: { roles: ["supervisor", "org-admin", "admin"], make: (desk, query) => new Devices(desk, query) },
  holds: { roles: ["supervisor", "org-admin", "admin"], make: (desk, query) => new Holds(desk, query) },
  erasure: { roles: ["org-admin", "admin"], make: (desk, query) => new Erasure(desk, query) },
  ledger: { roles: ["supervisor", "org-admin", "admin"], make: (desk) => new LedgerState(desk) },
  start: { roles: ["org-admin", "admin"], make: (desk) => new Start(desk) },
};

const main = find("#main");
const place = h("div", { class: "part stack" });
let desk = null;
let shown = null;

await staffReady;
begin();

async function begin() {
  const api = new API();
  const me = await new Shell(api).enter(t("admin.purpose"));
  desk = { api, me, done: new Done(), go, note, again: show };
  const tabs = h("nav", { class: "tabs", "aria-label": t("admin.parts") }, names().map((name) => h("a", { href: `/admin/${name}`, dataset: { part: name } }, t(`admin.part.${name}`))));
  fill(main, h("div", { class: "admin" }, tabs, place, desk.done.element));
  main.addEventListener("click", followed);
  addEventListener("popstate", () => show());
  if (location.pathname === "/admin" && (await isNew())) history.replaceState(null, "", "/admin/start");
  await show();
  document.documentElement.dataset.ready = "";
}

/** Whether nobody can take a call here yet. */
async function isNew() {
  if (!parts.start.roles.includes(desk.me.role)) return false;
  try {
    return operators((await desk.api.get("/v1/users")).items).length === 0;
  } catch {
    // The part itself tells what is wrong.
    return false;
  }
}

const names = () => Object.keys(parts).filter((name) => parts[name].roles.includes(desk.me.role));

/** A press on a link to a part leads there without leaving what was done; another tab it may still have. */
function followed(event) {
  const link = event.target.closest?.("a[href^='/admin']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  history.pushState(null, "", link.getAttribute("href"));
  show();
}

function go(part, query = {}) {
  history.pushState(null, "", address(part, query));
  show();
}

function note(query) {
  history.replaceState(null, "", address(here(), query));
}

function address(part, query) {
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value)).toString();
  return `/admin/${part}${text ? `?${text}` : ""}`;
}

const here = () => location.pathname.split("/")[2] || names()[0];

/** Shows the part of the address. */
async function show() {
  shown?.stop?.();
  // What is still being read for the part before must not be shown in this one's place.
  shown = null;
  const name = here();
  for (const link of document.querySelectorAll(".tabs a")) link.removeAttribute("aria-current");
  const part = names().includes(name) ? parts[name] : null;
  if (!part) return void fill(place, h("p", { class: "card empty" }, t("admin.no-part")));
  find(`.tabs [data-part="${name}"]`).setAttribute("aria-current", "page");
  document.title = `${t(`admin.part.${name}`)} · ${t("admin.title")}`;
  const mine = (shown = part.make(desk, new URLSearchParams(location.search)));
  fill(place, h("p", { class: "soft", role: "status" }, t("admin.reading")));
  try {
    const content = await mine.open();
    if (mine !== shown) return;
    fill(place, content);
    focusIfLost(main);
  } catch (error) {
    if (mine === shown) fill(place, h("p", { class: "notice bad", role: "alert" }, error.message), h("p", {}, h("button", { type: "button", onclick: () => show() }, t("page.try-again"))));
  }
}
