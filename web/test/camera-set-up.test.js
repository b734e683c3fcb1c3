// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf, bySite, cameraOf, camsName, clockText, forecast, fresh, gibibyte, hasPlace, minutesOf, othersOf, readCams, stateOf } from "../model/camera-set-up.js";

const camera = (number, more = {}, settings = {}) => ({
  id: `c${number}`, site: "North", number, name: `Gate ${number}`, floor: 0, latitude: 51.5, longitude: -0.1, width: 640, height: 360, framesPerSecond: 10, frame: { x: 0, y: 0, width: 640, height: 360 }, neighbours: {},
  isOn: true, standing: "online", settings: { source: "mjpeg", address: "http://192.0.2.7/", hasPassword: true, kilobitsPerSecond: 500, keptDays: 30, keptBytes: 100 * gibibyte, viewers: [], ...settings }, ...more,
});
const form = {
  site: " North ", number: "7", name: " Gate ", floor: "-1", source: "rtsp", address: " rtsp://192.0.2.7/a ", user: "", notice: " ", animation: "fade", width: "640", height: "360", framesPerSecond: "10", kilobitsPerSecond: "500",
  keptDays: "30", keptGibibytes: "1.5", frameX: "0", frameY: "20", frameWidth: "320", frameHeight: "180", up: "3", down: "", left: "0", isOn: "on",
};
const more = { place: { latitude: 51.5, longitude: -0.1 }, viewers: [{ role: "guard", fromMinute: 0, untilMinute: 1440 }] };

test("a form's camera is sent whole, and what is empty is left away", () => {
  assert.deepEqual(cameraOf(form, more), {
    site: "North", number: 7, name: "Gate", floor: -1, ...more.place, source: "rtsp", address: "rtsp://192.0.2.7/a", animation: "fade", width: 640, height: 360, framesPerSecond: 10, kilobitsPerSecond: 500, keptDays: 30,
    keptBytes: 1.5 * gibibyte, frame: { x: 0, y: 20, width: 320, height: 180 }, neighbours: { up: 3, left: 0 }, viewers: more.viewers, isOn: true,
  });
  assert.equal(cameraOf({ ...form, isOn: undefined }, more).isOn, false);
});

test("a password stays where none is written, and goes where somebody says so", () => {
  const passwordOf = (values) => cameraOf({ ...form, ...values }, more).password;
  assert.deepEqual([passwordOf({}), passwordOf({ password: "" }), passwordOf({ password: " a " }), passwordOf({ password: "a", isPasswordGone: "on" })], [undefined, undefined, " a ", ""]);
});

test("what is switched on or off is sent as it was, without what the gateway alone says", () => {
  const sent = bodyOf({ ...camera(7, { notice: "Night: dogs", cause: "silent", since: "2026-11-28T00:00:00Z", neighbours: { up: 3 } }), mayLook: true, metres: 3 });
  const { id, standing, settings, ...rest } = camera(7, { notice: "Night: dogs", neighbours: { up: 3 } });
  const { hasPassword, ...own } = settings;
  assert.deepEqual(sent, { ...rest, ...own });
});

test("a new camera has the site's next number, and stands beside those of its floor", () => {
  const { number, frame } = fresh([camera(4, { frame: { x: 640, y: 0, width: 320, height: 180 } }), camera(9, { floor: 1 }), camera(70, { site: "South" })], "North");
  assert.deepEqual([number, frame], [10, { x: 960, y: 0, width: 640, height: 360 }]);
  const first = fresh([], "");
  assert.deepEqual([first.number, first.frame.x, first.settings.viewers.map(({ role }) => role)], [1, 0, ["guard", "operator", "supervisor"]]);
});

test("what is wrong stands first: among the sites, the floors of a site, and the cameras of a floor", () => {
  const cameras = [camera(1, { site: "A" }), camera(2), camera(1, { isOn: false }), camera(3, { standing: "unknown" }), camera(4, { standing: "frozen" }), camera(5, { floor: -1 }), camera(6, { isOn: false }, { address: undefined }), camera(8, { floor: 2, standing: "offline" })];
  assert.deepEqual(bySite(cameras).map(({ site, cameras: all, floors }) => [site, all.length, ...floors.map(({ floor, cameras: some }) => [floor, ...some.map(({ number }) => number)])]),
    [["North", 7, [0, 4, 3, 6, 1, 2], [2, 8], [-1, 5]], ["A", 1, [0, 1]]]);
  assert.deepEqual(bySite([]), []);
});

test("a camera that is off was switched off, or never had an address", () => {
  assert.deepEqual([camera(1), camera(1, { isOn: false }), camera(1, { isOn: false, standing: "offline" }, { address: undefined })].map(stateOf), ["online", "off", "empty"]);
});

test("neighbours are the other cameras of the site, by number", () => {
  assert.deepEqual(othersOf([camera(3), camera(1), camera(2), camera(4, { site: "South" })], "North", "c2").map(({ number }) => number), [1, 3]);
});

test("an imported camera has no place until somebody sets it", () => {
  assert.deepEqual([fresh([], "North"), camera(1, { latitude: 0, longitude: 0 }), camera(1, { latitude: 0 })].map(hasPlace), [false, false, true]);
});

test("times of day are minutes, and the day ends at 24:00", () => {
  for (const [text, minutes] of [["00:00", 0], ["7:05", 425], [" 22:30 ", 1350], ["24:00", 1440]]) assert.equal(minutesOf(text), minutes, text);
  for (const text of ["", "24:01", "12:60", "12", "1200", "-1:00", "a:00"]) assert.equal(minutesOf(text), null, text);
  assert.deepEqual([0, 425, 1440].map(clockText), ["00:00", "07:05", "24:00"]);
});

test("the room is full after as many days as its bytes last", () => {
  const { days, bytes, isShort } = forecast({ kilobitsPerSecond: 800, keptDays: 10, keptBytes: 8_640_000_000 * 5 });
  assert.deepEqual([days, bytes, isShort], [5, 86_400_000_000, true]);
  assert.equal(forecast({ kilobitsPerSecond: 800, keptDays: 5, keptBytes: 8_640_000_000 * 5 }).isShort, false);
});

test("a file names each camera once, by a number", () => {
  const read = (value) => readCams(typeof value === "string" ? value : JSON.stringify(value));
  assert.deepEqual(read({ Number_of_cams: 2, Cams: [{ Cam_id: 1 }, { Cam_id: 0 }] }).numbers, [1, 0]);
  for (const [value, fault] of [["{", "json"], [[], "none"], ["null", "none"], [{ Cams: [] }, "none"], [{ Cams: [{ Cam_id: "1" }] }, "number"], [{ Cams: [null] }, "number"], [{ Cams: [{ Cam_id: -1 }] }, "number"], [{ Cams: [{ Cam_id: 1 }, { Cam_id: 1 }] }, "twice"], [{ Cams: [{ Cam_id: 1 }] }, null]])
    assert.equal(read(value).fault, fault, JSON.stringify(value));
});

test("a download is named by its site", () => {
  assert.deepEqual(["Dépôt North ", "海"].map(camsName), ["depot-north.cams.json", "site.cams.json"]);
});
