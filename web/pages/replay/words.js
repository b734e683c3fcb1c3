// SPDX-License-Identifier: Apache-2.0
/** The words of the page that plays incidents back, and of what the ledger's entries say. */
import { add } from "../../core/i18n.js";
import { staffReady } from "../../core/staff-words.js";
import { keptReady } from "../../dom/kept-footage.js";
import page from "../../locales/staff/replay/en.js";
import { patrolReady } from "../patrol/words.js";
import { rescueReady } from "../rescue/words.js";
import said from "../../locales/staff/said/en.js";

/** Done when all of them are there in the page's language, or English has to do. */
export const replayReady = Promise.all([
  staffReady, patrolReady, rescueReady, keptReady,
  add(page, { de: () => import("../../locales/staff/replay/de.js") }),
  add(said, { de: () => import("../../locales/staff/said/de.js") }),
]);
