// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { site, siteFrom } from "../core/site.js";

test("a page without a gateway's words has a number to dial", () => {
  assert.equal(site.emergencyNumber, "112");
  for (const text of [null, undefined, "", "{", "[]", '"x"']) {
    assert.equal(siteFrom(text).emergencyNumber, "112", String(text));
    assert.equal(siteFrom(text).dialling, null);
  }
});

test("what the gateway wrote is read", () => {
  const told = siteFrom('{"country":"GB","dialling":{"callingCode":"44","code":"GB","digitsMost":10,"internationalPrefix":"00","trunkPrefix":"0"},"emergencyNumber":"999","emergencySMS":"999","name":"The O\'Hara centre","zone":"Europe/London"}');
  assert.deepEqual([told.emergencyNumber, told.emergencySMS, told.name, told.zone], ["999", "999", "The O'Hara centre", "Europe/London"]);
  assert.equal(told.dialling.callingCode, "44");
});

test("a zone that this browser does not know is none", () => {
  assert.equal(siteFrom('{"zone":"Europe/Nowhere"}').zone, null);
  assert.equal(siteFrom('{"zone":7}').zone, null);
});
