// SPDX-License-Identifier: Apache-2.0
/** The supervisors' wall: all open sessions of the centre side by side. */
import { API } from "../../core/api.js";
import { fill, find } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { Shell } from "../../dom/shell.js";
import { WallSessions } from "./parts/sessions.js";
import { View } from "./parts/view.js";
import { sessionWallReady } from "./words.js";

await sessionWallReady;
begin();

async function begin() {
  const api = new API();
  const shell = new Shell(api);
  const me = await shell.enter(t("session-wall.purpose"));
  const sessions = new WallSessions(api, (isLive) => (shell.isLive = isLive));
  const view = new View(api, sessions, me);
  fill(find("#main"), view.element);
  await sessions.start();
  view.draw();
  document.documentElement.dataset.ready = "";
}
