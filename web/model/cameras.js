// SPDX-License-Identifier: Apache-2.0
/**
 * The wall of cameras: which floors a site has, which camera is next, where each stands on the page of its floor, and how old its picture is.
 *
 * @typedef {{id: string, site: string, number: number, name: string, floor: number, framesPerSecond: number, frame: {x: number, y: number, width: number, height: number}, neighbours: Partial<Record<Direction, number>>,
 *   notice?: string, animation?: string, isOn: boolean, standing: "online" | "offline" | "frozen" | "unknown", cause?: string, since?: string, mayLook: boolean}} Camera As `GET /v1/cameras` has it.
 * @typedef {"up" | "down" | "left" | "right"} Direction
 */

/** Narrower than so much, in pixels, a picture shows nothing: the page is a grid then. */
const tileLeast = 200;
/** A picture that is older than so many milliseconds is not of now: it comes a second after it was filmed, and waits for the one after it. */
const liveMost = 6000;
/** So many cameras near a place are named, and so far from it, in metres, they stand at most. */
const nearbyMost = 5;
const nearbyMetres = 200;

/** `3 · Main gate` @param {{number: number, name: string}} camera */
export const titleOf = ({ number, name }) => `${number} · ${name}`;

/** Where a camera is shown large, as it was at a moment. @param {{id: string}} camera @param {string} [at] */
export const cameraAddress = ({ id }, at) => `/cameras?${new URLSearchParams({ camera: id, ...(at && { at }) })}`;

/** @param {{latitude: number, longitude: number}} place */
export const nearPath = ({ latitude, longitude }) => `/v1/cameras?near=${latitude},${longitude}&metres=${nearbyMetres}`;

/** Those near a place that one may look at now, nearest first. @param {(Camera & {metres: number})[]} cameras */
export const nearbyOf = (cameras) => cameras.filter(({ mayLook }) => mayLook).sort((one, other) => one.metres - other.metres).slice(0, nearbyMost);

/** @param {Camera[]} cameras @returns {string[]} */
export const sitesOf = (cameras) => [...new Set(cameras.map(({ site }) => site))].sort();

/** The camera that an address names: by its id, or by its number at a site. @param {Camera[]} cameras @param {string | null} name @param {string} site @returns {Camera | null} */
export const named = (cameras, name, site) => cameras.find((one) => one.id === name || (one.site === site && String(one.number) === name)) ?? null;

/** The floors of a site, lowest first. @param {Camera[]} cameras @param {string} site @returns {number[]} */
export const floorsOf = (cameras, site) => [...new Set(cameras.filter((one) => one.site === site).map(({ floor }) => floor))].sort((one, other) => one - other);

/** The cameras of a floor by their numbers. @param {Camera[]} cameras @param {string} site @param {number} floor */
export const onFloor = (cameras, site, floor) => cameras.filter((one) => one.site === site && one.floor === floor).sort((one, other) => one.number - other.number);

/** The floor above or below that has cameras; `null` where there is none. @param {number[]} floors @param {number} floor @param {Direction} direction */
export function nextFloor(floors, floor, direction) {
  if (direction === "up") return floors.find((one) => one > floor) ?? null;
  return floors.filter((one) => one < floor).at(-1) ?? null;
}

/**
 * The camera in a direction: the one that was set up as its neighbour; above and below otherwise the one of the next floor that stands nearest to the same place.
 * @param {Camera[]} cameras @param {Camera} camera @param {Direction} direction @returns {Camera | null}
 */
export function towards(cameras, camera, direction) {
  const ofSite = cameras.filter(({ site }) => site === camera.site);
  const set = ofSite.find(({ number }) => number === camera.neighbours[direction]);
  if (set || direction === "left" || direction === "right") return set ?? null;
  const floor = nextFloor(floorsOf(cameras, camera.site), camera.floor, direction);
  if (floor === null) return null;
  const middle = ({ frame }) => [frame.x + frame.width / 2, frame.y + frame.height / 2];
  const [x, y] = middle(camera);
  const distance = (one) => Math.hypot(middle(one)[0] - x, middle(one)[1] - y);
  return onFloor(cameras, camera.site, floor).reduce((best, one) => (distance(one) < distance(best) ? one : best));
}

/** Those to be shown beside a camera: its neighbours first, then the rest of its floor. @param {Camera[]} cameras @param {Camera} camera */
export function othersOf(cameras, camera) {
  const neighbours = ["left", "right", "up", "down"].map((direction) => towards(cameras, camera, direction)).filter(Boolean);
  return [...new Set([...neighbours, ...onFloor(cameras, camera.site, camera.floor)])].filter(({ id }) => id !== camera.id);
}

/**
 * Where each camera of a floor stands on a page of this width, as its frame says.
 * @param {Camera[]} cameras @param {number} width
 * @returns {{height: number, places: {id: string, x: number, y: number, width: number, height: number}[]} | null} `null` where frames lie on each other or would be too small: a grid has to do.
 */
export function placing(cameras, width) {
  const [left, top] = [Math.min(...cameras.map(({ frame }) => frame.x)), Math.min(...cameras.map(({ frame }) => frame.y))];
  const scale = width / Math.max(...cameras.map(({ frame }) => frame.x + frame.width - left));
  const places = cameras.map(({ id, frame }) => ({ id, x: (frame.x - left) * scale, y: (frame.y - top) * scale, width: frame.width * scale, height: frame.height * scale }));
  const isClear = places.every((one, index) => one.width >= tileLeast && places.slice(index + 1).every((other) => !overlap(one, other)));
  return isClear && places.length > 1 ? { height: Math.max(...places.map((one) => one.y + one.height)), places } : null;
}

function overlap(one, other) {
  // Half a pixel is of rounding.
  const isWithin = (from, length, otherFrom, otherLength) => from + length > otherFrom + 0.5 && otherFrom + otherLength > from + 0.5;
  return isWithin(one.x, one.width, other.x, other.width) && isWithin(one.y, one.height, other.y, other.height);
}

/**
 * What is to be said of a live picture: never that it is live where it is not of now.
 * @param {{isConnected: boolean, standing: string, shownAt: number | null}} live `shownAt`: when the picture that is seen was filmed, in milliseconds.
 * @param {number} now In milliseconds.
 * @returns {{word: "live" | "frozen" | "offline" | "behind" | "lost" | "waits", seconds: number}}
 */
export function liveState({ isConnected, standing, shownAt }, now) {
  const age = shownAt === null ? 0 : Math.max(0, now - shownAt);
  const seconds = Math.round(age / 1000);
  if (!isConnected) return { word: shownAt === null ? "waits" : "lost", seconds };
  if (standing === "offline") return { word: "offline", seconds };
  if (shownAt === null) return { word: "waits", seconds };
  if (age > liveMost) return { word: "behind", seconds };
  return { word: standing === "frozen" ? "frozen" : "live", seconds };
}

/**
 * Which way a finger went; `null` where that is no swipe.
 * @param {{x: number, y: number, at: number}} from @param {{x: number, y: number, at: number}} to
 * @returns {Direction | null}
 */
export function swipe(from, to) {
  const [right, down] = [to.x - from.x, to.y - from.y];
  const [long, short] = [Math.max(Math.abs(right), Math.abs(down)), Math.min(Math.abs(right), Math.abs(down))];
  if (long < 60 || long < 2 * short || to.at - from.at > 700) return null;
  if (Math.abs(right) > Math.abs(down)) return right > 0 ? "right" : "left";
  return down > 0 ? "down" : "up";
}
