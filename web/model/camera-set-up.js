// SPDX-License-Identifier: Apache-2.0
/**
 * Cameras as an administrator sets them up: what one is as it is sent, which stand first, how long its room lasts, and what a file of a site names.
 *
 * @typedef {{up?: number, down?: number, left?: number, right?: number}} Neighbours
 * @typedef {{role: string, fromMinute: number, untilMinute: number}} Viewers
 * @typedef {{source: string, address?: string, user?: string, hasPassword: boolean, kilobitsPerSecond: number, keptDays: number, keptBytes: number, viewers: Viewers[]}} Settings
 * @typedef {{id: string, site: string, number: number, name: string, floor: number, latitude: number, longitude: number, width: number, height: number, framesPerSecond: number,
 *   frame: {x: number, y: number, width: number, height: number}, neighbours: Neighbours, notice?: string, animation?: string, isOn: boolean, standing: string, cause?: string, since?: string, settings: Settings}} Camera
 */
import { fileWord } from "../core/text.js";

export const gibibyte = 2 ** 30;
export const directions = ["up", "down", "left", "right"];
export const sources = ["mjpeg", "rtsp"];

/** Those who may be let look at a camera. */
export const lookers = ["guard", "rescuer", "operator", "supervisor", "analyst", "auditor", "org-admin", "admin"];
export const viewersMost = 16;
const allDay = 1440;

/** What a new viewer is, until somebody says otherwise. @param {string} role @returns {Viewers} */
export const viewer = (role) => ({ role, fromMinute: 0, untilMinute: allDay });

/** What a new camera of a site is, until somebody says otherwise. @param {Camera[]} cameras @param {string} site */
export function fresh(cameras, site) {
  const others = cameras.filter((one) => one.site === site);
  const size = { width: 640, height: 360 };
  const beside = others.filter(({ floor }) => floor === 0).map(({ frame }) => frame.x + frame.width);
  return {
    site, number: Math.max(0, ...others.map(({ number }) => number)) + 1, name: "", floor: 0, ...size, framesPerSecond: 10, frame: { x: Math.min(Math.max(0, ...beside), 20_000), y: 0, ...size }, neighbours: {}, isOn: true,
    settings: { source: "mjpeg", hasPassword: false, kilobitsPerSecond: 500, keptDays: 30, keptBytes: 160 * gibibyte, viewers: ["guard", "operator", "supervisor"].map(viewer) },
  };
}

/** An imported camera has no address yet, and may have no place. */
export const hasPlace = ({ latitude, longitude }) => latitude !== undefined && (latitude !== 0 || longitude !== 0);

// MARK: The list

/** How a camera stands: `empty` where nobody has written its address yet. @param {Camera} camera */
export function stateOf({ isOn, standing, settings }) {
  if (isOn) return standing;
  return settings.address ? "off" : "empty";
}

const ranks = { offline: 0, frozen: 0, unknown: 1, empty: 2 };
const rankOf = (camera) => ranks[stateOf(camera)] ?? 3;
const worst = (cameras) => Math.min(...cameras.map(rankOf));

/**
 * Cameras by site and floor; everywhere what is wrong stands first.
 * @param {Camera[]} cameras
 * @returns {{site: string, cameras: Camera[], floors: {floor: number, cameras: Camera[]}[]}[]}
 */
export function bySite(cameras) {
  const sites = grouped(cameras, ({ site }) => site).map(([site, all]) => ({
    site, cameras: all,
    floors: grouped(all, ({ floor }) => floor).map(([floor, some]) => ({ floor, cameras: some.sort((one, other) => rankOf(one) - rankOf(other) || one.number - other.number) }))
      .sort((one, other) => worst(one.cameras) - worst(other.cameras) || one.floor - other.floor),
  }));
  return sites.sort((one, other) => worst(one.cameras) - worst(other.cameras) || one.site.localeCompare(other.site));
}

function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups];
}

/** The other cameras of a site, by number. @param {Camera[]} cameras @param {string} site @param {string} id */
export const othersOf = (cameras, site, id) => cameras.filter((one) => one.site === site && one.id !== id).sort((one, other) => one.number - other.number);

// MARK: What is sent

/** A camera as it is sent, with the password that it has. @param {Camera} camera */
export function bodyOf({ id, site, number, name, floor, latitude, longitude, width, height, framesPerSecond, frame, neighbours, notice, animation, isOn, settings: { hasPassword, ...settings } }) {
  return { site, number, name, floor, latitude, longitude, width, height, framesPerSecond, frame, neighbours, ...(notice ? { notice } : {}), ...(animation ? { animation } : {}), ...settings, isOn };
}

/**
 * A camera as it is sent, as a form has it: what is empty is left away, and so is a password that stays.
 * @param {Record<string, string>} values Of the form. @param {{place: {latitude: number, longitude: number}, viewers: Viewers[]}} more
 */
export function cameraOf(values, { place, viewers }) {
  const textOf = (name) => (values[name] ?? "").trim();
  const texts = ["address", "user", "notice", "animation"].map((name) => [name, textOf(name)]).filter(([, text]) => text);
  const numbers = ["number", "floor", "width", "height", "framesPerSecond", "kilobitsPerSecond", "keptDays"].map((name) => [name, Number(values[name])]);
  const [x, y, width, height] = ["frameX", "frameY", "frameWidth", "frameHeight"].map((name) => Number(values[name]));
  return {
    site: textOf("site"), name: textOf("name"), source: values.source, ...Object.fromEntries([...texts, ...numbers]), keptBytes: Math.round(Number(values.keptGibibytes) * gibibyte), ...place, frame: { x, y, width, height },
    neighbours: Object.fromEntries(directions.filter((one) => values[one]).map((one) => [one, Number(values[one])])), viewers, isOn: values.isOn === "on", ...passwordOf(values),
  };
}

function passwordOf({ password, isPasswordGone }) {
  if (isPasswordGone === "on") return { password: "" };
  return password ? { password } : {};
}

// MARK: Times of day

/** `22:00`; `24:00` is the end of the day. @param {number} minutes */
export const clockText = (minutes) => [Math.floor(minutes / 60), minutes % 60].map((one) => String(one).padStart(2, "0")).join(":");

/** Minutes of the day. @param {string} text @returns {number | null} `null` where it is no time of day. */
export function minutesOf(text) {
  const [hours, minutes] = (/^\s*(\d{1,2}):(\d\d)\s*$/.exec(text)?.slice(1) ?? []).map(Number);
  const all = hours * 60 + minutes;
  return minutes < 60 && all <= allDay ? all : null;
}

// MARK: Room

/**
 * How far the room of a camera goes, at the rate that was set.
 * @param {{kilobitsPerSecond: number, keptDays: number, keptBytes: number}} settings
 * @returns {{days: number, bytes: number, isShort: boolean}} After so many days the room is full; all that is to be kept needs so many bytes; `isShort` where the room ends first.
 */
export function forecast({ kilobitsPerSecond, keptDays, keptBytes }) {
  const aDay = kilobitsPerSecond * 125 * 86_400;
  return { days: keptBytes / aDay, bytes: aDay * keptDays, isShort: aDay * keptDays > keptBytes };
}

// MARK: Files of a site

/**
 * Reads a `cams.json` file as far as it is to be known before it is sent.
 * @param {string} text
 * @returns {{file: any, numbers: number[], fault: "json" | "none" | "number" | "twice" | null}}
 */
export function readCams(text) {
  const file = parsed(text);
  const numbers = Array.isArray(file?.Cams) ? file.Cams.map((one) => one?.Cam_id) : [];
  return { file, numbers, fault: faultOf(file, numbers) };
}

function faultOf(file, numbers) {
  if (file === undefined) return "json";
  if (numbers.length === 0) return "none";
  if (!numbers.every((one) => Number.isInteger(one) && one >= 0 && one <= 999_999)) return "number";
  return new Set(numbers).size < numbers.length ? "twice" : null;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a download of a site is called. @param {string} site */
export const camsName = (site) => `${fileWord(site) || "site"}.cams.json`;
