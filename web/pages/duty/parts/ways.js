// SPDX-License-Identifier: Apache-2.0
import { fill, h, toast } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { pressed } from "../../../dom/busy.js";
import { changeWays, waysFacts } from "../../../dom/ways.js";
import { BrowserPush } from "./browser-push.js";

/** By which ways who looks is told of something, and a test of all of them. */
export class Ways {
  #desk;
  #push;
  #facts = h("div", { class: "stack" });
  element;

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    this.#push = new BrowserPush(desk, () => this.#read());
    this.element = h("section", { class: "card stack padded", "aria-labelledby": "ways-title" }, h("h2", { id: "ways-title" }, t("duty.ways")), this.#facts, this.#push.element,
      h("div", { class: "row" }, h("button", { type: "button", onclick: pressed(() => this.#change()) }, t("duty.ways.change")), h("button", { type: "button", onclick: pressed(() => this.#test()) }, t("duty.ways.test"))));
  }

  async begin() {
    await Promise.all([this.#read(), this.#push.begin()]);
  }

  async #read() {
    try {
      const ways = await this.#desk.api.get("/v1/reach");
      const isSilent = !ways.phone && !ways.email && !ways.browsers;
      fill(this.#facts, isSilent && h("p", { class: "notice warn" }, t("duty.ways.none")), waysFacts(ways));
    } catch (error) {
      fill(this.#facts, h("p", { class: "notice bad", role: "alert" }, error.message));
    }
  }

  async #change() {
    try {
      if (await changeWays(this.#desk.api, "/v1/reach", t("duty.ways"))) await this.#read();
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  async #test() {
    try {
      await this.#desk.api.post("/v1/reach/test");
      toast(t("duty.ways.tested"), "good");
    } catch (error) {
      toast(error.message, "bad");
    }
  }
}
