// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, settled } from "./support.js";
import { documentOf, press } from "./dom.js";
import { h } from "../core/dom.js";
import { SharedForm } from "../console/shared-form.js";

const real = globalThis.document;
let clock, field, form, puts;

beforeEach(() => {
  clock = new Clock();
  globalThis.document = documentOf("console/index.html");
  puts = [];
  const api = { put: (path, body, { ifMatch }) => new Promise((answer) => puts.push({ address: body.address, ifMatch, answer: (revision) => answer({ revision }) })) };
  field = h("input", { name: "address" });
  form = new SharedForm(/** @type {any} */ (api), {
    what: "address", fields: { address: field }, done: "Address saved.", valuesOf: /** @param {any} incident */ ({ address }) => ({ address }), bodyOf: (values) => values,
    fault: () => "", words: ({ address }) => address, who: () => "Somebody",
  }, [field, h("button", {}, "Save the address")], () => {});
  globalThis.document.body.append(form.element);
  form.element.hidden = false;
  read(7, "3 Mill Lane");
});
afterEach(() => {
  clock.stop();
  globalThis.document = real;
});

const read = (revision, address) => form.follow(/** @type {any} */ ({ id: "I", tag: `"${revision}"`, address }));

function write(address) {
  field.value = address;
  field.fire("input");
}

test("what is written behind a save is written upon what was saved, though a reading of before it comes late", async () => {
  write("1 Mill Lane");
  press("Save the address");
  puts[0].answer("8");
  await settled();
  read(7, "3 Mill Lane");
  write("2 Mill Lane");
  read(8, "1 Mill Lane");
  const notice = form.element.querySelector("[role=status]");
  assert.ok(notice.hidden, notice.textContent);
  press("Save the address");
  assert.deepEqual(puts.map(({ address, ifMatch }) => [address, ifMatch]), [["1 Mill Lane", '"7"'], ["2 Mill Lane", '"8"']]);
});

test("a press while it is saved saves what was written since, and nothing where nothing was", async () => {
  write("1 Mill Lane");
  press("Save the address");
  write("2 Mill Lane");
  press("Save the address");
  assert.equal(puts.length, 1);
  puts[0].answer("8");
  await settled();
  assert.deepEqual(puts.slice(1).map(({ address, ifMatch }) => [address, ifMatch]), [["2 Mill Lane", '"8"']]);
  press("Save the address");
  puts[1].answer("9");
  await settled();
  assert.equal(puts.length, 2);
  assert.equal(field.value, "2 Mill Lane");
});

test("what stood there already is at the revision that was named", async () => {
  press("Save the address");
  puts[0].answer(undefined);
  await settled();
  write("4 Mill Lane");
  press("Save the address");
  assert.equal(puts[1].ifMatch, '"7"');
});
