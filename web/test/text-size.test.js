// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { documentOf } from "./dom.js";
import { local } from "../core/storage.js";
import { textSize } from "../call/text-size.js";

function opened() {
  globalThis.document = documentOf("call/index.html");
  document.querySelector("#home").hidden = false;
  textSize.start();
  return document.documentElement.dataset;
}

const pressed = () => document.querySelectorAll("#home .text-size button").filter((button) => button.getAttribute("aria-pressed") === "true").map((button) => button.getAttribute("aria-label"));

test("three sizes on every screen before a chat, and in the chat's own dialog", () => {
  opened();
  for (const place of ["#register", "#join", "#home", "#view"]) assert.equal(document.querySelectorAll(`${place} .text-size button`).length, 3, place);
  assert.deepEqual(pressed(), ["Text size: normal"]);
});

test("a size that was chosen is the page's, and that of the next page of this device", () => {
  const page = opened();
  document.querySelectorAll("#home .text-size button")[2].fire("click");
  assert.equal(page.textSize, "largest");
  assert.deepEqual(pressed(), ["Text size: very large"]);
  assert.equal(opened().textSize, "largest");
  document.querySelectorAll("#home .text-size button")[0].fire("click");
  assert.equal(document.documentElement.dataset.textSize, "normal");
});

test("a size that nobody can have chosen is the normal one", () => {
  local.setItem("text-size", "huge");
  assert.equal(opened().textSize, "normal");
});
