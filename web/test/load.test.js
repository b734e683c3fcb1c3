// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { noteTime } from "../core/time.js";
import { read } from "../pages/replay/parts/load.js";

const timeOf = (position) => `2026-11-23T00:00:0${position}.000001Z`;

/** An entry of the timeline as the gateway gives it. */
function entry(position, type, subject, says) {
  const summary = Object.entries(says).map(([name, value]) => ({ name, value, isSealed: false }));
  return { position: String(position), subject, revision: "0", id: `e${position}`, type: `${type}/1`, actor: "device/d", time: timeOf(position), summary };
}

/** A gateway that gives two entries a page; while the first is read, a session is linked, with all that it did before. */
class Gateway {
  asked = [];
  #now = 4;
  #own = [0, 2, 3, 4].map((position) => entry(position, "incident.address_set", "incident/I", { address: "a" }));
  #linked = [entry(1, "session.created", "session/S", { incident: "J" }), entry(5, "incident.session_linked", "incident/I", { session: "S", from: "J" })];

  async get(path) {
    noteTime(new Headers({ "Daybook-Time": timeOf(this.#now) }), performance.now());
    const url = new URL(path, "https://centre.example");
    if (!url.pathname.endsWith("/timeline")) return { id: "I", items: [], origin: "o", size: 5 };
    this.asked.push(path);
    const [asOf, after] = [url.searchParams.get("asOf") ?? timeOf(this.#now), Number(url.searchParams.get("after") ?? -1)];
    const all = asOf >= timeOf(5) ? [...this.#own, ...this.#linked].sort((one, other) => one.position - other.position) : this.#own;
    this.#now = 5;
    const rest = all.filter(({ position }) => Number(position) > after);
    return { items: rest.slice(0, 2), ...(rest.length > 2 ? { next: rest[1].position } : {}) };
  }
}

test("an incident is read as of one moment: what is linked meanwhile is there whole, or not at all", async () => {
  const gateway = new Gateway();
  const first = await read(gateway, "I", { role: "auditor" }, () => {});
  assert.deepEqual(first.source.events.map(({ position }) => position), [0, 2, 3, 4]);
  assert.equal(new Set(gateway.asked.map((path) => new URL(path, "https://centre.example").searchParams.get("asOf"))).size, 1);
  const second = await read(gateway, "I", { role: "auditor" }, () => {});
  assert.deepEqual(second.source.events.map(({ position }) => position), [0, 1, 2, 3, 4, 5]);
});
