// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./support.js";
import { homeOf, openTo, pageAt } from "../core/pages.js";

const pages = {
  "/": { file: "index.html" },
  "/desk": { file: "desk.html", roles: ["operator", "admin"], isHomeOf: ["operator"] },
  "/replay": { file: "list.html", roles: ["auditor", "admin"], isHomeOf: ["auditor"] },
  "/replay/{incident}": { file: "replay.html", roles: ["auditor"] },
};

test("the page at an address is found, also behind an open part", () => {
  assert.equal(pageAt(pages, "/desk").file, "desk.html");
  assert.equal(pageAt(pages, "/replay/0199").file, "replay.html");
  for (const path of ["/replay/", "/replay/a/b", "/nowhere"]) assert.equal(pageAt(pages, path), null);
});

test("a role has its home, and is led to what it may open", () => {
  assert.equal(homeOf(pages, "auditor"), "/replay");
  assert.equal(homeOf(pages, "guard"), null);
  assert.deepEqual(openTo(pages, "admin"), ["/desk", "/replay"]);
  assert.deepEqual(openTo(pages, "auditor"), ["/replay"]);
});

test("every page of ours is led to by a word of its own, and an open part has its page's roles", () => {
  const ours = JSON.parse(readFileSync(new URL("../pages.json", import.meta.url), "utf8"));
  const english = readFileSync(new URL("../locales/staff/en.js", import.meta.url), "utf8");
  for (const [address, { roles }] of Object.entries(ours)) {
    const [, first] = address.split("/");
    if (!roles || roles.includes("caller")) continue;
    assert.ok(english.includes(`"shell.page.${first}"`), address);
    assert.deepEqual(roles, ours[`/${first}`].roles, address);
  }
});
