// SPDX-License-Identifier: Apache-2.0
import { toast } from "../core/dom.js";

/** Copies a text, and says so; not every browser lets a page do it. */
export async function copy(text, words = "Copied.") {
  try {
    await navigator.clipboard.writeText(text);
    toast(words, "good");
  } catch {
    toast("This browser lets no page copy; select the text and copy it.", "warn");
  }
}
