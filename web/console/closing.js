// SPDX-License-Identifier: Apache-2.0

/**
 * The page goes while its operator has an open session: the browser asks first; where it goes all the same, the centre is told (ruling 34). A page does not
 * know whether it is closed or loaded anew: the centre waits for one that comes back, and takes no session from whoever has another page of the console.
 */
export class Closing {
  #controller = new AbortController();

  /** @param {{mine: any[]}} desk */
  constructor(desk) {
    const { signal } = this.#controller;
    addEventListener("beforeunload", (event) => {
      if (desk.mine.length === 0) return;
      event.preventDefault();
      // Browsers of two years ago ask by this alone.
      event.returnValue = "";
    }, { signal });
    addEventListener("pagehide", () => desk.mine.length > 0 && navigator.sendBeacon("/v1/me/desk-left"), { signal });
  }

  stop() {
    this.#controller.abort();
  }
}
