// SPDX-License-Identifier: Apache-2.0
import { API } from "../../../core/api.js";
import { entered } from "../../../call/entered.js";
import { find, holdBack } from "../../../core/dom.js";
import { language, t } from "../../../core/i18n.js";
import { newID } from "../../../core/ids.js";
import { readPhoneAlone } from "../../../core/phone.js";
import { pressed } from "../../../dom/busy.js";
import { Proof } from "../../report/parts/proof.js";
import { refusalWords } from "./refusals.js";

/** Registers this phone: a code is sent to its number, or the centre gave one. */
export class Register {
  #api = new API();
  #proof = new Proof(this.#api);
  #onRegistered;
  #form = find("#register-form");

  /** @param {(answer: {token: string, phone: string}) => void} onRegistered */
  constructor(onRegistered) {
    this.#onRegistered = onRegistered;
    find("#send-code").onclick = pressed(() => this.#sendCode());
    find("#have-code").onclick = () => {
      this.#showCode();
      this.#codeField.focus();
    };
    this.#form.onsubmit = pressed((event) => this.#submitted(event));
  }

  /** Asks whether this centre sends codes. @param {string} [words] Why the phone is to be registered again. */
  async begin(words = "") {
    this.#fail(words);
    this.#showCode(false);
    try {
      const { centre, isOpen } = await this.#api.get("/v1/public/safety", { isLevel: false });
      if (centre) find("#centre").textContent = centre;
      find("#send-code").hidden = !isOpen;
      find("#codes-closed").hidden = isOpen;
      // Then the only way is a code that the centre gave.
      if (!isOpen) this.#showCode();
      // Solved while the number is typed.
      if (isOpen) this.#proof.begin();
    } catch {
      // The fields are there all the same; what is pressed says what is wrong.
    }
  }

  get #codeField() {
    return find("[name=code]", this.#form);
  }

  /** The code is asked for once there may be one; from then on the next step is to register. */
  #showCode(isShown = true) {
    for (const id of ["#code-field", "#register-button"]) find(id).hidden = !isShown;
    // A field that is required and not seen would hold the form back.
    this.#codeField.disabled = !isShown;
    find("#have-code").hidden = isShown;
    find("#send-code").className = isShown ? "big" : "primary big";
  }

  /** Enter in the only field there is does what stands below it. */
  #submitted(event) {
    event.preventDefault();
    return find("#code-field").hidden ? this.#sendCode() : this.#register();
  }

  #value(name) {
    return find(`[name=${name}]`, this.#form).value.trim();
  }

  async #sendCode() {
    this.#fail("");
    this.#say("");
    const button = find("#send-code");
    try {
      const phone = await readPhoneAlone(this.#api, this.#value("phone"));
      const { expiresInSeconds } = await this.#askForCode(phone);
      this.#say(t("safe.code.sent", { phone, minutes: Math.round(expiresInSeconds / 60) }));
      this.#showCode();
      this.#codeField.focus();
      // Another message takes its time to arrive.
      holdBack(button, againSeconds);
    } catch (error) {
      this.#failed(error, button);
    }
  }

  async #askForCode(phone, isSecond = false) {
    try {
      return await this.#api.post("/v1/public/phone-codes", { phone, language, proof: await this.#proof.take() }, { key: newID() });
    } catch (error) {
      if (error.slug !== "proof-of-work-refused" || isSecond) throw error;
      return this.#askForCode(phone, true);
    }
  }

  async #register() {
    this.#fail("");
    try {
      const phone = await readPhoneAlone(this.#api, this.#value("phone"));
      const body = { phone, code: this.#value("code").toUpperCase() };
      const { token } = await this.#api.post("/v1/devices", body, { key: entered.key(body) });
      entered.forget();
      this.#form.reset();
      this.#onRegistered({ token, phone });
    } catch (error) {
      entered.failed(error);
      this.#failed(error, find("#register-button"));
    }
  }

  #failed(error, button) {
    if (error.slug === "codes-closed") this.#showCode();
    // Only a code is what somebody who is not signed in yet may have wrong.
    this.#fail(error.slug === "unauthorized" ? t("safe.code.wrong") : refusalWords(error));
    const wait = error.members?.retryAfterSeconds;
    if (wait) holdBack(button, wait);
  }

  #fail(words) {
    find("#register-fault").textContent = words;
    find("#register-fault").hidden = !words;
  }

  #say(words) {
    find("#code-sent").textContent = words;
    find("#code-sent").hidden = !words;
  }
}

const againSeconds = 30;
