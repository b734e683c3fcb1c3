// SPDX-License-Identifier: Apache-2.0
import { h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { newID } from "../../../core/ids.js";
import { limits } from "../../../core/limits.js";
import { ask, choice, field } from "../../../dom/ask.js";
import { Picker } from "../../../dom/picker.js";
import { moment, table } from "../../../dom/table.js";
import { memberRoles } from "../../../model/channel.js";

/** The channels in which those who look at cameras write to each other. */
export class TeamChannels {
  #desk;
  #sitesNow;
  #channels = [];
  #rows = h("div", {});
  element = h("section", { class: "card stack padded team-channels" },
    h("div", { class: "row" }, h("h2", { class: "grow" }, t("set.channels")), h("button", { type: "button", onclick: () => this.#edit(null) }, t("set.channels.add"))),
    h("p", { class: "small soft" }, t("set.channels.about")), this.#rows);

  /** @param {import("../page.js").Desk} desk @param {() => string[]} sitesNow The sites that have cameras. */
  constructor(desk, sitesNow) {
    [this.#desk, this.#sitesNow] = [desk, sitesNow];
  }

  async read() {
    this.#channels = (await this.#desk.api.get("/v1/channels")).items;
    refill(this.#rows, this.#channels.map(({ id, name, site, members, isOpen, lastAt }) => [id, name, site, members, isOpen, lastAt]), () => this.#list());
  }

  #list() {
    if (this.#channels.length === 0) return h("p", { class: "soft" }, t("set.channels.none"));
    return table(t("set.channels"), [t("set.name"), t("set.cameras.site"), t("set.channels.members"), t("admin.state"), t("set.channels.last"), ""], this.#channels.map((one) => [one.name, one.site ?? t("set.channels.all-sites"),
      one.members.map((role) => t(`role.${role}`)).join(", ") || t("set.channels.nobody"), h("span", { class: `chip ${one.isOpen ? "good" : ""}` }, t(one.isOpen ? "set.channels.open" : "set.channels.closed")), moment(one.lastAt),
      h("button", { type: "button", dataset: { key: `channel-${one.id}` }, onclick: () => this.#edit(one) }, t("set.change"))]));
  }

  /** Asks for a channel, new or changed. @param {import("../../../model/channel.js").Channel | null} channel */
  async #edit(channel) {
    const id = channel?.id ?? newID();
    /** @type {[string, string][]} */
    const sites = [...new Set([...this.#sitesNow(), ...(channel?.site ? [channel.site] : [])])].sort().map((site) => [site, site]);
    const members = new Picker(t("set.channels.members"), memberRoles.map((role) => [role, t(`role.${role}`)]), channel?.members ?? ["guard", "operator", "supervisor"]);
    const isOpen = h("input", { type: "checkbox", name: "isOpen", checked: channel?.isOpen ?? true });
    const written = await ask({
      title: channel ? t("set.change-of", { name: channel.name }) : t("set.channels.add"), press: t("set.save"), will: [t("set.channels.will")],
      fields: [field(t("set.name"), { name: "name", required: true, maxlength: limits.wordBytes, value: channel?.name ?? "" }), choice(t("set.cameras.site"), "site", [["", t("set.channels.all-sites")], ...sites], channel?.site ?? ""), members.element,
        h("label", { class: "check" }, isOpen, t("set.channels.is-open"))],
      act: async ({ name, site }) => {
        await this.#desk.api.put(`/v1/channels/${id}`, { name: name.trim(), ...(site ? { site } : {}), members: members.value, isOpen: isOpen.checked });
        return name.trim();
      },
    });
    if (!written) return;
    this.#desk.done.add(t("set.was-written", { name: written }));
    // What was done is done, whether or not the list can be read.
    await this.read().catch(() => this.#desk.again());
  }
}
