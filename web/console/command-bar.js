// SPDX-License-Identifier: Apache-2.0
import { choose, fill, find, h, isVisible, theme, toast } from "../core/dom.js";
import { phoneOf, readPhone, readPhoneAlone } from "../core/phone.js";
import { age, span } from "../core/time.js";
import { nameOfSession } from "./incident.js";
import { instructions } from "./instructions.js";
import { TextMessage } from "./text-message.js";
import { whyFull } from "./triage.js";
import { commandsFor, meaningOf } from "./written.js";

/** So long nothing is typed before the gateway is asked. */
const pauseMilliseconds = 120;

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
  /** Which of the choices Enter takes; `null` for none. */
  #at = null;
  /** Counts the lines: an answer is for the line that asked. */
  #asked = 0;
  #timer = 0;
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
      oninput: () => this.#read(), onfocus: () => this.#read(), onkeydown: (event) => this.#key(event), onblur: ({ relatedTarget }) => this.#blurred(relatedTarget),
    });
    fill(place, this.#input, h("kbd", { "aria-hidden": "true" }, "/"), this.#list);
    addEventListener("keydown", (event) => this.#global(event), { signal: this.#controller.signal });
  }

  stop() {
    clearTimeout(this.#timer);
    this.#asked++;
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
    const command = this.#commands().find((one) => one.shortcut === key);
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
      next && { word: "take", text: `Take the one who has waited longest${next.phone ? `, ${next.phone}` : ""}`, shortcut: "t", run: () => this.#take(next) },
      has && { word: "video", text: "Ask the caller for video", shortcut: "v", run: () => view.ask("start_video") },
      has && { word: "stop", text: "Ask the caller to stop the video", run: () => view.ask("stop_video") },
      has && { word: "locate", text: "Ask the caller where they are", shortcut: "o", run: () => view.ask("send_location") },
      has && { word: "link", text: "Send the caller a link, for a phone without the application", shortcut: "k", run: () => view.sendLink() },
      Boolean(view.joinable) && { word: "merge", text: "Merge another incident into this one: merge and its id", run: () => this.#begin("merge ") },
      has && { word: "message", text: "Write to the caller", shortcut: "m", run: () => view.focusMessage() },
      has && { word: "details", text: "What else is known: address, link, consents, who was let in", shortcut: "i", run: () => view.switchDetails() },
      has && { word: "live", text: "Back to the live picture", shortcut: "l", run: () => view.goLive() },
      has && { word: "close", text: "Close or leave the session", shortcut: "x", run: () => view.leave() },
      desk.mine[0] && !has && { word: "session", text: "Back to the open session", run: () => show.session(desk.mine[0].id) },
      ...(view.incident ? instructions.map((text, index) => ({ word: `say ${index + 1}`, text, shortcut: String(index + 1), run: () => view.instruct(text) })) : []),
      { word: "footage", text: "Find old recordings", shortcut: "f", run: () => show.footage() },
      { word: "code", text: "Code for a phone: code +44…", run: () => this.#begin("code +") },
      { word: "theme", text: "Light or dark", run: () => theme.switch() },
      { word: "out", text: "Sign out", run: () => signOut() },
    ].filter(Boolean);
  }

  async #take(session) {
    const { desk, show } = this.#context;
    const full = whyFull(desk);
    if (full) return toast(full, "warn");
    if (await desk.claim(session.id)) show.session(session.id);
  }

  /** What is offered is always of what is written now: Enter never acts on the answer to an earlier line. */
  #read() {
    this.#asked++;
    clearTimeout(this.#timer);
    const line = meaningOf(this.#input.value);
    if (line.is === "id") return this.#later(() => this.#findIncident(line.id, line.isToMerge));
    if (line.is === "code") return this.#offer([this.#codeChoice(line.text)], 0);
    if (line.is === "number") return this.#number(line);
    if (line.is === "begun") return this.#offer([], null, line.wanted);
    const { found, isCertain } = commandsFor(this.#commands(), line.word ?? "");
    if (found.length === 0) return this.#offer([], null, "No command is called so, and it is no number.");
    this.#offer(found, isCertain ? 0 : null);
  }

  /** A question to the gateway waits until nothing is typed for a moment; meanwhile nothing can be chosen but what follows from the line itself. */
  #later(question) {
    this.#offer([], null, "Looking …");
    this.#timer = setTimeout(question, pauseMilliseconds);
  }

  /** Enter calls exactly the number that is written; who is known has to be chosen by arrow key or pointer. */
  #number({ text, digits, phone, isWhole }) {
    const exact = phone ? this.#exactly(phone, "opens a session and asks for video") : [];
    this.#offer(exact, exact.length ? 0 : null, exact.length ? "" : "Looking for callers …");
    this.#timer = setTimeout(() => this.#findCallers(text, digits, isWhole), pauseMilliseconds);
  }

  /** A number that is called, and what else may be done with it. Whether the caller is asked for video is the operator's choice. */
  #exactly(phone, text, extension = "") {
    const also = extension && `; dial ${extension} once somebody answers`;
    return [
      { key: `call ${phone}`, label: `Call ${phone}`, text: `${text}${also}`, run: () => this.#call(phone) },
      { key: `quiet ${phone}`, label: `Call ${phone} without video`, text: "opens a session, and asks for nothing", run: () => this.#call(phone, false) },
      this.#codeChoice(phone),
    ];
  }

  /** What is written, as the gateway reads it. @returns {Promise<{number: string, extension: string, fault: string}>} */
  async #reading(text) {
    try {
      return { ...(await readPhone(this.#api, text)), fault: "" };
    } catch (error) {
      return { number: "", extension: "", fault: error.message };
    }
  }

  /** What an id means now: an incident, also one that was merged, or a session. */
  async #findIncident(id, isToMerge) {
    const asked = this.#asked;
    const { sessionView: view, show } = this.#context;
    let found;
    try {
      found = await view.merging.find(id);
    } catch (error) {
      if (asked === this.#asked) this.#offer([], null, error.message);
      return;
    }
    // A slower answer to an older question is no news.
    if (asked !== this.#asked) return;
    const session = found.sessions.find((one) => one.id === id) ?? found.sessions.at(-1);
    const isOther = view.joinable && view.joinable !== found.id;
    const merge = isOther && { label: "Merge", text: `makes ${phones(found)} part of the incident that is shown`, run: () => view.merging.offer(view.joinable, found.id) };
    const open = !isToMerge && session && {
      label: session.id === id ? "Session" : "Incident", run: () => show.session(session.id),
      text: found.id === id || session.id === id ? phones(found) : `now part of ${found.id}: ${phones(found)}`,
    };
    this.#offer([open, merge].filter(Boolean), 0);
    if (isToMerge && !merge) toast(view.joinable ? "That is the incident that is shown." : "Open your own session first; the other is merged into its incident.");
  }

  async #findCallers(text, digits, isWhole) {
    const asked = this.#asked;
    const nothing = { number: "", extension: "", fault: "" };
    const { number, extension, fault } = isWhole ? await this.#reading(text) : nothing;
    let found = [];
    try {
      found = (await this.#api.get(`/v1/callers?prefix=${encodeURIComponent(number || `+${digits}`)}&limit=8`)).items;
    } catch (error) {
      toast(error.message, "bad");
    }
    if (asked !== this.#asked) return;
    const last = (caller) => `${caller.sessions === 1 ? "one session" : `${caller.sessions} sessions`}, last ${age(caller.lastAt)} ago${caller.hasPhone ? " · registered phone" : ""}`;
    const known = found.find((caller) => number && caller.phone === number);
    const first = number ? this.#exactly(number, known ? last(known) : "not known here", extension) : [];
    const others = found.filter((caller) => caller !== known).map((caller) => ({
      key: `call ${caller.phone}`, label: marked(caller.phone ?? "", `+${digits}`), text: last(caller), run: () => this.#call(caller.phone),
    }));
    const why = fault && !others.length ? [{ key: "no number", label: "No number", text: fault, run: () => toast(fault, "bad") }] : [];
    // Behind what stood there already: nothing moves under a pointer that is about to press.
    const choices = [...first, ...others, ...why];
    this.#offer(choices, this.#chosenIn(choices) ?? (first.length || why.length ? 0 : null), choices.length ? "" : "Nobody is known whose number begins so.");
  }

  /** Where the choice that is marked now stands in a new list. */
  #chosenIn(choices) {
    const key = this.#choices[this.#at]?.key;
    const at = choices.findIndex((choice) => key !== undefined && choice.key === key);
    return at < 0 ? null : at;
  }

  #codeChoice(text) {
    return { key: `code ${text}`, label: `Code for ${phoneOf(text) ?? text}`, text: "registers the phone", run: () => this.#giveCode(text) };
  }

  async #call(phone, withVideo = true) {
    const session = await this.#context.desk.call(phone, withVideo);
    if (session) this.#context.show.session(session);
  }

  /** Goes on typing behind a word. */
  #begin(text) {
    this.#input.focus();
    this.#input.value = text;
    this.#read();
  }

  /** Asks why, for the caller's other phones and the owner of an open session are told. */
  async #giveCode(text) {
    let phone = "";
    try {
      phone = await readPhoneAlone(this.#api, text);
    } catch (error) {
      return toast(error.message, "bad");
    }
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
      const message = new TextMessage(this.#api);
      message.offer({
        cause: `user/${this.#context.desk.me.user}`, template: "code", phone, lasts: expiresInSeconds, label: "Send the code by SMS",
        values: { code, address: `${location.origin}/call` },
      });
      fill(find("#code-sms"), message.element);
      find("#code-dialog").showModal();
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  // MARK: The list

  /**
   * @param {any[]} choices
   * @param {number | null} at Which of them Enter takes without an arrow key; `null` for none.
   * @param {string} [words] What is said below them, or where there are none.
   */
  #offer(choices, at, words = "") {
    this.#choices = choices;
    this.#at = choices.length ? at : null;
    fill(this.#list, choices.map((choice, index) => h("li", {
      role: "option", id: `command-${index}`,
      onpointerdown: (event) => {
        event.preventDefault();
        this.#run(choice);
      },
    }, h("span", {}, choice.label ?? choice.word), h("span", { class: "small soft" }, choice.text), choice.shortcut && h("kbd", {}, `Alt ${choice.shortcut.toUpperCase()}`))),
      words && h("li", { role: "option", "aria-disabled": "true", class: "soft" }, words));
    this.#list.hidden = (choices.length === 0 && !words) || document.activeElement !== this.#input;
    this.#input.setAttribute("aria-expanded", String(!this.#list.hidden));
    this.#mark();
  }

  #mark() {
    for (const [index, item] of [...this.#list.querySelectorAll("[id]")].entries()) item.setAttribute("aria-selected", String(index === this.#at));
    if (this.#at === null) return this.#input.removeAttribute("aria-activedescendant");
    this.#input.setAttribute("aria-activedescendant", `command-${this.#at}`);
    this.#list.children[this.#at].scrollIntoView({ block: "nearest" });
  }

  #key(event) {
    const count = this.#choices.length;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && count) {
      event.preventDefault();
      // From where nothing is marked, down leads to the first and up to the last.
      this.#at = this.#at === null ? (step > 0 ? 0 : count - 1) : (this.#at + step + count) % count;
      return this.#mark();
    }
    if (event.key === "Escape") this.#leave();
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    if (this.#at !== null) this.#run(this.#choices[this.#at]);
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

  /** The list lies over what the keyboard goes to next. Where nothing else has the keyboard, the window may only have lost it. */
  #blurred(next) {
    if (next) this.#close();
    else setTimeout(() => document.activeElement !== this.#input && this.#close(), 150);
  }

  #close() {
    clearTimeout(this.#timer);
    this.#asked++;
    this.#list.hidden = true;
    this.#input.setAttribute("aria-expanded", "false");
  }
}

function phones({ sessions }) {
  return sessions.map(nameOfSession).join(", ") || "no session";
}

function marked(text, part) {
  if (!text.startsWith(part)) return text;
  return h("span", {}, h("mark", {}, part), text.slice(part.length));
}
