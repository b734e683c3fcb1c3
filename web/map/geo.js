// SPDX-License-Identifier: Apache-2.0
/** Reckoning on the globe: distances, directions, and the steps in which people divide degrees and metres. */

const earthRadius = 6371008.8; // metres, the mean one
const radians = Math.PI / 180;

/** Metres of a degree of latitude. */
export const metresOfDegree = earthRadius * radians;

/** Metres between two places, along the globe. */
export function distance(from, to) {
  const north = (to.latitude - from.latitude) * radians;
  const east = (to.longitude - from.longitude) * radians;
  const half = Math.sin(north / 2) ** 2 + Math.cos(from.latitude * radians) * Math.cos(to.latitude * radians) * Math.sin(east / 2) ** 2;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** Degrees from north, clockwise, in which one sets out from one place to another. */
export function bearing(from, to) {
  const east = (to.longitude - from.longitude) * radians;
  const y = Math.sin(east) * Math.cos(to.latitude * radians);
  const x = Math.cos(from.latitude * radians) * Math.sin(to.latitude * radians)
    - Math.sin(from.latitude * radians) * Math.cos(to.latitude * radians) * Math.cos(east);
  return ((Math.atan2(y, x) / radians) + 360) % 360;
}

/** A longitude, or a difference of two, the short way round: from −180 to below 180. */
export function east(degrees) {
  return ((degrees + 540) % 360 + 360) % 360 - 180;
}

/** The same longitude, written as near to another as it can be: beside −179.99, 179.99 is −180.01. */
export function beside(longitude, other) {
  return longitude + 360 * Math.round((other - longitude) / 360);
}

/**
 * A way with each step taken the short way round: where it crosses the date line, longitudes go on past 180. The last place stays as it is.
 * @template {{longitude: number}} Place
 * @param {Place[]} places Oldest first.
 * @returns {Place[]}
 */
export function unwrapped(places) {
  return places.reduceRight((way, place) => [{ ...place, longitude: beside(place.longitude, (way[0] ?? place).longitude) }, ...way], /** @type {Place[]} */ ([]));
}

/** Whether a way leads anywhere; 180 and −180 are one place. @param {{latitude: number, longitude: number}[]} way As it is unwrapped. */
export function isWalk(way) {
  return way.some(({ latitude, longitude }) => latitude !== way[0].latitude || longitude !== way[0].longitude);
}

const winds = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

/** A direction in a word: `north-east`. */
export function wind(degrees) {
  return winds[Math.round(degrees / 45) % 8];
}

/** A length for people: `12 m`, `1.4 km`, `230 km`. */
export function length(metres) {
  if (metres < 1000) return `${Math.round(metres)} m`;
  const kilometres = metres / 1000;
  return `${kilometres < 10 ? Number(kilometres.toFixed(1)) : Math.round(kilometres)} km`;
}

const degreeSteps = [90, 45, 30, 15, 10, 5, 2, 1, 1 / 2, 1 / 6, 1 / 12, 1 / 30, 1 / 60, 1 / 120, 1 / 360, 1 / 720, 1 / 1800, 1 / 3600, 1 / 7200, 1 / 36000];

/** The largest usual step (degrees, minutes, seconds) that divides a span into at least so many parts. */
export function degreeStep(span, parts = 3) {
  return degreeSteps.find((step) => span / step >= parts) ?? degreeSteps.at(-1);
}

/** A degree as a graticule has it, as exact as its step: `51°39′N`, `0°23′20″W`. */
export function degreeText(degrees, step, [positive, negative]) {
  const parts = step >= 1 ? 1 : step >= 1 / 60 ? 60 : 3600;
  const decimals = step < 1 / 3600 ? 1 : 0;
  const whole = Math.round(Math.abs(degrees) * parts * 10 ** decimals) / 10 ** decimals;
  const side = whole === 0 ? "" : degrees > 0 ? positive : negative;
  const seconds = (whole % 60).toFixed(decimals).padStart(decimals ? 4 : 2, "0");
  if (parts === 1) return `${whole}°${side}`;
  if (parts === 60) return `${Math.floor(whole / 60)}°${seconds}′${side}`;
  return `${Math.floor(whole / 3600)}°${String(Math.floor(whole / 60) % 60).padStart(2, "0")}′${seconds}″${side}`;
}

export const northSouth = ["N", "S"];
export const eastWest = ["E", "W"];

/** The multiples of a step within a span, as whole numbers of steps, so that no rounding adds up. */
export function multiples(least, most, step) {
  const first = Math.ceil(least / step - 1e-9);
  const last = Math.floor(most / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
}

/** The longest round length (1, 2 or 5 and zeros) of at most so many metres. */
export function roundLength(metres) {
  const ten = 10 ** Math.floor(Math.log10(metres));
  return [5, 2, 1].map((digit) => digit * ten).find((one) => one <= metres * (1 + 1e-9)) ?? ten;
}
