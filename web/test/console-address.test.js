// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, viewOf } from "../console/address.js";

const id = "01a1ff49-2b6c-7d3e-8f01-23456789abcd";

test("what is shown is read back from its address", () => {
  for (const view of [{ is: "home" }, { is: "footage" }, { is: "session", id }]) {
    assert.deepEqual(viewOf(new URL(addressOf(view), "http://centre").search), view);
  }
});

test("an address that says nothing that there is leads home", () => {
  for (const search of ["", "?", "?session=", "?session=1", "?session=%2Fetc", `?session=${id.toUpperCase()}`, "?other=1"]) assert.deepEqual(viewOf(search), { is: "home" });
});
