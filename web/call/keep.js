// SPDX-License-Identifier: Apache-2.0

const tokenKey = "phone-token";
const linkKey = "link";
const joinedKey = "joined-link";

/**
 * What this page keeps on the device: for a registered phone in the browser's storage, for who came by a one-use link in the tab's, which
 * ends with it.
 */
class Keep {
  #isByLink = sessionStorage.getItem(tokenKey) !== null || sessionStorage.getItem(linkKey) !== null;

  /** Under what name other pages of this phone find the token. */
  get tokenKey() {
    return tokenKey;
  }

  /** Whether this tab is somebody's who came by a link. */
  get isByLink() {
    return this.#isByLink;
  }

  get storage() {
    return this.#isByLink ? sessionStorage : localStorage;
  }

  /** A link that was opened and waits for its code. */
  get link() {
    return sessionStorage.getItem(linkKey);
  }

  set link(link) {
    // Pressing the same link once more leads back to where it led.
    if (sessionStorage.getItem(joinedKey) === link) return;
    for (const key of Object.keys(sessionStorage)) sessionStorage.removeItem(key);
    this.#isByLink = true;
    sessionStorage.setItem(linkKey, link);
  }

  get token() {
    return this.storage.getItem(tokenKey);
  }

  set token(token) {
    if (this.link) sessionStorage.setItem(joinedKey, this.link);
    sessionStorage.removeItem(linkKey);
    this.storage.setItem(tokenKey, token);
  }

  /** The token is no longer good, or its session is over. */
  forget() {
    if (!this.#isByLink) return this.storage.removeItem(tokenKey);
    for (const key of Object.keys(sessionStorage)) sessionStorage.removeItem(key);
  }

  get(name) {
    return this.storage.getItem(name);
  }

  set(name, value) {
    this.storage.setItem(name, value);
  }

  remove(name) {
    this.storage.removeItem(name);
  }
}

export const keep = new Keep();
