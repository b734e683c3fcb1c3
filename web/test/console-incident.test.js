// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { placesOf, tabsOf } from "../console/incident.js";

const session = (phone, more = {}) => ({ id: phone, phone, ...more });
const told = (latitude, at) => ({ fix: { latitude, longitude: 0 }, at });
const failed = { unavailable: "denied", at: "2026-11-22T18:00:00Z" };
const [eight, nine] = ["2026-11-22T18:00:00Z", "2026-11-22T18:01:00Z"];

test("one's own caller's places come first, and the newest of each other caller beside them", () => {
  const own = { session: session("+441"), locations: [told(51, nine), told(50, eight)] };
  const other = { session: session("+442"), locations: [told(52, nine), told(53, eight)] };
  assert.deepEqual(placesOf(own, [other, { session: session("+443"), locations: [failed] }]), { places: own.locations, whose: "", others: [{ ...told(52, nine), name: "+442" }] });
});

test("where nothing is known of one's own caller, the newest place of another stands for it, by name", () => {
  const own = { session: session("+441"), locations: [failed] };
  const others = [{ session: session("+442"), locations: [told(52, eight)] }, { session: session(undefined), locations: [told(53, nine)] }];
  const found = placesOf(own, others);
  assert.equal(found.whose, "number unknown");
  assert.deepEqual(found.places, [told(53, nine), failed]);
  assert.deepEqual(found.others, [{ ...told(52, eight), name: "+442" }]);
});

test("where nobody has told a place, none is made up", () => {
  assert.deepEqual(placesOf({ session: session("+441"), locations: [failed] }, []), { places: [failed], whose: "", others: [] });
});

test("a chat beside one's own tells what nobody has read, unless somebody else has it", () => {
  const others = [{ session: session("+442", { unreadForOperator: 2 }) }, { session: session("+443", { unreadForOperator: 3, owner: "7" }) }];
  assert.deepEqual(tabsOf(others, "+443").map(({ name, isRead, unread }) => [name, isRead, unread]), [["+442", false, 2], ["+443", true, 0]]);
});
