// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { documentOf } from "./dom.js";
import { Desk } from "../console/desk.js";
import { QueueView } from "../console/queue.js";

test("a caller who is offered stands once with whoever is asked, and says to the others who that is", () => {
  globalThis.document = documentOf("console/index.html");
  const at = new Date().toISOString();
  const caller = { id: "s", incident: "i", state: "open", channel: "telephone", createdAt: at, pendingSince: at, liveStreams: 0, telephone: { number: "+49301234567" }, firstWords: "smoke", offer: { to: "amina", expiresAt: new Date(Date.now() + 3_600_000).toISOString() } };
  const ticketsOf = (user) => {
    const place = document.createElement("nav");
    const desk = new Desk({}, { user, role: "operator" });
    Object.assign(desk, { sessions: [caller], isRead: true, alerting: true, names: new Map([["amina", "Amina"]]) });
    const queue = new QueueView(desk, place, {}, Object.assign(new EventTarget(), { session: null, joinable: null }));
    const tickets = place.querySelectorAll(".ticket").map((ticket) => ticket.textContent);
    queue.stop();
    return tickets;
  };
  const [own, ...more] = ticketsOf("amina");
  assert.match(own, /\+49301234567.*your turn.*not verified.*smoke.*Decline.*Accept/);
  assert.deepEqual(more, []);
  const [other, ...none] = ticketsOf("john");
  assert.match(other, /\+49301234567.*smoke.*offered to Amina.*Take it/);
  assert.deepEqual(none, []);
});
