// SPDX-License-Identifier: Apache-2.0
import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";

/** One of the buttons below a map. @param {string} label @param {string} sign @param {() => void} press */
export const moveButton = (label, sign, press) => h("button", { type: "button", "aria-label": label, title: label, onclick: press }, sign);

/** The buttons that change a map's scale and, where it can, move it. @param {{canPan: boolean, zoom: (steps: number) => void, pan: (right: number, down: number) => void}} view */
export const moveButtons = (view) => [
  moveButton(t("map.smaller"), "−", () => view.zoom(-1)), moveButton(t("map.larger"), "+", () => view.zoom(1)),
  view.canPan && [moveButton(t("map.west"), "←", () => view.pan(-1, 0)), moveButton(t("map.north"), "↑", () => view.pan(0, -1)),
    moveButton(t("map.south"), "↓", () => view.pan(0, 1)), moveButton(t("map.east"), "→", () => view.pan(1, 0))],
];
