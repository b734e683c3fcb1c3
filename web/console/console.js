// SPDX-License-Identifier: Apache-2.0
/** The operators' console: who is signed in, and what the whole page has. */
import { API, Problem } from "../core/api.js";
import { fill, find, focusIfLost, holdBack, icon, pressOnce, theme, toast } from "../core/dom.js";
import "../ui/chat-log.js";
import "../ui/dvr-player.js";
import { CommandBar } from "./command-bar.js";
import { Desk } from "./desk.js";
import { Footage } from "./footage.js";
import { IdleWatch } from "./idle.js";
import { QueueView } from "./queue.js";
import { Ringer } from "./ringer.js";
import { SessionView } from "./session-view.js";
import { forgetOtherSessions } from "./unsent.js";

const api = new API();
let running = null;

theme.start();
pressOnce();
fill(find("#theme-button"), icon("sun")).addEventListener("click", () => theme.switch());
fill(find("#sign-out-button"), icon("out")).addEventListener("click", () => signOut());
find("#sign-in-form").addEventListener("submit", signIn);
find("#password-form").addEventListener("submit", choosePassword);
// What was still under way when somebody signed out tells them nothing.
api.onSignedOut = () => running && ask("You are signed out.");
begin();

async function begin() {
  try {
    await admit(await api.get("/v1/me", { isLevel: false }));
  } catch (error) {
    ask(error instanceof Problem ? "" : error.message);
  }
}

/** Shows the sign-in form; whatever ran stops. */
function ask(words = "") {
  running?.stop();
  running = null;
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
    return ask(`The console is for operators and supervisors; ${me.login ?? "this account"} is ${me.role}.`);
  }
  find("#sign-in").hidden = true;
  find("#desk").hidden = false;
  find("#who").textContent = `${me.login} · ${me.role}`;
  running?.stop();
  running = start(me);
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
  if (desk?.mine.length && !confirm("Your open session is given up when you sign out.")) return;
  await leave();
}

/** Ends the sign-in; what runs stops first. */
async function leave(words) {
  running?.stop();
  running = null;
  try {
    await api.post("/v1/auth/logout", {});
  } catch (error) {
    toast(error.message, "bad");
  }
  ask(words);
}

/** Everything that runs while somebody is signed in. */
function start(me) {
  const desk = new Desk(api, me);
  const main = find("#main");
  const show = {
    session: (id) => {
      footage.close();
      sessionView.show(id);
    },
    footage: () => {
      sessionView.close();
      footage.show();
    },
    home: () => {
      footage.close();
      sessionView.close();
    },
  };
  const sessionView = new SessionView(api, desk, main, show);
  const footage = new Footage(api, main);
  const ringer = new Ringer(desk, find("#sound-button"));
  const queue = new QueueView(desk, find("#queue"), show, sessionView);
  const command = new CommandBar(api, find("#command"), { desk, sessionView, show, signOut });
  const idle = new IdleWatch(api, { isWatching: () => sessionView.isWatching, desk, ringer }, (waiting) => leave(`You were signed out, since nothing was done for five minutes. ${waiting}`.trim()));
  const controller = new AbortController();
  find("#footage-button").addEventListener("click", show.footage, { signal: controller.signal });
  desk.start(sessionView).then(() => forgetOtherSessions(api, me.user)).catch((error) => toast(error.message, "bad"));
  return {
    desk,
    stop() {
      controller.abort();
      for (const part of [desk, sessionView, footage, ringer, queue, command, idle]) part.stop();
    },
  };
}
