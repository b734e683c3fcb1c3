// SPDX-License-Identifier: Apache-2.0
/** That an entry stands in the log that a checkpoint signs, looked at in the browser: RFC 6962, C2SP signed notes. */

/** The algorithm of Ed25519 in a verifier's key. */
const ed25519 = 1;

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

function base64Of(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function hash(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** The leaf of an entry's bytes. @param {Uint8Array} entry @returns {Promise<string>} Base64. */
export async function leafOf(entry) {
  return base64Of(await hash(Uint8Array.of(0), entry));
}

/**
 * The root that a proof leads to (RFC 9162 §2.1.3.2).
 * @param {string} leaf Base64, as the siblings, the nearest first.
 * @param {number} index Which leaf it is.
 * @param {number} size How many there are.
 * @param {string[]} siblings
 * @returns {Promise<string | null>} Base64; `null` where there are too few siblings, or too many.
 */
export async function rootOf(leaf, index, size, siblings) {
  if (index >= size) return null;
  let [node, last] = [index, size - 1];
  let root = bytesOf(leaf);
  for (const text of siblings) {
    if (last === 0) return null;
    const sibling = bytesOf(text);
    if (node % 2 === 1 || node === last) {
      root = await hash(Uint8Array.of(1), sibling, root);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else {
      root = await hash(Uint8Array.of(1), root, sibling);
    }
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 ? base64Of(root) : null;
}

/**
 * What of an event, as it is shown, the entry's own bytes do not say: that bytes are proved says nothing of words that stand beside them.
 *
 * Of a part that is sealed the bytes tell that it is, not what it says.
 * @param {Uint8Array} entry
 * @param {import("../model/event.js").ModelEvent} event
 * @returns {string[]} Names of members and parts.
 */
export function differences(entry, event) {
  const stored = JSON.parse(new TextDecoder().decode(entry));
  const shown = { position: String(event.position), revision: event.revision, id: event.id, subject: `${event.category}/${event.subject}`, actor: event.actor, time: event.time };
  const found = Object.keys(shown).filter((name) => stored[name] !== shown[name]);
  if (stored.type.split("/")[0] !== event.kind) found.push("type");
  for (const [name, value] of Object.entries(event.says)) {
    const known = stored.data[name];
    const isSealed = typeof known?.sealed === "string";
    if (isSealed ? !event.sealed?.includes(name) : !isSame(known, value)) found.push(name);
  }
  return found;
}

/** What is made of several members has no name of its own among them; what holds or not is told where it holds. */
function isSame(known, value) {
  if (typeof known === "boolean") return known;
  if (known === undefined || known === null || typeof known === "object") return true;
  return typeof known === "number" ? known === Number(value) : String(known) === value;
}

/** What a checkpoint's note says. @param {string} note */
export function checkpointOf(note) {
  const [origin, size, root] = note.split("\n");
  return { origin, size: Number(size), root };
}

/**
 * Whether a note is signed by a verifier's key.
 * @param {string} note
 * @param {string} key As `GET /v1/ledger` tells it: name, hash and key, joined by plus signs.
 * @returns {Promise<boolean | null>} `null` where this browser cannot look.
 */
export async function isSigned(note, key) {
  const [first, second] = [key.indexOf("+"), key.indexOf("+", key.indexOf("+") + 1)];
  const [name, id] = [key.slice(0, first), key.slice(first + 1, second)];
  const [algorithm, ...raw] = bytesOf(key.slice(second + 1));
  if (algorithm !== ed25519) return null;
  const end = note.indexOf("\n\n");
  // Behind four bytes that name the key.
  const signatures = note.slice(end + 2).split("\n").filter((line) => line.startsWith(`— ${name} `)).map((line) => bytesOf(line.slice(`— ${name} `.length)));
  const signature = signatures.find((one) => hex(one.slice(0, 4)) === id)?.slice(4);
  if (end < 0 || !signature) return false;
  let imported;
  try {
    imported = await crypto.subtle.importKey("raw", Uint8Array.from(raw), "Ed25519", false, ["verify"]);
  } catch {
    return null;
  }
  return crypto.subtle.verify("Ed25519", imported, signature, new TextEncoder().encode(note.slice(0, end + 1)));
}

/**
 * Whether an entry stands in the log, by a proof of `GET /v1/events/{position}/proof`.
 * @param {Uint8Array} entry Its bytes.
 * @param {{position: string, size: string, hashes: string[], checkpoint: string}} proof
 * @param {string} key The verifier's.
 * @returns {Promise<{isSound: boolean, size: number, isSigned: boolean | null, leaf: string}>} `isSigned` is `null` where this browser cannot look at signatures.
 */
export async function look(entry, proof, key) {
  const leaf = await leafOf(entry);
  const checkpoint = checkpointOf(proof.checkpoint);
  const root = await rootOf(leaf, Number(proof.position), checkpoint.size, proof.hashes);
  const signed = await isSigned(proof.checkpoint, key);
  return { isSound: root === checkpoint.root && String(checkpoint.size) === String(proof.size) && signed !== false, size: checkpoint.size, isSigned: signed, leaf };
}
