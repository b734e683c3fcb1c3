// SPDX-License-Identifier: Apache-2.0
/**
 * Reads QR codes from the camera at the back of a device: pictures go to a worker, one at a time, and to the browser's own reader where it has one for QR codes.
 */

/** Pictures are made so wide at most before they are read. */
const widthMost = 640;
/** Where a browser does not say when a picture comes, so often one is taken. */
const pauseMilliseconds = 120;
/** A worker that has not answered by now does not answer. */
const readMost = 5000;

/** @typedef {"refused" | "missing" | "busy" | "reader"} Fault `refused`: nobody allowed the camera; `missing`: there is none; `busy`: it cannot be had now; `reader`: nothing here reads codes. */

/** @type {Record<string, Fault>} */
const faults = { NotAllowedError: "refused", SecurityError: "refused", NotFoundError: "missing", OverconstrainedError: "missing", TypeError: "missing" };

/** Why a camera did not open. @param {any} error Of `getUserMedia`. @returns {Fault} */
export const faultOf = (error) => faults[error?.name] ?? "busy";

/** The size of a picture as it is read. @param {number} width @param {number} height */
export function readSize(width, height) {
  const factor = Math.min(1, widthMost / width);
  return { width: Math.round(width * factor), height: Math.round(height * factor) };
}

export class QRScanner {
  #worker;
  #detector = null;
  #canvas = document.createElement("canvas");
  /** Of the picture that is being read. @type {((text: string | null) => void) | null} */
  #answer = null;
  /** @type {Promise<string | null>} */
  #reading = Promise.resolve(null);
  #isWorkerGone = false;
  /** Reads in the page itself, where no worker does. @type {Promise<((pixels: ArrayBuffer, width: number, height: number) => string | null) | null>} */
  #inPage = Promise.resolve(null);
  /** @type {MediaStream | null} */
  #stream = null;
  /** The scan that goes on; one that was stopped while its camera opened is another. */
  #turn = 0;

  /** The worker is loaded now, so that codes are read without a network later. */
  constructor() {
    this.#worker = new Worker("/web/media/qr-worker.js", { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#answer?.(data.text ?? null);
    // Browsers of four years ago run no modules in workers.
    this.#worker.onerror = () => this.#lose();
    this.#findDetector();
  }

  /** Whether this browser gives pages a camera at all: only over HTTPS. */
  get isPossible() {
    return Boolean(navigator.mediaDevices?.getUserMedia);
  }

  async #findDetector() {
    try {
      const { BarcodeDetector } = globalThis;
      if ((await BarcodeDetector?.getSupportedFormats())?.includes("qr_code")) this.#detector = new BarcodeDetector({ formats: ["qr_code"] });
    } catch {
      // The worker reads them.
    }
  }

  /**
   * Opens the camera and reads what it shows, until it is stopped.
   * @param {HTMLVideoElement} video Shows what the camera sees.
   * @param {{onText: (text: string) => void, onFault: (fault: Fault) => void}} told `onText` is told each reading, also of the same code again.
   */
  async start(video, told) {
    const turn = ++this.#turn;
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: { ideal: "environment" }, width: { ideal: 1280 }, height: { ideal: 720 } } });
      if (turn !== this.#turn) return stop(stream);
      this.#stream = stream;
      this.#track.addEventListener("ended", () => turn === this.#turn && told.onFault("busy"));
      video.srcObject = stream;
      await video.play();
    } catch (error) {
      if (turn === this.#turn) told.onFault(faultOf(error));
      return;
    }
    this.#read(video, turn, told);
  }

  stop() {
    this.#turn++;
    if (this.#stream) stop(this.#stream);
    this.#stream = null;
  }

  get #track() {
    return this.#stream?.getVideoTracks()[0];
  }

  /** Whether the camera that is open has a light. */
  get hasTorch() {
    return Boolean(this.#track?.getCapabilities?.().torch);
  }

  /** @param {boolean} isOn @returns {Promise<boolean>} Whether the light is on now. */
  async light(isOn) {
    try {
      await this.#track?.applyConstraints({ advanced: [/** @type {any} */ ({ torch: isOn })] });
      return isOn;
    } catch {
      return !isOn;
    }
  }

  async #read(video, turn, told) {
    for (;;) {
      await nextPicture(video);
      if (turn !== this.#turn) return;
      const text = video.videoWidth ? await this.#textIn(video) : null;
      if (turn !== this.#turn) return;
      if (text) told.onText(text);
      else if (this.#isWorkerGone && !this.#detector && !(await this.#inPage)) return told.onFault("reader");
    }
  }

  async #textIn(video) {
    const { width, height } = Object.assign(this.#canvas, readSize(video.videoWidth, video.videoHeight));
    const drawing = this.#canvas.getContext("2d", { willReadFrequently: true });
    drawing.drawImage(video, 0, 0, width, height);
    return (await this.#detected()) ?? this.#readByWorker(drawing.getImageData(0, 0, width, height).data.buffer, width, height);
  }

  async #detected() {
    try {
      return (await this.#detector?.detect(this.#canvas))?.[0]?.rawValue || null;
    } catch {
      // One that lists the format and cannot read it is asked no more.
      this.#detector = null;
      return null;
    }
  }

  /** One picture at a time: an answer does not say which one it is of. */
  #readByWorker(pixels, width, height) {
    return (this.#reading = this.#reading.then(() => this.#ask(pixels, width, height)));
  }

  async #ask(pixels, width, height) {
    if (this.#isWorkerGone) return (await this.#inPage)?.(pixels, width, height) ?? null;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#lose(), readMost);
      this.#answer = (text) => {
        clearTimeout(timer);
        this.#answer = null;
        resolve(text);
      };
      this.#worker.postMessage({ pixels, width, height }, [pixels]);
    });
  }

  #lose() {
    if (this.#isWorkerGone) return;
    this.#isWorkerGone = true;
    this.#inPage = readerInPage();
    this.#answer?.(null);
  }
}

/** The worker's reader, in the page, where it may take less time; `null` where it cannot be loaded. */
async function readerInPage() {
  try {
    const [{ readQR }, { lumaOf }] = await Promise.all([import("../core/qr-read.js"), import("../core/qr-light.js")]);
    return (pixels, width, height) => readQR(lumaOf(new Uint8ClampedArray(pixels), width, height));
  } catch {
    return null;
  }
}

function stop(stream) {
  for (const track of stream.getTracks()) track.stop();
}

/** Done when the camera has shown another picture, or should have. */
function nextPicture(video) {
  return new Promise((resolve) => {
    setTimeout(resolve, pauseMilliseconds);
    video.requestVideoFrameCallback?.(resolve);
  });
}
