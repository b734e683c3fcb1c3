// SPDX-License-Identifier: Apache-2.0
import { toast } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { momentText, momentType } from "../../../model/channel.js";
import { cameraAddress } from "../../../model/cameras.js";

/** So long a finger rests on a picture to send it, and so far it may move meanwhile, in pixels. */
const holdMilliseconds = 600;
const stillMost = 10;

/** @typedef {import("../../../model/channel.js").Moment} Moment */

/** Gives what a picture shows to the team's chat. @param {import("../../../dom/team-chat.js").TeamChat} chat @param {Moment | null} moment */
export function give(chat, moment) {
  if (moment) chat.attach(moment);
  else toast(t("wall.to-team.none"), "warn");
}

/**
 * Lets a picture be taken to the team's chat: dragged with a mouse, or by a finger that rests on it. What both do, a button beside it does as well.
 * @param {HTMLElement} element @param {import("../../../dom/team-chat.js").TeamChat} chat @param {() => Moment | null} momentOf What the picture shows now; `null` where it shows none.
 */
export function carry(element, chat, momentOf) {
  let [timer, from, wasHeld] = [0, null, false];
  const end = () => {
    clearTimeout(timer);
    from = null;
  };
  element.addEventListener("pointerdown", (event) => {
    const isMouse = event.pointerType === "mouse";
    // A browser would drag by a resting finger, too.
    element.draggable = isMouse && chat.isMember;
    end();
    wasHeld = false;
    if (isMouse || !chat.isMember || event.target.closest(".tile-controls")) return;
    from = { x: event.clientX, y: event.clientY };
    timer = setTimeout(() => {
      wasHeld = true;
      navigator.vibrate?.(30);
      give(chat, momentOf());
    }, holdMilliseconds);
  });
  element.addEventListener("pointermove", (event) => from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > stillMost && end());
  for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, end);
  // The browser's own menu for a resting finger.
  element.addEventListener("contextmenu", (event) => (from || wasHeld) && event.preventDefault());
  // Letting go presses nothing.
  element.addEventListener("click", (event) => {
    if (!wasHeld) return;
    wasHeld = false;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });
  element.addEventListener("dragstart", (event) => {
    const moment = momentOf();
    if (!moment) return event.preventDefault();
    event.dataTransfer.effectAllowed = "copy";
    event.dataTransfer.setData(momentType, momentText(moment));
    event.dataTransfer.setData("text/uri-list", new URL(cameraAddress({ id: moment.camera }, moment.at), location.href).href);
  });
}

/** @param {{id: string, number: number, name: string}} camera @param {string} name @param {number | null} at In milliseconds. @returns {Moment | null} */
export const momentAt = (camera, name, at) => (at === null ? null : { camera: camera.id, name, at: new Date(Math.round(at)).toISOString() });
