// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { documentOf } from "./dom.js";
import { SessionHead } from "../console/session-head.js";

test("who has a telephone alone is asked for nothing that only a page could show, and it is said why", () => {
  globalThis.document = documentOf("console/index.html");
  const head = new SessionHead({ me: { user: "1" }, names: new Map() }, {}, document.createElement("div"), document.createElement("div"));
  const session = { id: "s", state: "open", owner: "1", telephone: { number: "+49301234567" }, liveStreams: 0 };
  const buttons = () => head.element.querySelectorAll("button").map((one) => one.textContent);
  head.show(session, true, true, false, true);
  assert.deepEqual(buttons(), ["Close …", "Details"]);
  assert.match(head.element.textContent, /This caller has only a telephone\./);
  head.show(session, true, true, false, false);
  assert.deepEqual(buttons(), ["Ask for video", "Ask for the place", "Close …", "Details"]);
});
