// SPDX-License-Identifier: Apache-2.0
import { choose, fill, find, h, isVisible, theme, toast } from "../core/dom.js";
import { phoneDigits, phoneFault, phoneOf } from "../core/phone.js";
import { age, span } from "../core/time.js";
import { instructions } from "./instructions.js";

/**
 * One line for everything: a phone number finds callers and calls them, a word finds a command. `/` goes to it from anywhere.
 */
export class CommandBar {
  #api;
  #context;
  #place;
  #input;
  #list;
  #choices = [];
  #at = 0;
  #asked = 0;
  #before = null;
  #controller = new AbortController();

  constructor(api, place, context) {
    this.#api = api;
    this.#context = context;
    this.#place = place;
    this.#list = h("ul", { class: "card", role: "listbox", id: "command-list", "aria-label": "Suggestions", hidden: true });
    this.#input = h("input", {
      type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", "aria-expanded": "false", "aria-controls": "command-list", "aria-autocomplete": "list",
      "aria-label": "Phone number or command", placeholder: "Phone number, or a command …",
      oninput: () => this.#read(), onfocus: () => this.#read(), onkeydown: (event) => this.#key(event), onblur: () => setTimeout(() => document.activeElement !== this.#input && this.#close(), 150),
    });
    fill(place, this.#input, h("kbd", { "aria-hidden": "true" }, "/"), this.#list);
    addEventListener("keydown", (event) => this.#global(event), { signal: this.#controller.signal });
  }

  stop() {
    this.#controller.abort();
    fill(this.#place);
  }

  #global(event) {
    // What a dialog asks is about what lies under it, and that stays as it is until it was answered.
    const isAsked = document.querySelector("dialog:modal") !== null;
    const isTyping = isAsked || event.target.closest?.("input:not([type=range]), textarea, select");
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      this.#before = document.activeElement;
      this.#input.focus();
      this.#input.select();
    }
    if (!event.altKey || event.ctrlKey || event.metaKey) return;
    // With Alt some keyboards write other signs; the key itself is meant.
    const key = /^[a-z0-9]$/i.test(event.key) ? event.key.toLowerCase() : event.code.replace(/^(Key|Digit)/, "").toLowerCase();
    const command = this.#commands().find((one) => one.key === key);
    if (!command) return;
    event.preventDefault();
    // What goes into the ledger goes there once, however long a key is held.
    if (!event.repeat && !isAsked) command.run();
  }

  #commands() {
    const { sessionView: view, show, desk, signOut } = this.#context;
    const has = Boolean(view.session);
    const [next] = desk.pending;
    return [
      next && { word: "take", text: `Take the one who has waited longest${next.phone ? `, ${next.phone}` : ""}`, key: "t", run: async () => (await desk.claim(next.id)) && show.session(next.id) },
      has && { word: "video", text: "Ask the caller for video", key: "v", run: () => view.ask("start_video") },
      has && { word: "stop", text: "Ask the caller to stop the video", run: () => view.ask("stop_video") },
      has && { word: "locate", text: "Ask the caller where they are", key: "o", run: () => view.ask("send_location") },
      has && { word: "link", text: "Send the caller a link, for a phone without the application", key: "k", run: () => view.sendLink() },
      Boolean(view.joinable) && { word: "merge", text: "Merge another incident into this one: merge and its id", run: () => this.#begin("merge ") },
      has && { word: "message", text: "Write to the caller", key: "m", run: () => view.focusMessage() },
      has && { word: "live", text: "Back to the live picture", key: "l", run: () => view.goLive() },
      has && { word: "close", text: "Close or leave the session", key: "x", run: () => view.leave() },
      desk.mine[0] && !has && { word: "session", text: "Back to the open session", run: () => show.session(desk.mine[0].id) },
      ...(view.incident ? instructions.map((text, index) => ({ word: `say ${index + 1}`, text, key: String(index + 1), run: () => view.instruct(text) })) : []),
      { word: "footage", text: "Find old recordings", key: "f", run: () => show.footage() },
      { word: "code", text: "Code for a phone: code +44…", run: () => this.#begin("code +") },
      { word: "theme", text: "Light or dark", run: () => theme.switch() },
      { word: "out", text: "Sign out", run: () => signOut() },
    ].filter(Boolean);
  }

  async #read() {
    const text = this.#input.value.trim();
    const id = /^(merge\s+)?(?:(?:incident|session)\/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(text);
    if (id) return this.#findIncident(id[2].toLowerCase(), Boolean(id[1]));
    const code = /^code\s*([+\d\s()/.-]{7,})$/i.exec(text);
    if (code) return this.#offer([this.#codeChoice(code[1])]);
    if (/^[+\d\s()/.-]+$/.test(text) && phoneDigits(text).length >= 2) return this.#findCallers(text);
    const word = text.replace(/^\//, "").toLowerCase();
    this.#asked++;
    this.#offer(this.#commands().filter((one) => one.word.startsWith(word) || (word.length > 1 && one.text.toLowerCase().includes(word))));
  }

  /** What an id means now: an incident, also one that was merged, or a session. */
  async #findIncident(id, isToMerge) {
    const asked = ++this.#asked;
    const { sessionView: view, show } = this.#context;
    let found;
    try {
      found = await view.merging.find(id);
    } catch (error) {
      if (asked === this.#asked) this.#offer([]);
      return toast(error.message, "bad");
    }
    if (asked !== this.#asked) return;
    const session = found.sessions.find((one) => one.id === id) ?? found.sessions.at(-1);
    const isOther = view.joinable && view.joinable !== found.id;
    const merge = isOther && { label: "Merge", text: `makes ${phones(found)} part of the incident that is shown`, run: () => view.merging.offer(view.joinable, found.id) };
    const open = !isToMerge && session && {
      label: session.id === id ? "Session" : "Incident", run: () => show.session(session.id),
      text: found.id === id || session.id === id ? phones(found) : `now part of ${found.id}: ${phones(found)}`,
    };
    this.#offer([open, merge].filter(Boolean));
    if (isToMerge && !merge) toast(view.joinable ? "That is the incident that is shown." : "Open your own session first; the other is merged into its incident.");
  }

  async #findCallers(text) {
    const asked = ++this.#asked;
    const digits = phoneDigits(text);
    const phone = phoneOf(text);
    let found = [];
    try {
      found = (await this.#api.get(`/v1/callers?prefix=%2B${digits}&limit=8`)).items;
    } catch (error) {
      toast(error.message, "bad");
    }
    // A slower answer to an older question is no news.
    if (asked !== this.#asked) return;
    const choices = found.map((caller) => ({
      label: marked(caller.phone ?? "", `+${digits}`),
      text: `${caller.sessions === 1 ? "one session" : `${caller.sessions} sessions`}, last ${age(caller.lastAt)} ago`,
      run: () => this.#call(caller.phone),
    }));
    if (phone && !found.some((caller) => caller.phone === phone)) choices.push({ label: `Call ${phone}`, text: "not known here", run: () => this.#call(phone) });
    if (digits.length >= 7) choices.push(this.#codeChoice(text));
    this.#offer(choices);
  }

  #codeChoice(text) {
    const phone = phoneOf(text);
    if (!phone) return { label: "No country code", text: phoneFault(), run: () => toast(phoneFault(), "bad") };
    return { label: `Code for ${phone}`, text: "registers the phone", run: () => this.#giveCode(phone) };
  }

  async #call(phone) {
    const session = await this.#context.desk.call(phone);
    if (session) this.#context.show.session(session);
  }

  /** Goes on typing behind a word. */
  #begin(text) {
    this.#input.focus();
    this.#input.value = text;
    this.#read();
  }

  /** Asks why, for the caller's other phones and the owner of an open session are told. */
  async #giveCode(phone) {
    find("#why-phone").textContent = phone;
    if (await choose(find("#why-dialog")) !== "give") return;
    const reason = find("#why-text").value.trim();
    try {
      const { code, expiresInSeconds, session } = await this.#api.post("/v1/devices/codes", { phone, reason }, { tries: 1 });
      // Who was signed out meanwhile is told nothing.
      if (this.#controller.signal.aborted) return;
      find("#code-value").textContent = code;
      find("#code-address").textContent = `${location.host}/call`;
      find("#code-life").textContent = `${phone} · good for ${span(expiresInSeconds)}, once; it cannot be shown again. ${session ? "The phone goes on in your open session." : "The phone sees what begins after it."}`;
      find("#code-dialog").showModal();
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  // MARK: The list

  #offer(choices) {
    this.#choices = choices;
    this.#at = 0;
    fill(this.#list, choices.map((choice, index) => h("li", {
      role: "option", id: `command-${index}`, "aria-selected": index === 0 ? "true" : "false",
      onpointerdown: (event) => {
        event.preventDefault();
        this.#run(choice);
      },
    }, h("span", {}, choice.label ?? choice.word), h("span", { class: "small soft" }, choice.text), choice.key && h("kbd", {}, `Alt ${choice.key.toUpperCase()}`))));
    this.#list.hidden = choices.length === 0 || document.activeElement !== this.#input;
    this.#input.setAttribute("aria-expanded", String(!this.#list.hidden));
    this.#mark();
  }

  #mark() {
    [...this.#list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === this.#at)));
    if (this.#choices.length) this.#input.setAttribute("aria-activedescendant", `command-${this.#at}`);
    else this.#input.removeAttribute("aria-activedescendant");
    this.#list.children[this.#at]?.scrollIntoView({ block: "nearest" });
  }

  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.#choices.length) {
      event.preventDefault();
      this.#at = (this.#at + step + this.#choices.length) % this.#choices.length;
      return this.#mark();
    }
    if (event.key === "Escape") this.#leave();
    if (event.key === "Enter" && this.#choices[this.#at]) {
      event.preventDefault();
      this.#run(this.#choices[this.#at]);
    }
  }

  #run(choice) {
    this.#leave();
    choice.run();
  }

  /** Back to where the keyboard was. */
  #leave() {
    this.#input.value = "";
    this.#close();
    const before = this.#before;
    this.#before = null;
    if (before && before !== document.body && before.isConnected && isVisible(before)) before.focus();
    else find("#main").focus({ preventScroll: true });
  }

  #close() {
    this.#list.hidden = true;
    this.#input.setAttribute("aria-expanded", "false");
  }
}

function phones({ sessions }) {
  return sessions.map((session) => session.phone ?? "number unknown").join(", ") || "no session";
}

function marked(text, part) {
  if (!text.startsWith(part)) return text;
  return h("span", {}, h("mark", {}, part), text.slice(part.length));
}
