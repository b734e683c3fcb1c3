// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Clock, settled } from "./support.js";
import { documentOf, giveFiles, press, seen } from "./dom.js";
import { Problem, Unreachable } from "../core/api.js";
import { local } from "../core/storage.js";
import { Proof } from "../pages/report/parts/proof.js";
import { keepBounds, keptBounds } from "../pages/report/parts/bounds.js";
import { ReportPage } from "../pages/report/parts/report-page.js";
import { ReportPhotos } from "../pages/report/parts/report-photos.js";
import { StatusPage } from "../pages/report/parts/status-page.js";
import { reportReady } from "../pages/report/words.js";

await reportReady;
const agency = { id: "a", name: "Marine Rescue", phone: "+1 831 555 1234", email: "help@rescue.example", website: "javascript:alert(1)", donationLink: "https://rescue.example/give" };
const problem = (status, slug, more = {}) => new Problem(status, { type: `urn:daybook:problem:${slug}`, detail: slug, ...more });

let clock;
const real = { document: globalThis.document, location: globalThis.location, navigator: globalThis.navigator };
beforeEach(() => {
  clock = new Clock();
  local.removeItem("reports");
  local.removeItem("report-draft");
  globalThis.scrollTo = () => {};
  const geolocation = { getCurrentPosition: (found) => found({ coords: { latitude: 36.8044, longitude: -121.7869, accuracy: 12 } }) };
  Object.defineProperty(globalThis, "navigator", { value: { geolocation }, configurable: true });
});
afterEach(() => {
  clock.stop();
  Object.assign(globalThis, { document: real.document, location: real.location });
  Object.defineProperty(globalThis, "navigator", { value: real.navigator, configurable: true });
});

/** A gateway in the page's memory: it keeps what it took, and may be away. */
class Gateway {
  /** @type {any} */
  rescue = { centre: "Watford Rescue", isOpen: true, types: ["sea-lion", "pelican", "other"], photosMax: 3, photoBytesMax: 1000 };
  isAway = false;
  /** Of an older centre nothing. @type {boolean | undefined} */
  isOnDuty = undefined;
  taken = new Map();
  photos = new Map();
  posts = [];
  faults = [];
  status = { centre: "Watford Rescue", species: "sea-lion", status: "submitted", submittedAt: "2026-11-27T12:00:00Z", agency, photos: 0, steps: [] };
  reads = 0;

  async get(path) {
    if (this.isAway) throw new Unreachable();
    if (path === "/v1/public/rescue") return this.rescue;
    if (path === "/v1/public/proof-of-work") return { salt: `s${this.posts.length}.`, challenge: "c", max: 1, signature: "g", expiresAt: new Date(Date.now() + 600_000).toISOString() };
    this.reads++;
    if (path !== "/v1/public/reports/T1") throw problem(404, "not-found");
    return this.status;
  }

  async post(path, body, { key }) {
    this.posts.push({ key, body });
    if (this.isAway) throw new Unreachable();
    if (!this.taken.has(key)) this.taken.set(key, { body, answer: { report: key, token: `T${this.taken.size + 1}`, agency, isOnDuty: this.isOnDuty, submittedAt: "2026-11-27T12:00:00Z" } });
    const fault = this.faults.shift();
    if (fault) throw fault;
    return this.taken.get(key).answer;
  }

  async upload(path, blob) {
    if (this.isAway) throw new Unreachable();
    this.photos.set(path.replace("/v1/public/reports/", ""), blob);
    return {};
  }
}

/** A photo as a file, and what the page makes of it; one that is called so is none. */
const photo = (name) => Object.assign(new Blob([name]), { name });
const prepare = async (file) => {
  if (file.name.endsWith(".heic")) throw new Error();
  return new Blob([`small ${file.name}`]);
};

/** Nothing of a page before goes on. */
function leave() {
  clock.stop();
  clock = new Clock();
}

/** Opens the page where reports are made. */
async function open(gateway = new Gateway(), shelf = new ReportPhotos()) {
  leave();
  globalThis.document = documentOf("pages/report/index.html");
  const page = new ReportPage({ api: gateway, shelf, proof: new Proof(gateway, async () => 1), prepare });
  await page.begin();
  await settled();
  return { gateway, shelf, at: (selector) => document.querySelector(selector) };
}

/** Fills the form in as a passer-by does, and counts the presses. */
async function report(at, photos = [photo("seal.jpg")]) {
  const presses = ["Sea lion", "1 to 2 m", "Hurt or ill", "use my location"];
  for (const words of presses) {
    press(words);
    await settled();
  }
  if (photos.length) {
    press("Take a photo");
    giveFiles(at("#camera"), photos);
    await settled();
  }
  press("Send the report");
  await settled();
  return presses.length + (photos.length ? 2 : 1);
}

test("from opening to sent with a photo takes six presses", async () => {
  const { gateway, at } = await open();
  assert.equal(await report(at), 6);
  const [{ body }] = [...gateway.taken.values()];
  assert.deepEqual({ ...body, proof: null }, { fix: { latitude: 36.8044, longitude: -121.7869, accuracyMetres: 12 }, species: "sea-lion", sizeClass: "medium", condition: "injured", proof: null, publishPhotos: false });
  assert.equal(await gateway.photos.get("T1/photos/1").text(), "small seal.jpg");
});

test("photos are for the public only where somebody says so, which is asked once there are some", async () => {
  const { gateway, at } = await open();
  assert.equal(seen("#publishing"), "");
  giveFiles(at("#camera"), [photo("seal.jpg")]);
  await settled();
  assert.equal(at("#publish").checked, false);
  press("My photos may be shown to the public");
  press("Remove photo 1");
  await settled();
  assert.equal(seen("#publishing"), "");
  await report(at, []);
  press("Report another animal");
  giveFiles(at("#camera"), [photo("seal.jpg")]);
  await settled();
  assert.equal(at("#publish").checked, false, "for the next animal it is asked anew");
  press("My photos may be shown to the public");
  await report(at, [photo("again.jpg")]);
  assert.deepEqual([...gateway.taken.values()].map(({ body }) => body.publishPhotos), [undefined, true]);
});

test("the answer names the agency, how to reach it, the donation and the private link", async () => {
  const { at } = await open();
  await report(at);
  assert.match(seen("#sent"), /Marine Rescue has your report/);
  assert.match(seen("#sent"), /1 of 1 photos are at the centre/);
  const links = document.querySelectorAll("#sent a").map((link) => link.getAttribute("href"));
  assert.deepEqual([...new Set(links)], ["tel:+18315551234", "mailto:help@rescue.example", "https://rescue.example/give", "/r/T1"], "an address that is no web page is left out");
  assert.equal(seen("#form"), "");
  assert.match(document.querySelector("#spoken").textContent, /Marine Rescue has your report/);
});

test("where nobody of the team is on duty, the answer says so, and has the number once, before all else", async () => {
  const gateway = new Gateway();
  gateway.isOnDuty = false;
  const { at } = await open(gateway);
  await report(at);
  assert.match(seen("#sent"), /Marine Rescue has your report.*Nobody of the team is on duty just now; they are told when they come back\. Call them if it cannot wait\. Call \+1 831 555 1234/);
  assert.deepEqual(document.querySelectorAll("#sent a").filter((link) => link.getAttribute("href").startsWith("tel:")).map(({ className }) => className), ["button primary big biggest"]);
  assert.match(document.querySelector("#spoken").textContent, /Nobody of the team is on duty/);
});

test("the link is kept on this phone, until it is removed", async () => {
  const { gateway, at, shelf } = await open();
  await report(at);
  await open(gateway, shelf);
  assert.match(seen("#mine"), /Sea lion .*Marine Rescue has your report.*Follow the rescue/);
  assert.match(press("Remove from this phone").getAttribute("aria-label"), /^Remove from this phone: Sea lion, ./);
  await settled();
  assert.equal(seen("#mine"), "");
});

test("what is missing is said by name, and nothing is sent", async () => {
  const { gateway } = await open();
  press("Sea lion");
  press("Send the report");
  await settled();
  assert.equal(seen("#fault"), "Still missing: how long it is, how it is, where it is.");
  assert.equal(gateway.posts.length, 0);
  press("1 to 2 m");
  assert.equal(seen("#fault"), "");
});

test("each question without an answer is marked until it has one, and the message stands at the first", async () => {
  const { at } = await open();
  const marked = () => document.querySelectorAll("[aria-invalid=true]").map(({ id }) => id);
  press("Sea lion");
  press("Send the report");
  await settled();
  assert.deepEqual(marked(), ["ask-size", "ask-condition", "ask-place"]);
  assert.match(seen("#ask-size"), /^Still missing: .* How long is it\? Please choose/);
  assert.equal(document.activeElement, at("#ask-size input"));
  press("1 to 2 m");
  press("use my location");
  await settled();
  assert.deepEqual(marked(), ["ask-condition"]);
  assert.doesNotMatch(seen("#ask-size"), /Please choose/);
  press("Send the report");
  await settled();
  assert.match(seen("#ask-condition"), /^Still missing: how it is\. How is it\? Please choose/);
  press("Hurt or ill");
  assert.deepEqual(marked(), []);
});

test("dead is enough, and its stage can be said", async () => {
  const { gateway } = await open();
  assert.equal(seen("#stage"), "");
  for (const words of ["Other animal", "Longer than 2 m", "Dead"]) press(words);
  assert.match(seen("#stage"), /How long has it been dead/);
  press("Very long");
  press("use my location");
  await settled();
  press("Send the report");
  await settled();
  assert.equal([...gateway.taken.values()][0].body.condition, "mummified");
});

test("the animals are those that agencies take, with a site's own words as they are", async () => {
  await open();
  assert.deepEqual(document.querySelectorAll("#species label").map((one) => one.textContent), ["Sea lion", "pelican", "Other animal"]);
});

test("a file that is no picture is told by its name, and one photo too many is, too", async () => {
  const { at } = await open();
  giveFiles(at("#album"), [photo("IMG_1.heic"), photo("a.jpg"), photo("b.jpg"), photo("c.jpg"), photo("d.jpg")]);
  await settled();
  assert.match(seen("#photos-faults"), /IMG_1\.heic cannot be read here as a picture/);
  assert.match(seen("#photos-faults"), /1 photo was left out: 3 are the most/);
  assert.equal(document.querySelectorAll("#thumbs li").length, 3);
  press("Remove photo 2");
  await settled();
  assert.equal(document.querySelectorAll("#thumbs li").length, 2);
});

test("without a network the report is kept with its photo, and sent once by the next page", async () => {
  const { gateway, shelf, at } = await open();
  gateway.isAway = true;
  await report(at);
  assert.match(seen("#sent"), /Your report is kept on this phone.*cannot be reached now.*Photo 1 waiting to be sent/);
  assert.equal(gateway.taken.size, 0);
  gateway.isAway = false;
  await open(gateway, shelf);
  await clock.pass(1000);
  assert.equal(gateway.taken.size, 1);
  assert.equal(new Set(gateway.posts.map(({ key }) => key)).size, 1);
  assert.equal(gateway.photos.size, 1);
  assert.equal(seen("#waiting"), "");
});

test("an answer that was lost makes no second report", async () => {
  const { gateway, at } = await open();
  gateway.faults = [new Unreachable(), problem(422, "proof-of-work-refused")];
  await report(at, []);
  assert.match(seen("#sent"), /is kept on this phone/);
  await clock.pass(60_000);
  assert.match(seen("#sent"), /Marine Rescue has your report/);
  assert.deepEqual([gateway.posts.length, gateway.taken.size], [3, 1]);
});

test("where no agency takes reports, the page says so and whom to call, until one does", async () => {
  const gateway = new Gateway();
  gateway.rescue.isOpen = false;
  await open(gateway);
  assert.match(seen("#closed"), /No rescue team takes reports here at the moment\. If people are in danger, call 112\./);
  assert.equal(seen("#form"), "");
  assert.equal(seen("#purpose"), "", "nobody is told at once");
  assert.deepEqual(document.querySelectorAll("#elsewhere a").map((link) => link.getAttribute("href")), ["/agencies", "/guide"]);
  gateway.rescue.isOpen = true;
  await clock.pass(31_000);
  assert.equal(seen("#closed") + seen("#elsewhere"), "");
  assert.match(seen("#purpose"), /told at once/);
  assert.match(seen("#form"), /Which animal/);
});

test("what was begun is here again when the phone ended the page, with its photos", async () => {
  const { gateway, shelf, at } = await open();
  press("pelican");
  press("Dead");
  press("use my location");
  giveFiles(at("#camera"), [photo("a.jpg")]);
  await settled();
  await open(gateway, shelf);
  assert.match(seen("#draft"), /This is the report that you began/);
  const chosen = () => document.querySelectorAll("input").filter(({ checked, name }) => checked && name !== "stage").map(({ value }) => value);
  assert.deepEqual([chosen(), document.querySelectorAll("#thumbs li").length], [["pelican", "dead"], 1]);
  assert.match(seen("#place-told"), /The place is set, to 12 m/);
  press("Start again");
  await settled();
  assert.deepEqual([chosen(), document.querySelectorAll("#thumbs li").length, seen("#draft"), seen("#place-told")], [[], 0, "", ""]);
});

test("a phone that does not tell where it is leaves the map and coordinates", async () => {
  const { gateway, at } = await open();
  navigator.geolocation.getCurrentPosition = (found, failed) => failed({ code: 1 });
  press("use my location");
  await settled();
  assert.match(seen("#place-told"), /does not let the page know where you are, and no map can be shown here\. Type coordinates/, "nobody is led back to what was refused");
  assert.equal(at("#coordinates").closest("details").open, true);
  press("Choose on the map");
  await settled();
  assert.match(seen("#place-told"), /does not let the page know where you are/);
  at("#coordinates").value = "36.8, north";
  press("Use these coordinates");
  assert.match(seen("#place-told"), /Write the coordinates as two numbers/);
  at("#coordinates").value = "36.80440, -121.78690";
  press("Use these coordinates");
  for (const words of ["Sea lion", "Shorter than 1 m", "I cannot tell", "Send the report"]) press(words);
  await settled();
  assert.deepEqual([...gateway.taken.values()][0].body.fix, { latitude: 36.8044, longitude: -121.7869 });
});

test("where agencies take reports is kept for a map without a network, as it was told last", async () => {
  const gateway = new Gateway();
  gateway.rescue.bounds = [-122.5, 36.2, -121.4, 37.3];
  const { shelf } = await open(gateway);
  gateway.isAway = true;
  await open(gateway, shelf);
  assert.deepEqual(keptBounds(), [-122.5, 36.2, -121.4, 37.3]);
  gateway.isAway = false;
  for (const bounds of [undefined, null, [1, 2, 3], [1, 2, 3, "4"], [2, 0, 1, 1], [0, 2, 1, 1]]) {
    gateway.rescue.bounds = bounds;
    await open(gateway, shelf);
    assert.equal(keptBounds(), null, JSON.stringify(bounds));
    keepBounds([1, 2, 3, 4]);
  }
});

test("a rough place is asked to be put right", async () => {
  await open();
  navigator.geolocation.getCurrentPosition = (found) => found({ coords: { latitude: 36.8, longitude: -121.8, accuracy: 2400 } });
  press("use my location");
  await settled();
  assert.match(seen("#place-told"), /only exact to 2\.4 km/);
  navigator.geolocation.getCurrentPosition = (found) => found({ coords: { latitude: 36.8, longitude: -121.8, accuracy: 30_000 } });
  for (const words of ["use my location", "Sea lion", "1 to 2 m", "Hurt or ill"]) {
    press(words);
    await settled();
  }
  press("Send the report");
  await settled();
  assert.equal(seen("#fault"), "Still missing: where it is.", "no team finds an animal within 30 km");
});

test("what is refused says why, and can be changed and sent again", async () => {
  const { gateway, at } = await open();
  gateway.faults = [problem(422, "out-of-range")];
  await report(at);
  assert.match(seen("#sent"), /Your report was not taken.*out-of-range/);
  press("Change it and send it again");
  await settled();
  assert.match(seen("#form"), /Which animal/);
  assert.equal(document.querySelectorAll("#thumbs li").length, 1);
  press("Send the report");
  await settled();
  assert.match(seen("#sent"), /Marine Rescue has your report/);
  assert.equal(new Set(gateway.posts.map(({ key }) => key)).size, 2);
});

test("the next animal has an empty form", async () => {
  const { at } = await open();
  await report(at);
  press("Report another animal");
  assert.match(seen("#form"), /Which animal/);
  assert.equal(document.querySelectorAll("#species input").filter(({ checked }) => checked).length, 0);
  assert.match(seen("#mine"), /Marine Rescue has your report/);
});

// MARK: The page of the private link

async function follow(gateway, token, shelf = new ReportPhotos()) {
  leave();
  globalThis.document = documentOf("pages/report/status.html");
  globalThis.location = new URL(`https://centre.example/r/${token}`);
  const page = new StatusPage({ api: gateway, shelf, proof: new Proof(gateway, async () => 1) });
  await page.begin();
  await settled();
}

test("the status page follows the rescue while it is seen", async () => {
  const gateway = new Gateway();
  await follow(gateway, "T1");
  assert.match(seen("#now"), /Your report has arrived/);
  assert.match(seen("#agency"), /Marine Rescue.*Call \+1 831 555 1234.*Donate to Marine Rescue/);
  Object.assign(gateway.status, { status: "heading_out", photos: 2, steps: [{ to: "submitted", at: "2026-11-27T12:00:00Z" }, { to: "acknowledged", at: "2026-11-27T12:01:00Z" }, { to: "heading_out", at: "2026-11-27T12:05:00Z" }] });
  await clock.pass(16_000);
  assert.match(seen("#now"), /Rescuers are on their way.*2 photos/);
  assert.deepEqual(document.querySelectorAll("#steps li").map((one) => one.children[0].textContent), ["Rescuers are on their way.", "The team has read your report.", "Your report has arrived."]);
  document.visibilityState = "hidden";
  const { reads } = gateway;
  await clock.pass(60_000);
  assert.equal(gateway.reads, reads);
});

test("that nobody is on duty is said until somebody answers", async () => {
  const gateway = new Gateway();
  Object.assign(gateway.status, { isOnDuty: false });
  await follow(gateway, "T1");
  assert.match(seen("#now"), /Your report has arrived\. Nobody of the team is on duty just now.*Call \+1 831 555 1234/);
  assert.doesNotMatch(seen("#agency"), /Call \+1/);
  Object.assign(gateway.status, { status: "acknowledged" });
  await clock.pass(16_000);
  assert.doesNotMatch(seen("#now"), /on duty/);
  assert.match(seen("#agency"), /Call \+1 831 555 1234/);
  Object.assign(gateway.status, { status: "submitted", isOnDuty: undefined });
  await clock.pass(16_000);
  assert.doesNotMatch(seen("#now"), /on duty/, "an older centre says nothing of it");
});

test("at the end the page says so", async () => {
  const gateway = new Gateway();
  Object.assign(gateway.status, { status: "released", steps: [{ to: "released", at: "2026-11-27T14:00:00Z" }] });
  await follow(gateway, "T1");
  assert.match(seen("#now"), /free again.*This rescue is over/);
  assert.equal(seen("#safety"), "");
  assert.match(seen("#agency"), /Marine Rescue/);
  assert.doesNotMatch(seen("#agency"), /Call if the animal moves/);
});

test("a link that is none is said plainly; a centre that is away is another thing", async () => {
  const gateway = new Gateway();
  await follow(gateway, "none");
  assert.match(seen("#unknown"), /No report is known here under this link/);
  assert.equal(seen("#shown"), "");
  gateway.isAway = true;
  await follow(gateway, "T1");
  assert.match(seen("#away"), /cannot be reached now\. This page tries again by itself/);
  gateway.isAway = false;
  await clock.pass(16_000);
  assert.match(seen("#now"), /Your report has arrived/);
  gateway.isAway = true;
  await clock.pass(16_000);
  assert.match(seen("#away"), /What you see is of \d\d:\d\d:\d\d/);
  assert.match(seen("#now"), /Your report has arrived/);
});

test("photos that still wait on this phone go on from the status page", async () => {
  const { gateway, shelf, at } = await open();
  const upload = gateway.upload;
  gateway.upload = async () => {
    throw new Unreachable();
  };
  await report(at, [photo("a.jpg"), photo("b.jpg")]);
  await follow(gateway, "T1", shelf);
  assert.match(seen("#waits"), /photos follow by themselves.*0 of 2 photos.*Photo 1 waiting/);
  gateway.upload = upload;
  await clock.pass(60_000);
  assert.equal(gateway.photos.size, 2);
  assert.equal(seen("#waits"), "");
});

test("searches find the page for reports, not those of private links, and neither tells its address", () => {
  const robots = (file) => documentOf(file).querySelectorAll("meta").find((one) => one.name === "robots")?.getAttribute("content");
  assert.deepEqual([robots("pages/report/index.html"), robots("pages/report/status.html")], [undefined, "noindex"]);
  for (const file of ["pages/report/index.html", "pages/report/status.html"])
    assert.equal(documentOf(file).querySelectorAll("meta").find((one) => one.name === "referrer")?.getAttribute("content"), "no-referrer");
});
