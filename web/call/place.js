// SPDX-License-Identifier: Apache-2.0
import { find, toast } from "../core/dom.js";
import { newID } from "../core/ids.js";
import { patience } from "../core/patience.js";
import { keep } from "./keep.js";

/** A fix by satellites may take so long; a rough one from what the device knows already comes at once. */
const exactSeconds = 15;
const roughSeconds = 5;
const store = "place";

/**
 * Finds out where the device is and tells the centre. The last place is kept on the device, under the id of its command, until the
 * centre has it: sent twice it is there once.
 *
 * @typedef {{key: string, session: string, body: {fix?: any, method?: string, unavailable?: string, request?: string}}} Kept
 */
export class Places {
  #api;
  #contact;
  #isSending = false;
  #timer = 0;
  #failures = 0;

  constructor(api, contact) {
    this.#api = api;
    this.#contact = contact;
    contact.addEventListener("reach", ({ detail }) => detail && this.#deliver());
    contact.addEventListener("change", () => this.#show());
    this.#deliver();
  }

  /** Nothing can be sent from here any more. */
  abandon() {
    clearTimeout(this.#timer);
    keep.remove(store);
    this.#show();
  }

  /** Tells where the device is; where it cannot be found out, that. @param {string} [request] What it answers. */
  async send(request) {
    const notice = toast("Finding your place …");
    const body = request ? { request } : {};
    try {
      const { coords } = await findPlace();
      Object.assign(body, { fix: fixOf(coords), method: "gps" });
    } catch (error) {
      body.unavailable = isDenied(error) ? "denied" : "timeout";
    } finally {
      notice.remove();
    }
    keep.set(store, JSON.stringify({ key: newID(), session: this.#contact.session, body }));
    await this.#deliver();
  }

  /** @returns {Kept | null} */
  get #kept() {
    return JSON.parse(keep.get(store) ?? "null");
  }

  async #deliver() {
    clearTimeout(this.#timer);
    const kept = this.#kept;
    if (!kept || this.#isSending) return this.#show();
    this.#isSending = true;
    let isOver = true;
    try {
      if (kept.body.fix) await this.#contact.agree("location", kept.session);
      await this.#api.post(`/v1/sessions/${kept.session}/locations`, kept.body, { key: kept.key, tries: 1 });
      tell(kept.body);
    } catch (error) {
      // Who is not reached now may be later; who is signed out hears it elsewhere.
      isOver = error.status !== undefined && error.status < 500 && error.status !== 429;
      if (isOver && error.status !== 401) toast(error.status === 410 ? "Your place was not sent: that contact is over." : `Your place was not sent: ${error.message}`, "bad");
    }
    this.#isSending = false;
    // A newer one may have come meanwhile.
    const isNewest = this.#kept?.key === kept.key;
    if (isOver && isNewest) keep.remove(store);
    this.#failures = isOver ? 0 : this.#failures + 1;
    this.#show();
    if (!isOver) this.#timer = setTimeout(() => this.#deliver(), patience(this.#failures));
    else if (!isNewest) await this.#deliver();
  }

  #show() {
    const place = find("#place-waits");
    place.hidden = !this.#kept || this.#isSending;
    const words = place.hidden ? "" : "Your place waits to be sent. It is kept on this device.";
    if (place.textContent !== words) place.textContent = words;
  }
}

function tell({ fix, unavailable }) {
  if (fix) toast(`Your place was sent, to ${Math.round(fix.accuracyMetres ?? 0)} m.`, "good");
  else toast(unavailable === "denied" ? "Your device does not let this page know where you are. Tell the centre in words." : "Your device cannot find its place now. Tell the centre in words.", "bad");
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
