// SPDX-License-Identifier: Apache-2.0
import { toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { Filming } from "../media/camera.js";
import { FrameRate } from "../media/frame-rate.js";
import { fitted } from "../media/quality.js";
import { Sender } from "../media/sender.js";
import { stopAll } from "./film-camera.js";
import { tellRefusal } from "./late-video.js";
import { Silence } from "./silence.js";
import { streamNotes } from "./stream-notes.js";

/** What a camera sees, filmed into one stream: as well as device and network can, over turns of the camera and breaks of the connection, until somebody stops it. */
export class Film {
  #api;
  #camera;
  #how;
  #quality;
  #late;
  #handlers;
  #filming = null;
  #sender = null;
  #note = null;
  /** How long the camera has given no picture. */
  #silence = new Silence();
  #isTurning = false;
  /** The pictures a second that the gateway was told last. */
  #toldRate = 0;
  #timer = 0;

  /**
   * @param {import("../core/api.js").API} api
   * @param {import("./film-camera.js").FilmCamera} camera Open; released at the end.
   * @param {{kind: string, codec: string, text?: string}} how
   * @param {import("../media/quality.js").QualityControl} quality
   * @param {import("./late-video.js").LateVideo} late Sends what is left at the end.
   * @param {{onLook: () => void, onCamera: () => void, onDark: () => void, onEnded: (end: {by?: string, reason?: string}) => void}} handlers `onLook` where something may have changed; `onCamera` where another
   *   camera is open, or none; `onDark` where there will be no more pictures, and somebody has to stop it; `onEnded` where the gateway ended it: who did, and why, where that is known.
   */
  constructor(api, camera, how, quality, late, handlers) {
    this.#api = api;
    this.#camera = camera;
    this.#how = how;
    this.#quality = quality;
    this.#late = late;
    this.#handlers = handlers;
  }

  get stream() {
    return this.#note?.stream ?? null;
  }

  get isConnected() {
    return this.#sender.isConnected;
  }

  /** How many seconds of what is filmed the centre has not yet, whether they wait here or are under way. */
  get behindSeconds() {
    return Math.max(this.#sender.keptSeconds, this.#sender.lag);
  }

  /** Nothing before the first bytes may come. */
  get silence() {
    return this.#filming && this.#silence;
  }

  get size() {
    return this.#filming?.picture ?? null;
  }

  /** What the gateway is told of the picture. */
  get settings() {
    return { ...(this.#filming?.picture ?? this.#pictureToCome), camera: this.#camera.name, torch: this.#camera.isLit, codec: this.#how.codec };
  }

  get #pictureToCome() {
    const { width = 640, height = 360, frameRate } = this.#camera.track.getSettings();
    const { tier, kilobitsPerSecond } = this.#quality;
    return { ...fitted(tier, width, height), quality: tier, kilobitsPerSecond, framesPerSecond: new FrameRate(frameRate).value };
  }

  /** Begins to send, or goes on with what a page before this one sent. @param {import("./stream-notes.js").Note} note */
  run(note, kept, left = []) {
    streamNotes.put(note);
    this.#note = note;
    this.#sender = new Sender(this.#api, note.stream, () => this.#toTell(), kept, left, {
      onReady: () => this.#film(),
      onState: () => this.#look(),
      onNewPart: () => this.#filming?.newPart(),
      onStopped: (end) => this.#stopped(end),
      onFault: tellRefusal,
    });
    this.#timer = setInterval(() => this.#second(), 1000);
  }

  /** Ends it: the camera is off at once; what is kept goes on being sent. */
  async stop(reason) {
    const sender = this.#sender;
    const { settings } = this;
    streamNotes.put({ ...this.#note, settings, reason });
    sender.settings = () => settings;
    const emptied = this.#filming?.stop();
    this.#end();
    await emptied;
    this.#late.take(sender, reason);
  }

  /** Nothing can be sent from here any more. */
  abandon() {
    this.#sender.abandon();
    streamNotes.remove(this.#note.stream);
    this.#end();
  }

  /** Turns to the other camera, one turn after the other; a new part begins. */
  async turn() {
    if (this.#isTurning || !this.#sender) return;
    this.#isTurning = true;
    const sender = this.#sender;
    try {
      this.#camera.stop();
      const { media, isOther } = await this.#camera.bringOther(this.#tierToOpen);
      if (!isOther) toast(t("call.camera.other"), "bad");
      await this.#goOnWith(media, sender);
      if (this.#sender !== sender) return;
      this.#keepNote({ facing: this.#camera.facing });
      this.tell("user");
    } catch {
      toast(t("call.camera.turn"), "bad");
    } finally {
      this.#isTurning = false;
    }
  }

  /** Another quality was chosen. @param {string} choice */
  choose(choice) {
    this.#quality.choose(choice);
    return this.#changed("tier", "user");
  }

  /** Tells what is so now. @param {"user" | "automatic"} cause */
  tell(cause) {
    this.#sender?.tellSettings(cause);
  }

  /** Somebody looks at the page again. */
  seen() {
    this.#silence.seen();
  }

  // MARK: The camera

  get #tierToOpen() {
    return this.#quality.isAutomatic ? "high" : this.#quality.tier;
  }

  /** Another camera, or the same opened anew, takes the place of the one that films. */
  async #goOnWith(media, sender) {
    // Stopped meanwhile: the camera that was just opened is not left on.
    if (this.#sender !== sender) return stopAll(media);
    this.#camera.take(media);
    this.#handlers.onCamera();
    // Before the first bytes may come, nothing films.
    if (!this.#filming) return;
    await this.#filming.stop();
    if (this.#sender !== sender) return;
    // Another camera is another network of choices: what was learnt of the last one does not count.
    this.#quality.choose(this.#quality.isAutomatic ? "automatic" : this.#quality.tier);
    this.#film();
  }

  /** A camera that gives nothing is opened anew; where that is in vain the film ends, and the centre reads why. */
  async #second() {
    if (this.#filming) this.#silence.second();
    this.#look();
    if (this.#silence.isFinal) return this.#handlers.onDark();
    const isGone = this.#camera.isGone || this.#silence.isLong;
    if (this.#filming && isGone && !this.#isTurning && document.visibilityState === "visible") await this.#openAnew();
  }

  async #openAnew() {
    const sender = this.#sender;
    this.#isTurning = true;
    try {
      this.#camera.stop();
      await this.#goOnWith(await this.#camera.bring(this.#tierToOpen), sender);
      this.#silence.opened();
    } catch {
      // It is tried again until the silence is final.
    } finally {
      this.#isTurning = false;
    }
  }

  // MARK: Sending

  #film() {
    const sender = this.#sender;
    this.#filming = new Filming(this.#camera.track, this.#how, this.#quality, {
      // What the encoder still held when the stream was stopped belongs to that stream.
      onPart: (ago) => {
        sender?.beginPart(ago);
        // Only now it is known what a recorder makes of the camera's picture.
        if (this.#how.kind === "recorder" && this.#sender === sender) this.tell("automatic");
      },
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
    this.#handlers.onLook();
    if (!sender.isConnected || !this.#filming) return;
    const change = this.#quality.look(performance.now() / 1000, { lag: sender.lag, isEncoderBehind: this.#filming.takeIsBehind() });
    if (change) this.#changed(change, "automatic");
    else if (this.#filming.hasOtherRate(this.#toldRate)) this.tell("automatic");
  }

  /** Another quality was chosen, or found. @param {"tier" | "rate"} change */
  async #changed(change, cause) {
    const sender = this.#sender;
    if (change === "tier") await this.#filming?.newPart();
    else this.#filming?.changeRate();
    if (this.#sender === sender) this.tell(cause);
  }

  /** A page that comes after this one and has no camera tells the same once more. */
  #toTell() {
    const { settings } = this;
    this.#toldRate = settings.framesPerSecond;
    this.#keepNote({ settings });
    return settings;
  }

  #keepNote(change) {
    this.#note = { ...this.#note, ...change };
    streamNotes.put(this.#note);
  }

  /** The gateway says that the stream is over. */
  #stopped(end) {
    streamNotes.remove(this.#note.stream);
    this.#late.tell(end);
    this.#filming?.stop();
    this.#end();
    this.#handlers.onEnded(end);
  }

  #end() {
    clearInterval(this.#timer);
    this.#sender = null;
    this.#filming = null;
    this.#camera.release();
    this.#handlers.onCamera();
  }
}
