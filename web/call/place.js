// SPDX-License-Identifier: Apache-2.0
import { toast } from "../core/dom.js";

/** A fix by satellites may take so long; a rough one from what the device knows already comes at once. */
const exactSeconds = 15;
const roughSeconds = 5;

/** Finds out where the device is and tells the centre; where it cannot, tells the centre that. */
export async function sendPlace(api, contact, request) {
  const about = request ? { request } : {};
  const notice = toast("Finding your place …");
  let body;
  try {
    const { coords } = await findPlace();
    body = { fix: fixOf(coords), method: "gps" };
  } catch (error) {
    body = { unavailable: isDenied(error) ? "denied" : "timeout" };
  }
  try {
    if (body.fix) await contact.agree("location");
    await api.post(`/v1/sessions/${contact.session}/locations`, { ...body, ...about });
  } finally {
    notice.remove();
  }
  if (body.fix) toast(`Your place was sent, to ${Math.round(body.fix.accuracyMetres ?? 0)} m.`, "good");
  else toast(body.unavailable === "denied" ? "Your device does not let this page know where you are. Tell the centre in words." : "Your device cannot find its place now. Tell the centre in words.", "bad");
}

/** The exact place, or a rough one where that does not come in time. */
async function findPlace() {
  try {
    return await position({ enableHighAccuracy: true, maximumAge: 5000 }, exactSeconds);
  } catch (error) {
    if (isDenied(error)) throw error;
    return position({ enableHighAccuracy: false, maximumAge: 60_000 }, roughSeconds);
  }
}

const isDenied = (error) => error?.code === GeolocationPositionError.PERMISSION_DENIED;

/** Browsers' own time limit does not run while they wait for a permission, and some forget it: ours holds always. */
function position(options, seconds) {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("no place in time")), (seconds + 1) * 1000);
    navigator.geolocation.getCurrentPosition(resolve, reject, { ...options, timeout: seconds * 1000 });
  });
}

function fixOf(coords) {
  const fix = { latitude: coords.latitude, longitude: coords.longitude };
  const more = { accuracyMetres: coords.accuracy, altitudeMetres: coords.altitude, speedMetresPerSecond: coords.speed, headingDegrees: coords.heading };
  for (const [name, value] of Object.entries(more)) if (Number.isFinite(value)) fix[name] = value;
  return fix;
}
