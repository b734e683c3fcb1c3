// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { goodTokens, isCalled, isLastAdmin, matching, mayChange, roles, rolesToGive, standing } from "../model/people.js";

const someone = (login, role, more = {}) => ({ id: login, login, role, organisation: "main", disabled: false, mustChangePassword: false, createdAt: "2026-01-01T00:00:00Z", ...more });
const admin = { user: "ada", role: "admin", organisation: "main" };
const chief = { user: "otto", role: "org-admin", organisation: "main" };

test("an admin changes anybody; an organisation's admin its own, below admin and auditor; nobody else anybody", () => {
  const cases = [[admin, someone("x", "admin", { organisation: "north" }), true], [chief, someone("x", "operator"), true], [chief, someone("x", "operator", { organisation: "north" }), false],
    [chief, someone("x", "admin"), false], [chief, someone("x", "auditor"), false], [chief, someone("x", "org-admin"), true], [{ ...chief, role: "supervisor" }, someone("x", "operator"), false]];
  for (const [me, user, may] of cases) assert.equal(mayChange(me, user), may, `${me.role} ${user.role} ${user.organisation}`);
  assert.deepEqual(rolesToGive(admin), roles);
  assert.deepEqual(roles.filter((role) => !rolesToGive(chief).includes(role)), ["auditor", "admin"]);
  assert.deepEqual(rolesToGive({ ...chief, role: "supervisor" }), []);
});

test("an account is found by each word of login, name, number and organisation", () => {
  const users = [someone("amina", "operator", { name: "Amina Diallo" }), someone("ben", "operator", { id: "314159265" }), someone("carl", "guard", { organisation: "north" })];
  const found = (wanted) => matching(users, wanted).map(({ login }) => login);
  assert.deepEqual(found({}), ["amina", "ben", "carl"]);
  assert.deepEqual(found({ find: " DIALLO ami " }), ["amina"]);
  assert.deepEqual(found({ find: "31415" }), ["ben"]);
  assert.deepEqual(found({ find: "north" }), ["carl"]);
  assert.deepEqual(found({ role: "operator" }), ["amina", "ben"]);
  assert.deepEqual(found({ find: "carl", role: "operator" }), []);
});

test("an account is disabled, waits for its own password, or is good", () => {
  assert.deepEqual([someone("a", "guard"), someone("a", "guard", { mustChangePassword: true }), someone("a", "guard", { mustChangePassword: true, disabled: true })].map(standing), ["good", "temporary", "disabled"]);
});

test("the last admin is the only one who is not disabled", () => {
  const [one, other] = [someone("a", "admin"), someone("b", "admin", { disabled: true })];
  assert.equal(isLastAdmin([one, other], one), true);
  assert.equal(isLastAdmin([one, { ...other, disabled: false }], one), false);
  assert.equal(isLastAdmin([one, other], other), false);
  assert.equal(isLastAdmin([someone("c", "guard")], someone("c", "guard")), false);
});

test("who works here can be called out, and no program, caller or disabled account", () => {
  assert.deepEqual(roles.filter((role) => !isCalled(someone("a", role))), ["reporter", "caller", "service"]);
  assert.equal(isCalled(someone("a", "guard", { disabled: true })), false);
});

test("a token counts until it expires or is revoked", () => {
  const tokens = [{ expires: "2026-01-02T00:00:00Z" }, { expires: "2026-01-02T00:00:00Z", revokedAt: "2026-01-01T00:00:00Z" }, { expires: "2025-12-31T00:00:00Z" }];
  assert.deepEqual(goodTokens(tokens, Date.parse("2026-01-01T12:00:00Z")), tokens.slice(0, 1));
});
