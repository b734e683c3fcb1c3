// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import "./support.js";
import { site } from "../core/site.js";
import { fieldDay, momentOf } from "../core/time.js";
import { clusterHead, pictureBlock, picturesIn, timedClusters, webmHead } from "../media/webm.js";
import { cameraAddress, floorsOf, liveState, named, nearbyOf, nearPath, nextFloor, onFloor, othersOf, placing, sitesOf, swipe, towards } from "../model/cameras.js";
import { askedAtOnce, correction, footageOf, hasFootage, keptAt, keptFault, keptFootageOf, keptSpan, keptTitle, letGoOf, moreAt, nextRange, spansOf, withNow } from "../model/footage.js";

const camera = (number, floor, [x, y] = [0, 0], more = {}) => ({ id: `c${number}`, site: "Watford", number, floor, frame: { x, y, width: 640, height: 480 }, neighbours: {}, ...more });
const numbers = (cameras) => cameras.map(({ number }) => number);
const house = [
  camera(3, 1, [1280, 0]), camera(1, 1, [0, 0], { neighbours: { right: 2, up: 9 } }), camera(2, 1, [640, 0], { neighbours: { left: 1, right: 77 } }), camera(8, 4, [0, 0]), camera(9, 4, [1300, 0]), camera(20, -1), camera(1, 0, [0, 0], { id: "other", site: "Luton" }),
];
const at = (text) => Date.parse(`2026-11-28T${text}Z`);
const iso = (milliseconds) => new Date(milliseconds).toISOString();
const hour = (first, last, more = {}) => ({ startedAt: iso(at(`${first.slice(0, 2)}:00:00`)), firstAt: iso(at(first)), lastAt: iso(at(last)), isGrowing: false, ...more });

afterEach(() => (site.zone = null));

test("sites have their floors, and floors their cameras by number", () => {
  assert.deepEqual(sitesOf(house), ["Luton", "Watford"]);
  assert.deepEqual(floorsOf(house, "Watford"), [-1, 1, 4]);
  assert.deepEqual(numbers(onFloor(house, "Watford", 1)), [1, 2, 3]);
});

test("an address names a camera by its id, or by its number at a site", () => {
  assert.equal(named(house, "other", "Watford"), house.at(-1), "wherever it is");
  assert.equal(named(house, "1", "Watford"), house[1]);
  for (const name of [null, "", "77", "gone"]) assert.equal(named(house, name, "Watford"), null, String(name));
});

test("cameras nearby are at most five that one may look at, the nearest first", () => {
  const near = (metres, mayLook = true) => ({ ...camera(metres, 0), metres, mayLook });
  assert.deepEqual(numbers(nearbyOf([near(60), near(5, false), near(10), near(30), near(20), near(50), near(40)])), [10, 20, 30, 40, 50]);
  assert.deepEqual(nearbyOf([near(5, false)]), []);
  assert.equal(nearPath({ latitude: 51.6565, longitude: -0.3903 }), "/v1/cameras?near=51.6565,-0.3903&metres=200");
});

test("a camera has an address, with or without a moment, that names it again", () => {
  assert.equal(cameraAddress({ id: "c1" }, "2026-11-28T00:12:03.123456Z"), "/cameras?camera=c1&at=2026-11-28T00%3A12%3A03.123456Z");
  assert.equal(cameraAddress({ id: "c1" }), "/cameras?camera=c1");
});

test("the next floor is the next with cameras, and behind the last there is none", () => {
  assert.deepEqual([[1, "up"], [1, "down"], [4, "up"], [-1, "down"]].map(([floor, direction]) => nextFloor([-1, 1, 4], floor, direction)), [4, -1, null, null]);
});

test("the camera in a direction is the neighbour that was set up; above and below otherwise what stands at the same place", () => {
  const [third, first, second, , ninth] = house;
  assert.equal(towards(house, first, "right"), second);
  assert.equal(towards(house, first, "up"), ninth, "as it was set up, though another is nearer");
  assert.equal(towards(house, third, "up"), ninth, "the nearest to its place");
  assert.equal(towards(house, second, "left"), first, "of its own site");
  for (const [one, direction] of [[second, "right"], [third, "left"], [ninth, "up"]]) assert.equal(towards(house, one, direction), null, direction);
});

test("beside a camera stand its neighbours, then the rest of its floor, each once", () => {
  assert.deepEqual(numbers(othersOf(house, house[1])), [2, 9, 20, 3]);
});

test("a floor is placed as its frames say, as wide as the page", () => {
  const placed = placing(onFloor(house, "Watford", 1), 960);
  assert.deepEqual(placed, { height: 240, places: [0, 320, 640].map((x, index) => ({ id: `c${index + 1}`, x, y: 0, width: 320, height: 240 })) });
  assert.equal(placing([camera(1, 1, [100, 50]), camera(2, 1, [740, 50])], 1280).places[0].x, 0, "without a margin");
});

test("frames that lie on each other, or would be too small, or of one camera, make no page", () => {
  assert.equal(placing([camera(1, 1), camera(2, 1)], 1280), null);
  assert.equal(placing([camera(1, 1), camera(2, 1, [600, 0])], 1280), null);
  assert.equal(placing(onFloor(house, "Watford", 1), 500), null);
  assert.equal(placing([camera(1, 1)], 1280), null);
});

test("nothing is called live that is not of now", () => {
  const now = 1_000_000;
  const cases = [
    [{ isConnected: true, standing: "online", shownAt: now - 2000 }, "live"], [{ isConnected: true, standing: "online", shownAt: now - 12_000 }, "behind"], [{ isConnected: false, standing: "online", shownAt: now - 2000 }, "lost"],
    [{ isConnected: true, standing: "frozen", shownAt: now - 2000 }, "frozen"], [{ isConnected: true, standing: "offline", shownAt: now - 2000 }, "offline"], [{ isConnected: true, standing: "online", shownAt: null }, "waits"],
    [{ isConnected: false, standing: "unknown", shownAt: null }, "waits"], [{ isConnected: true, standing: "frozen", shownAt: now - 12_000 }, "behind"],
  ];
  for (const [state, word] of cases) assert.equal(liveState(state, now).word, word, JSON.stringify(state));
  assert.equal(liveState(cases[1][0], now).seconds, 12);
});

test("a swipe is long, quick and straight", () => {
  const from = { x: 100, y: 100, at: 0 };
  const to = (x, y, after = 200) => swipe(from, { x: 100 + x, y: 100 + y, at: after });
  assert.deepEqual([to(-90, 10), to(90, -20), to(5, 80), to(0, -61), to(30, 0), to(80, 60), to(0, 200, 900)], ["left", "right", "down", "up", null, null, null]);
});

test("a day's footage is joined over hours, cut at the day, and grows until now", () => {
  const hours = [hour("09:10:00", "09:59:59.500"), hour("10:00:00", "10:30:00"), hour("12:00:00", "12:05:00", { isGrowing: true })];
  assert.deepEqual(spansOf(hours, at("09:30:00"), at("23:59:59"), at("12:20:00")), [{ from: at("09:30:00"), until: at("10:30:00") }, { from: at("12:00:00"), until: at("12:20:00") }]);
  assert.deepEqual([at("09:05:00"), at("10:10:00"), at("11:00:00"), at("12:19:00"), at("12:21:00")].map((one) => hasFootage(hours, one, at("12:20:00"))), [false, true, false, true, false]);
});

test("what is asked for next stands in one hour's file, and no more of it than at once", () => {
  const hours = [hour("09:10:00", "09:59:59.500"), hour("11:00:05", "11:00:09", { isGrowing: true })];
  const next = (moment, now = at("11:00:10")) => nextRange(hours, at(moment), now);
  assert.deepEqual(next("08:00:00"), { startedAt: hours[0].startedAt, from: 600_000, to: 600_000 + askedAtOnce, isGrowing: false }, "the first that there is");
  assert.deepEqual(next("09:59:50"), { startedAt: hours[0].startedAt, from: 3_590_000, to: 3_599_500, isGrowing: false }, "up to the end");
  assert.deepEqual(next("10:30:00"), { startedAt: hours[1].startedAt, from: 5000, to: 10_000, isGrowing: true }, "over a hole, up to now");
  assert.equal(next("11:00:11"), null);
});

test("the hour that goes on now is there before any of it is listed, for as long as that may take", () => {
  const hours = [hour("10:00:00", "10:59:59.900")];
  const [, now] = withNow(hours, at("11:00:30"));
  assert.deepEqual([now.startedAt, now.firstAt, now.isGrowing], [iso(at("11:00:00")), iso(at("11:00:00")), true]);
  assert.equal(withNow(hours, at("11:30:00"))[1].firstAt, iso(at("11:28:00")));
  const listed = [...hours, hour("11:00:00", "11:00:59", { isGrowing: true })];
  assert.equal(withNow(listed, at("11:30:00")), listed);
});

test("walking from range to range asks for every moment of footage once, and ends", () => {
  const hours = [hour("09:10:00.250", "09:59:59.999"), hour("10:00:00", "10:30:00.001")];
  let [moment, asked] = [at("09:00:00"), 0];
  for (let turn = 0; turn < 1000; turn++) {
    const range = nextRange(hours, moment, at("12:00:00"));
    if (!range) break;
    const until = Date.parse(range.startedAt) + range.to;
    assert.ok(until > moment && range.to - range.from <= askedAtOnce);
    asked += range.to - range.from;
    moment = until;
  }
  assert.equal(nextRange(hours, moment, at("12:00:00")), null);
  assert.ok(Math.abs(asked - (49 * 60_000 + 59_749 + 30 * 60_000 + 1)) < 5, String(asked));
});

test("what is half a minute behind is let go, not a bit at a time", () => {
  assert.equal(letGoOf([{ start: 70, end: 110 }], 105), null);
  assert.deepEqual(letGoOf([{ start: 60, end: 110 }], 105), [60, 75]);
  assert.equal(letGoOf([], 105), null);
});

test("a picture out of step goes faster or slower, and far out of it is moved", () => {
  assert.deepEqual(correction(0.01), { rate: 1, isMoved: false });
  assert.ok(correction(0.2).rate < 1 && correction(-0.2).rate > 1);
  assert.equal(correction(-1.5).isMoved, true);
});

test("what is played at another speed is in step at that speed, and needs more ahead up to what the gateway gives", () => {
  assert.deepEqual(correction(0.01, 0.5), { rate: 0.5, isMoved: false });
  assert.deepEqual(correction(0.8, 8), { rate: 8, isMoved: false }, "a tenth of a second of who looks");
  assert.ok(correction(-2, 8).rate > 8 && correction(9, 8).isMoved);
  assert.deepEqual([0.5, 1, 4, 16].map(moreAt), [1, 1, 4, 6]);
  const range = nextRange([hour("08:00:00", "09:00:00")], at("08:10:00"), at("12:00:00"), askedAtOnce * moreAt(16));
  assert.equal(range.to - range.from, 120_000);
});

test("an incident shows of each camera what it keeps of a moment, and nothing before or after it", () => {
  const span = (number, camera, from, until) => ({ number, camera, from: iso(at(from)), until: iso(at(until)) });
  const kept = [span("7", "a", "08:00:00", "08:02:00"), span("8", "b", "08:01:00", "08:03:00"), span("9", "a", "08:01:00", "08:04:00")];
  const shown = (moment) => keptAt(kept, at(moment)).map(({ number }) => number);
  assert.deepEqual(["07:59:59", "08:00:00", "08:01:30", "08:02:01", "08:04:00", "08:04:01"].map(shown), [[], ["7"], ["7", "8"], ["8", "9"], ["9"], []]);
  assert.equal(keptFootageOf("I", kept[0]).media, "/v1/incidents/I/footage/7/media");
  assert.equal(keptFootageOf("I", kept[0]).files(0, 1), "/v1/incidents/I/footage/7/files");
  assert.equal(footageOf("a").files(at("08:00:00"), at("09:00:00")), "/v1/cameras/a/footage?from=2026-11-28T08%3A00%3A00.000Z&to=2026-11-28T09%3A00%3A00.000Z");
  assert.deepEqual([keptTitle({ name: "Gate", site: "Watford" }), keptTitle({ name: "Gate", site: null })], ["Gate · Watford", "Gate"]);
});

test("a day and a time of a form are the site's, also where the clocks change", () => {
  site.zone = "Europe/Berlin";
  assert.equal(fieldDay(at("23:30:00")), "2026-11-29");
  for (const [day, time, moment] of [["2026-11-28", "14:05", "2026-11-28T13:05:00Z"], ["2026-07-01", "00:00:00", "2026-06-30T22:00:00Z"], ["2026-10-25", "04:00:00", "2026-10-25T03:00:00Z"], ["2026-03-29", "01:59:59", "2026-03-29T00:59:59Z"], ["2026-03-29", "03:00:00", "2026-03-29T01:00:00Z"]])
    assert.equal(momentOf(day, time), Date.parse(moment), `${day} ${time}`);
});

test("pictures carry the time of the clock, and last until the next one, however few a camera gives", () => {
  const begun = at("12:00:00");
  const bytes = new Uint8Array([...webmHead({ width: 64, height: 48, codec: "vp9" }), ...clusterHead(1000), ...pictureBlock(0, true, Uint8Array.of(1))]);
  const pictures = picturesIn(bytes).map((one) => ({ ...one, milliseconds: begun + one.milliseconds }));
  const text = (made) => Buffer.from(made).toString("hex");
  // The cluster's time in six bytes, and the duration of its block in two.
  assert.ok(text(timedClusters(pictures, begun + 2500, 2000)).includes(`e786${(begun + 1000).toString(16).padStart(12, "0")}`));
  assert.ok(text(timedClusters(pictures, begun + 2500, 2000)).includes(`9b82${(1500).toString(16).padStart(4, "0")}`));
  assert.ok(!text(timedClusters(pictures, begun + 2500)).includes("9b82"), "elsewhere what is longer than a second is a hole");
});

test("a minute before and after a moment is kept, and nothing that is still to come", () => {
  const span = (moment, now) => Object.values(keptSpan(at(moment), at(now))).map(iso);
  assert.deepEqual(span("12:00:00.700", "13:00:00"), [iso(at("11:59:00")), iso(at("12:01:00"))]);
  assert.deepEqual(span("12:00:00", "12:00:20.900"), [iso(at("11:59:00")), iso(at("12:00:20"))]);
});

test("what cannot be kept is said: no time, an end before the beginning, too long, still to come", () => {
  const fault = (from, until) => keptFault({ from: at(from), until: at(until) }, at("18:00:00"));
  assert.equal(fault("12:00:00", "18:00:00"), null);
  assert.equal(fault("11:59:59", "18:00:00"), "long");
  assert.equal(fault("12:00:00", "12:00:00"), "order");
  assert.equal(fault("17:59:00", "18:00:01"), "future");
  assert.equal(fault("", "18:00:01"), "time");
});
