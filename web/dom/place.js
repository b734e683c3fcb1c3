// SPDX-License-Identifier: Apache-2.0
/** Where this device is, as the browser tells it. */

/** `PERMISSION_DENIED`; the name of its class differs between browsers. */
export const isDenied = (error) => error?.code === 1;

/** Browsers' own time limit does not run while they wait for a permission, and some forget it: ours holds always. */
export function position(options, seconds) {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("timeout")), (seconds + 1) * 1000);
    navigator.geolocation.getCurrentPosition(resolve, reject, { ...options, timeout: seconds * 1000 });
  });
}

/** A place as the gateway takes it, with the time at which it was measured, and without what this device does not know. @param {any} position As the browser gives it. */
export function fixOf({ coords, timestamp }) {
  const fix = { latitude: coords.latitude, longitude: coords.longitude };
  const more = { accuracyMetres: coords.accuracy, altitudeMetres: coords.altitude, speedMetresPerSecond: coords.speed, headingDegrees: coords.heading };
  for (const [name, value] of Object.entries(more)) if (Number.isFinite(value)) fix[name] = value;
  const measuredAt = timeOf(timestamp);
  return measuredAt ? { ...fix, measuredAt } : fix;
}

/** The phone's own time, as RFC 3339 in UTC; empty where it is none of the years 0 to 9999. */
function timeOf(timestamp) {
  if (!Number.isFinite(timestamp)) return "";
  const moment = new Date(timestamp);
  const text = Number.isNaN(moment.getTime()) ? "" : moment.toISOString();
  return /^\d{4}-/.test(text) ? text : "";
}

/**
 * The place, if the device knows it soon; what is to be sent does not wait longer.
 * @param {number} seconds
 * @param {number} ageMost How old a place may be that the device knows already, in milliseconds.
 * @returns {Promise<any>} `undefined` where there is none, or nobody allowed it.
 */
export async function placeWithin(seconds, ageMost) {
  const late = new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const found = position({ enableHighAccuracy: true, maximumAge: ageMost }, seconds).then(fixOf, () => undefined);
  return Promise.race([found, late]);
}
