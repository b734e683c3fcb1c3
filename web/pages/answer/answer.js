// SPDX-License-Identifier: Apache-2.0
/*
 * Answers a message by the code in the page's address. No module, and no newer language than of 2012: somebody who is on duty has the phone that there is.
 * Opening the page only reads: mail scanners open links. The button alone answers.
 */
(function () {
  var againMilliseconds = 15000;
  var answerMilliseconds = 10000;
  var path = "/v1/answers/" + location.pathname.replace(/^\/a\//, "").replace(/\/$/, "");
  var state = "reading";
  /** Whether the answer tells of somebody's alert that goes on. */
  var isAlert = false;
  var timer = 0;
  var have = document.getElementById("have");
  var again = document.getElementById("again");

  function each(selector, act) {
    var all = document.querySelectorAll(selector);
    for (var index = 0; index < all.length; index++) act(all[index]);
  }

  function show(next) {
    state = next;
    each("[data-state]", function (element) {
      element.hidden = element.getAttribute("data-state").split(" ").indexOf(state) < 0;
    });
  }

  function two(number) {
    return (number < 10 ? "0" : "") + number;
  }

  /** As the phone's clock has it; page.js writes it as the centre does, where the browser runs that. */
  function setTime(id, text) {
    var moment = new Date(text || "");
    if (isNaN(moment.getTime())) return;
    var element = document.getElementById(id);
    element.setAttribute("datetime", text);
    element.textContent = moment.getFullYear() + "-" + two(moment.getMonth() + 1) + "-" + two(moment.getDate()) + " " + two(moment.getHours()) + ":" + two(moment.getMinutes());
  }

  function tell(answer, isMine) {
    if (answer.centre) document.getElementById("centre").textContent = answer.centre;
    setTime("sent", answer.sentAt);
    setTime("answered", answer.answeredAt);
    each("[data-severity]", function (element) {
      element.hidden = element.getAttribute("data-severity") !== answer.severity;
    });
    // What this page answered is said with thanks, also when it is read again.
    show(answer.state === "answered" && (isMine || state === "thanks") ? "thanks" : answer.state);
    tellKind(answer.sos ? "sos" : answer.isIntroduction ? "introduction" : "message");
    tellAlert(answer.sos);
    document.dispatchEvent(new Event("told"));
  }

  /** Words that differ: of a call for help, of the question whether somebody wants to be a contact, and of the centre's own messages. */
  function tellKind(kind) {
    each("[data-kind]", function (element) {
      element.hidden = element.getAttribute("data-kind").split(" ").indexOf(kind) < 0;
    });
  }

  function setText(id, text) {
    document.getElementById(id).textContent = text;
  }

  function setShown(id, isShown) {
    document.getElementById(id).hidden = !isShown;
  }

  /** Who needs help, and where, for as long as that is shared; nothing of it stays afterwards. */
  function tellAlert(sos) {
    var isOver = Boolean(sos && sos.isOver);
    // Who is no contact any more hears nothing but its end.
    isAlert = Boolean(sos && sos.raisedAt) && !isOver;
    var place = isAlert ? sos.place : null;
    each("[data-end]", function (element) {
      element.hidden = !isOver || element.getAttribute("data-end") !== sos.endReason;
    });
    // It is not known how it went: there may be something to do.
    if (isOver && sos.endReason === "expired") each("[data-state]", function (element) {
      if (element.getAttribute("data-state") === "over") element.hidden = true;
    });
    setShown("sos", isAlert);
    setShown("sos-drill", isAlert && sos.isDrill);
    setShown("sos-help", isAlert && !sos.isDrill);
    setShown("sos-nowhere", isAlert && !place);
    setShown("sos-place", place);
    document.getElementById("sos-who").className = sos && sos.isDrill ? "warn" : "bad";
    setText("sos-name", isAlert ? sos.name || "?" : "");
    setText("sos-answered", isAlert ? sos.answered : "");
    setTime("sos-since", isAlert ? sos.occurredAt || sos.raisedAt : "");
    tellPlace(place, place ? sos.placeAt : "");
  }

  /** Only Android's browsers hand geo: to whatever shows maps. */
  function mapOf(spot) {
    var agent = navigator.userAgent || "";
    if (/Android/.test(agent)) return "geo:" + spot + "?q=" + spot;
    if (/iPhone|iPad|Macintosh/.test(agent)) return "https://maps.apple.com/?ll=" + spot + "&q=" + spot;
    return "https://www.openstreetmap.org/?mlat=" + spot.replace(",", "&mlon=");
  }

  function tellPlace(place, at) {
    var spot = place ? place.latitude.toFixed(5) + "," + place.longitude.toFixed(5) : "";
    var measured = new Date((place && place.measuredAt) || at || "").getTime();
    setText("sos-geo", spot.replace(",", ", "));
    document.getElementById("sos-geo").setAttribute("href", place ? mapOf(spot) : "");
    setText("sos-plus-code", place ? place.plusCode : "");
    setText("sos-metres", place && place.accuracyMetres ? Math.ceil(place.accuracyMetres) : "?");
    setTime("sos-at", at);
    setText("sos-age", isNaN(measured) ? "?" : Math.max(0, Math.round((new Date().getTime() - measured) / 60000)));
  }

  function membersOf(text) {
    try {
      return JSON.parse(text) || {};
    } catch (error) {
      return {};
    }
  }

  /** Which of the page's own words says what is wrong, "" where nothing is: the centre's are English. */
  function fail(fault) {
    setShown("away", fault === "away");
    setShown("busy", fault === "busy");
    setShown("fault", fault === "fault");
    again.hidden = state !== "reading" || !fault;
  }

  function ask(method) {
    var request = new XMLHttpRequest();
    clearTimeout(timer);
    request.open(method, path);
    request.timeout = answerMilliseconds;
    if (method === "POST") request.setRequestHeader("content-type", "application/json");
    request.onload = function () {
      var status = request.status;
      end();
      fail("");
      if (status === 200) tell(membersOf(request.responseText), method === "POST");
      else if (status === 404 || status === 410) show("unknown");
      else fail(status === 429 ? "busy" : status < 500 ? "fault" : "away");
    };
    request.onerror = request.ontimeout = function () {
      end();
      // What is read again by itself fails quietly: the button still says what it does.
      if (method === "POST" || state === "reading") fail("away");
    };
    request.send(method === "POST" ? "{}" : null);
  }

  function end() {
    have.disabled = false;
    again.disabled = false;
    clearTimeout(timer);
    timer = setTimeout(look, againMilliseconds);
  }

  /** Somebody else may have it by now, and who needs help may be elsewhere. */
  function look() {
    if ((state === "open" || isAlert) && !document.hidden && !have.disabled) ask("GET");
    else timer = setTimeout(look, againMilliseconds);
  }

  have.onclick = function () {
    have.disabled = true;
    ask("POST");
  };
  again.onclick = function () {
    again.disabled = true;
    ask("GET");
  };
  ask("GET");
})();
