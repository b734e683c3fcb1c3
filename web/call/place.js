// SPDX-License-Identifier: Apache-2.0
import { toast } from "../core/dom.js";

const secondsMost = 20;

/** Finds out where the device is and tells the centre; where it cannot, tells the centre that. */
export async function sendPlace(api, contact, request) {
  const about = request ? { request } : {};
  const notice = toast("Finding your place …");
  let body;
  try {
    const { coords } = await new Promise((resolve, reject) => {
      navigator.geolocation.getCurrentPosition(resolve, reject, { enableHighAccuracy: true, timeout: secondsMost * 1000, maximumAge: 5000 });
    });
    body = { fix: fixOf(coords), method: "gps" };
  } catch (error) {
    body = { unavailable: error.code === GeolocationPositionError.PERMISSION_DENIED ? "denied" : "timeout" };
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

function fixOf(coords) {
  const fix = { latitude: coords.latitude, longitude: coords.longitude };
  const more = { accuracyMetres: coords.accuracy, altitudeMetres: coords.altitude, speedMetresPerSecond: coords.speed, headingDegrees: coords.heading };
  for (const [name, value] of Object.entries(more)) if (Number.isFinite(value)) fix[name] = value;
  return fix;
}
