// SPDX-License-Identifier: Apache-2.0
/** What newer browsers add to the page: its words in the reader's language, and times as the centre has them. `answer.js` does the rest, also without this. */
import { dayAndTime } from "../../core/time.js";
import { answerReady } from "./words.js";

function tellTimes() {
  for (const element of document.querySelectorAll("time[datetime]")) element.textContent = dayAndTime(element.getAttribute("datetime"));
}

await answerReady;
document.addEventListener("told", tellTimes);
tellTimes();
document.documentElement.dataset.ready = "";
