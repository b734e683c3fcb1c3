// SPDX-License-Identifier: Apache-2.0
/** A citizen's page: one large button that tells the people of one's choice that one needs help. */
import { offerLanguages } from "../../call/words.js";
import { pressOnce, theme } from "../../core/dom.js";
import { translate } from "../../core/i18n.js";
import { keepPage } from "../../core/kept-page.js";
import { SafePage } from "./parts/safe-page.js";
import { safeReady } from "./words.js";

theme.start();
pressOnce();
await safeReady;
// In English, too: the number to telephone is the site's.
translate(document);
offerLanguages();
await new SafePage().begin();
document.documentElement.dataset.ready = "";
keepPage("safe-1", "/safe", ["/safe"]);
