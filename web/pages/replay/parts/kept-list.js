// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { keptItem } from "../../../dom/kept-footage.js";

/** All footage of cameras that the incident keeps; `null` where there is none. @param {import("../../../core/api.js").API} api @param {{id: string, kept: any[], names: Record<string, string>}} recording @param {(at: number) => void} seek */
export function keptList(api, { id, kept, names }, seek) {
  if (!kept.length) return null;
  const nameOf = (by) => {
    const user = by.slice(by.indexOf("/") + 1);
    return names[user] ?? user;
  };
  return h("details", { class: "entry-details kept-footage" }, h("summary", {}, `${t("kept.title")} (${kept.length})`), h("ul", { class: "stack" }, kept.map((span) => keptItem(api, id, span, nameOf(span.by), seek))));
}
