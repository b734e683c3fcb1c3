// SPDX-License-Identifier: Apache-2.0
import { find, toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { patience } from "../core/patience.js";
import { findEncoder } from "../media/camera.js";
import { QualityControl } from "../media/quality.js";
import { Film } from "./film.js";
import { FilmCamera, stopAll } from "./film-camera.js";
import { FilmView } from "./film-view.js";
import { keep } from "./keep.js";
import { LateVideo, keptVideo } from "./late-video.js";
import { SecondCamera } from "./second-camera.js";
import { shotOf } from "./shot.js";
import { streamNotes } from "./stream-notes.js";

/** So long it is told that a picture was taken. */
const shotTakenMilliseconds = 2000;

/** The caller's video: whether there is one, with which stream it begins or goes on after a reload, and what the caller's buttons do. */
export class VideoScreen {
  #api;
  #contact;
  #go;
  #view;
  #camera = new FilmCamera();
  /** The one that runs. @type {Film | null} */
  #film = null;
  #second;
  #late;
  #how = null;
  #quality = null;
  #lock = null;
  #isStarting = false;
  /** One start after the other. */
  #started = Promise.resolve();
  /** While a camera is being opened: why it cannot be. @type {Promise<string> | null} */
  #opening = null;
  /** While a stream that ran when the page went away waits for the centre to tell of it. */
  #resumeTimer = 0;
  #resumeFailures = 0;

  constructor(api, contact, go) {
    this.#api = api;
    this.#contact = contact;
    this.#go = go;
    this.#view = new FilmView(contact, go);
    this.#late = new LateVideo(api, () => contact.refresh());
    this.#late.start();
    this.#second = new SecondCamera(api, this.#late, () => this.#showCamera());
    find("#film-tier").onchange = (event) => this.#choose(event.target.value);
    find("#film-turn").onclick = () => this.#film?.turn();
    find("#film-light").onclick = () => this.#light();
    find("#film-both").onclick = () => this.#both();
    find("#film-shot").onclick = () => this.#shoot();
    document.addEventListener("visibilitychange", () => {
      this.#stayAwake();
      if (document.visibilityState === "visible") this.#film?.seen();
    });
  }

  get isRunning() {
    return this.#film !== null;
  }

  /** Begins a stream in the session that is open, with the camera that is open or can be. @param {AbortSignal} signal The caller wants something else. */
  start(signal) {
    const turn = this.#started.then(() => this.#start(signal));
    this.#started = turn.catch(() => {
      // Whoever pressed for that one is told.
    });
    return turn;
  }

  async #start(signal) {
    if (signal.aborted) return this.close();
    if (this.isRunning) return this.#go.video();
    if (this.#isStarting) return;
    this.#isStarting = true;
    // The new one takes the place of one that would have gone on.
    this.#endLeft("the page went away");
    try {
      const fault = await this.open(signal);
      if (fault) return void toast(fault, "bad");
      if (!signal.aborted) await this.#begin(signal);
      if (signal.aborted && this.isRunning) await this.stop("the caller chose otherwise");
      else if (signal.aborted) this.close();
    } catch (error) {
      this.close();
      throw error;
    } finally {
      this.#isStarting = false;
    }
  }

  async #begin(signal) {
    const { session } = this.#contact;
    await this.#contact.agree("video");
    if (signal.aborted) return;
    const film = this.#newFilm();
    const { settings } = film;
    const stream = await this.#api.post(`/v1/sessions/${session}/streams`, { ...settings, transport: "websocket" });
    const kept = keptVideo(stream.id);
    await kept.claim();
    this.#run(film, { session, stream: stream.id, facing: this.#camera.facing, settings }, kept);
    // The chat tells of it.
    this.#contact.refresh();
  }

  /** Goes on with the stream that ran when the page went away; where the centre cannot tell of it now, later. @returns {Promise<boolean>} Whether it does. */
  async resume() {
    if (this.#isStarting) return this.isRunning;
    this.#isStarting = true;
    this.#resumeTimer = 0;
    try {
      for (const note of streamNotes.all) if (note.reason === undefined) await this.#goOn(note);
    } catch (error) {
      // Who is signed out hears it elsewhere.
      if (error.status !== 401) this.#resumeTimer = setTimeout(() => this.resume(), patience(this.#resumeFailures++));
    } finally {
      this.#isStarting = false;
    }
    return this.isRunning;
  }

  /** The caller chose otherwise before the stream of the page before this one could go on: what is kept of it is sent, and it ends. */
  #endLeft(reason) {
    if (!this.#resumeTimer) return;
    clearTimeout(this.#resumeTimer);
    this.#resumeTimer = 0;
    for (const note of streamNotes.all) if (note.reason === undefined) this.#late.send({ ...note, reason }, keptVideo(note.stream));
  }

  async #goOn(note) {
    if (this.#film?.stream === note.stream) return;
    const kept = keptVideo(note.stream);
    // Another tab films.
    if (!(await kept.claim())) return;
    try {
      if (await this.#reopen(note)) {
        await this.#contact.ensure();
        return this.#run(this.#newFilm(), note, kept, await kept.read());
      }
    } catch (error) {
      kept.release();
      this.close();
      // What is refused stays so.
      if (error.status !== 403 && error.status !== 404) throw error;
    }
    kept.release();
    return this.#late.send({ ...note, reason: "the page went away" }, keptVideo(note.stream));
  }

  /** @returns {Promise<boolean>} Whether the camera is open for it, and it can go on. */
  async #reopen({ session, stream, facing }) {
    if (this.isRunning || session !== this.#contact.session) return false;
    const { state } = await this.#api.get(`/v1/streams/${stream}`, { isLevel: false });
    if (state !== "live" && state !== "interrupted") return false;
    this.#camera.facing = facing;
    const fault = await this.open();
    if (fault) toast(fault, "bad");
    return !fault;
  }

  /** Ends the stream: the camera is off at once; what is kept goes on being sent. */
  async stop(reason) {
    const film = this.#film;
    if (!film) return this.#endLeft(reason);
    const stopped = [film.stop(reason), this.#second.stop(reason)];
    this.#ended();
    await Promise.all(stopped);
  }

  /** Nothing can be sent from here any more. */
  abandon() {
    this.#late.abandon();
    clearTimeout(this.#resumeTimer);
    if (!this.#film) return this.close();
    this.#film.abandon();
    this.#second.abandon();
    this.#ended();
  }

  // MARK: The camera

  /**
   * Opens the camera on the screen, for a stream to begin with.
   * @param {AbortSignal} [signal] The caller wants something else.
   * @returns {Promise<string>} Why it cannot be opened, in words; empty where it is open, or not wanted any more.
   */
  open(signal) {
    if (this.isRunning || (this.#camera.isOpen && !this.#opening)) return Promise.resolve("");
    this.#opening ??= this.#open(signal).finally(() => (this.#opening = null));
    return this.#opening;
  }

  /** @returns {Promise<boolean>} Whether this browser can send video at all. */
  async canSend() {
    this.#how = await findEncoder();
    return this.#how !== null;
  }

  /** Asks the browser for the camera, and lets go of it at once. @returns {Promise<string>} Why it cannot be had, in words; empty where it can. */
  async check() {
    if (this.isRunning || this.#camera.isOpen || this.#opening) return "";
    const { fault, media } = await this.#bring();
    if (media) stopAll(media);
    return fault;
  }

  /** Lets go of a camera with which no stream has begun. */
  close() {
    if (this.isRunning) return;
    this.#camera.release();
    this.#showCamera();
    if (this.#go.isShown("video")) this.#go.home();
  }

  get #choice() {
    return keep.get("quality") ?? "automatic";
  }

  /** @returns {Promise<{fault: string, media: MediaStream | null}>} */
  async #bring() {
    if (!(await this.canSend())) return { fault: t("call.video.none"), media: null };
    try {
      return { fault: "", media: await this.#camera.bring(this.#choice === "automatic" ? "high" : this.#choice) };
    } catch (error) {
      return { fault: t(error.name === "NotAllowedError" ? "call.camera.allow" : "call.camera.none"), media: null };
    }
  }

  async #open(signal) {
    const { fault, media } = await this.#bring();
    if (!media) return fault;
    this.#quality = new QualityControl(this.#choice);
    find("#film-tier").value = this.#choice;
    if (signal?.aborted) {
      stopAll(media);
      return "";
    }
    this.#camera.take(media);
    this.#go.video();
    this.#view.showBegin();
    this.#showCamera();
    return "";
  }

  async #light() {
    if (!this.#camera.isOpen) return;
    try {
      await this.#camera.light(!this.#camera.isLit);
    } catch {
      return toast(t("call.camera.light"), "bad");
    }
    if (!this.#camera.isOpen) return;
    this.#view.showLight(this.#camera);
    this.#film?.tell("user");
  }

  /** A picture of what the camera sees goes to the centre at once. */
  async #shoot() {
    const picture = await shotOf(find("#preview"));
    if (!picture || !this.#contact.sendPicture(picture)) return toast(t("call.film.shot.none"), "bad");
    navigator.vibrate?.(40);
    const notice = toast(t("call.film.shot.taken"));
    // It does not stand over what is pressed next.
    setTimeout(() => notice.remove(), shotTakenMilliseconds);
  }

  #showCamera() {
    this.#view.showCamera(this.#camera, this.#second);
  }

  /** Both cameras at once, or one again. */
  async #both() {
    const film = this.#film;
    if (!film) return;
    const { session } = this.#contact;
    const wish = { session, first: this.#camera, how: this.#how, choice: find("#film-tier").value, isWanted: () => this.#film === film };
    await (this.#second.isOn ? this.#second.stop("stopped by the caller") : this.#second.start(wish));
    this.#contact.refresh();
  }

  // MARK: The film

  #newFilm() {
    const film = new Film(this.#api, this.#camera, this.#how, this.#quality, this.#late, {
      onLook: () => this.#view.show(film),
      onCamera: () => this.#showCamera(),
      onDark: async () => {
        toast(t("call.camera.gone"), "bad");
        await this.stop("the camera gave no picture any more");
        this.#go.chat();
      },
      onEnded: ({ by, reason }) => {
        toast(t(by === "operator" && reason !== "session closed" ? "call.happened.video.operator" : "call.video.ended"));
        this.#contact.refresh();
        this.#second.stop("stopped with the other camera");
        this.#ended();
        this.#go.chat();
      },
    });
    return film;
  }

  #run(film, note, kept, left = []) {
    this.#film = film;
    film.run(note, kept, left);
    this.#stayAwake();
  }

  #choose(choice) {
    keep.set("quality", choice);
    find("#quality").value = choice;
    if (this.#film) this.#film.choose(choice);
    else this.#quality?.choose(choice);
    this.#second.choose(choice);
  }

  async #stayAwake() {
    if (!this.isRunning || document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    try {
      this.#lock = await navigator.wakeLock.request("screen");
    } catch {
      // A device that is low on power may say no; the stream runs as long as the screen does.
    }
  }

  #ended() {
    this.#film = null;
    this.#lock?.release();
    this.#lock = null;
    if (this.#go.isShown("video")) this.#go.home();
  }
}
