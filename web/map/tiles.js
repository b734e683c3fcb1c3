// SPDX-License-Identifier: Apache-2.0
import { t } from "../core/i18n.js";
import { bearing, distance, length, wind } from "./geo.js";
import { readTile } from "./mvt.js";

const tilesKept = 128;
/** Where towns are looked for: a tile of this zoom is some 300 km wide at the equator. */
const townZoom = 7;
const townMost = 400_000; // metres

let sets;

/** The maps that the gateway has, the lowest first; none where it cannot be asked now. */
export function tileSets() {
  sets ??= fetch("/tiles").then(async (answer) => {
    if (!answer.ok) throw new Error(`the maps were answered with ${answer.status}`);
    return (await answer.json()).items.map((item) => new TileSource(item));
  }).catch((error) => {
    console.warn("the list of maps cannot be read", error);
    sets = undefined;
    return [];
  });
  return sets;
}

/** One map: its tiles, read as they are needed and kept for a while. */
export class TileSource {
  #kept = new Map();

  constructor(item) {
    this.item = item;
    this.isVector = item.format === "pbf";
  }

  covers({ latitude, longitude }) {
    const [west, south, east, north] = this.item.bounds;
    return latitude >= south && latitude <= north && longitude >= west && longitude <= east;
  }

  address(z, x, y) {
    return this.item.tiles[0].replace("{z}", z).replace("{x}", x).replace("{y}", y);
  }

  /** The tile of the file that a tile of any zoom is drawn from, and where in it that one lies. */
  native(z, x, y) {
    const steps = Math.max(0, z - this.item.maxzoom);
    const parts = 2 ** steps;
    return { z: z - steps, x: Math.floor(x / parts), y: Math.floor(y / parts), parts, right: x % parts, down: y % parts };
  }

  /** What a vector tile shows, by layer; `null` where there is nothing. */
  async tile(z, x, y) {
    const key = `${z}/${x}/${y}`;
    let found = this.#kept.get(key);
    if (found) this.#kept.delete(key);
    else {
      const one = { layers: null };
      one.promise = this.#load(z, x, y).then((layers) => (one.layers = layers), (error) => {
        console.warn("a tile cannot be read", error);
        // Not kept: it may be there the next time.
        this.#kept.delete(key);
        return null;
      });
      found = one;
    }
    // What was used last is forgotten last.
    this.#kept.set(key, found);
    if (this.#kept.size > tilesKept) this.#kept.delete(this.#kept.keys().next().value);
    return found.promise;
  }

  /** The same, if it is here already. */
  known(z, x, y) {
    return this.#kept.get(`${z}/${x}/${y}`)?.layers ?? null;
  }

  async #load(z, x, y) {
    const answer = await fetch(this.address(z, x, y));
    if (answer.status === 204 || answer.status === 404) return null;
    if (!answer.ok) throw new Error(`${answer.status} for a tile of ${this.item.set}`);
    return readTile(new Uint8Array(await answer.arrayBuffer()));
  }
}

/** The towns of a tile's `place` layer, with their coordinates. */
export function towns(layers, z, x, y) {
  const layer = layers?.place;
  return (layer?.features ?? []).filter((one) => one.type === 1 && one.properties.name).map((one) => {
    const scale = 2 ** z;
    const east = (x + one.parts[0][0] / layer.extent) / scale;
    const south = (y + one.parts[0][1] / layer.extent) / scale;
    return {
      longitude: east * 360 - 180,
      latitude: Math.atan(Math.sinh(Math.PI * (1 - 2 * south))) * 180 / Math.PI,
      name: one.properties["name:latin"] ?? one.properties.name, country: one.properties.country, rank: one.properties.rank ?? 5,
    };
  });
}

/** Where a place is, told from the nearest town that a map knows: `3 km north-east of Watford`; `null` without one. */
export async function nearestTown(fix) {
  let best = null;
  for (const source of (await tileSets()).filter((one) => one.isVector && one.covers(fix))) {
    const z = Math.min(townZoom, source.item.maxzoom);
    const side = 2 ** z;
    const column = Math.floor((fix.longitude / 360 + 0.5) * side);
    const sine = Math.sin(fix.latitude * Math.PI / 180);
    const row = Math.floor((0.5 - Math.atanh(sine) / (2 * Math.PI)) * side);
    const around = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => [(column + right + side) % side, row + down]))
      .filter(([, y]) => y >= 0 && y < side);
    const found = await Promise.all(around.map(async ([x, y]) => towns(await source.tile(z, x, y), z, x, y)));
    for (const town of found.flat()) {
      const metres = distance(town, fix);
      if (!best || metres < best.metres) best = { town, metres };
    }
  }
  if (!best || best.metres > townMost) return null;
  const name = [best.town.name, best.town.country].filter(Boolean).join(", ");
  return best.metres < 1000 ? t("map.town.in", { name }) : t(`map.town.${wind(bearing(best.town, fix))}`, { length: length(best.metres), name });
}
