// SPDX-License-Identifier: Apache-2.0
import { fill, h, toast } from "../core/dom.js";
import { phoneDigits } from "../core/phone.js";
import { dayOf, position, timeAndZone } from "../core/time.js";

/** Finding old recordings by date, time, address, operator, number and file name, and playing them. */
export class Footage {
  #api;
  #place;
  #isShown = false;
  #rows = h("tbody");
  #table = h("div", { class: "card table", hidden: true });
  #player = h("dvr-player", { hidden: true });
  #more = h("button", { type: "button", hidden: true }, "More");
  #status = h("p", { class: "soft", role: "status" });
  #query = new URLSearchParams();
  #asked = 0;

  constructor(api, place) {
    this.#api = api;
    this.#place = place;
    this.#more.addEventListener("click", () => this.#read(this.#more.dataset.before));
    fill(this.#table, h("table", {}, h("caption", { class: "visually-hidden" }, "Recordings found"),
      h("thead", {}, h("tr", {}, ["", "Date", "Time", "Address", "Operator", "File", ""].map((name) => h("th", { scope: "col" }, name || h("span", { class: "visually-hidden" }, "Picture, or play"))))),
      this.#rows));
  }

  stop() {
    this.close();
  }

  close() {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#player.close();
  }

  show() {
    this.#isShown = true;
    const field = (label, name, type = "text") => h("label", {}, label, h("input", { name, type, autocomplete: "off" }));
    const form = h("form", { class: "card", onsubmit: (event) => this.#search(event) },
      field("Address", "address"), field("From", "fromDate", "date"), field("Until", "toDate", "date"), field("Operator", "operator"),
      field("Phone number", "phone", "tel"), field("File name", "fileName"), h("button", { class: "primary" }, "Find"));
    this.#player.hidden = true;
    fill(this.#place, h("div", { class: "footage" }, h("h1", {}, "Footage"), form, this.#player, this.#status, this.#table, this.#more));
    form.querySelector("input").focus();
    // The form is empty, whatever was looked for before.
    this.#query = new URLSearchParams();
    this.#read();
  }

  #search(event) {
    event.preventDefault();
    const values = Object.fromEntries([...new FormData(event.target)].map(([name, value]) => [name, String(value).trim()]).filter(([, value]) => value));
    if (values.phone) {
      const digits = phoneDigits(values.phone);
      if (!digits) return void toast("Write the number, or how it begins, in digits.", "bad");
      values.phone = `+${digits}`;
    }
    this.#query = new URLSearchParams(values);
    fill(this.#rows);
    this.#read();
  }

  async #read(before) {
    const asked = ++this.#asked;
    const query = new URLSearchParams(this.#query);
    query.set("limit", "20");
    if (before) query.set("before", before);
    else fill(this.#rows);
    try {
      const { items, next } = await this.#api.get(`/v1/streams?${query}`);
      // A slower answer to an older question is no news.
      if (asked !== this.#asked) return;
      this.#rows.append(...items.map((item) => this.#row(item)));
      this.#table.hidden = this.#rows.childElementCount === 0;
      this.#status.textContent = this.#rows.childElementCount ? "" : "No recording was found.";
      this.#more.hidden = !next;
      this.#more.dataset.before = next ?? "";
    } catch (error) {
      if (asked === this.#asked) toast(error.message, "bad");
    }
  }

  #row(item) {
    // As it is looked for: by the clock of the place where it was filmed, whatever the site's zone is now.
    const begun = new Date(item.startedAt);
    const picture = h("img", { src: `/v1/streams/${item.id}/frame?at=0`, alt: "", loading: "lazy", width: 112, height: 63, onerror: (event) => (event.target.hidden = true) });
    const row = h("tr", {},
      h("td", {}, picture), h("td", {}, h("time", { datetime: item.startedAt }, dayOf(begun, item.timeZone))), h("td", { class: "figures" }, timeAndZone(begun, item.timeZone)), h("td", {}, item.address ?? "–"),
      h("td", {}, item.operatorName ?? item.operator ?? "–"),
      h("td", {}, h("code", {}, item.fileName), h("br"), h("span", { class: "small soft figures" }, position(item.durationMilliseconds ?? 0), item.phone && ` · ${item.phone}`)),
      h("td", {}, h("div", { class: "row" }, h("button", { type: "button", onclick: () => this.#play(item, row) }, "Play"),
        h("a", { class: "button", href: item.media, download: item.fileName }, "Save"))));
    return row;
  }

  #play(item, row) {
    for (const other of this.#rows.children) other.classList.toggle("chosen", other === row);
    this.#player.hidden = false;
    if (item.state === "finalized") this.#player.showRecording(this.#api, item.id, item);
    else this.#player.showLive(this.#api, item.id);
    this.#player.play();
    this.#player.scrollIntoView({ block: "nearest" });
    this.#player.querySelector("input").focus();
  }
}
