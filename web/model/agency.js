// SPDX-License-Identifier: Apache-2.0
/**
 * Rescue agencies: what one is as it is sent, what is missing until a report can come in, and who may be a member.
 *
 * @typedef {{id: string, name: string, phone?: string, email?: string, website?: string, address?: string, donationLink?: string, types: string[], area?: {type: "MultiPolygon", coordinates: number[][][][]},
 *   base?: {latitude: number, longitude: number}, takesReports: boolean, isRetired: boolean, members: string[], revision: string}} Agency
 */
import { fileWord } from "../core/text.js";
import { isCalled } from "./people.js";

/** The animals that every centre knows; others an agency may name in its own words. */
export const animals = ["sea-lion", "harbor-seal", "elephant-seal", "fur-seal", "dolphin", "porpoise", "whale", "sea-otter", "sea-turtle", "seabird", "other"];

const cards = ["phone", "email", "website", "address", "donationLink"];

/** What of an agency is sent by the route that writes it. @param {Agency} agency */
export const bodyOf = ({ id, members, revision, ...body }) => body;

/**
 * An agency as it is sent: what is empty is left away.
 * @param {Record<string, string>} values Of the form. @param {{types: string[], area: Agency["area"] | null, base: Agency["base"] | null, names?: Record<string, string>}} more `names` as of `ownWords`.
 */
export function agencyOf(values, { types, area, base, names }) {
  const written = cards.map((name) => [name, (values[name] ?? "").trim()]).filter(([, text]) => text);
  return { name: values.name.trim(), ...Object.fromEntries(written), types: [...new Set([...types, ...ownWords(values.own ?? "", names)])], ...(area ? { area } : {}), ...(base ? { base } : {}), takesReports: values.takesReports === "on", isRetired: false };
}

/**
 * Animals in somebody's own words, each once. One that every centre knows is that one, whichever way it is written: reports name it so.
 * @param {string} text @param {Record<string, string>} [names] What those are called here, in small letters, and which they are.
 */
export function ownWords(text, names = {}) {
  const words = text.split(/[,;\n]/).map((one) => one.trim().replace(/\s+/g, " ")).filter(Boolean);
  const known = (word) => [names[word], word, word.replace(/ /g, "-")].find((one) => animals.includes(one ?? ""));
  return [...new Set(words.map((one) => known(one.toLocaleLowerCase()) ?? one))];
}

/** A place as people write it, `36.8, -121.8`, latitude first. @param {string} text @returns {{latitude: number, longitude: number} | null | undefined} `null` for an empty text, `undefined` where it is no place. */
export function placeOf(text) {
  if (!text.trim()) return null;
  const found = /^\s*([-−+]?\d+(?:\.\d+)?)\s*°?\s*[,;\s]\s*([-−+]?\d+(?:\.\d+)?)\s*°?\s*$/.exec(text);
  const [latitude, longitude] = (found?.slice(1) ?? []).map((one) => Number(one.replace("−", "-")));
  return found && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** A place so that `placeOf` reads it. @param {{latitude: number, longitude: number} | null} place */
export const placeText = (place) => (place ? `${Number(place.latitude.toFixed(6))}, ${Number(place.longitude.toFixed(6))}` : "");

/** Those of an organisation who can be members: rescuers first. @param {import("./people.js").User[]} users @param {string} organisation */
export function candidates(users, organisation) {
  const rank = ({ role }) => (role === "rescuer" ? 0 : 1);
  const called = users.filter((user) => user.organisation === organisation && isCalled(user));
  return called.sort((one, other) => rank(one) - rank(other) || (one.name ?? one.login).localeCompare(other.name ?? other.login));
}

/** By which of e-mail and SMS messages leave the centre. @param {{channel: string, settings?: {isOn: boolean} | null}[]} senders @returns {string[]} */
export const channelsOn = (senders) => senders.filter(({ settings }) => settings?.isOn).map(({ channel }) => channel);

/**
 * Whether somebody hears of a report, and which channels the ways that were set wait for. A browser takes pushes without anything set up.
 * @param {{phone?: string, email?: string, browsers: number}} ways
 * @param {string[] | null} channels Of `channelsOn`; `null` where that is not to be known: then each way counts.
 */
export function hearing({ phone, email, browsers }, channels) {
  const set = [phone && "sms", email && "email"].filter(Boolean);
  const waits = channels ? set.filter((one) => !channels.includes(one)) : [];
  return { isReached: browsers > 0 || waits.length < set.length, waits };
}

/** Those who are told when nobody answers a report. @param {import("./people.js").User[]} users @param {string} organisation */
export const supervisors = (users, organisation) => candidates(users, organisation).filter(({ role }) => ["supervisor", "org-admin", "admin"].includes(role));

/**
 * What is needed until the first report can come in, in order, each of what the one before it found.
 * @param {Agency[]} agencies
 * @returns {{steps: {name: "agency" | "place" | "member", isDone: boolean}[], members: string[]}} `members` are those of whom one needs a way to be reached.
 */
export function firstSteps(agencies) {
  const open = agencies.filter(({ takesReports, isRetired }) => takesReports && !isRetired);
  const placed = open.filter(({ area, base }) => area || base);
  const members = [...new Set(placed.flatMap((one) => one.members))];
  return { steps: [{ name: "agency", isDone: open.length > 0 }, { name: "place", isDone: placed.length > 0 }, { name: "member", isDone: members.length > 0 }], members };
}

/** Agencies that are not retired, by name. @param {Agency[]} agencies */
export const inUse = (agencies) => agencies.filter(({ isRetired }) => !isRetired).sort((one, other) => one.name.localeCompare(other.name));

/** What a file with an area of an agency is called. @param {string} name */
export const fileName = (name) => `${fileWord(name) || "area"}.geojson`;
