// SPDX-License-Identifier: Apache-2.0
import { fill, h, refill } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { now } from "../../../core/time.js";
import { moment, table } from "../../../dom/table.js";
import { dueAfter } from "../../../model/duty.js";
import { kept } from "./kept.js";

/** Who is on duty now by each rota, until when, and who comes next. */
export class OnDuty {
  #desk;
  #read;
  #rotas = [];
  #rows = h("div", { class: "stack" });
  /** Its table is the landmark. */
  element = h("div", { class: "wide stack" }, h("h2", {}, t("duty.on-duty")), this.#rows);

  /** @param {import("../page.js").Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    this.#read = kept(desk, () => desk.api.get("/v1/rotas"), ({ items }) => {
      this.#rotas = items;
      this.#show();
      return dueAfter(items.map(({ onDuty }) => onDuty?.until), now());
    });
    desk.changes.addEventListener("names", () => this.#show());
  }

  async begin() {
    try {
      await this.#read();
    } catch (error) {
      // Not every role may read the rotas; the rest of the page is for everybody.
      if (error.status === 403) this.element.hidden = true;
      else fill(this.#rows, h("p", { class: "notice bad", role: "alert" }, error.message));
    }
  }

  #show() {
    refill(this.#rows, [this.#rotas, this.#desk.people.version], () => (this.#rotas.length ? this.#table() : h("p", { class: "card empty" }, t("duty.on-duty.none"))));
  }

  #table() {
    const rows = this.#rotas.map((rota) => [rota.name, ...shiftCells(rota, this.#desk.nameOf)]);
    return table(t("duty.on-duty"), [t("duty.column.rota"), ...shiftColumns()], rows);
  }
}

/** What the columns of `shiftCells` are called. */
export const shiftColumns = () => ["now", "until", "next"].map((name) => t(`duty.column.${name}`));

/** Who is called by a rota now, for whom where that is another one's shift, until when, and who is next. @param {import("../../../model/duty.js").Rota} rota @param {(user: string) => string} nameOf */
export function shiftCells({ onDuty, called, next }, nameOf) {
  const isAway = onDuty && onDuty.user !== called;
  return [h("span", {}, called ? nameOf(called) : h("span", { class: "chip bad" }, t("duty.nobody")), isAway && [" ", h("span", { class: "small soft" }, t("duty.instead", { name: nameOf(onDuty.user) }))]),
    onDuty ? moment(onDuty.until) : "", next ? nameOf(next) : ""];
}
