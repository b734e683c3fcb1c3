// SPDX-License-Identifier: Apache-2.0
import { find, toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { patience } from "../core/patience.js";
import { span } from "../core/time.js";
import { Filming, cameraCount, findEncoder, openCamera } from "../media/camera.js";
import { QualityControl, fitted, framesPerSecondMost } from "../media/quality.js";
import { Sender, keptSecondsMost } from "../media/sender.js";
import { Captions } from "./captions.js";
import { leftWords } from "./contact.js";
import { keep } from "./keep.js";
import { LateVideo, keptVideo, tellRefusal } from "./late-video.js";
import { Silence } from "./silence.js";
import { streamNotes } from "./stream-notes.js";

/** The caller's video: camera, sender, and what the caller may do with them. */
export class VideoScreen {
  #api;
  #contact;
  #go;
  #media = null;
  #filming = null;
  #sender = null;
  /** Of the stream that runs. @type {import("./stream-notes.js").Note | null} */
  #note = null;
  #late;
  #quality = null;
  /** How long the camera has given no picture. */
  #silence = new Silence();
  #facing = "environment";
  #timer = 0;
  #lock = null;
  #isStarting = false;
  /** One start after the other. */
  #started = Promise.resolve();
  /** While a camera is being opened: why it cannot be. @type {Promise<string> | null} */
  #opening = null;
  #isTurning = false;
  /** While a stream that ran when the page went away waits for the centre to tell of it. */
  #resumeTimer = 0;
  #resumeFailures = 0;

  constructor(api, contact, go) {
    this.#api = api;
    this.#contact = contact;
    this.#go = go;
    this.#late = new LateVideo(api, () => contact.refresh());
    this.#late.start();
    new Captions(contact, go);
    find("#film-tier").onchange = (event) => this.#choose(event.target.value);
    find("#film-turn").onclick = () => this.#turn();
    find("#film-light").onclick = () => this.#light();
    contact.addEventListener("change", () => {
      this.#showUnread();
      this.#showLeft();
    });
    document.addEventListener("visibilitychange", () => {
      this.#stayAwake();
      if (document.visibilityState === "visible") this.#silence.seen();
    });
  }

  get isRunning() {
    return this.#sender !== null;
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
    const settings = this.#settings(this.how);
    const stream = await this.#api.post(`/v1/sessions/${session}/streams`, { ...settings, transport: "websocket" });
    const kept = keptVideo(stream.id);
    await kept.claim();
    this.#run({ session, stream: stream.id, facing: this.#facing, settings }, this.how, kept);
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
    if (this.#note?.stream === note.stream) return;
    const kept = keptVideo(note.stream);
    // Another tab films.
    if (!(await kept.claim())) return;
    try {
      if (await this.#reopen(note)) {
        await this.#contact.ensure();
        return this.#run(note, this.how, kept, await kept.read());
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
    this.#facing = facing;
    const fault = await this.open();
    if (fault) toast(fault, "bad");
    return !fault;
  }

  /** Ends the stream: the camera is off at once; what is kept goes on being sent. */
  async stop(reason) {
    const sender = this.#sender;
    if (!sender) return this.#endLeft(reason);
    const settings = this.#settings(this.how);
    streamNotes.put({ ...this.#note, settings, reason });
    sender.settings = () => settings;
    const emptied = this.#filming?.stop();
    this.#ended();
    await emptied;
    this.#late.take(sender, reason);
  }

  /** Nothing can be sent from here any more. */
  abandon() {
    this.#late.abandon();
    clearTimeout(this.#resumeTimer);
    if (!this.#sender) return this.close();
    this.#sender.abandon();
    streamNotes.remove(this.#note.stream);
    this.#ended();
  }

  // MARK: The camera

  /**
   * Opens the camera on the screen, for a stream to begin with.
   * @param {AbortSignal} [signal] The caller wants something else.
   * @returns {Promise<string>} Why it cannot be opened, in words; empty where it is open, or not wanted any more.
   */
  open(signal) {
    if (this.isRunning || (this.#media && !this.#opening)) return Promise.resolve("");
    this.#opening ??= this.#open(signal).finally(() => (this.#opening = null));
    return this.#opening;
  }

  /** Lets go of a camera with which no stream has begun. */
  close() {
    if (this.isRunning) return;
    this.#release();
    if (this.#go.isShown("video")) this.#go.home();
  }

  async #open(signal) {
    const how = await findEncoder();
    if (!how) return t("call.video.none");
    const choice = keep.get("quality") ?? "automatic";
    this.#quality = new QualityControl(choice);
    find("#film-tier").value = choice;
    let media;
    try {
      media = await openCamera(this.#facing, choice === "automatic" ? "high" : choice);
    } catch (error) {
      return t(error.name === "NotAllowedError" ? "call.camera.allow" : "call.camera.none");
    }
    if (signal?.aborted) {
      stopAll(media);
      return "";
    }
    this.how = how;
    this.#media = media;
    const preview = find("#preview");
    preview.srcObject = media;
    preview.play().catch(() => {
      // The preview is only for the caller's eye; the stream runs without it.
    });
    this.#go.video();
    this.#state(t("call.film.starting"), "");
    this.#showCameras();
    return "";
  }

  get #track() {
    return this.#media.getVideoTracks()[0];
  }

  async #showCameras() {
    const light = find("#film-light");
    // However it was with the camera before, this one's is off.
    light.setAttribute("aria-pressed", "false");
    light.hidden = !this.#track.getCapabilities?.().torch;
    find("#film-turn").hidden = (await cameraCount()) < 2;
  }

  /** Turns to the other camera, one turn after the other. */
  async #turn() {
    if (this.#isTurning || !this.#sender) return;
    this.#isTurning = true;
    try {
      await this.#turnAround();
    } catch {
      toast(t("call.camera.turn"), "bad");
    } finally {
      this.#isTurning = false;
    }
  }

  /** A new part begins. */
  async #turnAround() {
    const sender = this.#sender;
    // Many phones open one camera at a time.
    stopAll(this.#media);
    const media = await this.#openOther();
    await this.#goOnWith(media, sender);
    if (this.#sender === sender) sender.tellSettings("user");
  }

  /** Another camera, or the same opened anew, takes the place of the one that films. */
  async #goOnWith(media, sender) {
    // Stopped meanwhile: the camera that was just opened is not left on.
    if (this.#sender !== sender) return stopAll(media);
    this.#media = media;
    find("#preview").srcObject = media;
    this.#showCameras();
    // Before the first bytes may come, nothing films.
    if (!this.#filming) return;
    await this.#filming.stop();
    if (this.#sender !== sender) return;
    // Another camera is another network of choices: what was learnt of the last one does not count.
    this.#quality.choose(find("#film-tier").value);
    this.#film();
  }

  /** Once a second: a camera that gives nothing is opened anew; where that is in vain the stream ends, and the centre reads why. */
  async #watch() {
    if (this.#filming) this.#silence.second();
    this.#look();
    if (this.#silence.isFinal) {
      toast(t("call.camera.gone"), "bad");
      await this.stop("the camera gave no picture any more");
      return this.#go.chat();
    }
    const isGone = this.#track.readyState === "ended" || this.#silence.isLong;
    if (this.#filming && isGone && !this.#isTurning && document.visibilityState === "visible") await this.#openAnew();
  }

  async #openAnew() {
    const sender = this.#sender;
    this.#isTurning = true;
    try {
      stopAll(this.#media);
      await this.#goOnWith(await openCamera(this.#facing, this.#quality.isAutomatic ? "high" : this.#quality.tier), sender);
      this.#silence.opened();
    } catch {
      // It is tried again until the silence is final.
    } finally {
      this.#isTurning = false;
    }
  }

  /** The other camera, or the one before where there is no other. */
  async #openOther() {
    const before = this.#facing;
    const other = before === "environment" ? "user" : "environment";
    try {
      const media = await openCamera(other, this.#quality.isAutomatic ? "high" : this.#quality.tier);
      this.#facing = other;
      return media;
    } catch {
      const media = await openCamera(before, "medium");
      toast(t("call.camera.other"), "bad");
      return media;
    }
  }

  async #light() {
    const button = find("#film-light");
    const media = this.#media;
    const isOn = button.getAttribute("aria-pressed") !== "true";
    try {
      await this.#track.applyConstraints({ advanced: [{ torch: isOn }] });
    } catch {
      return toast(t("call.camera.light"), "bad");
    }
    // It is of the camera that was asked.
    if (this.#media === media) button.setAttribute("aria-pressed", String(isOn));
  }

  // MARK: Sending

  #settings(how) {
    const { width = 640, height = 360, facingMode } = this.#track.getSettings();
    const size = this.#filming?.size ?? fitted(this.#quality.tier, width, height);
    const camera = facingMode ?? this.#facing;
    return {
      ...size, framesPerSecond: framesPerSecondMost, kilobitsPerSecond: this.#quality.kilobitsPerSecond, quality: this.#quality.tier,
      camera: camera === "user" ? "front" : "rear", codec: how.codec,
    };
  }

  #run(note, how, kept, left = []) {
    streamNotes.put(note);
    this.#note = note;
    this.#silence = new Silence();
    this.#sender = new Sender(this.#api, note.stream, () => this.#settings(how), kept, left, {
      onReady: () => this.#film(),
      onState: () => this.#look(),
      onNewPart: () => this.#filming?.newPart(),
      onStopped: (end) => {
        toast(t("call.video.ended"));
        streamNotes.remove(note.stream);
        this.#late.tell(end);
        this.#contact.refresh();
        this.#filming?.stop();
        this.#ended();
        this.#go.chat();
      },
      onFault: tellRefusal,
    });
    this.#timer = setInterval(() => this.#watch(), 1000);
    this.#stayAwake();
  }

  #film() {
    const sender = this.#sender;
    this.#filming = new Filming(this.#track, this.how, this.#quality, {
      // What the encoder still held when the stream was stopped belongs to that stream.
      onPart: () => sender?.beginPart(),
      onBytes: (bytes) => {
        this.#silence.end();
        sender?.push(bytes);
      },
      onFault: (error) => toast(t("call.camera.encode", { detail: error.message }), "bad"),
    });
  }

  /** The state for the caller, and the quality for the network. */
  #look() {
    const sender = this.#sender;
    if (!sender) return;
    if (sender.wantsNewPart) this.#filming?.newPart();
    const waiting = sender.keptSeconds;
    if (this.#filming && this.#silence.words) this.#state(this.#silence.words, this.#silence.isBegin ? "" : "bad");
    else if (!sender.isConnected) this.#state(t("call.film.waits", { time: span(waiting), most: keptSecondsMost }), "bad");
    else this.#state(waiting < 2 ? t("call.film.live") : t("call.film.late", { time: span(waiting) }), "live");
    find("#film-kept").hidden = sender.isConnected;
    find("#film-quality").textContent = `${this.#filming?.size.width ?? ""} × ${this.#filming?.size.height ?? ""}`;
    if (!sender.isConnected || !this.#filming) return;
    const change = this.#quality.look(performance.now() / 1000, { lag: sender.lag, isEncoderBehind: this.#filming.takeIsBehind() });
    if (change) this.#changed(change, "automatic");
  }

  #choose(choice) {
    keep.set("quality", choice);
    find("#quality").value = choice;
    if (!this.#quality) return;
    this.#quality.choose(choice);
    this.#changed("tier", "user");
  }

  #changed(change, cause) {
    if (change === "tier") this.#filming?.newPart();
    else this.#filming?.changeRate();
    this.#sender?.tellSettings(cause);
  }

  #state(text, kind) {
    const chip = find("#film-state");
    chip.textContent = text;
    chip.className = `chip ${kind}`;
  }

  #showUnread() {
    const badge = find("#unread");
    badge.hidden = this.#contact.unread === 0;
    badge.textContent = String(this.#contact.unread);
    badge.setAttribute("aria-label", t("call.unread", { count: this.#contact.unread }));
  }

  /** Who films sees there, too, that nobody looks just now. */
  #showLeft() {
    const words = leftWords(this.#contact.detail?.session);
    const place = find("#film-left");
    place.hidden = !words;
    if (place.textContent !== words) place.textContent = words;
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
    clearInterval(this.#timer);
    this.#sender = null;
    this.#note = null;
    this.#filming = null;
    this.#lock?.release();
    this.#lock = null;
    this.#release();
    if (this.#go.isShown("video")) this.#go.home();
  }

  #release() {
    stopAll(this.#media);
    this.#media = null;
    find("#preview").srcObject = null;
  }
}

function stopAll(media) {
  for (const track of media?.getTracks() ?? []) track.stop();
}
