// SPDX-License-Identifier: Apache-2.0
import { clusterHead, pictureBlock, webmHead } from "./webm.js";
import { FrameRate } from "./frame-rate.js";
import { fitted, framesPerSecondMost, tierOf, tiers, within } from "./quality.js";

/** How often a key frame comes: the gateway ends a chunk with one, or after 700 ms, and a chunk that begins without one cannot be shown alone. */
const keyMilliseconds = 600;

const usualRate = { ideal: 25, max: framesPerSecondMost };

/** How this browser can make VP9 or VP8 of a camera's picture, best first; `null` if it cannot. */
export async function findEncoder() {
  if ("VideoEncoder" in window) {
    for (const [codec, text] of [["vp9", "vp09.00.31.08"], ["vp8", "vp8"]]) {
      const { supported } = await VideoEncoder.isConfigSupported({ codec: text, width: 640, height: 360, bitrate: 1_000_000, framerate: 15, latencyMode: "realtime" });
      if (supported) return { kind: "encoder", codec, text };
    }
  }
  for (const codec of ["vp9", "vp8"]) {
    if (window.MediaRecorder?.isTypeSupported(`video/webm;codecs=${codec}`)) return { kind: "recorder", codec };
  }
  return null;
}

/** Asks for a camera, without sound: the telephone call goes on beside it. */
export function openCamera(facing, tierName) {
  const { width, height } = tiers[tierName];
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: facing, width: { ideal: width }, height: { ideal: height }, frameRate: usualRate },
  });
}

/** Asks a camera for pictures that a tier has room for; what it gives then, its settings say. */
async function askFor(track, tierName) {
  const { width = 0, height = 0 } = track.getSettings();
  const [long, short] = [tiers[tierName].width, tiers[tierName].height];
  const atMost = (side) => ({ ideal: side, max: side });
  try {
    await track.applyConstraints({ width: atMost(height > width ? short : long), height: atMost(height > width ? long : short), frameRate: usualRate });
  } catch {
    // It gives what it gave.
  }
}

export async function cameraCount() {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter((device) => device.kind === "videoinput").length;
}

/** Makes bytes of WebM from a camera: `onPart` begins a part, whose first picture was taken so many milliseconds ago, `onBytes` has its next bytes. */
export class Filming {
  #encoder = null;
  #isRunning = true;
  #wantsPart = true;
  #partStart = 0;
  #clusterStart = null;
  #keyAt = -Infinity;
  #frameAt = -Infinity;
  #size = null;
  /** The camera's own picture. */
  #source = null;
  #dropped = 0;
  #rate;
  /** The recorder that is asked for. */
  #turn = null;

  /**
   * @param {MediaStreamTrack} track
   * @param {{kind: string, codec: string, text?: string}} how
   * @param {import("./quality.js").QualityControl} quality
   * @param {{onPart: (ago: number) => void, onBytes: (bytes: Uint8Array) => void, onFault: (error: any) => void}} handlers
   */
  constructor(track, how, quality, handlers) {
    this.track = track;
    this.how = how;
    this.quality = quality;
    this.handlers = handlers;
    this.#rate = new FrameRate(track.getSettings().frameRate);
    if (how.kind === "recorder") this.newPart();
    else if ("MediaStreamTrackProcessor" in window) this.#readFrames();
    else this.#watchFrames();
  }

  /** What the picture is like now: size, tier, bit rate and pictures a second. A recorder takes the camera's as it is, so that its size says which tier it is. */
  get picture() {
    const { width = 640, height = 360 } = this.#source ?? this.track.getSettings();
    const tier = this.how.kind === "recorder" ? tierOf(width, height) : this.quality.tier;
    return { ...fitted(tier, width, height), quality: tier, kilobitsPerSecond: within(tier, this.quality.kilobitsPerSecond), framesPerSecond: this.#rate.value };
  }

  /** Looks about once a second whether other pictures a second come than were told. @param {number} told */
  hasOtherRate(told) {
    return this.#rate.isOther(told);
  }

  /** Whether pictures had to be left out since this was last asked: the device is too slow for the size. */
  takeIsBehind() {
    const isBehind = this.#dropped > 5;
    this.#dropped = 0;
    return isBehind;
  }

  /** The next bytes begin a new part, with the quality of now. @returns {Promise<void>} When it is known what the picture will be like. */
  async newPart() {
    this.#wantsPart = true;
    if (this.how.kind === "recorder") await this.#record().catch(this.handlers.onFault);
  }

  /** The bit rate changed, nothing else. */
  changeRate() {
    if (this.#encoder?.state === "configured" && !this.#wantsPart) this.#configure();
  }

  async stop() {
    this.#isRunning = false;
    this.recorder?.state === "recording" && this.recorder.stop();
    if (this.#encoder?.state === "configured") {
      try {
        await this.#encoder.flush();
      } catch {
        // What the encoder still held is not worth an alarm: the stream ends here.
      }
      this.#encoder.close();
    }
  }

  // MARK: WebCodecs

  async #readFrames() {
    const reader = new window.MediaStreamTrackProcessor({ track: this.track, maxBufferSize: 2 }).readable.getReader();
    // Until the track ends, so that also the pictures that wait when filming stops are closed.
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (this.#isRunning) this.#encode(value);
      else value.close();
    }
  }

  #watchFrames() {
    const video = document.createElement("video");
    video.muted = true;
    video.playsInline = true;
    video.srcObject = new MediaStream([this.track]);
    video.play().catch(this.handlers.onFault);
    const take = (now) => {
      if (!this.#isRunning) return;
      if (video.videoWidth) this.#encode(new VideoFrame(video, { timestamp: Math.round(now * 1000) }));
      video.requestVideoFrameCallback(take);
    };
    video.requestVideoFrameCallback(take);
  }

  /** @param {VideoFrame} frame Closed here. */
  #encode(frame) {
    let stamped = null;
    try {
      // By the clock of the page: cameras disagree about theirs, and a new one begins at anything.
      const milliseconds = Math.round(performance.now());
      if (milliseconds - this.#frameAt < 1000 / framesPerSecondMost - 4) return;
      if ((this.#encoder?.encodeQueueSize ?? 0) > 3) {
        this.#dropped++;
        return;
      }
      this.#rate.picture(milliseconds);
      this.#source = { width: frame.displayWidth, height: frame.displayHeight };
      const { width, height } = this.picture;
      const size = { width, height };
      const isOther = !this.#size || size.width !== this.#size.width || size.height !== this.#size.height;
      if (isOther || this.#wantsPart) this.#beginPart(size, milliseconds);
      const isKey = milliseconds - this.#keyAt >= keyMilliseconds;
      if (isKey) this.#keyAt = milliseconds;
      this.#frameAt = milliseconds;
      stamped = new VideoFrame(frame, { timestamp: (milliseconds - this.#partStart) * 1000 });
      this.#encoder.encode(stamped, { keyFrame: isKey });
    } catch (error) {
      this.#isRunning = false;
      this.handlers.onFault(error);
    } finally {
      stamped?.close();
      frame.close();
    }
  }

  #beginPart(size, milliseconds) {
    this.#wantsPart = false;
    this.#size = size;
    this.#partStart = milliseconds;
    this.#keyAt = -Infinity;
    // Pictures of the part before are still in the old encoder; they are its part's last.
    const before = this.#encoder;
    const part = { head: webmHead({ ...size, codec: this.how.codec }), startedAt: milliseconds, hasBegun: false };
    this.#encoder = new VideoEncoder({
      output: (chunk) => this.#write(chunk, part),
      error: (error) => this.handlers.onFault(error),
    });
    this.#configure();
    if (before) {
      before.flush().catch(() => {
        // It failed already, and said so.
      }).finally(() => before.state !== "closed" && before.close());
    }
  }

  #configure() {
    this.#encoder.configure({
      codec: this.how.text, ...this.#size, bitrate: this.quality.kilobitsPerSecond * 1000, framerate: 25, latencyMode: "realtime",
    });
  }

  #write(chunk, part) {
    const isKey = chunk.type === "key";
    if (!part.hasBegun) {
      if (!isKey) return;
      part.hasBegun = true;
      this.current = part;
      this.handlers.onPart(performance.now() - part.startedAt - chunk.timestamp / 1000);
      this.handlers.onBytes(part.head);
      this.#clusterStart = null;
    } else if (part !== this.current) {
      // The new part has begun: what the old encoder still gives would stand in it.
      return;
    }
    const data = new Uint8Array(chunk.byteLength);
    chunk.copyTo(data);
    const milliseconds = Math.round(chunk.timestamp / 1000);
    if (isKey || this.#clusterStart === null) {
      this.#clusterStart = milliseconds;
      this.handlers.onBytes(clusterHead(milliseconds));
    }
    this.handlers.onBytes(pictureBlock(milliseconds - this.#clusterStart, isKey, data));
  }

  // MARK: MediaRecorder

  async #record() {
    const turn = (this.#turn = {});
    this.recorder?.state === "recording" && this.recorder.stop();
    await askFor(this.track, this.quality.tier);
    // Stopped meanwhile, or asked for another one.
    if (!this.#isRunning || this.#turn !== turn) return;
    this.#wantsPart = false;
    this.#rate = new FrameRate(this.track.getSettings().frameRate);
    const recorder = new MediaRecorder(new MediaStream([this.track]), {
      mimeType: `video/webm;codecs=${this.how.codec}`, videoBitsPerSecond: this.picture.kilobitsPerSecond * 1000, videoKeyFrameIntervalDuration: keyMilliseconds,
    });
    this.recorder = recorder;
    let hasBegun = false;
    // Blobs are read one after the other, or their bytes would change places.
    let read = Promise.resolve();
    recorder.ondataavailable = ({ data }) => {
      read = read.then(async () => {
        const bytes = new Uint8Array(await data.arrayBuffer());
        if (!bytes.length || (hasBegun && this.recorder !== recorder)) return;
        if (!hasBegun) {
          hasBegun = true;
          this.handlers.onPart(0);
        }
        this.handlers.onBytes(bytes);
      });
    };
    recorder.start(250);
  }
}
