// SPDX-License-Identifier: Apache-2.0
import { Problem } from "../../../core/api.js";
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { ask, choice, field } from "../../../dom/ask.js";
import { moment, table } from "../../../dom/table.js";
import { cameraAddress, titleOf } from "../../../model/cameras.js";
import { scopeOf } from "../../../model/upkeep.js";

const kinds = ["session", "incident", "person", "camera"];

/** Who agrees as the second person, signing in for just this. */
export const approverFields = () => [h("fieldset", { class: "approver stack" }, h("legend", {}, t("admin.approver")), h("p", { class: "soft small" }, t("admin.approver.about")),
  field(t("admin.approver.login"), { name: "login", required: true }), field(t("admin.approver.password"), { name: "password", type: "password", autocomplete: "off", required: true }))];

/** The holds in force, and those that were lifted; placing one, and lifting one by two people. */
export class Holds {
  #desk;
  #isAll;
  /** What cameras are called, by their ids. @type {Map<string, string>} */
  #cameras = new Map();
  #rows = h("div", { class: "stack" });

  /** @param {import("../page.js").Desk} desk @param {URLSearchParams} query */
  constructor(desk, query) {
    this.#desk = desk;
    this.#isAll = query.get("all") === "yes";
  }

  async open() {
    const all = h("input", { type: "checkbox", checked: this.#isAll, onchange: () => this.#turn(all.checked) });
    const bar = h("div", { class: "card row find" }, h("p", { class: "grow" }, t("admin.holds.about")), h("label", { class: "check" }, all, t("admin.holds.all")),
      h("button", { type: "button", class: "primary", onclick: () => this.#place() }, t("admin.holds.place")));
    await this.#readCameras();
    await this.#show();
    return [bar, this.#rows];
  }

  /** Those that are held by name and those that can be chosen; without them they go by their ids. */
  async #readCameras() {
    try {
      const { items } = await this.#desk.api.get("/v1/cameras");
      this.#cameras = new Map(items.map((camera) => [camera.id, `${titleOf(camera)} · ${camera.site}`]));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }

  #turn(isAll) {
    this.#isAll = isAll;
    this.#desk.note({ all: isAll ? "yes" : "" });
    this.#show().catch((error) => fill(this.#rows, h("p", { class: "notice bad", role: "alert" }, error.message)));
  }

  async #show() {
    const { items } = await this.#desk.api.get(`/v1/holds${this.#isAll ? "?all=yes" : ""}`);
    const inForce = items.filter((hold) => !hold.liftedAt).length;
    const rows = items.map((hold) => [this.#scope(hold), hold.authority, hold.reason, h("span", {}, moment(hold.placedAt), h("br"), h("span", { class: "soft small" }, hold.placedBy)),
      hold.liftedAt ? h("span", {}, h("span", { class: "chip" }, t("admin.holds.lifted")), " ", moment(hold.liftedAt), h("br"), h("span", { class: "soft small" }, hold.liftReason))
        : h("button", { type: "button", class: "danger", onclick: () => this.#lift(hold, inForce) }, t("admin.holds.lift"))]);
    fill(this.#rows, h("p", { class: "soft small", role: "status" }, t("admin.holds.count", { count: inForce })),
      rows.length ? table(t("admin.holds"), [t("admin.holds.on"), t("admin.authority"), t("admin.reason"), t("admin.holds.placed"), t("admin.state")], rows) : h("p", { class: "card empty" }, t("admin.holds.none")));
  }

  #scope({ scope }) {
    const { kind, id } = scopeOf(scope);
    const link = { camera: () => h("a", { href: cameraAddress({ id }) }, this.#cameras.get(id) ?? h("code", {}, id)), person: () => h("code", {}, id) }[kind];
    return h("span", {}, t(`admin.scope.${kind}`), h("br"), link?.() ?? h("a", { href: `/replay/${id}` }, h("code", {}, id)));
  }

  /** What a hold is on, in a sentence: a camera goes by its name. */
  #named(kind, id) {
    return { kind: t(`admin.scope.${kind}`), id: (kind === "camera" && this.#cameras.get(id)) || id };
  }

  /** What is held: its kind, and which; a camera is chosen from those that there are. @param {HTMLElement} will What a hold on such a thing does. */
  #scopeFields(will) {
    const id = field(t("admin.id"), { name: "id", required: true }, t("admin.id.hint"));
    const camera = choice(t("admin.scope.camera.which"), "camera", [...this.#cameras]);
    const kind = choice(t("admin.holds.on"), "kind", kinds.filter((one) => one !== "camera" || this.#cameras.size).map((one) => [one, t(`admin.scope.${one}`)]), undefined, { onchange: ({ target }) => show(target.value) });
    function show(chosen) {
      const isCamera = chosen === "camera";
      [id.hidden, camera.hidden] = [isCamera, !isCamera];
      id.querySelector("input").required = !isCamera;
      will.textContent = t(isCamera ? "admin.holds.will.camera" : "admin.holds.will");
    }
    show(kinds[0]);
    return [kind, id, camera];
  }

  async #place() {
    const { api, done } = this.#desk;
    const will = h("span", { role: "status" });
    const placed = await ask({
      title: t("admin.holds.place"), press: t("admin.holds.place"), will: [will],
      fields: [...this.#scopeFields(will), field(t("admin.authority"), { name: "authority", required: true }, t("admin.authority.hint")), field(t("admin.reason"), { name: "reason", required: true })],
      act: async ({ kind, id, camera, reason, authority }) => {
        const held = kind === "camera" ? camera : id.trim();
        await api.post("/v1/holds", { scope: `${kind}/${held}`, reason, authority });
        return t("admin.holds.was-placed", { ...this.#named(kind, held), authority });
      },
    });
    if (placed) this.#did(placed, done);
  }

  async #lift(hold, inForce) {
    const { api, done } = this.#desk;
    const { kind, id } = scopeOf(hold.scope);
    const lifted = await ask({
      title: t("admin.holds.lift-of", { authority: hold.authority }), press: t("admin.holds.lift"), isForGood: true,
      will: [t(kind === "camera" ? "admin.holds.lift.will.camera" : "admin.holds.lift.will", this.#named(kind, id)), t("admin.holds.left", { count: inForce - 1 })],
      fields: [field(t("admin.reason"), { name: "reason", required: true }), ...approverFields()],
      act: ({ reason, login, password }) => api.post(`/v1/holds/${hold.id}/lift`, { reason, approver: { login, password } }, { tries: 1 }),
    });
    if (lifted) this.#did(t("admin.holds.was-lifted", { ...this.#named(kind, id), authority: hold.authority }), done);
  }

  #did(words, done) {
    done.add(words);
    this.#desk.again();
  }
}
