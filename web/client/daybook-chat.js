// SPDX-License-Identifier: Apache-2.0
/**
 * A chat with the emergency centre for somebody else's page or web application, with the callbacks of the source document's `PJClient`.
 *
 *     import { DaybookChat } from "https://centre.example/web/client/daybook-chat.js";
 *
 *     const chat = new DaybookChat({
 *       url: "https://centre.example",
 *       token: "the token of a registered phone",
 *       delegate: {
 *         didFinishLoadingWithStatus(status) {},
 *         messageReceivedFrom(sender, content) {},
 *       },
 *     });
 *     const { status } = await chat.sendMsg({ text: "There is a fire", quickResponse: "fire" });
 *
 * A token is what `POST /v1/devices` answers to a phone's number and code. Making a chat begins a contact with the centre where none is open: do it when somebody wants help, and ask before.
 *
 * The delegate has:
 * - `didFinishLoadingWithStatus(status)`, needed: 0 as soon as messages can be sent; 1, once, where the centre is not reached or does not take the chat. It is tried again until
 *   `close()`, and 0 comes when it stands.
 * - `messageReceivedFrom(sender, content)`, optional: the centre wrote. `sender` is `"operator"`, for callers are told no names; `content` is a text, or of a picture
 *   `{id, width, height}`: its bytes are at `GET /v1/sessions/{chat.session}/pictures/{id}`, with the token.
 *
 * `realtimeMessageReceived(content)`, `realtimeBackspaceReceived()` and `realtimeReturnReceived()` are names that come with real-time text; nothing calls them yet.
 *
 * What was written is kept in the browser's storage until the centre has it, and is sent again, also by the next page; each message arrives once.
 */
import { API } from "../core/api.js";
import { Chat } from "../core/chat.js";
import { Kept } from "../core/storage.js";

/** Under what name unsent messages are kept. */
const store = "daybook-chat";

export class DaybookChat {
  #chat;
  #delegate;
  /** By the id under which it was sent: who waits for what becomes of a message. @type {Map<string, (answer: Sent) => void>} */
  #pending = new Map();
  /** What the delegate was told last. @type {number | null} */
  #status = null;

  /**
   * @param {object} options
   * @param {string} options.url Where the centre is: `https://centre.example`.
   * @param {string} options.token
   * @param {{didFinishLoadingWithStatus: (status: number) => void, messageReceivedFrom?: (sender: string, content: string | {id: string, width: number, height: number}) => void}} options.delegate
   */
  constructor({ url, token, delegate }) {
    this.#delegate = delegate;
    // Not the pages' own `local`, beside which they keep pictures in a database of theirs: there are none to be sent here.
    const storage = new Kept(() => localStorage);
    this.#chat = new Chat(new CentreAPI(url, token), { store, storage, goesOn: true }, {
      onOpen: () => this.#tell(0),
      onState: (isOpen) => !isOpen && this.#status === null && this.#tell(1),
      onMessage: ({ id, text, picture }) => this.#delegate.messageReceivedFrom?.("operator", picture ? { id, ...picture } : text),
      onReport: (report) => this.#answer(report),
    });
    this.#chat.connect();
  }

  /** The session that is open; `null` before the centre has told. @returns {string | null} */
  get session() {
    return this.#chat.session;
  }

  /**
   * Sends a message; without a connection it waits, and so does the answer.
   * @param {{text: string, quickResponse?: "police" | "fire" | "ambulance"}} message `quickResponse` where a button for that service was pressed.
   * @returns {Promise<Sent>}
   *
   * @typedef {{status: 0, id: string} | {status: 1, error: string}} Sent 0: delivered to the centre, under which id. 1: failed, and why; it is not sent again.
   */
  sendMsg({ text, quickResponse }) {
    const { temporaryID } = this.#chat.send(text, { quickResponse });
    return new Promise((resolve) => this.#pending.set(temporaryID, resolve));
  }

  /** Leaves the chat; its session goes on. What was not sent is kept for the next page. */
  close() {
    this.#chat.leave();
  }

  #tell(status) {
    if (this.#status === status) return;
    this.#status = status;
    this.#delegate.didFinishLoadingWithStatus(status);
  }

  #answer({ temporaryID, messageID, state, error }) {
    if (state === "seen") return;
    this.#pending.get(temporaryID)?.(state === "taken" ? { status: 0, id: messageID } : { status: 1, error: error ?? "The session was over before the message was sent." });
    this.#pending.delete(temporaryID);
  }
}

/** As the pages' own, of a centre that lies elsewhere. */
class CentreAPI extends API {
  #url;

  constructor(url, token) {
    super(token);
    this.#url = url;
  }

  socket(path) {
    return super.socket(new URL(path, this.#url));
  }
}
