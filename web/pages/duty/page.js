// SPDX-License-Identifier: Apache-2.0
/** Everybody's page of duty: open call-outs, who is on duty, and by which ways somebody is told. */
import { API } from "../../core/api.js";
import { fill, find, h, toast } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { Topics } from "../../core/topics.js";
import { peopleOf } from "../../dom/people.js";
import { Shell } from "../../dom/shell.js";
import { mayDirect } from "../../model/duty.js";
import { CallOuts } from "./parts/call-outs.js";
import { OnDuty } from "./parts/on-duty.js";
import { Ways } from "./parts/ways.js";
import { dutyReady } from "./words.js";

/**
 * @typedef {{api: API, me: any, people: import("../../dom/people.js").People, nameOf: (user: string) => string, changes: EventTarget}} Desk What parts have in common: `changes` tells by
 *   the event `change` that something is to be read again, by `names` that the list of people was, and by `second` that one has passed.
 */

/** Whoever no topic tells of call-outs reads them anew so often. */
const readAgainMilliseconds = 10_000;

await dutyReady;
begin();

async function begin() {
  const api = new API();
  const shell = new Shell(api);
  const me = await shell.enter(t("duty.purpose"));
  const changes = new EventTarget();
  const people = await peopleOf(api, me.role, () => changes.dispatchEvent(new Event("names")));
  const desk = { api, me, people, changes, nameOf: (user) => (user === me.user ? t("duty.you") : people.nameOf(user)) };
  const [callOuts, onDuty, ways] = [new CallOuts(desk), new OnDuty(desk), new Ways(desk)];
  fill(find("#main"), h("div", { class: "duty" }, callOuts.element, h("div", { class: "side stack" }, ways.element), onDuty.element, callOuts.past));
  await Promise.all([callOuts.begin(), onDuty.begin(), ways.begin()]);
  follow(shell, desk);
  document.documentElement.dataset.ready = "";
}

/** Those of the desk are told of changes; everybody else's page looks for them. What was read before a topic began may be old: its beginning is a change, too. */
function follow(shell, { api, me, changes }) {
  const tell = (name) => changes.dispatchEvent(new Event(name));
  setInterval(() => tell("second"), 1000);
  // A push may be here before anything else tells.
  navigator.serviceWorker?.addEventListener("message", ({ data }) => data.isCalled && tell("change"));
  navigator.serviceWorker?.startMessages?.();
  if (!mayDirect(me.role)) return void setInterval(() => document.visibilityState === "visible" && tell("change"), readAgainMilliseconds);
  const topics = new Topics(api, (isLive) => (shell.isLive = isLive));
  const trouble = (problem) => toast(problem.detail ?? problem.title, "bad");
  topics.follow("desk", { onEvent: ({ kind }) => /^(?:call_out|rota|guard)\./.test(kind) && tell("change"), onLevel: () => tell("change"), onRefused: trouble, onTrouble: trouble });
}
