// SPDX-License-Identifier: Apache-2.0
import { h, toast } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { limits, tooLong } from "../../../core/limits.js";
import { ask, choice } from "../../../dom/ask.js";
import { causeOf } from "../../../model/duty.js";
import { short } from "../../../model/words.js";

const severities = ["critical", "warning", "info"];

/**
 * Asks by which chain to call people out, how urgent it is, and in which words.
 * @param {import("../page.js").Desk} desk @param {string | null} named What it is about, as the page's address says.
 * @returns {Promise<boolean>} Whether it was opened.
 */
export async function callOut({ api }, named) {
  const chains = await chainsOf(api);
  if (!chains) return false;
  const cause = causeOf(named);
  const text = h("textarea", { name: "text", rows: "3" });
  const opened = await ask({
    title: t("duty.call-out.title"), press: t("duty.call-out.press"), isLong: true,
    will: [t("duty.call-out.will"), ...(cause ? [t("duty.call-out.about", { about: t(`duty.about.${cause.split("/")[0]}`, { id: short(cause) }) })] : [])],
    fields: [choice(t("duty.column.chain"), "chain", chains), choice(t("duty.severity"), "severity", severities.map((one) => [one, t(`duty.severity.${one}`)]), "warning"),
      h("label", {}, t("duty.column.text"), text), h("p", { class: "small soft" }, t("duty.call-out.text.hint"))],
    act: async ({ chain, severity, text: words }) => {
      const fault = tooLong(words, limits.noteBytes);
      if (fault) throw new Error(fault);
      await api.post("/v1/call-outs", { chain, severity, ...(words.trim() && { text: words.trim() }), ...(cause && { cause }) });
      return chain;
    },
  });
  if (opened) toast(t("duty.did.open", { chain: opened }), "good");
  return Boolean(opened);
}

/** The chains to choose from; `null`, with words on the page, where there is none. @returns {Promise<[string, string][] | null>} */
async function chainsOf(api) {
  try {
    const { items } = await api.get("/v1/chains");
    if (items.length) return items.map(({ name }) => [name, name]);
    toast(t("duty.call-out.no-chain"), "warn");
  } catch (error) {
    toast(error.message, "bad");
  }
  return null;
}
