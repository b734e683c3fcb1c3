// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { hostOf, kindOf, mayHaveHosts, nameOf, sorted } from "../model/demo.js";

const amina = { person: "123456789", login: "amina", name: "Amina", role: "operator", home: "/console" };
const john = { person: "987654321", login: "John", role: "operator", home: "/console" };
const arne = { person: "5", login: "arne k", role: "auditor", home: "/replay" };
const phone = { person: "0199", phone: "+447712345678", role: "caller", home: "/call" };
const second = { person: "0200", phone: "+447712345754", role: "caller", home: "/call" };
const people = [amina, arne, john, phone, second];

test("who calls stands first, then who answers, then who looks back; the rest stays in order", () => {
  assert.deepEqual(sorted(people), [phone, second, amina, john, arne]);
  assert.deepEqual(sorted([{ role: "new" }, arne]), [arne, { role: "new" }]);
});

test("everybody has a host of their own below localhost", () => {
  assert.deepEqual(people.map((one) => hostOf(one, people)), ["amina.localhost", "user-5.localhost", "john.localhost", "caller1.localhost", "caller2.localhost"]);
  // Nobody's login takes a caller's host.
  assert.equal(hostOf({ ...amina, login: "caller1" }, people), "user-123456789.localhost");
});

test("somebody is called by name, else by login; a phone by neither", () => {
  assert.deepEqual([amina, john, phone].map(nameOf), ["Amina", "John", null]);
});

test("a phone with a name is a citizen's, and has its host as a caller", () => {
  const tess = { ...second, person: "0201", name: "Tess", home: "/safe" };
  assert.deepEqual([tess, second, amina].map(kindOf), ["citizen", "caller", "operator"]);
  assert.deepEqual([nameOf(tess), hostOf(tess, [...people, tess])], ["Tess", "caller3.localhost"]);
});

test("people have hosts of their own where the page is of this machine, without TLS", () => {
  for (const hostname of ["127.0.0.1", "localhost", "amina.localhost"]) assert.ok(mayHaveHosts({ protocol: "http:", hostname }), hostname);
  assert.ok(!mayHaveHosts({ protocol: "https:", hostname: "localhost" }));
  for (const hostname of ["localhost.example.org", "[::1]", "192.0.2.1"]) assert.ok(!mayHaveHosts({ protocol: "http:", hostname }), hostname);
});
