// SPDX-License-Identifier: Apache-2.0
import { local, ofTab } from "../core/storage.js";

const tokenKey = "phone-token";
const linkKey = "link";
const joinedKey = "joined-link";

/**
 * What this page keeps on the device: for a registered phone in the browser's storage, for who came by a one-use link in the tab's, which
 * ends with it.
 */
class Keep {
  #isByLink = ofTab.getItem(tokenKey) !== null || ofTab.getItem(linkKey) !== null;

  /** Under what name other pages of this phone find the token. */
  get tokenKey() {
    return tokenKey;
  }

  /** Whether this tab is somebody's who came by a link. */
  get isByLink() {
    return this.#isByLink;
  }

  get storage() {
    return this.#isByLink ? ofTab : local;
  }

  /** A link that was opened and waits for its code. */
  get link() {
    return ofTab.getItem(linkKey);
  }

  set link(link) {
    // Pressing the same link once more leads back to where it led.
    if (ofTab.getItem(joinedKey) === link) return;
    for (const key of ofTab.names) ofTab.removeItem(key);
    this.#isByLink = true;
    ofTab.setItem(linkKey, link);
  }

  get token() {
    return this.storage.getItem(tokenKey);
  }

  set token(token) {
    if (this.link) ofTab.setItem(joinedKey, this.link);
    ofTab.removeItem(linkKey);
    this.storage.setItem(tokenKey, token);
  }

  /** The token is no longer good, or its session is over. */
  forget() {
    if (!this.#isByLink) return this.storage.removeItem(tokenKey);
    for (const key of ofTab.names) ofTab.removeItem(key);
  }

  get(name) {
    return this.storage.getItem(name);
  }

  /** What was kept as JSON. What cannot be read is nothing: a damaged note stops no call for help. */
  value(name, storage = this.storage) {
    try {
      return JSON.parse(storage.getItem(name) ?? "null");
    } catch {
      return null;
    }
  }

  set(name, value) {
    this.storage.setItem(name, value);
  }

  remove(name) {
    this.storage.removeItem(name);
  }
}

export const keep = new Keep();
