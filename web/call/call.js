// SPDX-License-Identifier: Apache-2.0
/** The caller's page: registers the phone, then chat, video and place, each in one touch. */
import { API } from "../core/api.js";
import { choose, emptyDialogs, fill, find, focusIfLost, h, holdBack, icon, pressOnce, refill, theme, toast } from "../core/dom.js";
import { ready, t } from "../core/i18n.js";
import { lostWords } from "../core/lost.js";
import { readPhoneAlone } from "../core/phone.js";
import { countdown, now, timeOfDay } from "../core/time.js";
import { pressed } from "../dom/busy.js";
import "../ui/chat-log.js";
import "../ui/connection-bar.js";
import { Questions, wordsOf } from "./asked.js";
import { ChatScreen } from "./chat-screen.js";
import { Contact } from "./contact.js";
import { draft } from "./draft.js";
import { EarlierChats } from "./earlier-chats.js";
import { entered } from "./entered.js";
import { askForCode, tellOver } from "./join.js";
import { pastWords } from "./happened.js";
import { keep } from "./keep.js";
import { showPhones } from "./new-phones.js";
import { ShowVideo } from "./show-video.js";
import { Places } from "./place.js";
import { bringWorker, offerPush } from "./push.js";
import { bringQuestions, withdrawQuestions } from "./question.js";
import { textSize } from "./text-size.js";
import { VideoScreen } from "./video-screen.js";
import { WayOut } from "./way-out.js";
import { VideoWish } from "./video-wish.js";
import { Wish } from "./wish.js";
import { around, offerLanguages } from "./words.js";

const screens = ["register", "join", "home", "chat", "video"];
let shown = "";

theme.start();
await ready;
offerLanguages();
textSize.start();
pressOnce();
fill(find("#theme-button"), icon("sun")).addEventListener("click", () => theme.switch());
bringWorker();
let isReached = true;
/** Whether there is somebody's contact here, whose words and places are kept. */
let isKept = false;
let hasBegun = false;
showConnection();

enter();
// What the page says until it runs.
find("#not-running").remove();

/** By a link of the operator, as the phone that is registered, or by registering it. */
function enter() {
  const { link } = takeGiven();
  if (link) keep.link = link;
  if (keep.link) {
    show("join");
    askForCode(begin);
  } else if (keep.token) {
    begin(keep.token);
  } else {
    register();
  }
}

/** What a link brought along behind `#`, which is sent to nobody, and does not stay in the address. */
function takeGiven() {
  const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (location.hash) history.replaceState(given.link ? null : given, "", location.pathname);
  return given;
}

function showConnection() {
  Object.assign(find("#connection"), { isLive: isReached, isKept });
}

function show(name) {
  shown = name;
  // What is hidden loses the keyboard at once.
  const hadFocus = document.activeElement !== document.body;
  for (const screen of screens) find(`#${screen}`).hidden = screen !== name;
  bringQuestions(document.querySelector(`#${name} .questions-place`));
  if (hadFocus) focusIfLost(find(`#${name}`));
}

// MARK: The phone

function register(words = "") {
  show("register");
  const form = find("#register-form");
  const fault = find("#register-fault");
  fault.textContent = words;
  fault.hidden = !words;
  // A link of the operator may bring both along.
  for (const name of ["phone", "code"]) if (history.state?.[name]) find(`[name=${name}]`, form).value = history.state[name];
  form.onsubmit = pressed(async (event) => {
    event.preventDefault();
    const tell = (text) => {
      fault.textContent = text;
      fault.hidden = !text;
    };
    // What was wrong the last time is not said of this time.
    tell("");
    const code = find("[name=code]", form).value.trim().toUpperCase();
    let phone = "";
    try {
      phone = await readPhoneAlone(new API(), find("[name=phone]", form).value);
    } catch (error) {
      return tell(error.message);
    }
    try {
      const answer = await new API().post("/v1/devices", { phone, code }, { key: entered.key({ phone, code }) });
      entered.forget();
      keep.token = answer.token;
      form.reset();
      begin(answer.token);
    } catch (error) {
      entered.failed(error);
      tell(error.message);
      const wait = error.members?.retryAfterSeconds;
      if (wait) holdBack(find("button", form), wait);
    }
  });
}

// MARK: Everything else

function begin(phoneToken) {
  // A phone that is registered again: what hangs on the token before ends with its page, and the next one begins with this token.
  if (hasBegun) return location.reload();
  hasBegun = true;
  const api = new API(phoneToken);
  let isOver = false;
  api.onSignedOut = () => {
    // Registered anew, perhaps in another page: this one's token is not the phone's any more.
    if (keep.token !== null && keep.token !== phoneToken) return location.reload();
    if (isOver) return;
    isOver = true;
    video.abandon();
    stop();
    emptyDialogs();
    if (keep.isByLink) return leave(t("call.join.gone"));
    keep.forget();
    register(t("call.register.gone"));
  };
  // Another page of this phone may hear it first.
  addEventListener("storage", ({ key }) => key === keep.tokenKey && keep.token !== phoneToken && api.onSignedOut());
  const contact = new Contact(api, confirmIntent);
  const places = new Places(api, contact, () => shown === "chat");
  const videoWish = new Wish("#wish-video", () => showVideo.withdraw());
  const wayOut = new WayOut(contact);
  isKept = true;
  showConnection();
  /** Nothing is kept here any more, and whether the centre is there nobody asks. */
  const stop = () => {
    contact.stop();
    withdrawQuestions();
    wayOut.stop();
    videoWish.end();
    places.abandon();
    draft.forget();
    [isKept, isReached] = [false, true];
    showConnection();
  };
  const go = {
    home: () => show("home"),
    chat: () => {
      show("chat");
      chat.opened();
    },
    video: () => show("video"),
    isShown: (name) => shown === name,
  };
  const chat = new ChatScreen(api, contact, go);
  const video = new VideoScreen(api, contact, go);
  new Questions({ api, contact, video, places, wish: videoWish, go });
  /** Who came by a link came for one contact. */
  const leave = (words) => {
    stop();
    show("join");
    tellOver(words);
  };
  const ended = t("call.join.ended");
  const failed = (error) => error && toast(wordsOf(error), "bad");

  /** At once, also without a network: what is written is kept and sent. */
  const toChat = async () => {
    showVideo.withdraw();
    try {
      if (!(await contact.begin())) return;
      wayOut.pressed();
      go.chat();
      // From video to chat the video stops; the session goes on (source document, Chat iteration 3).
      await video.stop("navigated");
    } catch (error) {
      failed(error);
    }
  };
  const showVideo = new ShowVideo({ contact, video, line: videoWish, centre: new VideoWish(api, contact), wayOut, toChat });
  /** Looked up now, where the caller is now; sent once there is a session. */
  const place = async () => {
    try {
      if (!(await contact.begin())) return;
      wayOut.pressed();
      await places.send();
    } catch (error) {
      failed(error);
    }
  };
  const listen = (selector, action) => (find(selector).onclick = pressed(action));
  for (const selector of ["#chat-button", "#film-chat"]) listen(selector, toChat);
  for (const selector of ["#video-button", "#chat-video"]) listen(selector, () => showVideo.press());
  for (const selector of ["#place-button", "#chat-place", "#film-place"]) listen(selector, place);
  listen("#film-stop", async () => {
    videoWish.end();
    await video.stop("stopped by the caller");
    go.home();
  });
  listen("#chat-back", go.home);
  listen("#chat-view", async () => {
    if (await choose(find("#view")) === "clear" && await choose(find("#clear")) === "yes") chat.clearView();
  });
  listen("#chat-home", () => {
    chat.clear();
    if (keep.isByLink) leave(ended);
    else go.home();
  });
  const quality = find("#quality");
  quality.value = keep.get("quality") ?? "automatic";
  quality.onchange = () => keep.set("quality", quality.value);
  // What was said by this number before is not for whoever has a link.
  find("#history").hidden = find("#clear-history").hidden = keep.isByLink;
  // There is a choice while filming; who comes by a link is on the telephone, and has enough to read.
  find("#quality-choice").hidden = keep.isByLink;
  new EarlierChats(api, find("#history"));

  const showHome = () => showContact(contact, toChat, videoWish.isTold);
  videoWish.addEventListener("change", showHome);
  contact.addEventListener("change", () => {
    showHome();
    showPhones(api, contact);
  });
  contact.addEventListener("reach", ({ detail }) => {
    // A connection that ends behind the contact's end says nothing.
    if (!isKept) return;
    isReached = detail;
    showConnection();
  });
  contact.addEventListener("unsent", ({ detail }) => toast(lostWords(detail, t("call.lost")), "bad"));
  contact.addEventListener("over", () => leave(ended));
  contact.addEventListener("closed", async () => {
    await video.stop("session closed");
    if (keep.isByLink && shown !== "chat") leave(ended);
  });
  setInterval(() => {
    for (const clock of document.querySelectorAll("[data-until]")) clock.textContent = countdown(clock.dataset.until);
  }, 500);
  show("home");
  // What was begun without a network goes on there.
  const goesOn = contact.hasBegun && keep.get("screen") === "chat";
  if (!keep.isByLink) offerPush(api, () => contact.refresh());
  const started = contact.start();
  if (goesOn) go.chat();
  started.then(async () => {
    find("#number").textContent = contact.phone ? t("call.number", { number: contact.phone }) : "";
    if (await video.resume()) return;
    if (contact.session && keep.get("screen") === "chat") go.chat();
    showVideo.goOn();
    if (!contact.session && keep.isByLink) leave(ended);
  }).catch(failed);
}

/** The session that goes on, with what is left of its time. @param {boolean} isWished Whether the caller waits to show video in it. */
function showContact(contact, toChat, isWished) {
  const place = find("#home-session");
  const { expiresAt, state, owner, lastOwner } = contact.detail?.session ?? {};
  const title = state === "waiting" ? "call.contact.wanted" : owner || lastOwner ? "call.contact.here" : "call.contact.waits";
  // Going on is offered once.
  find("#chat-button").hidden = contact.session !== null;
  const past = pastWords(contact.past, now(), (text) => timeOfDay(new Date(text)));
  if (!contact.session) return refill(place, past, () => past && h("p", { class: "notice", role: "status" }, past));
  refill(place, [contact.session, expiresAt, title, isWished, contact.unread], () => h("section", { class: "card contact" },
    h("h2", {}, t(title)),
    state === "waiting" && expiresAt && h("p", {}, around("call.contact.within", { time: h("strong", { class: "figures", dataset: { until: expiresAt } }, countdown(expiresAt)) })),
    contact.unread > 0 && h("p", {}, t("call.contact.unread", { count: contact.unread })),
    h("button", { type: "button", class: "primary", dataset: { key: "go-on" }, onclick: pressed(toChat) }, t(isWished ? "call.chat.instead" : "call.chat.continue"))));
}

/** The hoax warning, before anything is sent. */
async function confirmIntent() {
  const dialog = find("#intent");
  const choice = await choose(dialog);
  // A dialog that closes gives the keyboard back: whoever puts it elsewhere waits for that.
  if (dialog.open) await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  return choice === "yes";
}
