// SPDX-License-Identifier: Apache-2.0
import { h } from "../../../core/dom.js";

/**
 * A switch for what the centre keeps: it stays as it was where the centre does not take it.
 * @param {import("../page.js").Desk} desk @param {string} key @param {string} words @param {boolean} isOn @param {(isOn: boolean) => Promise<any>} act
 */
export function turn({ command }, key, words, isOn, act) {
  const box = h("input", { type: "checkbox", role: "switch", dataset: { key }, checked: isOn, onchange: () => set() });
  const set = async () => {
    const wanted = box.checked;
    box.setAttribute("aria-busy", "true");
    if (!(await command(() => act(wanted)))) box.checked = !wanted;
    box.removeAttribute("aria-busy");
  };
  return h("label", { class: "check" }, box, words);
}
