// SPDX-License-Identifier: Apache-2.0
/**
 * What the page says where it cannot open: a file of it did not come, a browser knows no modules, or its own start failed. Written in words that any browser
 * knows, and needed by nothing: without it the page says what it says in HTML.
 */
(function () {
  "use strict";

  function tell(words) {
    // Whatever fails behind the start is told where it happens.
    var place = document.getElementById("not-running") && document.getElementById("opening-words");
    if (!place) return;
    place.textContent = words;
    document.documentElement.className = "not-opened";
  }

  function failed(event) {
    // A picture that did not come keeps nobody from calling for help.
    if (event.target && event.target.tagName && event.target.tagName !== "SCRIPT") return;
    tell("This page could not be opened.");
  }

  addEventListener("error", failed, true);
  addEventListener("unhandledrejection", failed);
  if (!("noModule" in document.createElement("script"))) tell("This browser is too old for this page.");
})();
