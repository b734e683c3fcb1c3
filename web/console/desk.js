// SPDX-License-Identifier: Apache-2.0
import { Feed } from "../core/feed.js";
import { find, toast } from "../core/dom.js";

/** How often the lists are asked for though the feed is silent: another's claim is not in this operator's feed. */
const refreshSeconds = 2;

/** Which sessions there are now, and what may be done with them. Tells of changes by the event `change`. */
export class Desk extends EventTarget {
  #api;
  #feed;
  #timer = 0;
  #isReading = false;
  #isAskedAgain = false;
  #view = null;

  constructor(api, me) {
    super();
    this.#api = api;
    this.me = me;
    /** All that are waiting or open, oldest first. */
    this.sessions = [];
    this.isRead = false;
  }

  /** Sessions that nobody has: new chats, and those that were left open. */
  get pending() {
    return this.sessions.filter((session) => !session.owner);
  }

  get mine() {
    return this.sessions.filter((session) => session.owner === this.me.user);
  }

  get others() {
    return this.sessions.filter((session) => session.owner && session.owner !== this.me.user);
  }

  /** Begins to follow; opens the session that was open when the page went away. */
  async start(view) {
    this.#view = view;
    this.#feed = new Feed(this.#api, {
      onEvent: (event) => this.#take(event),
      onState: (isLive) => this.#showState(isLive),
    });
    await this.#feed.start();
    await this.refresh();
    this.#timer = setInterval(() => document.visibilityState === "visible" && this.refresh(), refreshSeconds * 1000);
    const own = this.mine[0];
    if (own && !view.session) {
      view.show(own.id);
      toast("Your open session was found again.", "good");
    }
  }

  stop() {
    clearInterval(this.#timer);
    this.#feed?.stop();
  }

  async refresh() {
    if (this.#isReading) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isReading = true;
    try {
      const lists = await Promise.all(["waiting", "open"].map((state) => this.#api.get(`/v1/sessions?state=${state}&limit=200`)));
      this.sessions = lists.flatMap((list) => list.items).sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
      this.isRead = true;
      this.dispatchEvent(new Event("change"));
    } catch (error) {
      // The chip in the header tells of a lost connection; a refusal would come again each time.
      if (error.status && error.status !== 401 && error.status !== 503) toast(error.message, "bad");
    } finally {
      this.#isReading = false;
      if (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        this.refresh();
      }
    }
  }

  /** Takes a session; tells who was first if it was another. */
  async claim(id) {
    try {
      await this.#api.post(`/v1/sessions/${id}/claim`);
      return true;
    } catch (error) {
      toast(error.slug === "session-claimed-by-other" ? `Operator ${error.members.owner} was first.` : error.message, "bad");
      return false;
    } finally {
      this.refresh();
    }
  }

  /** Says that a session is about the same incident as another. @returns {Promise<boolean>} Whether it was done. */
  async link(session, incident, reason = "same event") {
    try {
      await this.#api.post(`/v1/incidents/${incident}/sessions`, { session, reason });
      return true;
    } catch (error) {
      toast(error.message, "bad");
      return false;
    } finally {
      this.refresh();
    }
  }

  /** Takes apart two sessions of an incident: the one that joined later goes back to where it came from. */
  async unlink(incident, sessions) {
    try {
      const feed = await this.#api.open(`/v1/events?subject=incident/${incident}&type=incident.session_linked/1&follow=false`, {});
      const links = (await feed.text()).split("\n").filter(Boolean).map((line) => JSON.parse(line).data);
      const last = links.reverse().find((link) => sessions.includes(link.session) && link.from && link.from !== incident);
      if (!last) return toast("They were one incident from the beginning.", "bad");
      await this.link(last.session, last.from, "not the same event after all");
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  /** Opens a session for a number and asks for video; returns its id. */
  async call(phone) {
    try {
      const { session } = await this.#api.post("/v1/sessions", { phone, channel: "video" });
      await this.#api.post(`/v1/sessions/${session}/requests`, { ask: "start_video" });
      return session;
    } catch (error) {
      toast(error.message, "bad");
      return null;
    } finally {
      this.refresh();
    }
  }

  #take(event) {
    const [category] = event.subject.split("/");
    if (event.type.startsWith("stream.chunk")) return;
    if (category === "session" || category === "incident" || category === "stream") {
      this.#view?.take(event);
      if (!event.type.startsWith("chat.message_seen") && !event.type.startsWith("chat.message_delivered")) this.refresh();
    }
  }

  #showState(isLive) {
    const chip = find("#feed-state");
    chip.textContent = isLive ? "live" : "reconnecting …";
    chip.className = `chip ${isLive ? "good" : "warn"}`;
    if (isLive) this.#view?.refresh();
  }
}
