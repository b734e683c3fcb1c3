// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";

const program = readFileSync(new URL("../pages/answer/answer.js", import.meta.url), "utf8");
const html = readFileSync(new URL("../pages/answer/index.html", import.meta.url), "utf8");

/** The page's elements that the program looks for, as its file has them. */
function elements() {
  return [...html.matchAll(/<\w+((?:\s+[\w-]+(?:="[^"]*")?)*)\s*>/g)].map(([, text]) => {
    const attributes = Object.fromEntries([...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name, value = ""]) => [name, value]));
    return { attributes, hidden: "hidden" in attributes, textContent: "", getAttribute: (name) => attributes[name] ?? null, setAttribute: (name, value) => (attributes[name] = value) };
  });
}

/** The opened page; `answer` is what the centre says to each request, in order, and `null` where it is not reached. */
function open(answers, userAgent = "Android") {
  const all = elements();
  const requests = [];
  const timers = [];
  const document = {
    hidden: false, getElementById: (id) => all.find((one) => one.attributes.id === id), dispatchEvent: () => {},
    querySelectorAll: (selector) => all.filter((one) => selector.slice(1, -1) in one.attributes),
  };
  class XMLHttpRequest {
    open(method, path) {
      requests.push(`${method} ${path}`);
    }
    setRequestHeader() {}
    send(body) {
      if (body) requests[requests.length - 1] += ` ${body}`;
      const [status, members] = answers.shift() ?? [];
      if (!status) return this.onerror();
      [this.status, this.responseText] = [status, typeof members === "string" ? members : JSON.stringify(members)];
      this.onload();
    }
  }
  runInContext(program, createContext({ document, XMLHttpRequest, Event: class {}, location: { pathname: "/a/Xy-1" }, navigator: { userAgent }, setTimeout: (act) => timers.push(act), clearTimeout: () => {} }));
  const state = () => [...new Set(all.filter((one) => "data-state" in one.attributes && !one.hidden).map((one) => one.attributes["data-state"]))].filter((one) => !one.includes(" ")).join();
  return { requests, state, document, at: (id) => document.getElementById(id), press: (id) => document.getElementById(id).onclick(), pass: () => timers.pop()() };
}

const message = { centre: "Watford Rescue", sentAt: "2026-03-25T18:28:05Z", severity: "critical", state: "open" };

test("opening the page reads the message and answers nothing", () => {
  const page = open([[200, message]]);
  assert.deepEqual(page.requests, ["GET /v1/answers/Xy-1"]);
  assert.equal(page.state(), "open");
  assert.equal(page.at("centre").textContent, "Watford Rescue");
  assert.equal(page.at("sent").attributes.datetime, message.sentAt);
  assert.match(page.at("sent").textContent, /^2026-03-2\d \d\d:\d\d$/);
  assert.deepEqual(page.document.querySelectorAll("[data-severity]").filter((one) => !one.hidden).map((one) => one.attributes["data-severity"]), ["critical"]);
});

test("the button answers, once, and the page says thanks", () => {
  const page = open([[200, message], [200, { ...message, state: "answered", answeredAt: "2026-03-25T18:30:00Z" }]]);
  page.press("have");
  assert.deepEqual(page.requests.slice(1), ["POST /v1/answers/Xy-1 {}"]);
  assert.equal(page.state(), "thanks");
});

test("a message that was answered, or is over, or is not known, has no button", () => {
  for (const [status, members, state] of [[200, { ...message, state: "answered" }, "answered"], [200, { ...message, state: "over" }, "over"], [404, { detail: "no" }, "unknown"], [410, "", "unknown"]])
    assert.equal(open([[status, members]]).state(), state);
  const page = open([[200, message], [200, { ...message, state: "over" }]]);
  page.press("have");
  assert.equal(page.state(), "over", "somebody was faster");
});

test("while the page stands open it looks whether somebody else has it", () => {
  const page = open([[200, message], [200, { ...message, state: "over" }]]);
  page.document.hidden = true;
  page.pass();
  assert.equal(page.requests.length, 1);
  page.document.hidden = false;
  page.pass();
  assert.equal(page.state(), "over");
});

test("a centre that is not reached is told, and can be asked again", () => {
  const page = open([null, [200, message], null, [429, { detail: "too many requests; wait 5 s" }], [502, "<html>"], [200, { ...message, state: "answered" }]]);
  assert.deepEqual([page.state(), page.at("away").hidden, page.at("again").hidden], ["reading", false, false]);
  page.press("again");
  assert.deepEqual([page.state(), page.at("away").hidden, page.at("again").hidden], ["open", true, true]);
  page.press("have");
  assert.deepEqual([page.state(), page.at("away").hidden, page.at("have").disabled], ["open", false, false]);
  page.press("have");
  assert.deepEqual([page.at("away").hidden, page.at("busy").hidden, page.at("fault").hidden], [true, false, true], "in the page's words, and not in the centre's");
  page.press("have");
  assert.deepEqual([page.at("away").hidden, page.at("fault").hidden], [false, true]);
  page.press("have");
  assert.deepEqual([page.state(), page.at("away").hidden], ["thanks", true]);
});

test("a message that asks somebody to be a contact is agreed to, and not taken care of", () => {
  const kinds = (page) => [...new Set(page.document.querySelectorAll("[data-kind]").filter((one) => !one.hidden).map((one) => one.attributes["data-kind"]))].join();
  assert.equal(kinds(open([[200, { ...message, severity: "info", isIntroduction: true }]])), "introduction");
  assert.equal(kinds(open([[200, { ...message, severity: "info" }]])), "message,message sos");
  assert.equal(kinds(open([[200, alert]])), "sos,message sos");
});

test("what the centre refuses is said in the page's words", () => {
  const page = open([[200, message], [403, { detail: "not from here" }]]);
  page.press("have");
  assert.deepEqual([page.at("away").hidden, page.at("busy").hidden, page.at("fault").hidden], [true, true, false]);
});

const place = { latitude: 51.6565, longitude: -0.3903, accuracyMetres: 11.2, plusCode: "9C3XMJ45+JV" };
const alert = { ...message, sos: { name: "Anna", isDrill: false, raisedAt: "2026-03-25T18:28:05Z", place, placeAt: new Date(Date.now() - 120_000).toISOString(), answered: 1, isOver: false } };
const shownEnds = (page) => page.document.querySelectorAll("[data-end]").filter((one) => !one.hidden).map((one) => one.attributes["data-end"]);

test("an alert shows who needs help, where, how old that is, and how many have answered", () => {
  const page = open([[200, alert]]);
  assert.deepEqual([page.at("sos").hidden, page.at("sos-help").hidden, page.at("sos-drill").hidden, page.at("sos-name").textContent, page.at("sos-answered").textContent], [false, false, true, "Anna", 1]);
  assert.deepEqual([page.at("sos-geo").textContent, page.at("sos-geo").attributes.href], ["51.65650, -0.39030", "geo:51.65650,-0.39030?q=51.65650,-0.39030"]);
  assert.deepEqual([page.at("sos-plus-code").textContent, page.at("sos-metres").textContent, page.at("sos-age").textContent], ["9C3XMJ45+JV", 12, 2]);
  assert.deepEqual(page.document.querySelectorAll("[data-kind]").filter((one) => !one.hidden && one.attributes["data-kind"] === "message"), []);
  assert.equal(open([[200, message]]).at("sos").hidden, true, "a message of the centre is none");
});

test("after the answer the place is followed on; after the end it is gone, with what became of it", () => {
  const moved = { ...alert, state: "answered", sos: { ...alert.sos, place: { ...place, latitude: 51.7 }, answered: 2 } };
  const over = { ...message, state: "over", sos: { isOver: true, endReason: "safe" } };
  const page = open([[200, alert], [200, { ...alert, state: "answered" }], [200, moved], [200, over]]);
  page.press("have");
  assert.equal(page.state(), "thanks");
  page.pass();
  assert.deepEqual([page.state(), page.at("sos-geo").textContent, page.at("sos-answered").textContent], ["thanks", "51.70000, -0.39030", 2]);
  page.pass();
  assert.deepEqual([page.state(), page.at("sos").hidden, shownEnds(page)], ["over", true, ["safe"]]);
  assert.deepEqual([page.at("sos-geo").textContent, page.at("sos-geo").attributes.href, page.at("sos-plus-code").textContent, page.at("sos-name").textContent], ["", "", "", ""]);
  page.pass();
  assert.equal(page.requests.length, 4, "what is over is not read again");
});

test("an alert that nobody ended says so, and not that there is nothing to do", () => {
  const page = open([[200, { ...message, state: "over", sos: { isOver: true, endReason: "expired" } }]]);
  assert.deepEqual([page.state(), shownEnds(page)], ["", ["expired"]]);
});

test("the place opens in what the phone has for maps", () => {
  const mapOn = (agent) => open([[200, alert]], agent).at("sos-geo").attributes.href;
  assert.deepEqual([mapOn("iPhone"), mapOn("X11; Linux")], ["https://maps.apple.com/?ll=51.65650,-0.39030&q=51.65650,-0.39030", "https://www.openstreetmap.org/?mlat=51.65650&mlon=-0.39030"]);
});

test("a practice is one, and a place that is not known is told so", () => {
  const page = open([[200, { ...alert, sos: { ...alert.sos, isDrill: true, place: undefined, placeAt: undefined } }]]);
  assert.deepEqual([page.at("sos-drill").hidden, page.at("sos-help").hidden, page.at("sos-place").hidden, page.at("sos-nowhere").hidden], [false, true, true, false]);
});

test("who is no contact any more sees nothing of the alert", () => {
  const page = open([[200, { ...message, sos: { isOver: false } }]]);
  assert.deepEqual([page.at("sos").hidden, page.at("sos-name").textContent, shownEnds(page)], [true, "", []]);
});
