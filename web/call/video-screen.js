// SPDX-License-Identifier: Apache-2.0
import { find, toast } from "../core/dom.js";
import { span } from "../core/time.js";
import { Filming, cameraCount, findEncoder, openCamera } from "../media/camera.js";
import { QualityControl, fitted, framesPerSecondMost } from "../media/quality.js";
import { KeptVideo } from "../media/kept.js";
import { Sender, keptSecondsMost } from "../media/sender.js";
import { keep } from "./keep.js";

/** Where the stream that runs is noted, so that it goes on after a reload. */
const storeKey = "stream";

/** The caller's video: camera, sender, and what the caller may do with them. */
export class VideoScreen {
  #api;
  #contact;
  #go;
  #media = null;
  #filming = null;
  #sender = null;
  #quality = null;
  #facing = "environment";
  #timer = 0;
  #lock = null;
  #isStarting = false;

  constructor(api, contact, go) {
    this.#api = api;
    this.#contact = contact;
    this.#go = go;
    find("#film-tier").onchange = (event) => this.#choose(event.target.value);
    find("#film-turn").onclick = () => this.#turn();
    find("#film-light").onclick = () => this.#light();
    contact.addEventListener("change", () => this.#showUnread());
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
    try {
      const how = await this.#open();
      if (!how) return;
      const { session } = this.#contact;
      await this.#contact.agree("video");
      const settings = this.#settings(how);
      const stream = await this.#api.post(`/v1/sessions/${session}/streams`, { ...settings, transport: "websocket" });
      keep.set(storeKey, JSON.stringify({ session, stream: stream.id, facing: this.#facing }));
      this.#run(stream.id, how, new KeptVideo(stream.id));
    } catch (error) {
      this.#release();
      this.#go.home();
      throw error;
    } finally {
      this.#isStarting = false;
    }
  }

  /** Goes on with the stream that ran when the page went away. @returns {Promise<boolean>} Whether it does. */
  async resume() {
    const noted = JSON.parse(keep.get(storeKey) ?? "null");
    if (this.isRunning) return false;
    if (!noted) KeptVideo.forgetAll();
    if (!noted) return false;
    if (noted.session === this.#contact.session) {
      const { state } = await this.#api.get(`/v1/streams/${noted.stream}`, { isLevel: false });
      this.#facing = noted.facing;
      if (state === "live" || state === "interrupted") {
        const how = await this.#open();
        if (!how) return false;
        await this.#contact.ensure();
        const kept = new KeptVideo(noted.stream);
        this.#run(noted.stream, how, kept, await kept.read());
        return true;
      }
    }
    KeptVideo.forgetAll();
    keep.remove(storeKey);
    return false;
  }

  /** Ends the stream. */
  async stop(reason) {
    const sender = this.#sender;
    if (!sender) return;
    find("#film-state").textContent = "finishing …";
    await this.#filming?.stop();
    try {
      await sender.stop(reason);
    } catch (error) {
      toast(error.message, "bad");
    }
    this.#ended();
  }

  abandon() {
    this.#sender?.abandon();
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
    find("#film-turn").hidden = (await cameraCount()) < 2;
    find("#film-light").hidden = !this.#track?.getCapabilities?.().torch;
  }

  /** Turns to the other camera; a new part begins. */
  async #turn() {
    const before = this.#facing;
    this.#facing = before === "environment" ? "user" : "environment";
    const old = this.#media;
    // Many phones open one camera at a time.
    for (const track of old.getTracks()) track.stop();
    try {
      this.#media = await openCamera(this.#facing, this.#quality.isAutomatic ? "high" : this.#quality.tier);
    } catch {
      this.#facing = before;
      this.#media = await openCamera(before, "medium");
      toast("The other camera cannot be used now.", "bad");
    }
    find("#preview").srcObject = this.#media;
    await this.#filming.stop();
    // Another camera is another network of choices: what was learnt of the last one does not count.
    this.#quality.choose(find("#film-tier").value);
    this.#film();
    this.#sender.tellSettings("user");
    this.#showCameras();
  }

  async #light() {
    const button = find("#film-light");
    const isOn = button.getAttribute("aria-pressed") !== "true";
    await this.#track.applyConstraints({ advanced: [{ torch: isOn }] });
    button.setAttribute("aria-pressed", String(isOn));
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

  #run(stream, how, kept, left = []) {
    this.how = how;
    this.#sender = new Sender(this.#api, stream, () => this.#settings(how), kept, left, {
      onReady: () => this.#film(),
      onState: () => this.#look(),
      onNewPart: () => this.#filming?.newPart(),
      onStopped: () => {
        toast("The video has ended.");
        this.#filming?.stop();
        this.#ended();
        this.#go.chat();
      },
      onFault: (text) => toast(text, "bad"),
    });
    this.#timer = setInterval(() => this.#look(), 1000);
    this.#stayAwake();
  }

  #film() {
    this.#filming = new Filming(this.#track, this.how, this.#quality, {
      onPart: () => this.#sender?.beginPart(),
      onBytes: (bytes) => this.#sender?.push(bytes),
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
    keep.remove(storeKey);
    this.#sender = null;
    this.#filming = null;
    this.#lock?.release();
    this.#lock = null;
    this.#release();
    if (this.#go.isShown("video")) this.#go.home();
  }

  #release() {
    for (const track of this.#media?.getTracks() ?? []) track.stop();
    this.#media = null;
    find("#preview").srcObject = null;
  }
}
