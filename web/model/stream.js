// SPDX-License-Identifier: Apache-2.0
import { none } from "./list.js";

/** How long a picture may stand until the next one, before that is a gap; as `daybook timeline --frame` has it. */
const pictureStandsMilliseconds = 1_000;

/**
 * One stream as its recording was known: its state, what was archived when, and where there is no picture.
 *
 * @typedef {{first: number, last: number, begins: number, at: number}} Chunk Its first and last picture in milliseconds of the recording, and from when to
 *   when these are the pictures of the moment, in milliseconds of the ledger's time.
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
  "stream.chunk_archived": (stream, event) => ({ ...stream, chunks: stream.chunks.push(chunk(event, stream.chunks.at(-1))) }),
  "stream.gap_detected": (stream, event, { fromMilliseconds, toMilliseconds, cause }) =>
    ({ ...stream, gaps: stream.gaps.push({ from: Number(fromMilliseconds), to: Number(toMilliseconds), cause }) }),
  "stream.quality_changed": (stream, event, { quality, size }) => ({ ...stream, quality, size }),
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

/** @returns {Chunk} */
function chunk(event, before) {
  const first = event.file?.firstMilliseconds ?? 0;
  const last = event.file?.lastMilliseconds ?? first;
  let begins = event.at - (last - first);
  // The network may have held up what was filmed without a break.
  if (before && first - before.last <= pictureStandsMilliseconds) begins = Math.min(begins, before.at);
  // What came in a hurry was not filmed before what came ahead of it.
  if (before) begins = Math.max(begins, before.begins);
  return { first, last, begins, at: event.at };
}

/**
 * Which picture of a recording is that of a moment.
 * @param {Stream} stream
 * @param {number} at In milliseconds of the ledger's time.
 * @returns {{milliseconds: number, isGap: boolean} | null} The place in the recording; `isGap` where the newest picture is older than a picture stands.
 *   `null` before the first.
 */
export function pictureAt(stream, at) {
  const place = stream.chunks.lastWhere((one) => one.begins <= at);
  if (place < 0) return null;
  const found = stream.chunks.at(place);
  const milliseconds = Math.min(Math.max(found.first, found.last - (found.at - at)), found.last);
  return { milliseconds, isGap: at > found.at + pictureStandsMilliseconds };
}

/** From when to when a recording has pictures, in milliseconds of the ledger's time. @param {Stream} stream @returns {{from: number, to: number}[]} */
export function spans(stream) {
  const found = [];
  // What was sent faster than it was filmed would seem to have begun before its stream.
  const first = Date.parse(stream.startedAt);
  for (const one of stream.chunks) {
    const last = found[found.length - 1];
    if (last && one.begins <= last.to + pictureStandsMilliseconds) last.to = Math.max(last.to, one.at);
    else found.push({ from: Math.max(first, one.begins), to: one.at });
  }
  return found;
}
