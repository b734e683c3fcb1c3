// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { local } from "../core/storage.js";

const store = "text-size";
const sizes = ["normal", "large", "largest"];

/** How large the words of the caller's page are on this device. */
export const textSize = {
  get chosen() {
    const kept = local.getItem(store);
    return sizes.includes(kept) ? kept : "normal";
  },

  /** As it was chosen, and a choice wherever the page has a place for one. */
  start() {
    for (const place of document.querySelectorAll(".text-size")) {
      fill(place, h("span", {}, t("call.size")), sizes.map((size) => h("button", { type: "button", class: size, value: size, "aria-label": t(`call.size.${size}`), onclick: () => textSize.choose(size) }, "A")));
    }
    show();
  },

  choose(size) {
    local.setItem(store, size);
    show();
  },
};

function show() {
  const { chosen } = textSize;
  document.documentElement.dataset.textSize = chosen;
  for (const button of document.querySelectorAll(".text-size button")) button.setAttribute("aria-pressed", String(button.value === chosen));
}
