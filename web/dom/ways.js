// SPDX-License-Identifier: Apache-2.0
import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { phoneText, readPhoneAlone } from "../core/phone.js";
import { fieldTime, now } from "../core/time.js";
import { offDutyFault, reachOf } from "../model/duty.js";
import { ask, choice, field } from "./ask.js";
import { facts, moment } from "./table.js";

/** In which messages are written. */
const messageLanguages = ["en", "de"];

/** By which ways somebody is told. @param {{phone?: string, email?: string, language: string, offDutyUntil?: string, browsers: number}} ways */
export function waysFacts({ phone, email, language, offDutyUntil, browsers }) {
  const isOff = Date.parse(offDutyUntil ?? "") > now();
  return [isOff && h("p", { class: "notice warn" }, t("duty.ways.off"), " ", moment(offDutyUntil)),
    facts([[t("duty.ways.phone"), phone ? phoneText(phone) : t("duty.ways.no")], [t("duty.ways.email"), email ?? t("duty.ways.no")], [t("duty.ways.browsers"), String(browsers)], [t("duty.ways.language"), t(`duty.language.${language}`)]])];
}

/**
 * Asks for the ways of somebody, as they are now, and sets them.
 * @param {import("../core/api.js").API} api @param {string} path Of the ways. @param {string} title
 * @returns {Promise<boolean>} Whether they were set.
 */
export async function changeWays(api, path, title) {
  const ways = await api.get(path);
  const off = Date.parse(ways.offDutyUntil ?? "") > now() ? fieldTime(new Date(ways.offDutyUntil)) : "";
  const set = await ask({
    title, press: t("duty.save"), isLong: true,
    fields: [field(t("duty.ways.phone"), { name: "phone", type: "tel", value: phoneText(ways.phone ?? "") }, t("duty.ways.phone.hint")), field(t("duty.ways.email"), { name: "email", type: "email", value: ways.email ?? "" }),
      choice(t("duty.ways.language"), "language", messageLanguages.map((one) => [one, t(`duty.language.${one}`)]), ways.language),
      field(t("duty.ways.off"), { name: "offDutyUntil", type: "datetime-local", value: off }, t("duty.ways.off.hint"))],
    act: async (values) => {
      const fault = offDutyFault(values.offDutyUntil, now());
      if (fault) throw new Error(t(`duty.ways.off.${fault}`));
      const phone = values.phone.trim() && (await readPhoneAlone(api, values.phone));
      await api.put(path, reachOf({ ...values, phone }));
    },
  });
  return Boolean(set);
}
