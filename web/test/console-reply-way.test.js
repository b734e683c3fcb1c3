// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { documentOf, press } from "./dom.js";
import { ReplyWay } from "../console/reply-way.js";

/** Which of the two is shown as chosen. */
const shown = (element) => element.querySelectorAll("button").filter((one) => one.getAttribute("aria-pressed") === "true").map((one) => one.textContent);

test("an answer goes the way of the caller's last message until the operator chooses, and has one way where the caller has the page or a telephone alone", () => {
  globalThis.document = documentOf("console/index.html");
  const reply = new ReplyWay();
  document.body.append(reply.element);
  reply.allow(false, true);
  assert.equal(reply.way, undefined);
  assert.equal(reply.element.hidden, true);
  reply.allow(true, true);
  reply.heard("sip");
  assert.deepEqual([reply.way, ...shown(reply.element)], ["telephone", "by telephone"]);
  reply.heard("websocket");
  assert.deepEqual([reply.way, ...shown(reply.element)], ["page", "on the page"]);
  press("by telephone");
  reply.heard("websocket");
  assert.equal(reply.way, "telephone", "what the operator chose counts");
  press("on the page");
  reply.allow(true, false);
  assert.deepEqual([reply.way, ...shown(reply.element)], ["telephone"], "a caller without a page is answered by telephone, whatever was chosen");
  assert.equal(reply.element.textContent, "How the answer goes: by telephone");
});
