// SPDX-License-Identifier: Apache-2.0
/**
 * A small Markdown, read into a tree of elements that a page draws with text nodes. It knows headings, paragraphs, bold, italic, lists of one level, links and line breaks;
 * everything else, HTML too, is text. Reading takes linear time, and no input fails.
 *
 * @typedef {{tag: string, href?: string, start?: number, children: (Part | string)[]}} Part
 */

const heading = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const bullet = /^\s*[-*+•][ \t]+(.*)$/;
const number = /^\s*(\d{1,6})[.)][ \t]+(.*)$/;
/** The page has a heading of its own above a text, in h1 or h2: the text's begin below it. */
const firstHeading = 3;
const lastHeading = 6;

/** @param {string} text @returns {Part[]} Blocks, from top to bottom. */
export function markdown(text) {
  const blocks = blocksOf(text);
  // Levels without gaps, so that a screen reader can step through them.
  const levels = [...new Set(blocks.map(({ level }) => level ?? 0))].filter(Boolean).sort((one, other) => one - other);
  return blocks.map(({ kind, level, start, items }) => {
    if (kind === "h") return { tag: `h${Math.min(lastHeading, firstHeading + levels.indexOf(level ?? 0))}`, children: inline(items[0]) };
    if (kind === "p") return { tag: "p", children: inline(items.join("\n")) };
    return { tag: kind, ...(start !== undefined && start !== 1 && { start }), children: items.map((item) => ({ tag: "li", children: inline(item) })) };
  });
}

/**
 * @typedef {{kind: "h" | "p" | "ul" | "ol", level?: number, start?: number, items: string[]}} Block `items` are lines of a paragraph or entries of a list.
 * @param {string} text @returns {Block[]}
 */
function blocksOf(text) {
  const blocks = /** @type {Block[]} */ ([]);
  let isAfterBlank = true;
  for (const line of text.split(/\r\n|[\r\n]/)) {
    const last = blocks[blocks.length - 1];
    const content = line.trim();
    const read = content && blockOf(line);
    if (read && read.kind === last?.kind && read.kind !== "h" && (read.kind !== "p" || !isAfterBlank)) last.items.push(...read.items);
    // A line that is set in belongs to the entry of the list above it.
    else if (read && read.kind === "p" && (last?.kind === "ul" || last?.kind === "ol") && !isAfterBlank && /^[ \t]/.test(line)) last.items.push(`${last.items.pop()}\n${content}`);
    else if (read) blocks.push(read);
    isAfterBlank = !content;
  }
  return blocks;
}

/** @param {string} line @returns {Block} */
function blockOf(line) {
  const [, marks, title] = heading.exec(line) ?? [];
  if (marks) return { kind: "h", level: marks.length, items: [title.trim()] };
  const [, first, entry] = number.exec(line) ?? [];
  if (first) return { kind: "ol", start: Number(first), items: [entry.trim()] };
  const [, plain] = bullet.exec(line) ?? [];
  return plain === undefined ? { kind: "p", items: [line.trim()] } : { kind: "ul", items: [plain.trim()] };
}

// MARK: Within a line

/** What means something within a line: an escaped sign, marks of bold and italic, the two ends of a link, a line break. */
const signs = /\\([\\*_[\]()#+.\-])|\*\*|__|\*|_|\[|\]\(([^\s()<>]{1,2000})\)|\n/g;
/** Addresses that a link may have; no other opens anything but a page, the phone or a letter. */
const allowed = /^(?:https?:\/\/|tel:|mailto:)./i;
const tags = { "**": "strong", __: "strong", "*": "em", _: "em", "[": "a" };
const isSpace = (sign) => !sign || /\s/.test(sign);
const isLetter = (sign) => Boolean(sign) && /[\p{L}\p{N}_]/u.test(sign);

/** @param {string} text @returns {(Part | string)[]} */
function inline(text) {
  const open = new Open();
  let from = 0;
  signs.lastIndex = 0;
  for (let found; (found = signs.exec(text)); from = signs.lastIndex) {
    const [sign, escaped, address] = found;
    open.add(text.slice(from, found.index));
    const [before, after] = [text[found.index - 1], text[signs.lastIndex]];
    if (escaped) open.add(escaped);
    else if (sign === "\n") open.add({ tag: "br", children: [] });
    else if (address) open.link(sign, address);
    else if (sign === "[") open.begin(sign);
    // An underscore within a word is part of it.
    else if (open.has(tags[sign]) && !isSpace(before) && !(sign[0] === "_" && isLetter(after))) open.end(sign);
    else if (!open.has(tags[sign]) && !isSpace(after) && !(sign[0] === "_" && isLetter(before))) open.begin(sign);
    else open.add(sign);
  }
  open.add(text.slice(from));
  return open.whole;
}

/** The elements that are open while a line is read. None is open within another of its own kind, so there are three at most, and each part is moved only so often. */
class Open {
  /** @type {{mark: string, tag: string, parts: (Part | string)[]}[]} The first stands for the whole line. */
  #levels = [{ mark: "", tag: "", parts: [] }];

  /** @param {string} tag */
  has(tag) {
    return this.#levels.some((one) => one.tag === tag);
  }

  /** @param {Part | string} part */
  add(part) {
    this.#put(this.#levels[this.#levels.length - 1].parts, part);
  }

  /** @param {string} mark */
  begin(mark) {
    const tag = tags[mark];
    const before = this.#levels.findIndex((one) => one.tag === tag);
    if (before > 0) this.#giveUp(before);
    this.#levels.push({ mark, tag, parts: [] });
  }

  /** Closes the element of a mark; what was opened within it and not closed is text. @param {string} mark */
  end(mark) {
    const { tag, parts } = this.#close(tags[mark]);
    if (parts.length) this.add({ tag, children: parts });
    else this.add(mark + mark);
  }

  /** @param {string} sign The end of a link as it is written. @param {string} address */
  link(sign, address) {
    if (!this.has("a") || !allowed.test(address)) return this.add(sign);
    const { parts } = this.#close("a");
    this.add({ tag: "a", href: address, children: parts.length ? parts : [address] });
  }

  get whole() {
    while (this.#levels.length > 1) this.#giveUp(this.#levels.length - 1);
    return this.#levels[0].parts;
  }

  #close(tag) {
    const index = this.#levels.findIndex((one) => one.tag === tag);
    while (this.#levels.length - 1 > index) this.#giveUp(this.#levels.length - 1);
    return /** @type {{tag: string, parts: (Part | string)[]}} */ (this.#levels.pop());
  }

  /** An element that is not closed is its mark, and what stands after it. @param {number} index */
  #giveUp(index) {
    const [{ mark, parts }] = this.#levels.splice(index, 1);
    const above = this.#levels[index - 1].parts;
    this.#put(above, mark);
    for (const part of parts) this.#put(above, part);
  }

  /** Texts next to each other are one. @param {(Part | string)[]} parts @param {Part | string} part */
  #put(parts, part) {
    const last = parts.length - 1;
    if (part === "") return;
    if (typeof part === "string" && typeof parts[last] === "string") parts[last] += part;
    else parts.push(part);
  }
}
