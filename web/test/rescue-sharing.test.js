// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, settled } from "./support.js";
import { documentOf } from "./dom.js";
import { Problem } from "../core/api.js";
import { ofTab } from "../core/storage.js";
import { now } from "../core/time.js";
import { Sharing } from "../pages/rescue/parts/sharing.js";
import { rescueReady } from "../pages/rescue/words.js";

await rescueReady;

const me = { user: "7", role: "rescuer" };
const real = { document: globalThis.document, navigator: globalThis.navigator };
let clock, watches, sent, fault, duty, missions;

beforeEach(() => {
  [clock, watches, sent, fault, duty] = [new Clock(), [], [], null, { isOff: false }];
  ofTab.removeItem("rescue-shares/7");
  globalThis.document = documentOf("pages/rescue/index.html");
  const geolocation = { watchPosition: (found, lost) => watches.push({ found, lost }), clearWatch: (number) => watches[number - 1] && (watches[number - 1].isOver = true) };
  Object.defineProperty(globalThis, "navigator", { value: { geolocation }, configurable: true });
  missions = { agency: { name: "Bay Rescue", members: ["7"] }, readAgency: async () => {} };
});
afterEach(() => {
  clock.stop();
  globalThis.document = real.document;
  Object.defineProperty(globalThis, "navigator", { value: real.navigator, configurable: true });
});

/** A page whose centre takes places, and says which counts. */
function page() {
  const answer = (what, place) => async (path, body) => {
    sent.push([what, body?.fix?.latitude]);
    if (fault) throw fault;
    missions.agency.place = place(body);
  };
  const api = { post: answer("shared", ({ fix }) => ({ ...fix, at: new Date(now()).toISOString(), by: "7" })), delete: answer("ended", () => undefined) };
  const sharing = new Sharing(/** @type {any} */ (api), me, /** @type {any} */ (missions), /** @type {any} */ (duty));
  sharing.begin();
  sharing.show();
  return sharing;
}

const box = ({ element }) => element.querySelector("input");
const turns = async (sharing, isOn) => {
  box(sharing).checked = isOn;
  box(sharing).fire("change");
  await settled();
};
const isAt = async (latitude) => {
  watches[watches.length - 1].found({ coords: { latitude, longitude: -121.9, accuracy: 10 }, timestamp: Date.now() });
  await settled();
};
const problem = (status, slug) => new Problem(status, { type: `urn:daybook:problem:${slug}`, detail: slug });

test("what is on is shared, said, shared anew after 100 m, and ended at once when it is turned off", async () => {
  const sharing = page();
  assert.doesNotMatch(sharing.element.textContent, /since/);
  await turns(sharing, true);
  await isAt(36.6);
  assert.match(sharing.element.textContent, /Your place counts as the team’s since .*, until .* at the latest/);
  await isAt(36.7);
  await clock.pass(11_000);
  await isAt(36.7);
  await turns(sharing, false);
  assert.deepEqual([sent, watches[0].isOver], [[["shared", 36.6], ["shared", 36.7], ["ended", undefined]], true]);
  assert.doesNotMatch(sharing.element.textContent, /since/);
});

test("a device that tells nothing new is asked again, so that a place does not end by itself", async () => {
  const sharing = page();
  await turns(sharing, true);
  await isAt(36.6);
  await clock.pass(320_000);
  assert.ok(watches.length > 1);
  await isAt(36.6);
  assert.equal(sent.length, 2);
});

test("who goes off duty shares no more, and is not shown the switch", async () => {
  const sharing = page();
  await turns(sharing, true);
  duty.isOff = true;
  sharing.show();
  await isAt(36.6);
  assert.deepEqual([sent, sharing.element.hidden, watches[0].isOver], [[], true, true]);
});

test("a refusal for good ends it, in the centre's words; another one is tried again", async () => {
  const sharing = page();
  fault = problem(503, "busy");
  await turns(sharing, true);
  await isAt(36.6);
  assert.deepEqual([box(sharing).getAttribute("checked") !== null, sharing.element.textContent.includes("busy")], [true, true]);
  fault = problem(409, "agency-off-duty");
  await clock.pass(15_000);
  assert.deepEqual([sent.length, box(sharing).getAttribute("checked"), sharing.element.textContent.includes("agency-off-duty")], [2, null, true]);
});

test("a browser that tells no place is said so", async () => {
  const sharing = page();
  await turns(sharing, true);
  watches[0].lost({ code: 1 });
  await settled();
  assert.equal(box(sharing).getAttribute("checked"), null);
  assert.match(document.querySelector(".toasts").textContent, /does not let the page know where you are/);
});

test("it goes on after a reload, and what was turned off while it was sent does not count", async () => {
  await turns(page(), true);
  const sharing = page();
  assert.equal(watches.length, 2);
  watches[1].found({ coords: { latitude: 36.6, longitude: -121.9 }, timestamp: Date.now() });
  await turns(sharing, false);
  assert.equal(sent[sent.length - 1][0], "ended");
  assert.equal(missions.agency.place, undefined);
});
