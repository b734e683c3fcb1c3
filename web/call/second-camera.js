// SPDX-License-Identifier: Apache-2.0
import { find, toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { QualityControl } from "../media/quality.js";
import { Film } from "./film.js";
import { FilmCamera, stopAll } from "./film-camera.js";
import { keptVideo } from "./late-video.js";

/** So long after the other one was opened many phones take to close the first. */
const takenMilliseconds = 700;

/** The other camera beside the one that films, where the device gives both at once: a stream of its own in the same session (ruling 38). */
export class SecondCamera {
  #api;
  #late;
  #camera = new FilmCamera();
  /** @type {Film | null} */
  #film = null;
  #isStarting = false;
  #onChange;
  /** Whether the device may give two at once; until it was tried nobody knows. */
  isPossible = true;

  /** @param {() => void} onChange It is on, or off. */
  constructor(api, late, onChange) {
    this.#api = api;
    this.#late = late;
    this.#onChange = onChange;
  }

  get isOn() {
    return this.#film !== null;
  }

  /**
   * Begins to film with the other camera, too; says so where the device gives one at a time, and does not offer it again.
   * @param {{session: string, first: FilmCamera, how: any, choice: string, isWanted: () => boolean}} wish `isWanted` as long as the first one films.
   */
  async start({ session, first, how, choice, isWanted }) {
    if (this.isOn || this.#isStarting) return;
    this.#isStarting = true;
    try {
      const media = await this.#open(first);
      if (!media) return void toast(t("call.camera.one"), "bad");
      if (!isWanted()) return stopAll(media);
      this.#camera.take(media);
      await this.#begin(session, how, choice, isWanted);
    } catch (error) {
      this.#camera.release();
      toast(error.message, "bad");
    } finally {
      this.#isStarting = false;
      this.#show();
    }
  }

  /** @returns {Promise<MediaStream | null>} Nothing where only one camera can be open. */
  async #open(first) {
    this.#camera.facing = first.facing === "environment" ? "user" : "environment";
    try {
      const media = await this.#camera.bring("medium");
      await new Promise((resolve) => setTimeout(resolve, takenMilliseconds));
      if (!first.isGone && !first.track.muted && first.track.getSettings().deviceId !== media.getVideoTracks()[0].getSettings().deviceId) return media;
      stopAll(media);
    } catch {
      // It is not given.
    }
    this.isPossible = false;
    return null;
  }

  async #begin(session, how, choice, isWanted) {
    const film = new Film(this.#api, this.#camera, how, new QualityControl(choice), this.#late, {
      onLook: () => {},
      onCamera: () => this.#show(),
      onDark: () => this.stop("the camera gave no picture any more"),
      onEnded: () => this.#ended(),
    });
    const { settings } = film;
    const stream = await this.#api.post(`/v1/sessions/${session}/streams`, { ...settings, transport: "websocket" });
    const kept = keptVideo(stream.id);
    await kept.claim();
    this.#film = film;
    film.run({ session, stream: stream.id, facing: this.#camera.facing, settings }, kept);
    if (!isWanted()) await this.stop("the caller chose otherwise");
  }

  choose(choice) {
    this.#film?.choose(choice);
  }

  async stop(reason) {
    const film = this.#film;
    if (!film) return;
    const stopped = film.stop(reason);
    this.#ended();
    await stopped;
  }

  abandon() {
    this.#film?.abandon();
    this.#ended();
  }

  #ended() {
    this.#film = null;
    this.#show();
  }

  #show() {
    const preview = find("#preview-second");
    preview.srcObject = this.#camera.media;
    preview.hidden = !this.#camera.isOpen;
    if (this.#camera.isOpen) preview.play().catch(() => {
      // The preview is only for the caller's eye.
    });
    this.#onChange();
  }
}
