// SPDX-License-Identifier: Apache-2.0
import { none } from "./list.js";

/** How long a picture may stand until the next one, before that is a gap; as `daybook timeline --frame` has it. */
const pictureStandsMilliseconds = 1_000;

/**
 * One stream as its recording was known: its state, what was archived when, and where there is no picture.
 *
 * @typedef {{first: number, last: number, at: number}} Chunk Its first and last picture in milliseconds of the recording, and when it was archived, in
 *   milliseconds of the ledger's time.
 * @typedef {ReturnType<typeof emptyStream>} Stream
 */
export function emptyStream(id) {
  return {
    id, session: null, state: "none", file: null, fileName: null, size: null, quality: null, camera: null, startedAt: null, stoppedAt: null,
    stopReason: null, durationMilliseconds: null, chunks: none, gaps: none, failure: null,
  };
}

/**
 * @param {Stream} stream
 * @param {import("./event.js").ModelEvent} event
 * @returns {Stream}
 */
export function applyToStream(stream, event) {
  return handlers[event.kind]?.(stream, event, event.says) ?? stream;
}

const handlers = {
  "stream.started": (stream, event, { session, size, quality, camera }) => {
    const file = event.file?.name ?? null;
    return { ...stream, session, size, quality, camera: camera ?? null, file, fileName: file?.split("/").at(-1) ?? null, state: "live", startedAt: event.time };
  },
  "stream.chunk_archived": archived,
  "stream.gap_detected": (stream, event, { fromMilliseconds, toMilliseconds, cause }) =>
    ({ ...stream, gaps: stream.gaps.push({ from: Number(fromMilliseconds), to: Number(toMilliseconds), cause }) }),
  "stream.quality_changed": (stream, event, { quality, size }) => ({ ...stream, quality, size }),
  "stream.camera_switched": (stream, event, { camera }) => ({ ...stream, camera }),
  "stream.interrupted": (stream) => entered(stream, "interrupted"),
  "stream.resumed": (stream) => entered(stream, "live"),
  "stream.stopped": (stream, event, { reason, durationMilliseconds }) =>
    ({ ...stream, state: "stopped", stoppedAt: event.time, stopReason: reason, durationMilliseconds: Number(durationMilliseconds) }),
  "stream.finalized": (stream, event) => ({ ...stream, state: "finalized", durationMilliseconds: event.file?.lastMilliseconds ?? stream.durationMilliseconds }),
  "stream.recording_failed": (stream, event, { reasonCode, text }) => ({ ...stream, failure: `${reasonCode}: ${text}` }),
};

function entered(stream, state) {
  return stream.state === "live" || stream.state === "interrupted" ? { ...stream, state } : stream;
}

function archived(stream, event) {
  const first = event.file?.firstMilliseconds ?? 0;
  const last = event.file?.lastMilliseconds ?? first;
  return { ...stream, chunks: stream.chunks.push({ first, last, at: event.at }) };
}

/** What was found of a stream, for it is asked about at every picture. @type {WeakMap<Stream, Placed[]>} */
const placed = new WeakMap();

/**
 * Of what moments the pictures are, piece by piece. The recording's own clock runs on while the network holds up what is filmed: so what came most promptly
 * tells best when all of it was filmed, and what came late stands where it was filmed, not where it came. What was sent in a hurry, as film from before the
 * stream began is, was there by the time it came, and tells nothing of the rest.
 *
 * @typedef {{first: number, last: number, from: number, to: number}} Placed In milliseconds of the recording, and of the ledger's time.
 * @param {Stream} stream
 * @returns {Placed[]}
 */
function places(stream) {
  const known = placed.get(stream);
  if (known) return known;
  const started = Date.parse(stream.startedAt);
  let prompt = Infinity;
  for (const { last, at } of stream.chunks) prompt = Math.min(prompt, at - last);
  const found = [];
  for (const { first, last, at } of stream.chunks) {
    const begins = prompt >= started ? prompt : Math.min(started, at - last);
    const from = Math.max(begins + first, found.at(-1)?.from ?? -Infinity);
    found.push({ first, last, from, to: Math.max(from, begins + last) });
  }
  placed.set(stream, found);
  return found;
}

/**
 * Which picture of a recording is that of a moment.
 * @param {Stream} stream
 * @param {number} at In milliseconds of the ledger's time.
 * @returns {{milliseconds: number, isGap: boolean} | null} The place in the recording; `isGap` where the newest picture is older than a picture stands.
 *   `null` before the first.
 */
export function pictureAt(stream, at) {
  const all = places(stream);
  // Each begins no earlier than the one before.
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (all[middle].from <= at) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return null;
  const found = all[low - 1];
  return { milliseconds: Math.min(Math.max(found.first, found.last - (found.to - at)), found.last), isGap: at > found.to + pictureStandsMilliseconds };
}

/** From when to when a recording has pictures, in milliseconds of the ledger's time, from when the stream is known on. @param {Stream} stream @returns {{from: number, to: number}[]} */
export function spans(stream) {
  const found = [];
  const started = Date.parse(stream.startedAt);
  for (const { from, to } of places(stream)) {
    const before = found[found.length - 1];
    if (before && from <= before.to + pictureStandsMilliseconds) before.to = Math.max(before.to, to);
    else found.push({ from: Math.max(started, from), to });
  }
  return found;
}
