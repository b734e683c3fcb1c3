// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { phoneDigits, phoneFault, phoneOf, phoneText } from "../core/phone.js";

/** What the gateway's reading of numbers is held to, too. */
const { countries, examples } = JSON.parse(readFileSync(new URL("../../fixtures/phones/numbers.json", import.meta.url), "utf8"));
const { GB: britain, US: states, ES: spain, HU: hungary, RU: russia, BR: brazil } = countries;

const sameEverywhere = ["+447712345678", " +44 (0)7712 345678", "+44 7712/345-678", "(+44) 7712.345678", "+00447712345678"];

test("a number with its country code is the same everywhere", () => {
  for (const dialling of [null, britain, states, spain, hungary, russia, brazil])
    for (const text of sameEverywhere) assert.equal(phoneOf(text, dialling), "+447712345678", `${text} in ${dialling?.code}`);
});

for (const [dialling, text, number] of [
  [britain, "07712 345678", "+447712345678"], [britain, "(0)7712 345678", "+447712345678"], [britain, "(020) 7946 0018", "+442079460018"], [britain, "0044 7712 345678", "+447712345678"], [britain, "447712345678", "+447712345678"],
  [britain, "020 7946 0018", "+442079460018"], [britain, "0033 6 12 34 56 78", "+33612345678"],
  [states, "(212) 555-0123", "+12125550123"], [states, "1-212-555-0123", "+12125550123"], [states, "011 44 7712 345678", "+447712345678"], [states, "0044 7712 345678", "+447712345678"],
  [spain, "612 345 678", "+34612345678"], [spain, "34612345678", "+34612345678"], [spain, "447712345678", "+447712345678"],
  [hungary, "06 20 123 4567", "+36201234567"], [hungary, "0036 20 123 4567", "+36201234567"],
  [russia, "8 (912) 345-67-89", "+79123456789"], [russia, "8 10 44 7712 345678", "+447712345678"], [russia, "79123456789", "+79123456789"],
  [brazil, "011 91234-5678", "+5511912345678"],
  [null, "0044 7712 345678", "+447712345678"], [null, "44 7712/345-678", "+447712345678"],
]) test(`${text} in ${dialling?.code ?? "no country"} is ${number}`, () => assert.equal(phoneOf(text, dialling), number));

test("what could be of several countries, or is none, is refused", () => {
  for (const [text, dialling] of [["7712345678", britain], ["33612345678", britain], ["0771 234567 8901", britain], ["+07712345678", britain], ["amina", britain], ["", britain], ["441234", britain],
    ["0021 44 7712 345678", brazil], ["07712 345678", null], ["+07712 345678", null], ["+44 77", null], ["+4477123456789012", null], ["", null]])
    assert.equal(phoneOf(text, dialling), null, `${text} in ${dialling?.code}`);
});

test("what is written of a number, whole or not, is read as the gateway reads it", () => {
  for (const { country, written, digits } of examples) assert.equal(phoneDigits(written, country && countries[country]), digits, `${JSON.stringify(written)} in ${country}`);
});

test("numbers are shown in groups, whole", () => {
  for (const [number, text] of [["+447712345678", "+44 7712 345678"], ["+12125550123", "+1 212 555 0123"], ["+33612345678", "+33 6 12 34 56 78"], ["+4512345678", "+45 12 34 56 78"],
    ["+353861234567", "+353 861 234 567"], ["+5511912345678", "+55 119 123 456 78"], ["+49301234567890", "+49 301 234 567 890"], ["amina", "amina"], ["", ""]])
    assert.equal(phoneText(number), text);
});

test("every number is found again in its text", () => {
  for (let seed = 1; seed < 2000; seed++) {
    const number = `+${[1, 7, 20, 44, 353, 998][seed % 6]}${String((seed * 2654435761) % 1e9).padStart(9, "1")}`;
    assert.equal(phoneOf(phoneText(number), null), number);
  }
});

test("the fault without a country asks for the code", () => assert.match(phoneFault(), /country code/));
