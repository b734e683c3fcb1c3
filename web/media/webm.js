// SPDX-License-Identifier: Apache-2.0
/**
 * Writing WebM (RFC 8794, RFC 9559) piece by piece as pictures come: one video track, clusters of unknown size, a SimpleBlock a
 * picture; and reading the gateway's, for the players of pages. Pure functions from values to bytes.
 */

const element = {
  ebml: 0x1a45dfa3, version: 0x4286, readVersion: 0x42f7, maxIDLength: 0x42f2, maxSizeLength: 0x42f3, docType: 0x4282,
  docTypeVersion: 0x4287, docTypeReadVersion: 0x4285, segment: 0x18538067, info: 0x1549a966, timestampScale: 0x2ad7b1,
  muxer: 0x4d80, writer: 0x5741, tracks: 0x1654ae6b, track: 0xae, number: 0xd7, uid: 0x73c5, type: 0x83, lacing: 0x9c,
  codec: 0x86, video: 0xe0, width: 0xb0, height: 0xba, cluster: 0x1f43b675, timestamp: 0xe7, simpleBlock: 0xa3,
  blockGroup: 0xa0, block: 0xa1, blockDuration: 0x9b, referenceBlock: 0xfb,
};
/** Times in a cluster are of 16 bits; in milliseconds. */
const clusterMillisecondsMost = 30_000;
/** A picture lasts until the next one, unless that comes so much later; then as long as usual. */
const pictureLastsMost = 1000;
const pictureLastsUsually = 40;
const unknownSize = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];

/** The head of a file: everything before its first cluster. */
export function webmHead({ width, height, codec }) {
  const ebml = master(element.ebml, [
    number(element.version, 1), number(element.readVersion, 1), number(element.maxIDLength, 4), number(element.maxSizeLength, 8),
    text(element.docType, "webm"), number(element.docTypeVersion, 4), number(element.docTypeReadVersion, 2),
  ]);
  const info = master(element.info, [number(element.timestampScale, 1_000_000), text(element.muxer, "Daybook"), text(element.writer, "Daybook")]);
  const video = master(element.video, [number(element.width, width), number(element.height, height)]);
  const track = master(element.track, [
    number(element.number, 1), number(element.uid, 1), number(element.type, 1), number(element.lacing, 0),
    text(element.codec, codec === "vp8" ? "V_VP8" : "V_VP9"), video,
  ]);
  return joined([ebml, bytesOf(element.segment), unknownSize, info, master(element.tracks, [track])]);
}

/** The beginning of a cluster; pictures follow until the next one. */
export function clusterHead(milliseconds) {
  return joined([bytesOf(element.cluster), unknownSize, number(element.timestamp, milliseconds)]);
}

/**
 * One picture.
 * @param {number} after Milliseconds since the beginning of its cluster, at most 32,767.
 */
export function pictureBlock(after, isKey, data) {
  return joined([bytesOf(element.simpleBlock), size(data.length + 4), blockHead(after, isKey ? 0x80 : 0), data]);
}

function blockHead(after, flags) {
  return [0x81, (after >> 8) & 0xff, after & 0xff, flags];
}

/**
 * The pictures of clusters that the gateway sent, with or without a head before them.
 * @returns {{milliseconds: number, isKey: boolean, data: Uint8Array}[]}
 */
export function picturesIn(bytes) {
  const pictures = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let begin = 0;
  for (const { id, body, end } of elementsOf(bytes)) {
    if (id === element.timestamp) begin = valueOf(bytes.subarray(body, end));
    else if (id === element.simpleBlock) {
      pictures.push({ milliseconds: begin + view.getInt16(body + 1), isKey: (bytes[body + 3] & 0x80) !== 0, data: bytes.subarray(body + 4, end) });
    }
  }
  return pictures;
}

/** What stands before the first cluster. */
export function headIn(bytes) {
  for (const { id, at } of elementsOf(bytes)) if (id === element.cluster) return bytes.subarray(0, at);
  return bytes;
}

/**
 * Clusters whose pictures say how long they last: until the next one.
 * @param {number} until When the last one ends, in milliseconds.
 * @param {number} [lastsMost] A picture that would last so long lasts as long as usual, in milliseconds.
 */
export function timedClusters(pictures, until, lastsMost = pictureLastsMost) {
  const blocks = [];
  let begin = -Infinity;
  pictures.forEach(({ milliseconds, isKey, data }, index) => {
    // In a cluster time does not go back; what came late to a recording is earlier than what it follows.
    if (milliseconds - begin > clusterMillisecondsMost || milliseconds < pictures[index - 1]?.milliseconds) {
      begin = milliseconds;
      blocks.push(clusterHead(begin));
    }
    const lasts = (pictures[index + 1]?.milliseconds ?? until) - milliseconds;
    const block = [bytesOf(element.block), size(data.length + 4), blockHead(milliseconds - begin, 0), data];
    const known = number(element.blockDuration, lasts > 0 && lasts < lastsMost ? lasts : pictureLastsUsually);
    // A block in a group is a key frame unless it names another that it needs.
    const needs = isKey ? [] : [bytesOf(element.referenceBlock), size(1), [0xff]];
    const length = [...block, known, ...needs].reduce((sum, part) => sum + part.length, 0);
    blocks.push(bytesOf(element.blockGroup), size(length), ...block, known, ...needs);
  });
  return joined(blocks);
}

/** What stands in bytes of WebM, element by element; what segments and clusters hold comes after them. */
function* elementsOf(bytes) {
  for (let at = 0; at < bytes.length;) {
    const length = lengthOf(bytes[at]);
    const id = valueOf(bytes.subarray(at, at + length));
    const from = at + length;
    const body = from + lengthOf(bytes[from]);
    const isOpen = id === element.segment || id === element.cluster;
    const end = isOpen ? body : body + valueOf([bytes[from] & (0xff >> (body - from)), ...bytes.subarray(from + 1, body)]);
    yield { id, at, body, end };
    at = end;
  }
}

/** How many bytes a name or a size takes, by its first. */
function lengthOf(first) {
  return Math.clz32(first << 24) + 1;
}

function valueOf(digits) {
  return digits.reduce((value, digit) => value * 256 + digit, 0);
}

function bytesOf(value) {
  const bytes = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return bytes.length ? bytes : [0];
}

/** A length, in as few bytes as hold it; all ones would mean "unknown". */
function size(length) {
  for (let count = 1; count <= 8; count++) {
    if (length < 2 ** (7 * count) - 1) {
      const bytes = bytesOf(length);
      while (bytes.length < count) bytes.unshift(0);
      bytes[0] |= 0x80 >> (count - 1);
      return bytes;
    }
  }
  throw new RangeError("longer than WebM can say");
}

function number(id, value) {
  const bytes = bytesOf(value);
  return joined([bytesOf(id), size(bytes.length), bytes]);
}

function text(id, value) {
  const bytes = new TextEncoder().encode(value);
  return joined([bytesOf(id), size(bytes.length), bytes]);
}

function master(id, children) {
  const body = joined(children);
  return joined([bytesOf(id), size(body.length), body]);
}

/** @param {(Uint8Array | number[])[]} parts */
function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
