// SPDX-License-Identifier: Apache-2.0
/** Reads vector tiles (Mapbox Vector Tile 2.1): what they show, by layer. */

const text = new TextDecoder();

/** Walks the fields of one protocol buffer message. */
class Message {
  constructor(bytes, from = 0, to = bytes.length) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = from;
    this.to = to;
  }

  varint() {
    let value = 0;
    let scale = 1;
    for (;;) {
      if (this.at >= this.to) throw new RangeError("a vector tile is torn");
      const byte = this.bytes[this.at++];
      // Beyond 32 bits shifting would wrap; nothing here is larger than what a double holds.
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  }

  /** Calls `take(field, value)` for each field: a number, or a message or text still as bytes. */
  fields(take) {
    while (this.at < this.to) {
      const key = this.varint();
      const field = Math.floor(key / 8);
      switch (key & 7) {
        case 0: take(field, this.varint()); break;
        case 1: take(field, this.#skip(8)); break;
        case 2: {
          const length = this.varint();
          const from = this.#skip(length);
          take(field, new Message(this.bytes, from, from + length));
          break;
        }
        case 5: take(field, this.#skip(4)); break;
        default: throw new RangeError("a vector tile has a field of no known kind");
      }
    }
  }

  #skip(length) {
    const from = this.at;
    this.at += length;
    if (this.at > this.to) throw new RangeError("a vector tile is torn");
    return from;
  }

  text() {
    return text.decode(this.bytes.subarray(this.at, this.to));
  }

  integers() {
    const found = [];
    while (this.at < this.to) found.push(this.varint());
    return found;
  }
}

/**
 * @param {Uint8Array} bytes A tile, not compressed.
 * @returns {Record<string, {extent: number, features: {id: number, type: number, properties: Record<string, any>, parts: Int32Array[]}[]}>}
 *   `type` is 1 for points, 2 for lines, 3 for polygons; a part is x, y, x, y, …
 */
export function readTile(bytes) {
  const layers = {};
  new Message(bytes).fields((field, layer) => {
    if (field === 3) Object.assign(layers, readLayer(layer));
  });
  return layers;
}

function readLayer(message) {
  let name = "";
  let extent = 4096;
  const keys = [];
  const values = [];
  const raw = [];
  message.fields((field, value) => {
    if (field === 1) name = value.text();
    else if (field === 2) raw.push(value);
    else if (field === 3) keys.push(value.text());
    else if (field === 4) values.push(readValue(value));
    else if (field === 5) extent = value;
  });
  return { [name]: { extent, features: raw.map((feature) => readFeature(feature, keys, values)) } };
}

function readValue(message) {
  let found = null;
  message.fields((field, value) => {
    if (field === 1) found = value.text();
    else if (field === 2) found = message.view.getFloat32(value, true);
    else if (field === 3) found = message.view.getFloat64(value, true);
    else if (field === 4 || field === 5) found = value;
    else if (field === 6) found = value % 2 ? -(value + 1) / 2 : value / 2;
    else if (field === 7) found = value === 1;
  });
  return found;
}

function readFeature(message, keys, values) {
  const feature = { id: 0, type: 0, properties: {}, parts: [] };
  message.fields((field, value) => {
    if (field === 1) feature.id = value;
    else if (field === 2) {
      const tags = value.integers();
      for (let at = 0; at + 1 < tags.length; at += 2) feature.properties[keys[tags[at]]] = values[tags[at + 1]];
    } else if (field === 3) feature.type = value;
    else if (field === 4) feature.parts = readGeometry(value.integers());
  });
  return feature;
}

function readGeometry(commands) {
  const parts = [];
  let part = [];
  let x = 0;
  let y = 0;
  for (let at = 0; at < commands.length;) {
    const command = commands[at++];
    const count = Math.floor(command / 8);
    if ((command & 7) === 7) continue; // closes a ring
    if (at + 2 * count > commands.length) throw new RangeError("a vector tile has a torn shape");
    if ((command & 7) === 2 && !parts.length) throw new RangeError("a vector tile has a line from nowhere");
    for (let step = 0; step < count; step++) {
      if ((command & 7) === 1) {
        part = [];
        parts.push(part);
      }
      x += unzigzag(commands[at++]);
      y += unzigzag(commands[at++]);
      part.push(x, y);
    }
  }
  return parts.map((one) => Int32Array.from(one));
}

function unzigzag(value) {
  return (value >>> 1) ^ -(value & 1);
}
