// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";

/** @typedef {{id?: string, name: string, phone?: string, email?: string, website?: string, address?: string, donationLink?: string}} Agency */

/** Who takes care of the animal, and the ways to reach them. @param {Agency | null | undefined} agency */
export function agencyView(agency) {
  if (!agency) return [h("p", {}, t("report.agency.none"))];
  const { name, phone, email, website, address, donationLink } = agency;
  return [
    h("p", {}, h("strong", {}, name)),
    address && h("p", { class: "soft" }, address),
    h("div", { class: "ways" },
      phone && h("a", { class: "button primary big", href: `tel:${phone.replace(/[^+\d*#]/g, "")}` }, t("report.agency.call", { phone })),
      email && h("a", { class: "button big", href: `mailto:${encodeURIComponent(email).replace("%40", "@")}` }, t("report.agency.mail", { email })),
      outside(website, t("report.agency.site")),
      outside(donationLink, t("report.donate", { agency: name }))),
    h("p", { class: "small soft" }, t("report.agency.stay")),
  ];
}

/** A link to another site, which hears nothing of this page's address; only to web pages. */
function outside(address, words) {
  return /^https?:\/\//i.test(address ?? "") && h("a", { class: "button big", href: address, target: "_blank", rel: "noreferrer" }, words);
}
