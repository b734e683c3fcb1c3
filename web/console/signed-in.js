// SPDX-License-Identifier: Apache-2.0
import { patience } from "../core/patience.js";
import { local } from "../core/storage.js";

const channel = openChannel();

/** @returns {Pick<BroadcastChannel, "postMessage" | "onmessage">} Where pages may keep nothing, some browsers also let them tell each other nothing. */
function openChannel() {
  try {
    return new BroadcastChannel("signed-in");
  } catch {
    return { postMessage() {}, onmessage: null };
  }
}

/** Tells this browser's other pages who signed in here, or out. @param {{in: string} | {out: string}} change */
export function tellOtherPages(change) {
  channel.postMessage(change);
}

/** @param {{onIn: (user: string) => void, onOut: (user: string) => void}} handlers Called with what other pages of this browser tell. */
export function onOtherPages({ onIn, onOut }) {
  channel.onmessage = ({ data }) => (data.in ? onIn(data.in) : onOut(data.out));
}

const key = "signing-out";
const idleKey = "signing-out-idle";

/** A sign-out that the centre may not have heard: it is kept on the device until it has. */
export class Leaving {
  #api;

  constructor(api) {
    this.#api = api;
  }

  /** Who signs out; `null` where nobody does. */
  get user() {
    return local.getItem(key);
  }

  get isWaiting() {
    return this.user !== null;
  }

  /** @param {boolean} isIdle Whether the page does it, since nobody did anything: what is open stays the user's. */
  begin(user, isIdle = false) {
    local.setItem(key, user);
    if (isIdle) local.setItem(idleKey, user);
    else local.removeItem(idleKey);
  }

  /**
   * Signs out.
   * @returns {Promise<boolean>} Whether nobody is signed in now; somebody else may be, who stays so.
   * @throws Where the centre cannot be reached, or cannot do it now.
   */
  async carryOut() {
    this.#api.as = this.user;
    let isFree = true;
    try {
      await this.#api.post("/v1/auth/logout", local.getItem(idleKey) === this.user ? { idle: true } : {}, { tries: 1 });
    } catch (error) {
      if (error.status === undefined || error.status >= 500 || error.status === 429) throw error;
      isFree = error.slug !== "signed-in-as-other";
    } finally {
      this.#api.as = null;
    }
    local.removeItem(key);
    local.removeItem(idleKey);
    return isFree;
  }

  /** Waits before the next try; who signs in meanwhile carries it out first. */
  pause(failures) {
    return new Promise((resolve) => setTimeout(resolve, patience(failures)));
  }
}
