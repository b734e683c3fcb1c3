// SPDX-License-Identifier: Apache-2.0
import { fill, h } from "../../../core/dom.js";
import { numeral, t } from "../../../core/i18n.js";
import { timeElement } from "../../../core/time.js";
import { groupOf, groups, sentence, whoDid } from "../../../model/words.js";

/** Every line is as high, so that of a hundred thousand only those in sight need be there. */
const rowPixels = 46;
/** So many lines stand above and below those in sight. */
const spareRows = 8;
/** What nobody asks for at first: there is much of it, and it says little of what happened. */
const quiet = ["receipts", "pieces", "viewed"];

/** What happened, entry by entry, as lines; a press goes to the moment. */
export class ActionList {
  #source;
  #names;
  #onKinds;
  #counts = {};
  #chosen;
  /** The events that are shown, by their numbers. */
  #rows = new Int32Array();
  #list = h("ol", { class: "lines" });
  #box = h("div", { class: "lines-box", onscroll: () => this.#window() }, this.#list);
  #filter = h("div", { class: "kinds", role: "group", "aria-label": t("replay.kinds") });
  #none = h("p", { class: "empty", hidden: true }, t("replay.kinds.none"));
  #drawn = { first: -1, last: -1, current: -1 };
  #current = -1;

  /**
   * @param {import("../../../source/recorded.js").Recorded<any>} source
   * @param {Record<string, string>} names
   * @param {{chosen: string[] | null, onKinds: (kinds: string[] | null) => void}} kinds `null` stands for those that are shown at first.
   */
  constructor(source, names, { chosen, onKinds }) {
    this.#source = source;
    this.#names = names;
    this.#onKinds = onKinds;
    for (const event of source.events) this.#counts[groupOf(event)] = (this.#counts[groupOf(event)] ?? 0) + 1;
    this.#chosen = new Set(chosen ?? groups.filter((group) => !quiet.includes(group)));
    this.element = h("div", { class: "action-list" }, h("h2", {}, t("replay.what")), this.#filter, this.#none, this.#box);
    this.#drawFilter();
    this.#choose();
    new ResizeObserver(() => this.#window()).observe(this.#box);
  }

  /** Goes to the next line, or the one before. */
  step(steps) {
    const next = this.#current + steps;
    // Before a line that is shown, something else may have happened since: back is to the line itself then.
    const isBehind = steps < 0 && this.#current >= 0 && this.#rows[this.#current] < this.#source.count - 1;
    const row = isBehind ? this.#current : next;
    if (row >= 0 && row < this.#rows.length) this.#source.seekEvent(this.#rows[row]);
  }

  draw() {
    this.#current = this.#rowBefore(this.#source.count);
    if (this.#current !== this.#drawn.current) this.#show(this.#current);
    this.#window();
  }

  #drawFilter() {
    const all = groups.filter((group) => this.#counts[group]);
    fill(this.#filter, all.map((group) => {
      const box = h("input", { type: "checkbox", ".checked": this.#chosen.has(group), onchange: () => this.#switch(group, box.checked) });
      return h("label", { class: "chip" }, box, `${t(`replay.kind.${group}`)} ${numeral(this.#counts[group])}`);
    }));
  }

  #switch(group, isChosen) {
    if (isChosen) this.#chosen.add(group);
    else this.#chosen.delete(group);
    this.#onKinds([...this.#chosen].filter((one) => this.#counts[one]));
    this.#choose();
    this.draw();
  }

  #choose() {
    const rows = [];
    this.#source.events.forEach((event, index) => this.#chosen.has(groupOf(event)) && rows.push(index));
    this.#rows = Int32Array.from(rows);
    this.#list.style.blockSize = `${this.#rows.length * rowPixels}px`;
    this.#none.hidden = this.#rows.length > 0;
    this.#drawn = { first: -1, last: -1, current: -2 };
  }

  /** The last line that has happened after so many events; −1 before the first. */
  #rowBefore(count) {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#rows[middle] < count) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Scrolls a line into sight, where it is not. */
  #show(row) {
    const top = Math.max(0, row) * rowPixels;
    const { scrollTop, clientHeight } = this.#box;
    if (top < scrollTop || top + rowPixels > scrollTop + clientHeight) this.#box.scrollTop = top - clientHeight / 2;
  }

  #window() {
    const { scrollTop, clientHeight } = this.#box;
    const first = Math.max(0, Math.floor(scrollTop / rowPixels) - spareRows);
    const last = Math.min(this.#rows.length, Math.ceil((scrollTop + clientHeight) / rowPixels) + spareRows);
    const drawn = this.#drawn;
    if (first === drawn.first && last === drawn.last && drawn.current === this.#current) return;
    this.#drawn = { first, last, current: this.#current };
    const focused = this.#list.contains(document.activeElement) ? document.activeElement.dataset.index : null;
    const lines = [];
    for (let row = first; row < last; row++) lines.push(this.#line(row));
    fill(this.#list, lines);
    if (focused !== null) (this.#list.querySelector(`[data-index="${focused}"]`) ?? this.#list.querySelector("[aria-current]"))?.focus({ preventScroll: true });
  }

  #line(row) {
    const index = this.#rows[row];
    const event = this.#source.events[index];
    const words = sentence(event, this.#names);
    const button = h("button", { type: "button", class: "plain line", title: words, dataset: { index: String(index) }, "aria-current": row === this.#current ? "true" : null, onclick: () => this.#source.seekEvent(index) },
      timeElement(event.time), h("span", { class: "said" }, h("span", { class: "by" }, whoDid(event, this.#names)), " · ", words));
    const line = h("li", { class: row > this.#current ? "to-come" : "", "aria-setsize": this.#rows.length, "aria-posinset": row + 1, dataset: { group: groupOf(event) } }, button);
    line.style.insetBlockStart = `${row * rowPixels}px`;
    return line;
  }
}
