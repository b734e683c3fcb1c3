// SPDX-License-Identifier: Apache-2.0
/** The wall of cameras: a floor's pictures, or one of them large, live and back in time. */
import { API } from "../../core/api.js";
import { fill, find, h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { Shell } from "../../dom/shell.js";
import { TeamChat, intoHead, teamChatReady } from "../../dom/team-chat.js";
import { View } from "./parts/view.js";
import { wallReady } from "./words.js";

await Promise.all([wallReady, teamChatReady]);
begin();

async function begin() {
  const api = new API();
  const me = await new Shell(api).enter(t("wall.purpose"));
  const main = find("#main");
  fill(main, h("p", { class: "soft at-door", role: "status" }, t("page.reading")));
  const chat = new TeamChat(api, me, { onMoment: ({ camera, at }) => view.look(camera, Date.parse(at)) });
  intoHead(chat);
  const view = new View(api, me, main, chat);
  await view.begin();
  document.documentElement.dataset.ready = "";
}
