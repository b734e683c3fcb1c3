// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";

/** @typedef {{id?: string, name: string, phone?: string, email?: string, website?: string, address?: string, donationLink?: string}} Agency */

/** Who takes care of the animal, and the ways to reach them. @param {Agency | null | undefined} agency @param {{isAway?: boolean, isOver?: boolean}} [how] `isAway` where `awayView` has the number already. */
export function agencyView(agency, { isAway = false, isOver = false } = {}) {
  if (!agency) return [h("p", {}, t("report.agency.none"))];
  const { name, phone, email, website, address, donationLink } = agency;
  return [
    h("p", {}, h("strong", {}, name)),
    address && h("p", { class: "soft" }, address),
    h("div", { class: "ways" },
      !isAway && phone && caller(phone),
      email && h("a", { class: "button big", href: `mailto:${encodeURIComponent(email).replace("%40", "@")}` }, t("report.agency.mail", { email })),
      outside(website, t("report.agency.site")),
      outside(donationLink, t("report.donate", { agency: name }))),
    !isOver && h("p", { class: "small soft" }, t("report.agency.stay")),
  ];
}

/** That nobody of the agency is on duty, and its number before all else. @param {Agency} agency */
export const awayView = (agency) => [h("p", { class: "notice warn" }, awayWords(agency)), agency.phone && caller(agency.phone, "biggest")];

/** @param {Agency} agency */
export const awayWords = ({ phone }) => [t("report.away"), phone && t("report.away.call")].filter(Boolean).join(" ");

const caller = (phone, size = "") => h("a", { class: `button primary big ${size}`, href: `tel:${phone.replace(/[^+\d*#]/g, "")}` }, t("report.agency.call", { phone }));

/** A link to another site, which hears nothing of this page's address; only to web pages. */
function outside(address, words) {
  return /^https?:\/\//i.test(address ?? "") && h("a", { class: "button big", href: address, target: "_blank", rel: "noreferrer" }, words);
}
