// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../core/dom.js";

/** The video of one session: the stream that runs, and those that are over. */
export class StreamPane {
  #api;
  #player = h("dvr-player");
  #list = h("div", { class: "streams", role: "group", "aria-label": "Streams of this session" });
  #nothing = h("p", { class: "empty" }, "No video yet.");
  #streams = new Map();
  #shown = null;
  #isChosen = false;
  #about = h("p", { class: "small soft" });

  constructor(api) {
    this.#api = api;
    this.element = h("section", { class: "card seen", "aria-label": "Video" }, this.#player, this.#nothing, this.#list, this.#about);
    this.#player.hidden = true;
  }

  get isLive() {
    return this.#streams.get(this.#shown)?.state === "live";
  }

  close() {
    this.#player.close();
  }

  goLive() {
    const live = [...this.#streams.values()].reverse().find((stream) => stream.state === "live");
    if (live && live.id !== this.#shown) this.#choose(live.id);
    this.#player.goLive();
  }

  /** Something happened to a stream: ask for it again. */
  changed(id) {
    const known = this.#streams.get(id);
    if (known) known.isStale = true;
  }

  async show(detail) {
    for (const id of detail.streams) {
      const known = this.#streams.get(id);
      if (known && !known.isStale) continue;
      try {
        const stream = await this.#api.get(`/v1/streams/${id}`, { isLevel: false });
        this.#streams.set(id, stream);
      } catch {
        // The next event of the session asks again.
      }
    }
    this.#draw();
  }

  #draw() {
    const all = [...this.#streams.values()];
    this.#nothing.hidden = all.length > 0;
    this.#player.hidden = all.length === 0;
    const newest = all.at(-1);
    const shown = this.#streams.get(this.#shown);
    // A new live picture comes to the front, unless somebody chose to look at another.
    if (newest && (!shown || (!this.#isChosen && newest.id !== this.#shown && newest.state === "live"))) this.#choose(newest.id, false);
    refill(this.#list, [this.#shown, all.map(({ id, state }) => [id, state])], () => all.length > 1 && all.map((stream, index) => h("button", {
      type: "button", "aria-pressed": String(stream.id === this.#shown), onclick: () => this.#choose(stream.id),
    }, `Video ${index + 1}`, stream.state === "live" && h("span", { class: "chip live" }, "LIVE"))));
    const now = this.#streams.get(this.#shown);
    this.#about.textContent = now ? `${now.fileName} · ${now.width} × ${now.height} · ${now.quality} quality${now.camera ? ` · ${now.camera}` : ""}` : "";
  }

  #choose(id, isChosen = true) {
    const stream = this.#streams.get(id);
    this.#shown = id;
    this.#isChosen = isChosen && stream.state !== "live";
    if (stream.state === "finalized") this.#player.showRecording(this.#api, id, stream);
    else this.#player.showLive(this.#api, id);
    if (isChosen) this.#draw();
  }
}
