// SPDX-License-Identifier: Apache-2.0
import { h } from "../core/dom.js";
import { local } from "../core/storage.js";
import { timeOfDay } from "../core/time.js";
import { LivePlayer } from "../media/player.js";
import { videoEnd } from "../model/video-end.js";
import { endWords, inFront, tileName } from "./streams.js";

/** Until when which live picture was watched in this browser: whoever was away is shown what they missed. */
const watchedKey = "watched";

/** Live tiles beside the main picture; further ones show a still, for each live one is decoded here. */
const liveTilesMost = 6;

/**
 * The video of an incident: one stream large, the others as tiles labelled by the caller's number. Each can be made large with
 * one click, and looked back in like any other.
 */
export class StreamPane {
  #api;
  #player = h("dvr-player", { hidden: true });
  #list = h("ul", { class: "tiles", "aria-label": "Videos of this incident", hidden: true });
  /** What stands where there is no video. */
  nothing = h("p", { class: "empty" }, "No video yet.");
  /** What is known of the picture that is shown. */
  about = h("p", { class: "small soft" });
  /** Called when it is known what there is. */
  onDraw = () => {};
  /** By stream: what the gateway tells of it, and whose it is. */
  #streams = new Map();
  /** By stream: when it ended, as the chat has it. */
  #ends = new Map();
  /** By stream: the tile, and what plays in it. */
  #tiles = new Map();
  #shown = null;
  #isChosen = false;
  #timer = setInterval(() => this.#note(), 1000);

  /** @param {() => void} onAgain Called where video is to be asked for once more. */
  constructor(api, onAgain) {
    this.#api = api;
    this.#player.addEventListener("ask-again", onAgain);
  }

  get player() {
    return this.#player;
  }

  get tiles() {
    return this.#list;
  }

  get hasVideo() {
    return this.#streams.size > 0;
  }

  get isLive() {
    return [...this.#streams.values()].some((stream) => stream.state === "live");
  }

  close() {
    clearInterval(this.#timer);
    this.#player.close();
    for (const tile of this.#tiles.values()) tile.player?.close();
    this.#tiles.clear();
  }

  /** Back to the newest picture: of the stream that is shown if it runs, else of the newest that does. */
  goLive() {
    const live = [...this.#streams.values()].filter((stream) => stream.state === "live");
    const best = live.find((stream) => stream.id === this.#shown) ?? live.at(-1);
    if (best && best.id !== this.#shown) this.#choose(best.id);
    this.#player.goLive();
  }

  /** Something happened to a stream: ask for it again. */
  changed(id) {
    const known = this.#streams.get(id);
    if (known) known.isStale = true;
  }

  /** It was recorded when a stream ended: the picture says what the chat says. */
  ended(id, at) {
    this.#ends.set(id, at);
    this.#draw();
  }

  /** What the gateway said of a stream, if it was asked. */
  known(id) {
    return this.#streams.get(id);
  }

  /** Whether the caller may be asked for video from here. */
  allow(mayAsk) {
    this.#player.toggleAttribute("asks", mayAsk);
  }

  /** @param {{id: string, phone: string, isOwn: boolean}[]} streams Oldest first. */
  async show(streams) {
    for (const { id, phone, isOwn } of streams) {
      const known = this.#streams.get(id);
      if (known && !known.isStale) continue;
      try {
        const stream = await this.#api.get(`/v1/streams/${id}`, { isLevel: false });
        this.#streams.set(id, { ...stream, phone, isOwn });
      } catch {
        // The next event of the session asks again.
      }
    }
    const wanted = new Set(streams.map((one) => one.id));
    for (const id of [...this.#streams.keys()]) if (!wanted.has(id)) this.#streams.delete(id);
    this.#draw();
  }

  #draw() {
    const all = [...this.#streams.values()];
    this.#player.hidden = all.length === 0;
    if (!this.#streams.has(this.#shown)) this.#shown = null;
    const front = inFront(all, this.#shown, this.#isChosen);
    if (front && front.id !== this.#shown) this.#choose(front.id, false);
    this.#drawTiles(all);
    const now = this.#streams.get(this.#shown);
    this.#player.startedAt = now?.startedAt ?? null;
    this.#player.endedAt = this.#ends.get(this.#shown) ?? (now?.stopReason ? videoEnd(now) : null);
    if (now?.stopReason) this.#player.ending = endWords(now.stopReason);
    this.#player.who = now && !now.isOwn ? (now.phone ?? "number unknown") : "";
    this.about.textContent = now ? `${now.isOwn ? "" : `${now.phone} · `}${now.fileName} · ${now.width} × ${now.height} · ${now.quality} quality${now.camera ? ` · ${now.camera}` : ""}` : "";
    this.onDraw();
  }

  #choose(id, isChosen = true) {
    const stream = this.#streams.get(id);
    this.#shown = id;
    this.#isChosen = isChosen;
    this.#player.startedAt = stream.startedAt;
    if (stream.state === "finalized") this.#player.showRecording(this.#api, id, stream);
    else this.#player.showLive(this.#api, id, { left: isChosen ? null : this.#left(id) });
    if (isChosen) this.#draw();
  }

  #note() {
    const end = this.#player.watched;
    if (end) local.setItem(watchedKey, JSON.stringify({ stream: this.#shown, end }));
  }

  /** Where this browser stopped watching a stream, in seconds. */
  #left(id) {
    try {
      const watched = JSON.parse(local.getItem(watchedKey) ?? "null");
      return watched?.stream === id ? watched.end : null;
    } catch {
      // What another program left there says nothing.
      return null;
    }
  }

  // MARK: Tiles

  #drawTiles(all) {
    this.#list.hidden = all.length < 2;
    const wanted = all.length < 2 ? [] : all;
    const ids = new Set(wanted.map((stream) => stream.id));
    for (const [id, tile] of this.#tiles) {
      if (ids.has(id)) continue;
      tile.player?.close();
      tile.element.remove();
      this.#tiles.delete(id);
    }
    let live = 0;
    for (const stream of wanted) {
      const tile = this.#tiles.get(stream.id) ?? this.#makeTile(stream);
      const isShown = stream.id === this.#shown;
      // The large picture is decoded already.
      const plays = stream.state === "live" && !isShown && live++ < liveTilesMost;
      tile.name.textContent = tileName(stream, wanted);
      tile.button.setAttribute("aria-pressed", String(isShown));
      tile.chip.hidden = stream.state !== "live" && !isShown;
      tile.chip.textContent = isShown ? "SHOWN" : "LIVE";
      tile.chip.className = `chip ${isShown ? "accent" : "live"}`;
      tile.video.hidden = !plays;
      tile.still.hidden = plays;
      if (plays && !tile.player) tile.player = new LivePlayer(this.#api, stream.id, tile.video);
      if (!plays && tile.player) {
        tile.player.close();
        tile.player = null;
      }
      if (!plays && tile.stillState !== stream.state) {
        tile.stillState = stream.state;
        tile.still.src = `/v1/streams/${stream.id}/frame${stream.state === "live" ? "" : "?at=0"}`;
      }
    }
  }

  #makeTile(stream) {
    const video = h("video", { ".muted": true, playsinline: true, "aria-hidden": "true" });
    const still = h("img", { alt: "", onerror: () => still.removeAttribute("src") });
    const chip = h("span", { class: "chip" });
    const name = h("span", { class: "tile-name figures", title: timeOfDay(new Date(stream.startedAt)) });
    const button = h("button", { type: "button", class: "tile", onclick: () => this.#choose(stream.id) }, video, still, chip, name);
    const element = h("li", {}, button);
    const tile = { element, button, video, still, chip, name, player: null, stillState: null };
    this.#tiles.set(stream.id, tile);
    this.#list.append(element);
    return tile;
  }
}
