// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t, term } from "../../../core/i18n.js";

/** The gateway answers within 15 s. */
const answerMost = 20_000;
let asked = 0;

/** Tries a camera as it is set up: shows its picture, or says why there is none and what to do. @param {import("../../../core/api.js").API} api @param {{id: string, name: string}} camera */
export function tryCamera(api, { id, name }) {
  const title = `trying-${++asked}`;
  const place = h("div", { class: "stack", "aria-live": "polite" });
  const again = h("button", { type: "button", onclick: () => look() }, t("page.try-again"));
  const dialog = h("dialog", { class: "question", "aria-labelledby": title }, h("form", { method: "dialog" }, h("h2", { id: title }, t("set.cameras.try-of", { name })), place, h("div", { class: "actions" }, again, h("button", { class: "primary", autofocus: true }, t("page.close")))));
  let address = "";

  async function look() {
    again.hidden = true;
    fill(place, h("p", {}, t("set.cameras.try.waits")));
    try {
      const picture = await api.postForFile(`/v1/cameras/${id}/try`, answerMost);
      forget();
      if (!dialog.isConnected) return;
      address = URL.createObjectURL(picture);
      const size = h("p", { class: "soft" });
      fill(place, h("img", { class: "tried", src: address, alt: t("set.cameras.try.picture", { name }), onload: ({ target }) => (size.textContent = t("set.cameras.try.good", { width: target.naturalWidth, height: target.naturalHeight })) }), size);
    } catch (error) {
      const { cause } = error.members ?? {};
      fill(place, h("p", { class: "notice bad", role: "alert" }, cause ? term(`set.cameras.why.${cause}`, error.message) : error.message), cause && h("p", {}, term(`set.cameras.do.${cause}`, "")));
    }
    again.hidden = false;
  }

  function forget() {
    if (address) URL.revokeObjectURL(address);
    address = "";
  }

  dialog.addEventListener("close", () => {
    dialog.remove();
    forget();
  });
  document.body.append(dialog);
  dialog.showModal();
  return look();
}
