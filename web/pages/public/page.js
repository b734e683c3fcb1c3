// SPDX-License-Identifier: Apache-2.0
/** What a script adds to the pages for everybody: a map that can be moved, and the visitor's own place. Without it nothing is missing but these. */
import { h } from "../../core/dom.js";
import { ready } from "../../core/i18n.js";
import { leaflet } from "../../map/parts.js";
import { tileSets } from "../../map/tiles.js";
import "../../map/place-map.js";

/** A place in the address is no more exact than places on these pages are. */
const partsOfDegree = 100;

offerNear();
await ready;
await replaceMap();
document.documentElement.dataset.ready = "";

function offerNear() {
  const button = document.querySelector("#near");
  if (!button || !navigator.geolocation) return;
  const told = document.querySelector("#near-told");
  button.hidden = false;
  button.addEventListener("click", () => {
    told.hidden = true;
    navigator.geolocation.getCurrentPosition(({ coords: { latitude, longitude } }) => {
      const address = new URL(location.href);
      address.searchParams.set("near", [latitude, longitude].map((degrees) => Math.round(degrees * partsOfDegree) / partsOfDegree).join());
      location.assign(address);
    }, () => {
      told.textContent = button.dataset.refused;
      told.hidden = false;
    });
  });
}

/** The drawn map goes only where there is a better one: the gateway has Leaflet and a map of the world. */
async function replaceMap() {
  const drawn = document.querySelector(".map");
  const places = [...(drawn?.querySelectorAll(".dot") ?? [])].map(placeOf);
  if (places.length === 0) return;
  const [library, sources] = await Promise.all([leaflet(), tileSets()]);
  if (!library || sources.length === 0) return;
  const map = h("place-map");
  map.isOverview = true;
  map.onOpen = (id) => location.assign(places.find((one) => one.id === id).link);
  [map.places, map.others] = [places.slice(0, 1), places.slice(1)];
  drawn.replaceWith(map);
}

/** @param {any} dot The link that a report has on the drawn map. */
function placeOf(dot) {
  const { id, latitude, longitude } = dot.dataset;
  return {
    id, link: dot.getAttribute("href"), name: dot.querySelector("title").textContent, isUrgent: dot.classList.contains("active"),
    fix: { latitude: Number(latitude), longitude: Number(longitude) },
  };
}
