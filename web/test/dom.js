// SPDX-License-Identifier: Apache-2.0
/** As much of a document as a page of ours needs to be pressed in a test: elements read from the page's file, selectors, events that rise. */
import { readFileSync } from "node:fs";

const empty = /^(?:meta|link|img|input|br)$/;

class Node extends EventTarget {
  parent = null;
  /** @type {(Node | string)[]} */
  nodes = [];

  get children() {
    return this.nodes.filter((node) => node instanceof Element);
  }

  append(...nodes) {
    for (const node of nodes) {
      node.parent?.removeNode(node);
      if (node instanceof Node) node.parent = this;
      this.nodes.push(node instanceof Node ? node : String(node));
    }
  }

  prepend(...nodes) {
    const rest = this.nodes;
    this.nodes = [];
    this.append(...nodes);
    this.nodes.push(...rest);
  }

  removeNode(node) {
    this.nodes = this.nodes.filter((one) => one !== node);
  }

  replaceChildren(...nodes) {
    for (const node of this.children) node.parent = null;
    this.nodes = [];
    this.append(...nodes);
  }

  contains(other) {
    return other === this || Boolean(other?.parent && this.contains(other.parent));
  }

  get all() {
    return this.children.flatMap((child) => [child, ...child.all]);
  }

  querySelectorAll(selector) {
    return this.all.filter((element) => element.matches(selector));
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  get textContent() {
    return this.nodes.map((node) => (typeof node === "string" ? node : node.textContent)).join("");
  }

  set textContent(text) {
    this.replaceChildren(...(text === "" ? [] : [text]));
  }

  /** Dispatches, here and at what this is in, as a browser does: handlers in properties, too. */
  fire(type, members = {}) {
    const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), members);
    Object.defineProperty(event, "target", { value: this });
    for (let at = this; at; at = at.parent) {
      Object.defineProperty(event, "currentTarget", { value: at, configurable: true });
      at[`on${type}`]?.call(at, event);
      for (const listener of at.listeners?.[type] ?? []) listener.call(at, event);
    }
    return event;
  }

  listeners = {};

  addEventListener(type, listener) {
    (this.listeners[type] ??= []).push(listener);
  }
}

export class Element extends Node {
  attributes = new Map();
  dataset = {};
  value = "";
  checked = false;
  files = [];

  constructor(name) {
    super();
    this.localName = name;
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
    if (name.startsWith("data-")) this.dataset[name.slice(5).replace(/-(\w)/g, (_, letter) => letter.toUpperCase())] = String(value);
    if (name === "value") this.value = String(value);
    if (name === "checked") this.checked = true;
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  get hidden() {
    return this.attributes.has("hidden");
  }

  set hidden(isHidden) {
    if (isHidden) this.attributes.set("hidden", "");
    else this.attributes.delete("hidden");
  }

  get id() {
    return this.getAttribute("id") ?? "";
  }

  get name() {
    return this.getAttribute("name") ?? "";
  }

  get className() {
    return this.getAttribute("class") ?? "";
  }

  set className(text) {
    this.setAttribute("class", text);
  }

  get form() {
    return this.closest("form");
  }

  get isSeen() {
    return !this.hidden && (!(this.parent instanceof Element) || this.parent.isSeen);
  }

  checkVisibility() {
    return this.isSeen;
  }

  matches(selector) {
    return selector.split(",").some((one) => matchesPath(this, one.trim().split(/\s+/)));
  }

  closest(selector) {
    return this.matches(selector) ? this : this.parent instanceof Element ? this.parent.closest(selector) : null;
  }

  focus() {
    globalThis.document.activeElement = this;
  }

  scrollIntoView() {}

  /** Of a form: its fields hold nothing. */
  reset() {
    for (const field of this.all) field.value = "";
  }

  remove() {
    this.parent?.removeNode(this);
    this.parent = null;
  }
}

function matchesPath(element, path) {
  if (!matchesOne(element, path[path.length - 1])) return false;
  if (path.length === 1) return true;
  for (let at = element.parent; at instanceof Element; at = at.parent) if (matchesPath(at, path.slice(0, -1))) return true;
  return false;
}

function matchesOne(element, selector) {
  const parts = selector.match(/^[\w-]+|#[\w-]+|\.[\w-]+|\[[^\]]+\]|:not\([^)]*\)|:[\w-]+/g) ?? [];
  return parts.every((part) => {
    if (part.startsWith("#")) return element.id === part.slice(1);
    if (part.startsWith(".")) return element.className.split(" ").includes(part.slice(1));
    if (part.startsWith(":not(")) return !matchesOne(element, part.slice(5, -1));
    if (part.startsWith(":")) return false;
    if (!part.startsWith("[")) return element.localName === part;
    const [name, value] = part.slice(1, -1).split("=");
    return value === undefined ? element.attributes.has(name) : element.getAttribute(name) === value.replace(/^"|"$/g, "");
  });
}

/** The document of a page's file below `web/`, without running anything. */
export function documentOf(file) {
  const html = readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
  const document = new Node();
  let at = document;
  for (const [whole, end, name, attributes, text] of html.matchAll(/<!--[\s\S]*?-->|<!doctype[^>]*>|<(\/?)([a-z][\w-]*)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*>|([^<]+)/gi)) {
    if (text?.trim()) at.append(text.trim());
    if (!name) continue;
    if (end) {
      at = at.parent;
      continue;
    }
    const element = new Element(name);
    for (const [, key, value = ""] of attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)) element.setAttribute(key, value);
    at.append(element);
    if (!empty.test(name) && whole) at = element;
  }
  const [root] = document.children;
  return Object.assign(document, {
    documentElement: root, head: root.querySelector("head"), body: root.querySelector("body"), visibilityState: "visible", activeElement: null, title: "",
    createElement: (name) => new Element(name), createElementNS: (_, name) => new Element(name),
  });
}

/** Presses what is to be seen with these words, as a finger does: a label presses its input, a button its form. @returns {Element} */
export function press(words) {
  const found = globalThis.document.querySelectorAll("button, a, label").find((one) => one.isSeen && one.textContent.replace(/\s+/g, " ").includes(words));
  if (!found) throw new Error(`nothing to press says ${words}`);
  const input = found.localName === "label" && found.querySelector("input");
  if (!input) {
    found.fire("click");
    if (found.localName === "button" && found.getAttribute("type") !== "button" && found.form) found.form.fire("submit", { submitter: found });
    return found;
  }
  if (input.getAttribute("type") === "radio") {
    for (const other of found.form.querySelectorAll(`input[name="${input.name}"]`)) other.checked = other === input;
    input.fire("input");
  }
  if (input.getAttribute("type") === "checkbox") {
    input.checked = !input.checked;
    input.fire("input");
  }
  return input;
}

/** Gives files to a field that takes some. @param {Element} input @param {{name: string}[]} files */
export function giveFiles(input, files) {
  input.files = files;
  input.fire("change");
}

/** What is to be read on the page, or in a part of it. @param {string} [selector] */
export function seen(selector = "body") {
  const textOf = (node) => (typeof node === "string" ? node : node.hidden ? "" : node.nodes.map(textOf).join(" "));
  const part = globalThis.document.querySelector(selector);
  return part?.isSeen ? textOf(part).replace(/\s+/g, " ").trim() : "";
}
