// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../core/dom.js";
import { t } from "../core/i18n.js";

/**
 * A picture in a chat: small, and large when it is pressed. It is fetched when it comes near the screen.
 * @param {{width?: number, height?: number, isErased?: boolean}} picture
 * @param {string} words What it is, for those who do not see it.
 * @param {() => Promise<string>} source Its address in this page.
 */
export function chatPicture({ width, height, isErased }, words, source) {
  if (isErased) return h("span", {}, t("chat.picture.erased"));
  const image = h("img", { alt: words, width, height, draggable: "false" });
  const button = h("button", { type: "button", class: "picture", title: t("chat.picture.large"), onclick: () => image.src && showLarge(image.src, words) }, image);
  const load = async () => {
    fill(button, image);
    try {
      image.src = await source();
    } catch (error) {
      fill(button, error.message, " ", h("span", { class: "small" }, t("chat.picture.again")));
      button.addEventListener("click", load, { once: true });
    }
  };
  const near = new IntersectionObserver((changes) => {
    if (!changes.some((change) => change.isIntersecting)) return;
    near.disconnect();
    load();
  }, { rootMargin: "200px" });
  near.observe(button);
  return button;
}

function showLarge(address, words) {
  const dialog = h("dialog", { class: "large-picture", "aria-label": words },
    h("form", { method: "dialog" }, h("img", { src: address, alt: words }), h("div", { class: "actions" },
      h("a", { class: "button", href: address, target: "_blank", rel: "noopener" }, t("chat.picture.tab")), h("button", { class: "primary", autofocus: true }, t("page.close")))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** A button that lets somebody choose a picture. @param {(file: File) => void} onPicture */
export function pictureButton(onPicture) {
  const input = h("input", {
    type: "file", accept: "image/jpeg,image/png,image/webp", hidden: true, tabindex: "-1", "aria-label": t("chat.picture"),
    onchange: () => {
      for (const file of input.files) onPicture(file);
      input.value = "";
    },
  });
  return [h("button", { type: "button", onclick: () => input.click() }, t("chat.picture")), input];
}
