// SPDX-License-Identifier: Apache-2.0
/** The search over sessions, chats and places. What is looked for stands in the address: a reload and Back lead to the same. */
import { API } from "../../core/api.js";
import { fill, find } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { Shell } from "../../dom/shell.js";
import { SearchView } from "./parts/view.js";
import { searchReady } from "./words.js";

await searchReady;
begin();

async function begin() {
  const api = new API();
  const me = await new Shell(api).enter(t("search.purpose"));
  const view = new SearchView(api, { opensConsole: ["operator", "supervisor"].includes(me.role) });
  fill(find("#main"), view.element);
  addEventListener("popstate", () => view.show(location.search));
  await view.show(location.search);
  document.documentElement.dataset.ready = "";
}
