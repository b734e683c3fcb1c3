// SPDX-License-Identifier: Apache-2.0

/**
 * Follows the ledger as far as the reader may see it, from a position on, over breaks of the network and sleep of the device:
 * each event comes once, in order.
 */
export class Feed {
  #api;
  #controller = new AbortController();
  #last;
  #wake = () => {};

  /**
   * @param {import("./api.js").API} api
   * @param {{onEvent: (event: any) => void, onState?: (isLive: boolean) => void}} handlers
   */
  constructor(api, { onEvent, onState = () => {} }) {
    this.#api = api;
    this.onEvent = onEvent;
    this.onState = onState;
  }

  /** Begins behind the newest event of now. @returns {Promise<void>} Once the beginning is known. */
  async start() {
    const { events } = await this.#api.get("/healthz", { isLevel: false });
    this.#last = events > 0 ? String(events - 1) : null;
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
    this.#run();
  }

  stop() {
    this.#controller.abort();
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    this.#wake();
  }

  #hurry = () => this.#wake();

  async #run() {
    const { signal } = this.#controller;
    for (let failures = 0; !signal.aborted; ) {
      try {
        const headers = { Accept: "text/event-stream" };
        const query = this.#last === null ? "" : `?after=${this.#last}`;
        const response = await this.#api.open(`/v1/events${query}`, headers, signal);
        failures = 0;
        this.onState(true);
        await this.#read(response.body.getReader(), signal);
      } catch (error) {
        if (signal.aborted || error.status === 401 || error.status === 403) return;
        failures++;
      }
      this.onState(false);
      const wait = Math.min(5000, 250 * 2 ** failures);
      await new Promise((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, wait);
      });
    }
  }

  /** Reads until the connection ends, or nothing came for longer than the gateway is ever silent. */
  async #read(reader, signal) {
    const decoder = new TextDecoder();
    let text = "";
    while (!signal.aborted) {
      let timer;
      const silence = new Promise((resolve) => {
        timer = setTimeout(() => resolve({ done: true }), 40_000);
      });
      const { done, value } = await Promise.race([reader.read(), silence]);
      clearTimeout(timer);
      if (done) return reader.cancel();
      text += decoder.decode(value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop();
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block) {
    let data = "";
    let id = null;
    for (const line of block.split("\n")) {
      if (line.startsWith("id: ")) id = line.slice(4);
      else if (line.startsWith("data: ")) data += line.slice(6);
    }
    if (id !== null) this.#last = id;
    if (!data) return;
    this.#api.noteShown(id);
    this.onEvent(JSON.parse(data));
  }
}
