// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { limits } from "../../../core/limits.js";
import { ask, field } from "../../../dom/ask.js";
import { camsName, readCams } from "../../../model/camera-set-up.js";

const pathOf = (site) => `/v1/sites/${encodeURIComponent(site)}/cams.json`;

/** Saves a site's cameras as a file. @param {import("../../../core/api.js").API} api @param {string} site */
export async function download(api, site) {
  const address = URL.createObjectURL(await api.file(pathOf(site)));
  h("a", { href: address, download: camsName(site) }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * Asks for a file with a site's cameras, says what it will do, and sends it.
 * @param {import("../../../core/api.js").API} api
 * @param {import("../../../model/camera-set-up.js").Camera[]} cameras Those that there are.
 * @param {string} site Empty where it is to be written.
 * @returns {Promise<string | null>} What was done.
 */
export function importCams(api, cameras, site) {
  /** @type {ReturnType<typeof readCams> | null} */
  let read = null;
  const told = h("p", { class: "small", role: "status" });
  const name = siteField(cameras, site, () => show());
  const input = name.querySelector("input");

  async function chosen({ target }) {
    const [file] = target.files;
    read = file ? readCams(await file.text()) : null;
    show();
  }

  function show() {
    fill(told, read && (read.fault ? t(`set.cameras.file.${read.fault}`) : plan(cameras, input.value.trim(), read.numbers)));
  }

  return ask({
    title: t("set.cameras.import-of"), press: t("set.cameras.import"), will: [t("set.cameras.import.changes"), t("set.cameras.import.makes")],
    fields: [name, field(t("set.cameras.file"), { type: "file", name: "file", accept: ".json,application/json", required: true, onchange: chosen }), told],
    act: async (values) => {
      if (!read || read.fault) throw new Error(t(`set.cameras.file.${read?.fault ?? "none"}`));
      const to = values.site.trim();
      const { changed, made } = await api.put(pathOf(to), read.file);
      return t("set.cameras.was-imported", { site: to, changed, made });
    },
  });
}

/** A site by name; those that there are stand in a list. @param {{site: string}[]} cameras @param {string} site @param {() => void} onChange */
export function siteField(cameras, site, onChange) {
  const id = "sites";
  const element = field(t("set.cameras.site"), { name: "site", required: true, maxlength: limits.wordBytes, value: site, list: id, oninput: onChange });
  element.append(h("datalist", { id }, [...new Set(cameras.map((one) => one.site))].sort().map((one) => h("option", { value: one }))));
  return element;
}

/** What a file would do to a site. */
function plan(cameras, site, numbers) {
  const known = new Set(cameras.filter((one) => one.site === site).map(({ number }) => number));
  const changed = numbers.filter((one) => known.has(one)).length;
  return t("set.cameras.file.plan", { changed, made: numbers.length - changed });
}
