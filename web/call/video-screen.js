// SPDX-License-Identifier: Apache-2.0
import { find, toast } from "../core/dom.js";
import { patience } from "../core/patience.js";
import { span } from "../core/time.js";
import { Filming, cameraCount, findEncoder, openCamera } from "../media/camera.js";
import { QualityControl, fitted, framesPerSecondMost } from "../media/quality.js";
import { Sender, keptSecondsMost } from "../media/sender.js";
import { leftWords } from "./contact.js";
import { keep } from "./keep.js";
import { LateVideo, keptVideo, tellRefusal } from "./late-video.js";
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
  #facing = "environment";
  #timer = 0;
  #lock = null;
  #isStarting = false;
  #isTurning = false;
  /** While a stream that ran when the page went away waits for the centre to tell of it. */
  #resumeTimer = 0;
  #resumeFailures = 0;

  constructor(api, contact, go) {
    this.#api = api;
    this.#contact = contact;
    this.#go = go;
    this.#late = new LateVideo(api);
    this.#late.start();
    find("#film-tier").onchange = (event) => this.#choose(event.target.value);
    find("#film-turn").onclick = () => this.#turn();
    find("#film-light").onclick = () => this.#light();
    contact.addEventListener("change", () => {
      this.#showUnread();
      this.#showLeft();
    });
    document.addEventListener("visibilitychange", () => this.#stayAwake());
  }

  get isRunning() {
    return this.#sender !== null;
  }

  /** Begins a stream in the session that is open. */
  async start() {
    if (this.isRunning) return this.#go.video();
    if (this.#isStarting) return;
    this.#isStarting = true;
    // The new one takes the place of one that would have gone on.
    this.#endLeft("the page went away");
    try {
      const how = await this.#open();
      if (!how) return;
      const { session } = this.#contact;
      await this.#contact.agree("video");
      const settings = this.#settings(how);
      const stream = await this.#api.post(`/v1/sessions/${session}/streams`, { ...settings, transport: "websocket" });
      const kept = keptVideo(stream.id);
      await kept.claim();
      this.#run({ session, stream: stream.id, facing: this.#facing, settings }, how, kept);
    } catch (error) {
      this.#release();
      this.#go.home();
      throw error;
    } finally {
      this.#isStarting = false;
    }
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
      const how = await this.#reopen(note);
      if (how) {
        await this.#contact.ensure();
        return this.#run(note, how, kept, await kept.read());
      }
    } catch (error) {
      kept.release();
      this.#release();
      if (this.#go.isShown("video")) this.#go.home();
      // What is refused stays so.
      if (error.status !== 403 && error.status !== 404) throw error;
    }
    kept.release();
    return this.#late.send({ ...note, reason: "the page went away" }, keptVideo(note.stream));
  }

  /** @returns How a stream is encoded from now on, or nothing where it cannot go on. */
  async #reopen({ session, stream, facing }) {
    if (this.isRunning || session !== this.#contact.session) return null;
    const { state } = await this.#api.get(`/v1/streams/${stream}`, { isLevel: false });
    if (state !== "live" && state !== "interrupted") return null;
    this.#facing = facing;
    return this.#open();
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
    if (!this.#sender) return;
    this.#sender.abandon();
    streamNotes.remove(this.#note.stream);
    this.#ended();
  }

  // MARK: The camera

  /** Opens the camera on the screen. @returns How it is encoded, or nothing where that cannot be. */
  async #open() {
    const how = await findEncoder();
    if (!how) {
      toast("This browser cannot send video. You can chat and send your place.", "bad");
      return null;
    }
    const choice = keep.get("quality") ?? "automatic";
    this.#quality = new QualityControl(choice);
    find("#film-tier").value = choice;
    try {
      this.#media = await openCamera(this.#facing, choice === "automatic" ? "high" : choice);
    } catch (error) {
      toast(error.name === "NotAllowedError" ? "Allow this page to use the camera, then try again." : "No camera can be used now.", "bad");
      return null;
    }
    const preview = find("#preview");
    preview.srcObject = this.#media;
    preview.play().catch(() => {
      // The preview is only for the caller's eye; the stream runs without it.
    });
    this.#go.video();
    this.#state("starting …", "");
    this.#showCameras();
    return how;
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
      toast("No camera can be used now. Turn it once more to try again.", "bad");
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
    this.#sender.tellSettings("user");
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
      toast("The other camera cannot be used now.", "bad");
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
      return toast("The light cannot be switched now.", "bad");
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
    this.how = how;
    this.#sender = new Sender(this.#api, note.stream, () => this.#settings(how), kept, left, {
      onReady: () => this.#film(),
      onState: () => this.#look(),
      onNewPart: () => this.#filming?.newPart(),
      onStopped: (end) => {
        toast("The video has ended.");
        streamNotes.remove(note.stream);
        this.#late.tell(end);
        this.#filming?.stop();
        this.#ended();
        this.#go.chat();
      },
      onFault: tellRefusal,
    });
    this.#timer = setInterval(() => this.#look(), 1000);
    this.#stayAwake();
  }

  #film() {
    const sender = this.#sender;
    this.#filming = new Filming(this.#track, this.how, this.#quality, {
      // What the encoder still held when the stream was stopped belongs to that stream.
      onPart: () => sender?.beginPart(),
      onBytes: (bytes) => sender?.push(bytes),
      onFault: (error) => toast(`The camera's picture cannot be encoded: ${error.message}`, "bad"),
    });
  }

  /** Once a second: the state for the caller, and the quality for the network. */
  #look() {
    const sender = this.#sender;
    if (!sender) return;
    if (sender.wantsNewPart) this.#filming?.newPart();
    const waiting = sender.keptSeconds;
    if (!sender.isConnected) this.#state(`No connection · kept ${span(waiting)} of ${keptSecondsMost} s`, "bad");
    else this.#state(waiting < 2 ? "LIVE" : `LIVE · ${span(waiting)} kept are being sent`, "live");
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
    badge.setAttribute("aria-label", `${this.#contact.unread} unread`);
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
