// SPDX-License-Identifier: Apache-2.0
/** The board of guards' tours: alarms, what is late, who is where; and setting up points and tours. */
import { API } from "../../core/api.js";
import { fill, find, h, toast } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { Topics } from "../../core/topics.js";
import { Parts } from "../../dom/parts.js";
import { peopleOf } from "../../dom/people.js";
import { Shell } from "../../dom/shell.js";
import { TeamChat, intoHead, teamChatReady } from "../../dom/team-chat.js";
import { Alarms } from "./parts/alarms.js";
import { Board } from "./parts/board.js";
import { Exceptions } from "./parts/exceptions.js";
import { Labels } from "./parts/labels.js";
import { Tours } from "./parts/tours.js";
import { patrolsReady } from "./words.js";

/**
 * @typedef {{api: API, me: any, supervises: boolean, people: import("../../dom/people.js").People, changes: EventTarget, note: (query: Record<string, string>) => void}} Desk What parts have in
 *   common: `changes` tells by the event `change` that something happened to a round or an alarm, and by `names` that the list of people was read again; `note` keeps in the address
 *   what is shown.
 */

/** The parts, by their address, and who is led to each; what somebody may do there, the gateway says. */
const supervision = ["supervisor", "org-admin", "admin"];
const parts = {
  board: { roles: ["operator", ...supervision], make: (desk) => new Board(desk) },
  tours: { roles: supervision, make: (desk) => new Tours(desk) },
  labels: { roles: supervision, make: (desk, query) => new Labels(desk, query) },
  exceptions: { roles: [...supervision, "auditor"], make: (desk, query) => new Exceptions(desk, query) },
};

await Promise.all([patrolsReady, teamChatReady]);
begin();

async function begin() {
  const api = new API();
  const shell = new Shell(api);
  const me = await shell.enter(t("patrols.purpose"));
  const supervises = supervision.includes(me.role);
  const changes = new EventTarget();
  const desk = { api, me, supervises, people: await peopleOf(api, me.role, () => changes.dispatchEvent(new Event("names"))), changes, note: (query) => page.note(query) };
  const alarms = me.role === "auditor" ? null : alarmsOf(desk);
  const page = new Parts({
    base: "/patrols", label: t("patrols.parts"), names: Object.keys(parts).filter((name) => parts[name].roles.includes(me.role)), wordsOf: (name) => t(`patrols.part.${name}`),
    make: (name, query) => parts[name].make(desk, query),
  });
  fill(find("#main"), h("div", { class: "patrols stack" }, page.tabs, alarms?.element, page.place, alarms?.taken));
  // Who audits is told of no alarm, and follows nothing live.
  intoHead(new TeamChat(api, me, alarms ? { topics: follow(shell, desk), ring: () => alarms.ring() } : {}));
  await page.begin();
  document.documentElement.dataset.ready = "";
}

function alarmsOf(desk) {
  const sound = h("button", { type: "button", class: "plain sound" });
  find(".top > .grow").after(sound);
  return new Alarms(desk, sound);
}

/** What was read before a topic began may be old: its beginning is a change, too. @returns {Topics} */
function follow(shell, { api, changes }) {
  const changed = () => changes.dispatchEvent(new Event("change"));
  const topics = new Topics(api, (isLive) => (shell.isLive = isLive));
  topics.follow("desk", {
    onEvent: ({ kind }) => /^(?:round|guard)\.|^tour\.not_begun/.test(kind) && changed(), onLevel: changed,
    onRefused: (problem) => toast(problem.detail ?? problem.title, "bad"), onTrouble: (problem) => toast(problem.detail ?? problem.title, "bad"),
  });
  return topics;
}
