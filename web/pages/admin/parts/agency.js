// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { newID } from "../../../core/ids.js";
import { phoneText, readPhoneAlone } from "../../../core/phone.js";
import { field, written } from "../../../dom/ask.js";
import { busy } from "../../../dom/busy.js";
import { Picker } from "../../../dom/picker.js";
import { agencyOf, animals, inUse } from "../../../model/agency.js";
import { animal } from "./agencies.js";
import { AgencyArea } from "./agency-area.js";
import { AgencyMembers, channelsOf } from "./agency-members.js";

/** An address of a page, as it is taken. */
const link = { type: "url", pattern: "https://.+", placeholder: "https://" };

/** One rescue agency, new or to be changed: who it is, where it is responsible, and who belongs to it. */
export class Agency {
  #desk;
  #id;
  /** As it was read; `null` for a new one. @type {import("../../../model/agency.js").Agency | null} */
  #agency = null;
  #types;
  #area;
  #members;
  #form;
  #fault = h("p", { class: "notice bad", role: "alert", tabindex: "-1", hidden: true });
  #save = h("button", { class: "primary" }, t("set.save"));
  #before = "";
  #isSaved = false;

  /** @param {import("../page.js").Desk} desk @param {URLSearchParams} query */
  constructor(desk, query) {
    this.#desk = desk;
    this.#id = query.get("agency");
  }

  async open() {
    const { api } = this.#desk;
    const [{ items }, { items: users }, channels] = await Promise.all([api.get("/v1/agencies"), api.get("/v1/users"), channelsOf(this.#desk)]);
    const back = h("p", {}, h("a", { href: "/admin/agencies" }, `‹ ${t("set.agencies.all")}`));
    const agencies = inUse(items);
    this.#agency = agencies.find(({ id }) => id === this.#id) ?? null;
    if (!this.#agency && this.#id !== "new") return [back, h("p", { class: "card empty" }, t("set.agencies.unknown"))];
    const { types = [], members = [] } = this.#agency ?? {};
    // One id for a new agency, however often it is sent.
    this.#id = this.#agency?.id ?? newID();
    this.#types = new Picker(t("set.agencies.types.which"), animals.map((one) => [one, animal(one)]), types.filter((one) => animals.includes(one)));
    this.#area = new AgencyArea(this.#agency, agencies.filter(({ id }) => id !== this.#id), () => (this.#fault.hidden = true));
    this.#members = new AgencyMembers(this.#desk, users, members, channels);
    this.#form = h("form", { class: "stack agency", onsubmit: (event) => this.#submit(event) }, this.#about(types), this.#area.element, this.#members.element, this.#fault,
      h("div", { class: "row acts" }, this.#save, h("a", { class: "button", href: "/admin/agencies" }, t("page.cancel"))));
    this.#before = this.#written;
    return [back, h("h2", {}, this.#agency ? t("set.change-of", { name: this.#agency.name }) : t("set.agencies.add")), this.#form];
  }

  get isUnsaved() {
    return Boolean(this.#form) && !this.#isSaved && this.#written !== this.#before;
  }

  /** All that was entered; what is only shown beside it does not count. */
  get #written() {
    const fields = [...this.#form.querySelectorAll("[data-written]")];
    return JSON.stringify([written(fields), this.#types.value, this.#members.value, this.#area.written]);
  }

  #about(types) {
    const was = this.#agency;
    const own = types.filter((one) => !animals.includes(one)).join(", ");
    return h("section", { class: "card stack padded", "aria-label": t("set.agencies.card") },
      h("div", { class: "pairs", dataset: { written: "" } },
        field(t("admin.name"), { name: "name", required: true, value: was?.name ?? "" }), field(t("set.agencies.phone"), { name: "phone", type: "tel", value: phoneText(was?.phone ?? "") }),
        field(t("set.agencies.email"), { name: "email", type: "email", value: was?.email ?? "" }), field(t("set.agencies.address"), { name: "address", value: was?.address ?? "" }),
        field(t("set.agencies.website"), { name: "website", ...link, title: t("set.agencies.link"), value: was?.website ?? "" }), field(t("set.agencies.donation"), { name: "donationLink", ...link, title: t("set.agencies.link"), value: was?.donationLink ?? "" })),
      h("p", { class: "small soft" }, t("set.agencies.card.hint")),
      h("label", { class: "check", dataset: { written: "" } }, h("input", { type: "checkbox", name: "takesReports", checked: was?.takesReports ?? true }), t("set.agencies.takes")),
      this.#types.element, h("p", { class: "small soft" }, t("set.agencies.types.hint")),
      h("div", { dataset: { written: "" } }, field(t("set.agencies.types.own"), { name: "own", value: own }, t("set.agencies.types.own.hint"))));
  }

  async #submit(event) {
    event.preventDefault();
    this.#fault.hidden = true;
    try {
      const place = this.#area.value;
      await busy(this.#save, this.#send(Object.fromEntries(new FormData(this.#form)), place));
    } catch (error) {
      this.#fault.textContent = error.message;
      this.#fault.hidden = false;
      this.#fault.focus({ preventScroll: true });
      this.#fault.scrollIntoView({ block: "nearest" });
      return;
    }
    this.#isSaved = true;
    this.#desk.go("agencies");
  }

  async #send(values, { area, base }) {
    const { api, done } = this.#desk;
    const phone = values.phone.trim() && (await readPhoneAlone(api, values.phone));
    const body = agencyOf({ ...values, phone }, { types: this.#types.value, area, base, names: Object.fromEntries(animals.map((one) => [animal(one).toLocaleLowerCase(), one])) });
    // What somebody else has written meanwhile is not written over unseen.
    await api.put(`/v1/agencies/${this.#id}`, body, { ifMatch: this.#agency?.revision ? `"${this.#agency.revision}"` : null }).catch((error) => {
      throw error.status === 412 ? new Error(t("set.agencies.changed")) : error;
    });
    const members = this.#members.value;
    const before = this.#agency?.members ?? [];
    // From here on it is there, and what follows may be tried again.
    this.#agency = { .../** @type {any} */ (body), id: this.#id, members: before, revision: "" };
    if (JSON.stringify([...members].sort()) !== JSON.stringify([...before].sort())) await api.put(`/v1/agencies/${this.#id}/members`, { members });
    done.add(t("set.was-written", { name: body.name }));
  }
}
