// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { Problem } from "../core/api.js";
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

test("an id that is no incident's is a guard's round, with the names of its tour and points", async () => {
  const round = { id: "R", tour: "T", guardID: "7", startedAt: timeOf(0), finishedAt: timeOf(3), reason: "done", isOrdered: true, points: [{ point: "P", from: timeOf(0), until: timeOf(4), lateUntil: timeOf(5), standing: "on_time", reachedAt: timeOf(2) }] };
  const answers = {
    "/v1/rounds/R": round, "/v1/users": { items: [{ id: "7", login: "gil" }] }, "/v1/tours": { items: [{ id: "T", name: "Night tour" }] }, "/v1/patrol-points": { items: [{ id: "P", name: "Gate" }] }, "/v1/ledger": { size: 5 },
    "/v1/rounds/R/timeline": { items: [entry(0, "round.started", "round/R", { points: "1" }), entry(1, "patrol.checked_in", "patrol_point/P", { guard: "7" }), entry(2, "round.point_reached", "round/R", { point: "P", standing: "on_time" })] },
  };
  const api = {
    async get(path) {
      const { pathname } = new URL(path, "https://centre.example");
      noteTime(new Headers({ "Daybook-Time": timeOf(4) }), performance.now());
      if (!answers[pathname]) throw new Problem(404, { detail: `there is no ${pathname}` });
      return answers[pathname];
    },
  };
  const { kind, source, names } = await read(api, "R", { role: "supervisor" }, () => {});
  assert.equal(kind, "round");
  assert.deepEqual(names, { 7: "gil", T: "Night tour", P: "Gate" });
  assert.equal(source.end.round.points[0].standing, "on_time");
  source.seek(source.from);
  assert.equal(source.state.round.points[0].standing, undefined, "at first nobody was there");
  await assert.rejects(read(api, "X", { role: "supervisor" }, () => {}), /there is no \/v1\/incidents\/X/);
});

test("an id that is neither an incident's nor a round's is a report's, with the names of agencies", async () => {
  const answers = {
    "/v1/reports/R": { id: "R" }, "/v1/users": { items: [{ id: "7", login: "rita" }] }, "/v1/agencies": { items: [{ id: "A", name: "Bay Rescue" }] }, "/v1/ledger": { size: 5 },
    "/v1/reports/R/timeline": { items: [entry(0, "report.submitted", "report/R", { species: "whale" }), entry(1, "report.assigned", "report/R", { agency: "A" }), entry(2, "report.status_changed", "report/R", { from: "submitted", to: "acknowledged" })] },
  };
  const api = {
    async get(path) {
      const { pathname } = new URL(path, "https://centre.example");
      if (!answers[pathname]) throw new Problem(404, { detail: `there is no ${pathname}` });
      return answers[pathname];
    },
  };
  const { kind, source, names } = await read(api, "R", { role: "auditor" }, () => {});
  assert.deepEqual([kind, names], ["report", { 7: "rita", A: "Bay Rescue" }]);
  assert.deepEqual([source.end.report.status, source.end.report.agency], ["acknowledged", "A"]);
  source.seek(source.from);
  assert.deepEqual([source.state.report.status, source.state.report.agency], ["submitted", null]);
});
