// SPDX-License-Identifier: Apache-2.0
import { theme } from "../core/dom.js";

/** The colours of a map, for the theme of now. */
export function palette() {
  return theme.isDark ? dark : light;
}

const light = {
  ground: "#d6e6f2", land: "#f4f1e8", coast: "#7f98ab", border: "#8f6f9e", state: "#b9a9c3", river: "#8fb4d1", water: "#bcd8ea",
  green: "#d8e8cb", built: "#e6ddcf", building: "#d5c8b6", road: "#ffffff", roadEdge: "#c3b7a4", path: "#b89a7a", rail: "#8a8a8a",
  grid: "rgb(40 70 100 / 28%)", gridText: "#37536b", text: "#1d2733", halo: "rgb(255 255 255 / 88%)",
};
const dark = {
  ground: "#101c29", land: "#27313a", coast: "#5f7b93", border: "#a48bb3", state: "#5c5167", river: "#3a6385", water: "#17293b",
  green: "#24372b", built: "#323840", building: "#414851", road: "#5d6873", roadEdge: "#1c242b", path: "#7c6a55", rail: "#7a7a7a",
  grid: "rgb(150 185 215 / 28%)", gridText: "#a9c3da", text: "#eef3f8", halo: "rgb(10 16 24 / 82%)",
};
