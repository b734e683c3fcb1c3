// SPDX-License-Identifier: Apache-2.0
import { drawTile } from "./draw.js";
import { towns } from "./tiles.js";

/**
 * A layer of vector tiles, drawn on canvases; finer than its tiles, parts of them are drawn larger.
 * @param {any} L Leaflet.
 * @param {import("./tiles.js").TileSource} source
 * @param {{isBase: boolean}} options The lowest map has the sea for its ground.
 */
export function vectorLayer(L, source, { isBase }) {
  const Layer = L.GridLayer.extend({
    createTile(place, done) {
      const size = this.getTileSize().x;
      const ratio = Math.min(2, devicePixelRatio || 1);
      const canvas = L.DomUtil.create("canvas", "tile");
      canvas.width = canvas.height = Math.round(size * ratio);
      const at = source.native(place.z, place.x, place.y);
      source.tile(at.z, at.x, at.y).then((layers) => {
        const pen = canvas.getContext("2d");
        drawTile(pen, layers ?? {}, { at, size: size * ratio, ratio, zoom: place.z, isBase });
        done(null, canvas);
      }).catch((error) => done(error, canvas));
      return canvas;
    },
  });
  return new Layer({ minZoom: source.item.minzoom, maxZoom: 19, keepBuffer: 1, bounds: isBase ? undefined : boundsOf(L, source) });
}

/** A layer of pictures. */
export function rasterLayer(L, source) {
  return L.tileLayer(source.address("{z}", "{x}", "{y}"), {
    minZoom: source.item.minzoom, maxNativeZoom: source.item.maxzoom, maxZoom: 19, keepBuffer: 1, bounds: boundsOf(L, source),
  });
}

function boundsOf(L, source) {
  const [west, south, east, north] = source.item.bounds;
  return L.latLngBounds([south, west], [north, east]);
}

/** The towns in a view, of the tiles that are here, the largest first. */
export function namesIn(source, bounds, zoom) {
  const z = Math.max(source.item.minzoom, Math.min(source.item.maxzoom, Math.round(zoom)));
  const side = 2 ** z;
  const column = (longitude) => Math.floor((longitude / 360 + 0.5) * side);
  const row = (latitude) => Math.floor((0.5 - Math.atanh(Math.sin(latitude * Math.PI / 180)) / (2 * Math.PI)) * side);
  const found = [];
  for (let x = column(bounds.getWest()); x <= column(bounds.getEast()); x++) {
    const turned = ((x % side) + side) % side;
    for (let y = Math.max(0, row(Math.min(85, bounds.getNorth()))); y <= Math.min(side - 1, row(Math.max(-85, bounds.getSouth()))); y++) {
      const shift = (x - turned) / side * 360;
      for (const town of towns(source.known(z, turned, y), z, turned, y)) found.push({ ...town, longitude: town.longitude + shift, text: town.name });
    }
  }
  return found.sort((one, other) => one.rank - other.rank);
}
