// SPDX-License-Identifier: Apache-2.0
/** The administrators' page: who is there, which part of it, and what was done. */
import { API } from "../../core/api.js";
import { fill, find, h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { Parts } from "../../dom/parts.js";
import { Shell } from "../../dom/shell.js";
import { operators } from "../../model/first-steps.js";
import { Agencies } from "./parts/agencies.js";
import { Agency } from "./parts/agency.js";
import { Camera } from "./parts/camera.js";
import { Cameras } from "./parts/cameras.js";
import { Chains } from "./parts/chains.js";
import { ContentItem } from "./parts/content-item.js";
import { ContentList } from "./parts/content-list.js";
import { Devices } from "./parts/devices.js";
import { Done } from "./parts/done.js";
import { Erasure } from "./parts/erasure.js";
import { Holds } from "./parts/holds.js";
import { LedgerState } from "./parts/ledger-state.js";
import { People } from "./parts/people.js";
import { Person } from "./parts/person.js";
import { Rotas } from "./parts/rotas.js";
import { Senders } from "./parts/senders.js";
import { Start } from "./parts/start.js";
import { Templates } from "./parts/templates.js";
import { Trunks } from "./parts/trunks.js";
import { Volumes } from "./parts/volumes.js";
import { Webhooks } from "./parts/webhooks.js";
import { adminReady } from "./words.js";

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
  rotas: { roles: ["supervisor", "org-admin", "admin"], make: (desk) => new Rotas(desk) },
  chains: { roles: ["supervisor", "org-admin", "admin"], make: (desk) => new Chains(desk) },
  agencies: { roles: ["supervisor", "org-admin", "admin"], make: (desk, query) => (query.has("agency") ? new Agency(desk, query) : new Agencies(desk)) },
  cameras: { roles: ["org-admin", "admin"], make: (desk, query) => (query.has("camera") ? new Camera(desk, query) : new Cameras(desk)) },
  content: { roles: ["admin"], make: (desk, query) => (query.has("item") ? new ContentItem(desk, query) : new ContentList(desk)) },
  senders: { roles: ["admin"], make: (desk) => new Senders(desk) },
  templates: { roles: ["org-admin", "admin"], make: (desk, query) => new Templates(desk, query) },
  trunks: { roles: ["admin"], make: (desk) => new Trunks(desk) },
  volumes: { roles: ["admin"], make: (desk) => new Volumes(desk) },
  webhooks: { roles: ["admin"], make: (desk) => new Webhooks(desk) },
  start: { roles: ["org-admin", "admin"], make: (desk) => new Start(desk) },
};

const main = find("#main");

await adminReady;
begin();

async function begin() {
  const api = new API();
  const me = await new Shell(api).enter(t("admin.purpose"));
  const desk = { api, me, done: new Done(), go: (part, query) => page.go(part, query), note: (query) => page.note(query), again: () => page.show() };
  const page = new Parts({
    base: "/admin", label: t("admin.parts"), names: Object.keys(parts).filter((name) => parts[name].roles.includes(me.role)), wordsOf: (name) => t(`admin.part.${name}`),
    make: (name, query) => parts[name].make(desk, query),
  });
  fill(main, h("div", { class: "admin" }, page.tabs, page.place, desk.done.element));
  if (location.pathname === "/admin" && (await isNew(desk))) history.replaceState(null, "", "/admin/start");
  await page.begin();
  document.documentElement.dataset.ready = "";
}

/** Whether nobody can take a call here yet. */
async function isNew({ api, me }) {
  if (!parts.start.roles.includes(me.role)) return false;
  try {
    return operators((await api.get("/v1/users")).items).length === 0;
  } catch {
    // The part itself tells what is wrong.
    return false;
  }
}
