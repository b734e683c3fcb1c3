// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { videoEnd } from "../model/video-end.js";

const startedAt = "2026-11-23T07:35:00Z";
const filmed = { startedAt, durationMilliseconds: 54_000 };

test("the end was recorded late: the video ended with its last picture", () => {
  assert.equal(videoEnd(filmed, "2026-11-23T07:36:35Z"), "2026-11-23T07:35:54.000Z");
});

test("the end was recorded before the last picture: it is no later than that", () => {
  assert.equal(videoEnd(filmed, "2026-11-23T07:35:50Z"), "2026-11-23T07:35:50Z");
});

test("start or duration is not known: the moment when the end was recorded", () => {
  assert.equal(videoEnd(undefined, "2026-11-23T07:36:35Z"), "2026-11-23T07:36:35Z");
  assert.equal(videoEnd({ startedAt }, "2026-11-23T07:36:35Z"), "2026-11-23T07:36:35Z");
});

test("it is not known when the end was recorded: the last picture, or the start where nothing was filmed", () => {
  assert.equal(videoEnd(filmed), "2026-11-23T07:35:54.000Z");
  assert.equal(videoEnd({ ...filmed, durationMilliseconds: "54000" }), "2026-11-23T07:35:54.000Z");
  assert.equal(videoEnd({ startedAt }), startedAt);
  assert.equal(videoEnd(undefined), null);
});
