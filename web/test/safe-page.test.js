// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, settled } from "./support.js";
import { documentOf, press, seen } from "./dom.js";
import { local } from "../core/storage.js";
import { SafePage } from "../pages/safe/parts/safe-page.js";
import { safeReady } from "../pages/safe/words.js";

await safeReady;
let clock;
let listeners;
const names = ["document", "location", "navigator", "addEventListener", "fetch", "scrollTo", "history", "BroadcastChannel", "Notification", "requestAnimationFrame", "Worker"];
const real = Object.fromEntries(names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));
const set = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

beforeEach(() => {
  clock = new Clock();
  listeners = {};
  for (const name of local.names) local.removeItem(name);
  set("addEventListener", (type, listener) => (listeners[type] ??= []).push(listener));
  set("scrollTo", () => {});
  set("requestAnimationFrame", () => {});
  set("Notification", undefined);
  set("BroadcastChannel", undefined);
  set("navigator", { geolocation: { watchPosition: (found) => void found({ coords: { latitude: 51.65, longitude: -0.39, accuracy: 12 } }), clearWatch: () => {}, getCurrentPosition: () => {} } });
});
afterEach(() => {
  clock.stop();
  for (const name of names) {
    if (real[name]) Object.defineProperty(globalThis, name, real[name]);
    else delete globalThis[name];
  }
});

const text = (id, section, title, more = {}) => ({ id, section, language: "en", title, text: "**Bold** <b>", changedAt: "2026-11-28T12:00:00Z", ...more });
const content = [text("r1", "rights", "You may say no"), text("r2", "rights", "Sie dürfen nein sagen", { language: "de" }), text("h1", "resources", "Far house", { latitude: 52, longitude: -0.39, phone: "+442079460000", address: "1 High Street" }), text("h2", "resources", "Near house", { latitude: 51.651, longitude: -0.39 }), text("h3", "resources", "A line", { phone: "116 123" })];
const anna = { id: "1", name: "Anna", mobile: "+447700900001", language: "en", stopped: [] };

/** A gateway behind `fetch`, and the page over it. */
async function open({ token = "", contacts = [anna], hash = "", more = {}, sendsCodes = false } = {}) {
  const gateway = {
    isAway: false, asked: [], contacts, faults: {},
    safety: () => ({ name: "Mona", language: "en", contacts: gateway.contacts, alerts: [], contactsMax: 10, phone: "+447700900123", phones: [], ...more }),
  };
  set("fetch", async (path, { method = "GET" } = {}) => {
    gateway.asked.push(`${method} ${path}`);
    if (gateway.isAway) throw new TypeError("no network");
    const answer = gateway.faults[`${method} ${path}`];
    if (answer) return new Response(JSON.stringify({ type: `urn:daybook:problem:${answer[1]}`, detail: answer[1], ...answer[2] }), { status: answer[0] });
    if (path.startsWith("/v1/phone?")) {
      const number = decodeURIComponent(path.split("text=")[1]);
      return new Response(JSON.stringify({ number, ...(number.length < 13 && { isUnknown: true }) }));
    }
    const bodies = { "/v1/public/content": { items: content }, "/v1/public/safety": { centre: "Watford Rescue", isOpen: sendsCodes }, "/v1/public/phone-codes": { expiresInSeconds: 600 }, "/v1/me/safety": gateway.safety() };
    if (method === "GET" && path.startsWith("/v1/me/sos/")) return new Response(JSON.stringify({ id: path.split("/")[4], raisedAt: "2026-11-28T12:00:00Z", trigger: "key", isDrill: false, contacts: [] }));
    return new Response(method === "DELETE" ? null : JSON.stringify(bodies[path] ?? {}), { status: method === "DELETE" ? 204 : 200 });
  });
  const reloaded = [];
  let written = hash;
  const address = {
    get hash() {
      return written;
    },
    // As a browser writes it.
    set hash(text) {
      written = text && `#${text.replace(/^#/, "")}`;
    },
    pathname: "/safe", href: "https://centre.example/safe", reload: () => reloaded.push(address.hash),
  };
  set("location", address);
  set("history", { replaceState: (_, __, path) => (address.hash = path.replace(/^[^#]*/, "")) });
  set("document", documentOf("pages/safe/index.html"));
  if (token) local.setItem("phone-token", token);
  const page = new SafePage();
  const begun = page.begin();
  await settled();
  return { gateway, page, begun, reloaded, at: (selector) => document.querySelector(selector) };
}

/** Follows a link of the page, as its browser does. */
async function follow(words) {
  location.hash = press(words).getAttribute("href");
  for (const listener of listeners.hashchange) listener();
  await settled();
}

/** The dialog is answered by a button of this value. */
function answer(dialog, value) {
  dialog.open = false;
  dialog.showModal = () => {
    dialog.open = true;
    queueMicrotask(() => dialog.fire("submit", { submitter: { value } }));
  };
}

test("a phone is registered step by step: its number and a code first, then that code; a wrong one is said to be wrong", async () => {
  set("Worker", class {
    postMessage() {
      queueMicrotask(() => this.onmessage({ data: { number: 7 } }));
    }
    terminate() {}
  });
  const { at, gateway } = await open({ sendsCodes: true });
  assert.deepEqual([at("#send-code").className, at("#code-field").hidden, at("#register-button").hidden, at("[name=code]").disabled], ["primary big", true, true, true]);
  at("[name=phone]").value = "+447700900123";
  at("#register-form").fire("submit");
  await settled();
  assert.ok(gateway.asked.includes("POST /v1/public/phone-codes"), "Enter in the number's field asks for a code");
  assert.match(seen("#register"), /A code is on its way to \+447700900123\. It counts for 10 minutes\. Code Register this phone/);
  assert.deepEqual([at("#send-code").className, at("[name=code]").disabled], ["big", false]);
  gateway.faults["POST /v1/devices"] = [401, "unauthorized"];
  at("[name=code]").value = "abc";
  press("Register this phone");
  await settled();
  assert.match(seen("#register-fault"), /^This code is wrong, was used, or is too old\./);
  const other = await open({ sendsCodes: true });
  press("I have a code already");
  assert.deepEqual([other.at("#code-field").hidden, other.at("#have-code").hidden], [false, true]);
  const closed = await open();
  assert.deepEqual([closed.at("#code-field").hidden, closed.at("#send-code").hidden, closed.at("#register-button").hidden], [false, true, false], "where no codes are sent, the one of the centre is asked for at once");
});

test("a contact's number is shown to the centre before the form is left; without a network what is certain is kept", async () => {
  const { at, gateway } = await open({ token: "T" });
  await follow("My contacts");
  press("Add a contact");
  at("#contact [name=name]").value = "Ben";
  at("#contact [name=mobile]").value = "+4477009";
  gateway.faults["GET /v1/phone?text=%2B4477009"] = [422, "phone-unreadable", { reason: "short" }];
  press("Save");
  await settled();
  assert.deepEqual([seen("#contact-fault"), at("#contact").hidden], ["This number has too few digits for its country.", false]);
  at("#contact [name=mobile]").value = "+4477009001";
  press("Save");
  await settled();
  assert.match(seen("#contact-fault"), /^\+44 770 090 01: no such number is known\./);
  gateway.faults = { "GET /v1/phone?text=%2B447700900125": [429, "too-many-requests"] };
  at("#contact [name=mobile]").value = "+447700900125";
  press("Save");
  await settled();
  assert.match(seen("#contacts"), /Ben \+44 7700 900125/, "a centre that is busy holds nobody up");
  press("Add a contact");
  at("#contact [name=name]").value = "Cleo";
  at("#contact [name=mobile]").value = "+447700900126";
  gateway.isAway = true;
  press("Save");
  await settled();
  assert.match(seen("#contacts"), /Cleo \+44 7700 900126/);
  gateway.isAway = false;
  press("Add a contact");
  at("#contact [name=name]").value = "Dora";
  at("#contact [name=mobile]").value = "+447700900";
  for (const isSaved of [false, true]) {
    press("Save");
    await settled();
    assert.equal(at("#contact").hidden, isSaved, "a number that is not known is kept by another press");
  }
});

test("a phone that is not registered reads rights, by language, and a text of them", async () => {
  const { at } = await open();
  assert.match(seen("main"), /Register this phone once/);
  await follow("Know your rights");
  assert.equal(at("#register").hidden, true);
  assert.match(seen("#rights"), /You may say no.*Deutsch.*Sie dürfen nein sagen/);
  await follow("You may say no");
  assert.match(seen("#text"), /You may say no.*Bold <b>.*Last changed on/);
  assert.equal(at("#text-body").querySelectorAll("strong").length, 1);
  await follow("Back to the list");
  await follow("Back to the button");
  assert.equal(at("#register").hidden, false);
});

test("help is listed by distance once the phone says where it is, with numbers to call", async () => {
  const { at } = await open({ token: "T" });
  await follow("Help near me");
  assert.match(seen("#help-list"), /Near house.*111 m from here.*Far house.*39 km from here.*1 High Street.*Call \+44 2079 460000.*A line/);
  assert.deepEqual(at("#help-list").querySelectorAll("a").map((one) => one.getAttribute("href")).filter((one) => one.startsWith("tel:")), ["tel:+442079460000", "tel:116123"]);
  const ways = at("#help-list").querySelectorAll("a").filter((one) => one.textContent === "Way there");
  assert.deepEqual(ways.map((one) => [one.getAttribute("aria-label"), decodeURIComponent(one.getAttribute("href")).split("=").pop()]), [["Way there: Near house", "51.651000,-0.390000"], ["Way there: Far house", "52.000000,-0.390000"]]);
  await follow("Read more");
  assert.match(seen("#text"), /Near house/);
  await follow("Back to help near me");
  assert.equal(at("#help").hidden, false);
});

test("a button leads to no empty list: it is there where the centre wrote something, or nothing is known yet", async () => {
  const written = content.splice(0, content.length, ...content.filter(({ section }) => section === "resources"));
  const { at } = await open({ token: "T" });
  const shown = () => at("#home").querySelectorAll("[data-section]").filter((one) => !one.hidden).map((one) => one.textContent);
  assert.deepEqual(shown(), ["Help near me"]);
  content.splice(0, content.length, ...written);
  local.setItem("safe-content", JSON.stringify({ ...JSON.parse(local.getItem("safe-content")), at: "2020-01-01T00:00:00Z" }));
  await follow("Help near me");
  assert.deepEqual(shown(), ["Know your rights", "Help near me"], "it comes back once there is something");
  for (const name of ["safe-content", "phone-token"]) local.removeItem(name);
  await open();
  assert.match(seen("#public-ways"), /Know your rights Help near me/);
});

test("without a network what was read is shown with its age; where nothing was read, it says so and leads to the button", async () => {
  const first = await open({ token: "T" });
  await first.begun;
  await settled();
  clock.stop();
  clock = new Clock();
  await clock.pass(3_600_000 + 2000);
  const second = await open({ token: "T" });
  second.gateway.isAway = true;
  await follow("Know your rights");
  await clock.pass(60_000);
  for (const listener of listeners.online) listener();
  await clock.pass(10_000);
  assert.match(seen("#rights"), /You may say no/);
  local.removeItem("safe-content");
  const third = await open({ hash: "#help" });
  third.gateway.isAway = true;
  await follow("Back to the button");
  local.removeItem("safe-content");
  await follow("Help near me");
  await clock.pass(10_000);
  assert.match(seen("#help"), /Back to the button.*this phone keeps no texts yet/);
});

test("a contact is told by a press, and what became of it is said", async () => {
  const { gateway } = await open({ token: "T" });
  await follow("My contacts");
  gateway.contacts = [{ ...anna, introducedAt: "2026-11-28T12:00:00Z" }];
  press("Ask Anna");
  await settled();
  assert.match(seen("#contacts"), /asked on .*Anna is asked by a message/);
  assert.doesNotMatch(seen("#contacts"), /Ask Anna to be/, "again within a day nothing would be sent");
});

test("a contact who takes no messages is not told, which is said", async () => {
  const { gateway } = await open({ token: "T" });
  await follow("My contacts");
  gateway.faults["POST /v1/me/contacts/1/introduce"] = [409, "alert-contact-stopped"];
  press("Ask Anna");
  await settled();
  assert.match(seen("#contacts"), /Anna takes no messages from here\./);
});

test("a contact who has confirmed, or whom no message reaches, is not told again", async () => {
  const { at } = await open({ token: "T", contacts: [{ ...anna, confirmedAt: "2026-11-28T12:00:00Z" }, { ...anna, id: "2", name: "Ben", stopped: ["sms"] }] });
  await follow("My contacts");
  assert.match(seen("#contacts"), /Anna .*confirmed.*Ben .*takes no SMS \(STOP\).*No message reaches this person/);
  assert.equal(at("#contact-list").querySelectorAll("button").filter((one) => one.textContent.startsWith("Ask")).length, 0);
});

test("one's own number and phones are listed, and a newer phone is let in", async () => {
  const phones = [{ id: "d1", registeredAt: "2026-11-27T12:00:00Z", isThis: true, isAgreed: true }, { id: "d2", registeredAt: "2026-11-28T12:00:00Z", isThis: false, isAgreed: false }];
  const { gateway } = await open({ token: "T", more: { phones } });
  assert.match(seen("#home"), /Another phone with your number waits for your answer\./);
  await follow("My contacts");
  assert.match(seen("#contacts"), /My number: \+44 7700 900123.*Phone 1 this phone.*Phone 2.*until you agree/);
  press("let it in");
  await settled();
  assert.ok(gateway.asked.includes("POST /v1/devices/d2/admit"));
});

test("a button of a notification that opened the page tries the refused alert again, once", async () => {
  local.setItem("safe-alerts-refused", JSON.stringify([{ id: "a-1", at: "2026-11-28T12:00:00Z", trigger: "swipe", isDrill: false, why: "no" }]));
  const { gateway } = await open({ token: "T", hash: "#again/a-1" });
  assert.deepEqual([gateway.asked.filter((one) => /^PUT .*\/sos\/[^\/]+$/.test(one)).length, location.hash, JSON.parse(local.getItem("safe-alerts-refused") ?? "[]")], [1, "", []]);
  local.removeItem("phone-token");
  await open({ hash: "#again/a-1" });
  assert.match(seen("#register"), /Register this phone once/);
});

test("notifications are offered until that is decided, and asked for by a press only", async () => {
  let asked = 0;
  set("Notification", { permission: "default", requestPermission: async () => void (asked++, (Notification.permission = "granted")) });
  navigator.serviceWorker = { addEventListener: () => {}, getRegistration: async () => undefined };
  const first = await open({ token: "T" });
  assert.match(seen("#home"), /this phone can say whether it was sent/);
  assert.equal(asked, 0);
  press("Yes, say it");
  await settled();
  assert.deepEqual([asked, first.at("#notices").hidden], [1, true]);
  Notification.permission = "default";
  const second = await open({ token: "T" });
  press("No");
  assert.equal(second.at("#notices").hidden, true);
  assert.equal((await open({ token: "T" })).at("#notices").hidden, true);
});

test("an account is deleted after a question, and the page begins anew with nothing kept", async () => {
  const { gateway, at, reloaded } = await open({ token: "T" });
  await follow("My contacts");
  answer(at("#confirm-delete"), "no");
  press("Delete my account");
  await settled();
  assert.ok(!gateway.asked.includes("DELETE /v1/me/safety"));
  gateway.faults["DELETE /v1/me/safety"] = [409, "sos-open"];
  answer(at("#confirm-delete"), "yes");
  press("Delete my account");
  await settled();
  assert.match(seen("#contacts"), /An alert goes on\. End it first/);
  assert.equal(local.getItem("phone-token"), "T");
  gateway.faults = {};
  answer(at("#confirm-delete"), "yes");
  press("Delete my account");
  await settled();
  assert.deepEqual([local.names.filter((name) => name.startsWith("safe-") || name === "phone-token"), reloaded], [[], ["#deleted"]]);
  await clock.pass(60_000);
  assert.deepEqual(local.names.filter((name) => name.startsWith("safe-") || name === "phone-token"), []);
  await open({ hash: "#deleted" });
  assert.match(seen("#register"), /Your account is deleted\. This phone keeps nothing of it\./);
});
