// SPDX-License-Identifier: Apache-2.0
import { find, toast } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { span } from "../core/time.js";
import { KeptVideo } from "../media/kept.js";
import { Sender, keptBytesMost, keptSecondsMost } from "../media/sender.js";
import { keep } from "./keep.js";
import { streamNotes } from "./stream-notes.js";

/** So little is on its way at the end of any stream, and nobody need be told of it. */
const secondsUnsaid = 3;

/** What is still to be sent of streams that the caller has stopped: it is sent beside everything else, also after a reload, and a line on the page says so. */
export class LateVideo {
  #api;
  #onOver;
  #senders = new Set();
  #timer = 0;
  /** What was lost, in words, until the caller has read it. */
  #losses = [];

  /** @param {() => void} onOver A stream has ended. */
  constructor(api, onOver) {
    this.#api = api;
    this.#onOver = onOver;
    find("#late-done").onclick = () => {
      this.#losses = [];
      this.#look();
    };
  }

  /** Goes on with what pages before this one were told to send. */
  async start() {
    // Of whoever came by a link nothing is kept, and what is kept here is somebody else's.
    if (!keep.isByLink) KeptVideo.forgetOthers(() => streamNotes.all.map((note) => note.stream));
    for (const note of streamNotes.all) if (note.reason !== undefined) await this.send(note, keptVideo(note.stream));
  }

  /**
   * Sends what is kept of a stream that no camera goes on with, then ends it.
   * @param {import("./stream-notes.js").Note} note
   * @param {KeptVideo} kept
   */
  async send(note, kept) {
    // Another tab sends it.
    if (!(await kept.claim())) return;
    streamNotes.put(note);
    this.take(new Sender(this.#api, note.stream, () => note.settings, kept, await kept.read(), {}), note.reason);
  }

  /** Takes over a stream of which no more pictures come. */
  take(sender, reason) {
    sender.handlers = {
      onState: () => this.#look(),
      onStopped: (end) => {
        streamNotes.remove(sender.stream);
        this.#senders.delete(sender);
        this.tell(end);
        this.#onOver();
      },
      onFault: tellRefusal,
    };
    this.#senders.add(sender);
    sender.stop(reason);
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#look(), 1000);
  }

  /** Says what of a stream that is over did not reach the centre. */
  tell({ lostSeconds, unsentSeconds }) {
    if (lostSeconds >= secondsUnsaid) this.#losses.push(t("call.late.dropped", { time: span(lostSeconds), most: keptSecondsMost, megabytes: keptBytesMost >> 20 }));
    if (unsentSeconds >= secondsUnsaid) this.#losses.push(t("call.late.unsent", { time: span(unsentSeconds) }));
    this.#look();
  }

  /** Nothing can be sent from here any more. */
  abandon() {
    for (const sender of this.#senders) {
      sender.abandon();
      streamNotes.remove(sender.stream);
    }
    this.#senders.clear();
    this.#look();
  }

  #look() {
    if (this.#senders.size === 0) clearInterval(this.#timer);
    const senders = [...this.#senders];
    const seconds = senders.reduce((sum, sender) => sum + sender.keptSeconds, 0);
    const isAway = senders.some((sender) => !sender.isConnected);
    const isTold = isAway || seconds >= secondsUnsaid;
    say(find("#late-words"), [...this.#losses, isTold && t(isAway ? "call.late.away" : "call.late.sending")].filter(Boolean).join(" "));
    say(find("#late-seconds"), isTold ? span(seconds) : "");
    find("#late-done").hidden = this.#losses.length === 0;
    const line = find("#late");
    line.hidden = !isTold && this.#losses.length === 0;
    line.classList.toggle("warn", isAway || this.#losses.length > 0);
  }
}

/** What this device keeps of a stream: nothing behind the page's end where the caller came by a link, for the device may be borrowed. */
export function keptVideo(stream) {
  return new KeptVideo(stream, { isOnDevice: !keep.isByLink });
}

/** The centre does not take some of the video. */
export function tellRefusal(detail, seconds) {
  toast(seconds >= 1 ? t("call.late.refused", { time: span(seconds), detail }) : detail, "bad");
}

/** What stays the same is not read out again. */
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
