// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, settled } from "./support.js";
import { peopleOf } from "../dom/people.js";

let clock;
beforeEach(() => (clock = new Clock()));
afterEach(() => clock.stop());

/** A centre with these guards, which counts how often it is asked for the accounts. */
function centre(users) {
  const api = { users, asked: 0, isAway: false };
  api.get = async (path) => {
    if (api.isAway) throw new Error("no network");
    if (path === "/v1/users") api.asked += 1;
    return { items: path === "/v1/users" ? api.users : [] };
  };
  return api;
}
const guard = (id, name) => ({ id, name, login: name.toLowerCase(), role: "guard", disabled: false });

test("a guard whose account is new is named as soon as the list was read again", async () => {
  const api = centre([guard("1", "Gil")]);
  let told = 0;
  const people = await peopleOf(api, "supervisor", () => (told += 1));
  api.users = [guard("1", "Gil"), guard("2", "Bela")];
  assert.deepEqual([people.nameOf("1"), people.nameOf("2"), people.nameOf("2")], ["Gil", "2", "2"]);
  await settled();
  assert.deepEqual([people.nameOf("2"), told, api.asked, people.choices.map(([user]) => user)], ["Bela", 1, 2, ["2", "1"]]);
});

test("for an id that nobody has, the list is read once a minute", async () => {
  const api = centre([guard("1", "Gil")]);
  const people = await peopleOf(api, "supervisor");
  for (let second = 0; second < 59; second++) {
    people.nameOf("9");
    await clock.pass(1000);
  }
  assert.equal(api.asked, 2);
  await clock.pass(1000);
  people.nameOf("9");
  await settled();
  assert.equal(api.asked, 3);
});

test("names stay where the list cannot be read again", async () => {
  const api = centre([guard("1", "Gil")]);
  const people = await peopleOf(api, "supervisor");
  api.isAway = true;
  people.nameOf("9");
  await settled();
  assert.deepEqual([people.nameOf("1"), people.nameOf("9"), people.choices.length], ["Gil", "9", 1]);
});

test("nobody is asked for a list that the role may not see", async () => {
  const paths = [];
  const api = { get: async (path) => ({ items: void paths.push(path) ?? [] }) };
  for (const role of ["guard", "auditor", "operator", "admin"]) await peopleOf(api, role);
  assert.deepEqual(paths, ["/v1/users", "/v1/colleagues", "/v1/colleagues", "/v1/users"]);
});
