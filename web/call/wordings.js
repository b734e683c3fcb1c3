// SPDX-License-Identifier: Apache-2.0
import { language } from "../core/i18n.js";

const warning = { version: "hoax-2026-11-23", words: ["call.intent", "call.intent.recorded", "call.intent.hoax", "call.intent.punished", "call.intent.yes"] };

/**
 * What a caller is shown before agreeing to something, by its scope: which version is recorded with the answer, and the keys of the words.
 * A word that changes makes a new version; a test holds the two against one another, in every language.
 * @type {Record<string, {version: string, words: string[]}>}
 */
export const wordings = {
  hoax_warning: warning,
  emergency_intent: warning,
  video: { version: "video-2026-11-23", words: ["call.asked.video", "call.asked.video.text", "call.asked.video.telephone", "call.asked.video.yes"] },
  location: { version: "location-2026-11-23", words: ["call.asked.location", "call.asked.location.text", "call.asked.location.yes"] },
};

/** What the ledger is told of what was read: the version, and its language unless that is English. @param {string} scope */
export const versionOf = (scope) => (language === "en" ? wordings[scope].version : `${wordings[scope].version}-${language}`);
