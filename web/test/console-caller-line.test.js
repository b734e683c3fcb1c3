// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support.js";
import { fieldsOf } from "../console/caller-line.js";

const telephone = { from: "sip:+49301234567@10.0.0.1", number: "+49301234567", isVerified: false, name: "Ann", address: "203.0.113.5:5060", transport: "udp", method: "MESSAGE", replies: [] };
const session = { phone: "+49301234567", channel: "chat" };
const fix = { latitude: 52.516275, longitude: 13.377704 };

test("who writes by telephone is told by number, name, address, way and place, and whether the number is sure", () => {
  assert.deepEqual(fieldsOf({ session, telephone, locations: [{ fix: null }, { fix }] }), [
    ["Number", "+49301234567 (not verified)"], ["Name", "Ann"], ["Address", "203.0.113.5:5060"], ["Type", "telephone text (SIP) over UDP"],
    ["Latitude", "52.516275"], ["Longitude", "13.377704"],
  ]);
  const [[, number]] = fieldsOf({ session, telephone: { ...telephone, trunk: "Telekom" }, locations: [] });
  assert.equal(number, "+49301234567 (asserted by Telekom)");
});

test("of who writes on the page, or hides the number, what is not known is left out", () => {
  assert.deepEqual(fieldsOf({ session, locations: [] }), [["Number", "+49301234567"], ["Type", "text on the page"]]);
  const { number, name, ...hidden } = telephone;
  assert.deepEqual(fieldsOf({ session: {}, telephone: { ...hidden, transport: "tls" }, locations: [] }), [["Address", "203.0.113.5:5060"], ["Type", "telephone text (SIP) over TLS"]]);
});
