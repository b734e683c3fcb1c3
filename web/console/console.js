// SPDX-License-Identifier: Apache-2.0
/** The operators' console: who is signed in, and what the whole page has. */
import { API, Problem } from "../core/api.js";
import { choose, emptyDialogs, fill, find, focusIfLost, holdBack, icon, pressOnce, theme, toast } from "../core/dom.js";
import { homeOf, readPages } from "../core/pages.js";
import { ofTab } from "../core/storage.js";
import { ledgerClock } from "../core/time.js";
import { TeamChat } from "../dom/team-chat.js";
import "../ui/chat-log.js";
import "../ui/connection-bar.js";
import "../ui/dvr-player.js";
import { addressOf, viewOf } from "./address.js";
import { CallerTabs } from "./caller-tabs.js";
import { Closing } from "./closing.js";
import { CommandBar } from "./command-bar.js";
import { Desk } from "./desk.js";
import { Footage } from "./footage.js";
import { IdleWatch } from "./idle.js";
import { readInstructions } from "./instructions.js";
import { QueueView } from "./queue.js";
import { Ringer } from "./ringer.js";
import { SessionView } from "./session-view.js";
import { Leaving, onOtherPages, tellOtherPages } from "./signed-in.js";
import { forgetDrafts, forgetOtherSessions, forgetOthers } from "./unsent.js";

const api = new API();
const leaving = new Leaving(api);
let running = null;

find("#not-running").remove();
theme.start();
pressOnce();
fill(find("#theme-button"), icon("sun")).addEventListener("click", () => theme.switch());
fill(find("#sign-out-button"), icon("out")).addEventListener("click", () => signOut());
find("#sign-in-form").addEventListener("submit", signIn);
find("#password-form").addEventListener("submit", choosePassword);
// What was still under way when somebody signed out tells them nothing.
api.onSignedOut = () => running && ask("You are signed out.");
api.onOther = () => running && goToTheirs();
onOtherPages({
  onIn: (user) => running && user !== running.user && goToTheirs(),
  onOut: (user) => running?.user === user && ask("You are signed out."),
});
for (const name of ["focus", "visibilitychange"]) addEventListener(name, lookWho, { capture: true });
ledgerClock.onChange = (isHeld) => (find("#clock-state").hidden = !isHeld);
begin();

async function begin() {
  if (leaving.isWaiting) return leave();
  try {
    await admit(await api.get("/v1/me", { isLevel: false }));
  } catch (error) {
    ask(error instanceof Problem ? "" : error.message);
  }
}

/** Whoever comes back to this page may not be who is signed in by now. */
async function lookWho(event) {
  if (!running || ![window, document].includes(event.target) || document.visibilityState !== "visible") return;
  const { user } = running;
  try {
    const me = await api.get("/v1/me", { isLevel: false });
    if (running && me.user !== user) goToTheirs();
  } catch {
    // Signed out, another's, or unreachable: the rest of the page says so.
  }
}

/** Somebody else has signed in in this browser: nothing more is done in the name that stands here, and the page begins anew as theirs. */
function goToTheirs() {
  running.stop();
  running = null;
  history.replaceState(null, "", addressOf({ is: "home" }));
  ofTab.setItem("told", "is signed in in this browser now. What was open here before was left.");
  location.reload();
}

/** Shows the sign-in form; whatever ran stops, and nothing stays that was for whoever was signed in. */
function ask(words = "") {
  running?.stop();
  running = null;
  api.as = null;
  emptyDialogs();
  document.title = "Daybook console";
  find("#desk").hidden = true;
  find("#sign-in").hidden = false;
  find("#sign-in-form").hidden = false;
  find("#password-form").hidden = true;
  tell("#sign-in-fault", words);
  find("#sign-in-form [name=login]").focus();
}

function tell(selector, words) {
  const place = find(selector);
  place.textContent = words;
  place.hidden = !words;
}

async function signIn(event) {
  event.preventDefault();
  const form = event.target;
  const { login, password } = Object.fromEntries(new FormData(form));
  try {
    if (leaving.isWaiting) await leaving.carryOut();
    const { user } = await api.post("/v1/auth/login", { login, password }, { tries: 1 });
    form.reset();
    await admit(user, password);
  } catch (error) {
    tell("#sign-in-fault", error.message);
    const wait = error.members?.retryAfterSeconds;
    if (wait) holdBack(find("button", form), wait);
    find("[name=password]", form).select();
  }
}

async function admit(me, password = "") {
  if (me.mustChangePassword) {
    // To change it the old one is needed, which a page that was opened anew does not have.
    if (!password) return ask("Sign in once more with the temporary password, to choose your own.");
    find("#sign-in").hidden = false;
    find("#sign-in-form").hidden = true;
    find("#password-form").hidden = false;
    find("#password-form").dataset.login = me.login;
    find("#password-form").dataset.old = password;
    find("#password-form [name=new]").focus();
    return;
  }
  if (!["operator", "supervisor"].includes(me.role)) {
    // The sign-in is the same for all who work here.
    const home = homeOf(await readPages(), me.role);
    if (home) return location.replace(home);
    return ask(`The console is for operators and supervisors; ${me.login ?? "this account"} is ${me.role}.`);
  }
  try {
    await readInstructions(api);
  } catch {
    // Those of before stay; without any an operator writes.
  }
  find("#sign-in").hidden = true;
  find("#desk").hidden = false;
  find("#who").textContent = `${me.login} · ${me.role}`;
  running?.stop();
  api.as = me.user;
  tellOtherPages({ in: me.user });
  running = start(me);
  const told = ofTab.getItem("told");
  ofTab.removeItem("told");
  if (told) toast(`${me.login} ${told}`, "warn");
  focusIfLost(find("#main"));
}

async function choosePassword(event) {
  event.preventDefault();
  const form = event.target;
  const values = Object.fromEntries(new FormData(form));
  const { login, old } = form.dataset;
  if (values.new !== values.again) return tell("#password-fault", "The two are not the same.");
  try {
    await api.post("/v1/auth/password", { old, new: values.new }, { tries: 1 });
    form.reset();
    form.dataset.old = "";
    const { user } = await api.post("/v1/auth/login", { login, password: values.new }, { tries: 1 });
    await admit(user);
  } catch (error) {
    tell("#password-fault", error.message);
  }
}

async function signOut() {
  const desk = running?.desk;
  if (desk?.mine.length && (await choose(find("#out-dialog"))) !== "out") return;
  // Whoever was signed out meanwhile has nothing more to leave.
  if (running?.desk === desk) await leave();
}

/** Ends the sign-in; what runs stops first. Where the centre cannot be reached that is said, and done before anything is shown again. */
async function leave(words = "You are signed out.", isIdle = false) {
  history.replaceState(null, "", addressOf({ is: "home" }));
  if (running) {
    leaving.begin(running.user, isIdle);
    forgetDrafts(running.user);
  }
  ask("Signing out …");
  tellOtherPages({ out: leaving.user });
  for (let failures = 0; leaving.isWaiting; failures++) {
    try {
      if (!(await leaving.carryOut())) return location.reload();
    } catch {
      ask("Not signed out yet: the centre cannot be reached. Leave this page open; you are signed out as soon as it can be.");
      await leaving.pause(failures);
    }
  }
  if (!running) ask(words);
}

/** Everything that runs while somebody is signed in. */
function start(me) {
  const bar = find("#connection-bar");
  const desk = new Desk(api, me, (isLive) => (bar.isLive = isLive));
  const main = find("#main");
  const controller = new AbortController();
  const { signal } = controller;
  const draw = (view) => {
    if (view.is !== "footage") footage.close();
    if (view.is === "session") return sessionView.show(view.id);
    sessionView.close();
    if (view.is === "footage") footage.show();
  };
  const go = (view) => {
    if (addressOf(view) !== addressOf(viewOf(location.search))) history.pushState({ user: me.user }, "", addressOf(view));
    draw(view);
  };
  const gone = () => {
    history.replaceState({ user: me.user }, "", addressOf({ is: "home" }));
    draw({ is: "home" });
  };
  const show = { session: (id) => go({ is: "session", id }), footage: () => go({ is: "footage" }), home: () => go({ is: "home" }), gone };
  const sessionView = new SessionView(api, desk, main, show);
  const footage = new Footage(api, main);
  const ringer = new Ringer(desk, find("#sound-button"));
  const queue = new QueueView(desk, find("#queue"), show, sessionView);
  const tabs = new CallerTabs(desk, find("#callers"), show, sessionView);
  const command = new CommandBar(api, find("#command"), { desk, sessionView, show, signOut });
  const closing = new Closing(desk);
  const idle = new IdleWatch(api, { isWatching: () => sessionView.isWatching, desk, ringer }, (waiting) => leave(`You were signed out, since nothing was done for five minutes. ${waiting}`.trim(), true));
  find("#footage-button").addEventListener("click", show.footage, { signal });
  addEventListener("popstate", () => back(me, desk, sessionView, draw), { signal });
  forgetOthers(me.user);
  const started = desk.start(sessionView, show);
  const chat = new TeamChat(api, me, { topics: desk.topics, place: find("#desk"), ring: () => ringer.ring("message") });
  find("#footage-button").before(chat.button);
  started.then(() => forgetOtherSessions(api, me.user)).catch((error) => toast(error.message, "bad"));
  // What somebody else had open here is not gone on with.
  const asked = [undefined, me.user].includes(history.state?.user) ? viewOf(location.search) : { is: "home" };
  history.replaceState({ user: me.user }, "", addressOf(asked));
  if (asked.is !== "home") draw(asked);
  return {
    desk,
    user: me.user,
    stop() {
      controller.abort();
      for (const part of [chat, desk, sessionView, footage, ringer, queue, tabs, command, closing, idle]) part.stop();
      bar.isLive = true;
    },
  };
}

/** Back leads to what was shown before, as from one own caller to another; out of one's own open sessions it asks the same as the button does (ruling 34). */
function back(me, desk, sessionView, draw) {
  const view = viewOf(location.search);
  const id = sessionView.session;
  const isOwn = view.is === "session" && (view.id === id || desk.mine.some((session) => session.id === view.id));
  if (sessionView.incident === null || isOwn) return draw(view);
  history.pushState({ user: me.user }, "", addressOf({ is: "session", id }));
  if (document.querySelector("dialog:modal") === null) sessionView.leave();
}
