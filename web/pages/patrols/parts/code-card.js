// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { fileWord } from "../../../core/text.js";
import { ask } from "../../../dom/ask.js";
import { qrPicture, svgFile } from "../../../dom/qr-picture.js";
import { copyButton } from "../../../dom/told.js";
import { tagGroups } from "../../../model/patrol-code.js";

/** @typedef {{id: string, name: string, site: string}} Point */

/** The tag as guards type it: its groups are read one after another, and never broken. @param {string} code */
export const tagElement = (code) => h("p", { class: "tag" }, tagGroups(code).map((group) => [h("span", {}, group), " "]));

/**
 * The code of a point: its picture, the tag that is typed where it cannot be scanned, the picture as a file, and a new code where the label was lost.
 * @param {Point} point @param {string} code
 * @param {{renew: () => Promise<any>, isNew?: boolean}} given `renew` makes a new code; `isNew` says that the one shown replaced another.
 */
export function codeCard(point, code, { renew, isNew = false }) {
  const picture = qrPicture(code, t("patrols.code.picture", { name: point.name }));
  const title = h("h3", { tabindex: "-1" }, t("patrols.code.of", { name: point.name }));
  const element = h("section", { class: "card padded told-once code-card", "aria-label": t("patrols.code.of", { name: point.name }) }, picture,
    h("div", { class: "stack" }, title, h("p", { class: "soft" }, point.site), isNew && h("p", { class: "notice good", role: "status" }, t("patrols.code.renewed")), tagElement(code), h("code", { class: "told small" }, code),
      h("div", { class: "row" }, h("button", { type: "button", onclick: () => download(picture, point) }, t("patrols.code.svg")), copyButton(code),
        h("button", { type: "button", class: "danger", onclick: () => askToRenew(point, renew) }, t("patrols.code.renew")), h("button", { type: "button", onclick: () => element.remove() }, t("page.put-away")))));
  return element;
}

function download(picture, { site, name }) {
  const address = URL.createObjectURL(svgFile(picture));
  h("a", { href: address, download: `${["patrol", site, name].map(fileWord).filter(Boolean).join("-")}.svg` }).click();
  URL.revokeObjectURL(address);
}

const askToRenew = ({ name }, renew) => ask({
  title: t("patrols.code.renew.ask", { name }), press: t("patrols.code.renew.press"), isForGood: true, will: [t("patrols.code.renew.refused"), t("patrols.code.renew.print")], act: renew,
});
