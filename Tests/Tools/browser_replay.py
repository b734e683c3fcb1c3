#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages of those who look back, in a real browser: the demo's incident played back, with its chat as it stood, its video in step, every line a
moment, and an address for each moment; a report of an animal in the same way; and the numbers of a period. All of it in English, and once more in German.

  browser_replay.py --daybook PATH [--screenshots FOLDER] [--axe axe.min.js]
  browser_replay.py --daybook PATH --events 100000     measures the page alone, with an incident of so many: to open it, to go to a moment, its memory

Ends with 77 where no Chromium is installed.
"""

import contextlib
import datetime
import io
import json
import os
import re
import time
import zoneinfo

from browser_emergency import open_browser
from centre import arguments, hold, run
from daybook import until
from demo import MESSAGES, Play
from long_timeline import LongTimeline
from story import tell, watched

PHONE = {"width": 390, "height": 844}
LINES = "[...document.querySelectorAll('.lines li .line')]"
BUBBLES = "[...document.querySelectorAll('.chat-then .bubble')].map((e) => e.textContent)"
# All that is read on a page, or read out: texts, and what elements say of themselves; in a list that is drawn as it is scrolled, every line.
READ = """(async () => {
    const found = new Set(), box = document.querySelector('.lines-box');
    const look = (root) => {
        for (const element of root.querySelectorAll('*')) {
            if (element.matches('script, style')) continue;
            for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext']) found.add(element.getAttribute(name) ?? '');
            for (const node of element.childNodes) if (node.nodeType === 3) found.add(node.data.trim());
            if (element.shadowRoot) look(element.shadowRoot);
        }
    };
    for (let top = 0; ; top += box.clientHeight) {
        if (box) box.scrollTop = top;
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        look(document);
        if (!box || top >= box.scrollHeight) break;
    }
    return [document.title, ...found].filter(Boolean);
})()"""
# Words without which hardly anybody says anything in English, and which no German has.
ENGLISH = {"the", "of", "is", "and", "by", "with", "to", "from", "not", "nobody", "this", "caller", "operator", "session", "location", "entry", "entries", "asked", "took", "wrote", "sent", "open",
           "ended", "since", "before", "hours", "days", "message", "messages", "picture", "pictures", "line", "lines", "moment", "time"}
# The texts of the English catalogues that no German one has.
ENGLISH_ALONE = """(async () => {
    const all = async (code) => Object.assign({}, ...(await Promise.all(['', 'staff/', 'staff/replay/', 'staff/rescue/', 'staff/said/', 'staff/trends/'].map((folder) => import(`/web/locales/${folder}${code}.js`)))).map((one) => one.default));
    const texts = (words) => Object.values(words).flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)));
    const german = new Set(texts(await all('de')));
    return texts(await all('en')).filter((text) => !german.has(text));
})()"""
# What people wrote, and programs of theirs, stands in the ledger as it is.
WRITTEN = [*MESSAGES, "An ambulance is on its way.", "Post office, Valley Road, Watford", "handed to the ambulance", "conscious on arrival", "the caller hung up", "same accident", "ambulance-needed", "below the bridge", "Watford Animal Rescue"]
# What the figures would save as files, by their names.
SAVED = """(async () => {
    const files = {}, real = URL.createObjectURL;
    HTMLAnchorElement.prototype.click = () => {};
    for (const figure of document.querySelectorAll('figure[data-name]')) {
        URL.createObjectURL = (blob) => { files[figure.dataset.name] = blob.text(); return 'data:,'; };
        figure.querySelector('.below > button')?.click();
    }
    URL.createObjectURL = real;
    delete HTMLAnchorElement.prototype.click;
    for (const name of Object.keys(files)) files[name] = await files[name];
    return files;
})()"""
# Which part of the period the page says it draws, and how one of its figures is marked.
DRAWN = "[document.querySelector('.range [role=status]').textContent, document.querySelector('[data-name=waiting] .chart').innerText]"
KINDS = "chat,video,place,asked,session,incident,alert,report,receipts,pieces,viewed,other"
NOW = "document.querySelector('.lines [aria-current]')?.textContent ?? ''"
# Of a report's line: which it is, and how the ledger numbers its entry and calls its kind.
ENTRY = "[document.querySelector('.lines [aria-current]')?.dataset.index, ...[...document.querySelectorAll('.entry-details dd')].slice(0, 2).map((e) => e.textContent)]"
# What is reported besides the demo's own seal and dog: the animal, where, and how far it comes.
REPORTED = (("porpoise", (51.81, -0.21), ("acknowledged", "heading_out", "on_scene", "deceased")), ("harbor-seal", (51.62, -0.41), ("acknowledged", "stood_down")), ("seabird", (51.81, -0.22), ()),
            ("seabird", (51.81, -0.22), ()))
OUTCOMES = ("rescued", "released", "deceased", "not_found", "stood_down")
ANIMALS = {"porpoise": "Porpoise", "harbor-seal": "Harbor seal", "seabird": "Seabird"}


def main(options, folder):
    if options.events:
        return measure(options, folder)
    play = Play(os.path.abspath(options.daybook), os.path.join(folder, "ledger"))
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            for act in (play.open, play.hire, play.chat, play.claim, play.locate, play.film, play.second_call, play.field, play.close):
                act()
        with open_browser(folder) as browser:
            browser.ignores_policy = bool(options.axe)
            auditor = Auditor(options, play, browser)
            with watched(auditor.pages, folder):
                tell(auditor.signs_in, auditor.goes_by_lines, auditor.sees_the_chat_as_it_stood, auditor.sees_the_video_in_step, auditor.plays, auditor.chooses_kinds,
                     auditor.gives_a_moment_to_somebody, auditor.checks_an_entry, auditor.uses_a_phone, auditor.finds_incidents, auditor.reads_german, auditor.comes_by_the_console,
                     auditor.counts, auditor.counts_in_german, auditor.counts_nothing, auditor.replays_a_report, auditor.reads_a_report_in_german, auditor.takes_reports_home, auditor.analyst_counts_reports,
                     auditor.is_recorded)
            hold(not auditor.faults, f"axe: {auditor.faults}")
    finally:
        if hasattr(play, "gateway") and play.gateway.process:
            play.gateway.stop()


# Goes to as many moments, drawn by chance, and tells how long each took until it stood on the screen.
SEEKS = """async (count) => {
    const range = document.querySelector('.lanes-range'), [from, until] = [Number(range.min), Number(range.max)], times = [];
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = resolve; port2.postMessage(0); }));
    for (let number = 0, chance = 1; number < count; number++) {
        chance = (chance * 48271) % 2147483647;
        await painted();
        const begun = performance.now();
        range.value = String(from + (until - from) * (chance / 2147483647));
        range.dispatchEvent(new Event('input'));
        const folded = performance.now();
        await painted();
        times.push([folded - begun, performance.now() - begun]);
    }
    return times;
}"""


def measure(options, folder):
    """What the page takes with a long incident; the gateway is played, so that nothing of it is in the numbers."""
    served = LongTimeline(options.events)
    with open_browser(folder) as browser:
        page = browser.context().page("about:blank")
        begun = time.monotonic()
        page.go(served.address)
        page.wait_for("'ready' in document.documentElement.dataset && document.querySelector('.lines li') !== null", what="the incident is there")
        opened = time.monotonic() - begun
        times = page.evaluate(f"({SEEKS})({options.seeks})")
        page.send("HeapProfiler.enable")
        page.send("HeapProfiler.collectGarbage")
        heap = page.send("Runtime.getHeapUsage")["usedSize"]
        drawn = page.evaluate("document.querySelectorAll('*').length")
        total = page.evaluate("[...document.querySelectorAll('.kinds label')].reduce((sum, e) => sum + Number(e.textContent.replace(/\\D/g, '')), 0)")
        hold(total == options.events, f"the page has {total} entries of {options.events}")
        hold(not page.complaints, f"the page complained: {page.complaints}")
        rank = lambda column, part: sorted(one[column] for one in times)[min(len(times) - 1, int(part * len(times)))]
        print(f"{options.events} events: opened in {opened:.1f} s; a moment in p50 {rank(0, .5):.1f} ms, p99 {rank(0, .99):.1f} ms, on the screen in p50 {rank(1, .5):.1f} ms, "
              f"p99 {rank(1, .99):.1f} ms of {len(times)}; heap {heap / 1e6:.0f} MB; {drawn} elements")
    served.close()


def password(login):
    return f"a long sentence of {login[::-1]}'s own"


def recounted(entries, zone):
    """What became of each report, from the lines of `daybook export` alone."""
    reports = {}
    for entry in entries:
        kind, data, time = entry["type"].split("/")[0], entry["data"], datetime.datetime.fromisoformat(entry["time"].replace("Z", "+00:00"))
        if kind == "report.submitted":
            reports[entry["subject"]] = {"species": data["species"], "month": time.astimezone(zone).strftime("%B %Y"), "status": "submitted", "submitted": time}
        elif kind == "report.assigned":
            reports[entry["subject"]].update(agency=data["agency"], area=data["cell"])
        elif kind == "report.status_changed":
            reports[entry["subject"]]["status"] = data["to"]
            reports[entry["subject"]].setdefault(data["to"], time)
        elif kind in ("report.joined", "report.separated"):
            reports[entry["subject"]]["is_joined"] = kind == "report.joined"
    return reports.values()


def rows_of(reports, name):
    """The rows of the page's table, each by what `name` calls a report: numbers as counts, times as minutes."""
    groups = {}
    for report in reports:
        groups.setdefault(name(report), []).append(report)
    return {words: row_of(group) for words, group in groups.items()}


def row_of(group):
    """Duplicates are counted by themselves, and in nothing else."""
    own = [one for one in group if not one.get("is_joined")]
    return [len(own), len(group) - len(own), sum(one["status"] not in OUTCOMES for one in own), *times(own, "acknowledged"), *times(own, "on_scene"), *(sum(one["status"] == outcome for one in own) for outcome in OUTCOMES)]


def times(group, step):
    """How many came to a step, and in how many minutes the half and nine in ten of them did, by nearest rank of whole seconds."""
    minutes = sorted((one[step] - one["submitted"]) // datetime.timedelta(seconds=1) / 60 for one in group if step in one)
    return len(minutes), *(minutes[-(-percent * len(minutes) // 100) - 1] if minutes else None for percent in (50, 90))


def is_same(shown, wanted):
    """Whether a cell shows a number; of minutes it shows tenths."""
    if wanted is None:
        return shown == "–"
    return shown == str(wanted) if isinstance(wanted, int) else abs(float(shown) - wanted) < 0.051


def area_words(report):
    """An area as people read it."""
    latitude, longitude = (float(part) for part in report["area"].split(","))
    return f"about {abs(latitude):.1f}° {'S' if latitude < 0 else 'N'}, {abs(longitude):.1f}° {'W' if longitude < 0 else 'E'}"


class Auditor:
    def __init__(self, options, play, browser):
        self.options, self.play, self.browser = options, play, browser
        self.context = browser.context()
        self.address = f"{play.address}/replay/{play.incident}"
        self.page = self.context.page(self.address)
        self.pages = [self.page]
        self.axe, self.faults = options.axe and open(options.axe).read(), []
        if options.screenshots:
            os.makedirs(options.screenshots, exist_ok=True)

    def looked_at(self, page, name):
        """Pictures in light and dark; with `--axe` what that program says of both."""
        for isDark in (False, True) if self.options.screenshots or self.axe else ():
            page.dark(isDark)
            theme = "dark" if isDark else "light"
            if self.options.screenshots:
                page.screenshot(os.path.join(self.options.screenshots, f"{name}-{theme}.png"))
            if self.axe:
                self.faults += [f"{name}, {theme}: {fault}" for fault in page.axe(self.axe)]
        page.dark(False)

    def line(self, words, page=None):
        """Presses the line that says something."""
        page = page or self.page
        # It may lie below those that are drawn: all are there in one list, which is scrolled.
        page.wait_for(f"""(() => {{ const found = {LINES}.find((e) => e.textContent.includes({json.dumps(words)})); const box = document.querySelector('.lines-box');
            if (!found) {{ box.scrollTop = box.scrollTop + box.clientHeight >= box.scrollHeight - 1 ? 0 : box.scrollTop + box.clientHeight; return false; }}
            found.click(); return true; }})()""", what=f"the line {words!r}")
        page.wait_for(f"({NOW}).includes({json.dumps(words)})", what=f"{words!r} is the moment")

    def ready(self, page):
        page.wait_for("'ready' in document.documentElement.dataset && document.querySelector('.lines li') !== null", what="the incident is there")

    def left(self, page):
        """Closes another page: what lies behind it is drawn again."""
        hold(not page.complaints, f"a page complained: {page.complaints}")
        page.close()

    # MARK: Steps

    def signs_in(self):
        """A wrong password opens nothing; the right one leads to the incident, at its beginning."""
        self.page.type("[name=login]", "arne")
        self.page.type("[name=password]", "wrong wrong wrong")
        self.page.press("Sign in", within=".door")
        self.page.wait_for("!document.querySelector('.door .notice').hidden", what="it is said that the password is wrong")
        self.looked_at(self.page, "door")
        self.page.type("[name=password]", password("arne"))
        self.page.press("Sign in", within=".door")
        self.ready(self.page)
        self.page.has("Post office, Valley Road, Watford", "#about")
        self.page.has("this viewing is recorded", "#about")
        self.page.has("arne · auditor", "#who")
        hold(self.page.evaluate(BUBBLES) == [], "nothing has been written at the beginning")

    def goes_by_lines(self):
        """The next line, the one before, the first and the last, by the keyboard."""
        self.page.evaluate("document.querySelector('#main').focus()")
        self.page.key("Home")
        first = self.page.evaluate(NOW)
        self.page.key(".")
        second = self.page.wait_for(f"({NOW}) !== {json.dumps(first)} && ({NOW})", what="the next line")
        self.page.key(".")
        self.page.wait_for(f"({NOW}) !== {json.dumps(second)}", what="the third line")
        self.page.key(",")
        self.page.wait_for(f"({NOW}) === {json.dumps(second)}", what="back again")
        self.page.key("End")
        self.page.wait_for(f"{LINES}.at(-1)?.hasAttribute('aria-current')", what="the last line")

    def sees_the_chat_as_it_stood(self):
        """At each message, those before it stand there and none behind; what had not been seen yet was not."""
        for number, text in enumerate(MESSAGES, 1):
            self.line(f"wrote: {text}")
            hold(self.page.evaluate(BUBBLES) == MESSAGES[:number], f"at {text!r} the chat has {self.page.evaluate(BUBBLES)}")
        hold(self.page.evaluate("document.querySelector('.facts-then').textContent").startswith("open"), "the session is open")
        self.page.has("waiting since", ".facts-then")
        self.line("took the session")
        self.page.has("with ", ".facts-then")
        self.line("sent the location")
        self.page.wait_for("document.querySelector('place-map .place-words')?.textContent.includes('51.656500')", what="the place stands on the map")

    def sees_the_video_in_step(self):
        """The picture is that of the moment, wherever one goes; before and behind the video nobody films."""
        self.line("began to film")
        for _ in range(2):
            self.page.key(".")
            at = self.page.wait_for("document.querySelector('.video')?.dataset.at", what="a video is there")
            self.page.wait_for("(() => { const tile = document.querySelector('.video'), video = tile?.querySelector('video'); return video && video.readyState >= 2 && !video.seeking && "
                               "Math.abs(video.currentTime - Math.min(tile.dataset.at / 1000, video.duration || Infinity)) < 0.1; })()", what=f"the picture at {at} ms")
        self.looked_at(self.page, "replay")
        self.page.key("Home")
        self.page.has("Nobody films at this time", ".no-video")
        self.page.press("Next video, from", within=".no-video")
        self.page.wait_for("document.querySelector('.video') !== null", what="the video is found")

    def plays(self):
        """It runs, as fast as asked, to the end, and stands there."""
        self.page.key("Home")
        self.page.evaluate("document.querySelector('.control-row select').value = '4'; document.querySelector('.control-row select').dispatchEvent(new Event('change')); document.querySelector('#main').focus()")
        self.page.key(" ")
        self.page.wait_for("document.querySelector('.control-row .primary').getAttribute('aria-label') === 'Pause'", what="it runs")
        self.page.wait_for(f"{LINES}.at(-1)?.hasAttribute('aria-current') && document.querySelector('.control-row .primary').getAttribute('aria-label') === 'Play'", what="it stands at the end")
        self.page.has("An ambulance is on its way.", ".chat-then")

    def chooses_kinds(self):
        """Only lines of the kinds that were chosen; the address says which."""
        count = self.page.evaluate("document.querySelector('.lines li').getAttribute('aria-setsize')")
        chat = self.page.evaluate("Number([...document.querySelectorAll('.kinds label')].find((e) => e.textContent.startsWith('Chat')).textContent.replace(/\\D/g, ''))")
        hold(chat > len(MESSAGES), f"the chat has {chat} lines")
        self.page.press("Chat", within=".kinds")
        self.page.wait_for(f"document.querySelector('.lines li').getAttribute('aria-setsize') === String({count} - {chat})", what="the chat's lines are gone")
        hold(not self.page.evaluate(f"{LINES}.some((e) => e.textContent.includes('wrote:'))"), "no line of the chat is there")
        hold("kinds=" in self.page.evaluate("location.search"), "the address says so")
        self.page.reload()
        self.ready(self.page)
        hold(not self.page.evaluate("[...document.querySelectorAll('.kinds label')].find((e) => e.textContent.startsWith('Chat')).querySelector('input').checked"), "it stays so")
        self.page.press("Chat", within=".kinds")

    def gives_a_moment_to_somebody(self):
        """The address of a moment leads to it, in another window."""
        self.line(f"wrote: {MESSAGES[1]}")
        self.page.wait_for("new URLSearchParams(location.search).get('t') !== null", what="the address has the moment")
        self.page.wait_for("performance.now() > 0 && new Promise((resolve) => setTimeout(() => resolve(true), 600))")
        other = self.context.page(self.page.evaluate("location.href"))
        self.ready(other)
        hold(other.evaluate(BUBBLES) == MESSAGES[:2], f"there the chat has {other.evaluate(BUBBLES)}")
        other.wait_for(f"({NOW}).includes({json.dumps(MESSAGES[1])})", what="the same line is the moment")
        self.left(other)

    def checks_an_entry(self):
        """The entry of the moment is looked for in what the newest checkpoint signs, by the browser itself."""
        self.page.evaluate("document.querySelector('.entry-details').open = true")
        self.page.press("Check it against the checkpoint", within=".entry-details")
        self.page.has("stands in the checkpoint of", ".entry-details")
        hold("cannot check" not in self.page.text(".entry-details"), "the signature was looked at")
        self.looked_at(self.page, "entry")
        self.page.evaluate("document.querySelector('.entry-details').open = false")

    def uses_a_phone(self):
        """On a small screen nothing lies beside it."""
        self.page.resize(**PHONE)
        self.line(f"wrote: {MESSAGES[2]}")
        hold(self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is no wider than the screen")
        self.looked_at(self.page, "phone")
        self.page.resize(1440, 900)

    def finds_incidents(self):
        """The list leads to the incident; an id that is none says so; an operator may not read another's open session."""
        page = self.context.page(f"{self.play.address}/replay")
        page.has("Post office, Valley Road, Watford", ".incidents")
        self.looked_at(page, "incidents")
        page.press("Replay …", within=".incidents")
        self.ready(page)
        page.go(f"{self.play.address}/replay/00000000-0000-7000-8000-000000000000")
        page.wait_for("document.querySelector('.door .notice') !== null", what="it is said that there is no such incident")
        self.left(page)

    def speaks(self, code):
        """Chooses a language as somebody does, for this device."""
        self.page.evaluate(f"localStorage.setItem('language', {json.dumps(code)})")
        self.page.reload()
        self.page.wait_for(f"'ready' in document.documentElement.dataset && document.documentElement.lang === {json.dumps(code)}", what=f"the page in {code}")

    def has_no_english(self, page):
        """Nothing on a page, whatever of it is read out, is in English but what somebody wrote."""
        texts, english = page.evaluate(READ), set(page.evaluate(ENGLISH_ALONE))
        hold(len(texts) > 15, f"hardly anything stands there: {texts}")
        for text in texts:
            rest = text
            for written in sorted(WRITTEN, key=len, reverse=True):
                rest = rest.replace(written, "")
            found = ENGLISH & set(re.findall(r"\b[a-z]+\b", re.sub(r"\S*[/_.@]\S*", "", rest)))
            hold(not found and text not in english, f"{text!r} is English: {found}")

    def reads_german(self):
        """The same incident in German: its head, its lines of every kind, its chat, its video and the check of an entry."""
        self.page.go(f"{self.address}?kinds={KINDS}")
        self.speaks("de")
        self.page.has("Einsatz …", "#title")
        self.page.has("Einsicht wird protokolliert", "#about")
        self.page.has("arne · Prüfung", "#who")
        self.page.key("Home")
        self.page.has("Zu diesem Zeitpunkt filmt niemand.", ".no-video")
        self.line(f"Anrufer · Nachricht: {MESSAGES[1]}")
        hold(self.page.evaluate(BUBBLES) == MESSAGES[:2], f"the chat has {self.page.evaluate(BUBBLES)}")
        self.page.has("offen", ".facts-then")
        self.page.has("wartet seit", ".facts-then")
        for words in ("Sitzung übernommen", "Um den Standort gebeten", "Standort gesendet: 51.65650, -0.39030, auf 12 m genau", "Zugestimmt, Video zu zeigen", "Video begonnen, mit der", "Videoqualität jetzt mittel",
                      "Adresse eingetragen: Post office", "Ein Alarm soll hinausgehen: ambulance-needed (kritisch)", "Sitzung geschlossen: handed to the ambulance"):
            self.line(words)
        self.line("Videostück 5 archiviert, ")
        hold(re.search(r"archiviert, \d,\d s", self.page.evaluate(NOW)), f"a tenth of a second stands behind a comma: {self.page.evaluate(NOW)}")
        self.page.evaluate("document.querySelector('.entry-details').open = true")
        self.page.press("An der Prüfsumme prüfen", within=".entry-details")
        self.page.has("steht in der Prüfsumme über", ".entry-details")
        self.has_no_english(self.page)
        self.looked_at(self.page, "german")
        page = self.context.page(f"{self.play.address}/replay")
        page.has("Welcher Einsatz?")
        page.has("beendet", ".incidents")
        self.has_no_english(page)
        self.left(page)
        self.speaks("en")
        self.page.has("Replay of incident", "#title")

    def comes_by_the_console(self):
        """Who signs in where operators do, is led home."""
        self.page.go(f"{self.play.address}/console")
        self.page.wait_for("location.pathname === '/replay'", what="the auditor is led to the auditors' page")
        self.page.has("Which incident?")

    def counts(self):
        """The numbers of a period, which the address names; Back leads to the period before."""
        self.page.go(f"{self.play.address}/trends")
        self.page.wait_for("'ready' in document.documentElement.dataset && document.querySelector('.numbers') !== null", what="the numbers are there")
        hold(self.page.evaluate("document.querySelector('.numbers strong').textContent") == "2", "two people asked for help")
        steps = self.page.evaluate("[...document.querySelectorAll('[data-name=start_video] .bars strong')].map((e) => e.textContent)")
        hold(steps[0] == "1" and steps[-1] == "1", f"one was asked for video and agreed: {steps}")
        self.page.click("[data-name=contacts] summary")
        told = self.page.wait_for("[...document.querySelectorAll('[data-name=contacts] tbody td')].map((e) => Number(e.textContent))", what="the table is there")
        hold(sum(told) == 2, f"the table has {told}")
        self.figures_are_drawn()
        self.alerts_are_counted()
        self.page.has("Nobody acknowledged an alert in this period.", "[data-name=alerts-answered]")
        self.looked_at(self.page, "trends")
        self.page.evaluate("[...document.querySelectorAll('.trends h2')].find((e) => e.textContent === 'Alerts').scrollIntoView()")
        self.looked_at(self.page, "trends-alerts")
        scans = self.page.evaluate("[...document.querySelectorAll('[data-name=check-ins] tbody tr')].map((e) => [...e.querySelectorAll('td')].map((one) => Number(one.textContent)))")
        recorded = [entry["type"].split("/")[0] for entry in self.play.export()]
        wanted = [recorded.count("patrol.checked_in"), recorded.count("patrol.check_in_refused")]
        hold([sum(sum(row[:-1]) for row in scans), sum(row[-1] for row in scans)] == wanted, f"the page has check-ins {scans}, the ledger {wanted}")
        self.page.evaluate("document.querySelector('[data-name=check-ins]').scrollIntoView()")
        self.looked_at(self.page, "trends-patrols")
        self.page.press("28 days", within=".period")
        self.page.wait_for("new URLSearchParams(location.search).get('from') !== null && document.querySelector('.numbers') !== null", what="the address names the period")
        self.page.evaluate("history.back()")
        self.page.wait_for("location.search === '' && document.querySelector('.numbers') !== null", what="Back leads back")
        self.page.resize(**PHONE)
        self.page.click("[data-name=alert-parts] summary")
        hold(self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is no wider than the screen")
        self.looked_at(self.page, "trends-phone")
        self.page.evaluate("document.querySelector('[data-name=alert-parts]').scrollIntoView()")
        self.looked_at(self.page, "trends-alerts-phone")
        self.page.resize(1440, 900)

    def figures_are_drawn(self):
        """By dygraphs, all of the same part of the period; where that is not installed the page says so, and its tables are open."""
        if not self.page.evaluate("fetch('/vendor').then((answer) => answer.json()).then(({ files }) => 'dygraphs.js' in files)"):
            self.page.has("libjs-dygraphs is not installed", ".figures-place")
            hold(self.page.evaluate("document.querySelector('[data-name=waiting] details').open"), "the table is open where nothing is drawn")
            return
        self.page.wait_for("document.querySelectorAll('[data-name=contacts] canvas').length > 0 && document.querySelectorAll('[data-name=waiting] canvas').length > 0", what="both figures are drawn")
        whole, marks = self.page.evaluate(DRAWN)
        self.page.press("Zoom in", within=".range")
        part, closer = self.page.evaluate(DRAWN)
        hold(part != whole and closer != marks, f"zoomed in from {whole} with {marks} to {part} with {closer}")
        self.page.press("Whole period", within=".range")
        hold(self.page.evaluate(DRAWN) == [whole, marks], f"the whole period is {self.page.evaluate(DRAWN)}, not {whole} with {marks}")

    def alerts_are_counted(self):
        """The page is read anew until all that went out is counted: what the message centre reports may come after the demo's end."""
        wanted, found = ([["SMS", "sent: 3", "delivered: 3"], ["E-mail", "sent: 3"]], [6, 3, 0]), []

        def is_counted():
            parts = self.page.evaluate("[...document.querySelectorAll('[data-name=alert-parts] .things > li')].map((e) => e.innerText.split(/\\n+/))")
            timed = [self.page.evaluate(f"[...document.querySelectorAll('[data-name=alerts-{name}] tbody th + td')].reduce((sum, e) => sum + Number(e.textContent), 0)") for name in ("sent", "delivered", "answered")]
            found[:] = [(parts, timed)]
            if (parts, timed) == wanted:
                return True
            self.page.reload()
            self.page.wait_for("'ready' in document.documentElement.dataset && document.querySelector('[data-name=alert-parts]') !== null", what="the numbers are there again")
            return False

        try:
            until(is_counted, "the alerts are counted", pause=1)
        except TimeoutError:
            hold(False, f"the alerts went by SMS and e-mail: {found}")

    def counts_in_german(self):
        """The same numbers in German; the files are the same, for programs read them."""
        files = self.page.evaluate(SAVED)
        hold(files["contacts"].startswith("Hour,Chat,Video,By telephone\n") and files["outcomes"].startswith("Step,Number\n")
             and files["alert-parts"] == "Way,sent,delivered,not deliverable,failed and tried again,given up\nSMS,3,3,0,0,0\nE-mail,3,0,0,0,0\n" and files["alerts-sent"].startswith('Hour,Sent,"half of them, ms"'), f"the files are {files}")
        self.speaks("de")
        self.page.has("Zahlen", ".top h1")
        for words in ("Kontakte nach Stunde und Kanal", "Um Video gebeten", "zugestimmt: 1", "Wie Kontakte endeten", "Neun von zehn angenommen binnen", "vorher", "Die Stunden sind die von",
                      "Nachrichten der Alarme nach Weg und Ergebnis", "zugestellt: 3", "Vom Auftrag bis zum Versand", "In diesem Zeitraum wurde kein Alarm bestätigt."):
            self.page.has(words, ".trends")
        hold(self.page.evaluate("[...document.querySelectorAll('[data-name=contacts] th')].map((e) => e.textContent).slice(0, 3)") == ["Stunde", "Chat", "Video"], "the table has German heads")
        self.has_no_english(self.page)
        hold(self.page.evaluate(SAVED) == files, f"the files are others: {self.page.evaluate(SAVED)}")
        self.looked_at(self.page, "trends-german")
        self.page.go(f"{self.play.address}/trends?from=2020-01-01T00:00:00Z&until=2020-01-02T00:00:00Z")
        self.page.has("In diesem Zeitraum bat niemand um Hilfe, und kein Anruf wurde angenommen. Auch davor gab es keinen Kontakt.")
        self.speaks("en")

    def counts_nothing(self):
        """In a time without anybody, it is said since when there is something."""
        self.page.go(f"{self.play.address}/trends?from=2020-01-01T00:00:00Z&until=2020-01-02T00:00:00Z")
        self.page.has("Nobody asked for help in this period")
        self.page.has("There has been no contact before it, either.")

    # MARK: Reports of animals

    def replays_a_report(self):
        """A report entry by entry, the same as `daybook timeline` tells them; its photo and place come with theirs."""
        self.seal = next(entry["subject"].split("/")[1] for entry in self.play.export() if entry["type"].startswith("report.submitted/") and entry["data"]["species"] == "harbor-seal")
        told = self.play.run("timeline", self.seal, "--json")
        hold(told.returncode == 0, f"daybook timeline: {told.stderr}")
        wanted = [[str(number), f"{entry['position']}", entry["kind"].split("/")[0]] for number, entry in enumerate(json.loads(told.stdout)["entries"])]
        hold({"report.submitted", "report.photo_added", "report.status_changed"} <= {kind for _, _, kind in wanted}, f"the timeline has {wanted}")
        self.page.go(f"{self.play.address}/replay/{self.seal}?kinds={KINDS}")
        self.ready(self.page)
        self.page.has("Replay of report", "#title")
        self.page.evaluate("document.querySelector('.entry-details').open = true")
        count = int(self.page.evaluate("document.querySelector('.lines li').getAttribute('aria-setsize')"))
        hold(count == len(wanted), f"the page has {count} entries, the command {len(wanted)}")
        shown = []
        for number in range(count):
            self.page.wait_for(f"(() => {{ const box = document.querySelector('.lines-box'), line = document.querySelector('.line[data-index=\"{number}\"]'); if (!line) box.scrollTop += box.clientHeight / 2; line?.click(); return line; }})() !== null",
                               what=f"line {number}")
            self.page.wait_for(f"({ENTRY})[0] === '{number}' && ({ENTRY}).length === 3", what=f"line {number} is the moment")
            shown.append(self.page.evaluate(ENTRY))
            kinds = [kind for _, _, kind in wanted[:number + 1]]
            photos = self.page.evaluate("document.querySelectorAll('.report-then .picture').length")
            hold(photos == kinds.count("report.photo_added"), f"after {kinds} the report has {photos} photos")
        hold(shown == wanted, f"the page shows {shown}, the command tells {wanted}")
        for words, place in (("Harbor seal, small", ".report-then"), ("rescued", ".report-then .chip.accent"), ("below the bridge", ".report-then"), ("Watford Animal Rescue", ".report-then"), ("51.660500, -0.385000", ".report-then")):
            self.page.has(words, place)
        self.page.wait_for("document.querySelector('.report-then .picture img')?.naturalWidth > 0", what="the photo is shown")
        self.page.evaluate("document.querySelector('.entry-details').open = false")
        self.looked_at(self.page, "replay-report")
        self.line("reported an animal: Harbor seal, entangled")
        self.page.has("new", ".report-then .chip.accent")
        self.page.resize(**PHONE)
        hold(self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is no wider than the screen")
        self.looked_at(self.page, "replay-report-phone")
        self.page.resize(1440, 900)

    def reads_a_report_in_german(self):
        self.speaks("de")
        self.page.has("Meldung …", "#title")
        for words in ("Melder · Tier gemeldet: Seehund, verfangen", "Meldung übernommen", "Vor Ort", "Tier gerettet"):
            self.line(words)
        self.page.has("Seehund, klein", ".report-then")
        self.has_no_english(self.page)
        self.looked_at(self.page, "replay-report-german")
        page = self.context.page(f"{self.play.address}/replay")
        page.has("Seehund, klein", ".incidents")
        self.has_no_english(page)
        self.left(page)
        self.speaks("en")

    def sees_reports_by(self, page, group):
        """Chooses how reports are put together; the rows of the table."""
        page.evaluate(f"(() => {{ const e = document.querySelector('.reports select'); e.value = '{group}'; e.dispatchEvent(new Event('change')); }})()")
        return self.rows_by(page, group)

    def rows_by(self, page, group):
        page.wait_for(f"document.querySelector('[data-name=reports-{group}]') !== null && !document.querySelector('.reports').hasAttribute('aria-busy')", what=f"reports by {group}")
        return page.evaluate(f"[...document.querySelectorAll('[data-name=reports-{group}] tbody tr')].map((row) => [...row.children].map((e) => e.textContent))")

    def takes_reports_home(self):
        """An auditor finds the reports themselves beside their numbers, as files."""
        self.page.go(f"{self.play.address}/trends")
        rows = self.rows_by(self.page, "species")
        files = self.page.evaluate("Promise.all([...document.querySelectorAll('.reports .choice a')].map(async (e) => { const answer = await fetch(e.href); return [e.download, answer.status, await answer.text()]; }))")
        hold([[name, status] for name, status, _ in files] == [["reports-by-species.csv", 200], ["reports.csv", 200], ["reports.geojson", 200]], f"the files are {files}")
        hold(len(files[0][2].splitlines()) == len(rows) + 1, f"the numbers as CSV: {files[0][2]}")
        reports = sum(int(row[1]) for row in rows)
        hold(len(json.loads(files[2][2])["features"]) == reports, f"of {reports} reports the GeoJSON has: {files[2][2][:500]}")

    def analyst_counts_reports(self):
        """What an analyst sees of reports is what is counted here from `daybook export`, whichever way they are put together."""
        phone, rosa = self.play.second, self.play.people["rosa"]
        sent = None
        for species, (latitude, longitude), steps in REPORTED:
            before = sent
            sent = phone.post("/v1/reports", {"fix": {"latitude": latitude, "longitude": longitude}, "species": species, "sizeClass": "small", "condition": "alive"})
            hold(sent.status == 201, f"reporting the {species}: {sent}")
            for step in steps:
                moved = rosa.post(f"/v1/reports/{sent.json['report']}/status", {"to": step})
                hold(moved.ok, f"{step} of the {species}: {moved}")
        joined = self.play.people["sue"].put(f"/v1/reports/{sent.json['report']}/duplicate", {"of": before.json["report"]})
        hold(joined.ok, f"joining both reports of the seabird: {joined}")
        ines = self.browser.context().page(f"{self.play.address}/trends")
        self.pages.append(ines)
        ines.type("[name=login]", "ines")
        ines.type("[name=password]", password("ines"))
        ines.press("Sign in", within=".door")
        ines.wait_for("'ready' in document.documentElement.dataset && document.querySelector('.reports tbody') !== null", what="the numbers are there")
        reports = recounted(self.play.export(), zoneinfo.ZoneInfo(self.play.people["ines"].get("/v1/trends").json["timeZone"]))
        agencies = {one["id"]: one["name"] for one in self.play.people["sue"].get("/v1/agencies").json["items"]}
        names = {"area": area_words, "month": lambda one: one["month"], "agency": lambda one: agencies[one["agency"]], "species": lambda one: ANIMALS.get(one["species"], one["species"])}
        for group, name in names.items():
            shown, wanted = {row[0]: row[1:] for row in self.sees_reports_by(ines, group)}, rows_of(reports, name)
            hold(shown.keys() == wanted.keys() and all(len(shown[words]) == len(row) and all(map(is_same, shown[words], row)) for words, row in wanted.items()), f"by {group} the page has {shown}, counted is {wanted}")
            hold(ines.evaluate("new URLSearchParams(location.search).get('reports')") == group, f"the address says {group}")
            ines.evaluate("document.querySelector('.reports figure').scrollIntoView()")
            if group == "area":
                ines.wait_for("document.querySelector('.reports place-map').dataset.with", what="the map of areas is there")
            self.looked_at(ines, f"trends-reports-{group}")
        ines.evaluate("history.back()")
        ines.wait_for("new URLSearchParams(location.search).get('reports') === 'agency' && document.querySelector('[data-name=reports-agency]') !== null", what="Back leads to the choice before")
        hold(ines.evaluate("[...document.querySelectorAll('.reports .choice a')].map((e) => e.download)") == ["reports-by-agency.csv"], "an analyst takes numbers home, no reports")
        ines.resize(**PHONE, touch=True)
        hold(ines.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is no wider than the screen")
        low = ines.evaluate("[...document.querySelectorAll('.reports :is(a.button, select)')].filter((e) => e.getBoundingClientRect().height < 44).map((e) => e.outerHTML.slice(0, 80))")
        hold(not low, f"lower than 44 px: {low}")
        ines.evaluate("document.querySelector('.reports').scrollIntoView()")
        self.looked_at(ines, "trends-reports-phone")
        ines.evaluate("localStorage.setItem('language', 'de')")
        ines.go(f"{self.play.address}/trends?reports=area")
        self.rows_by(ines, "area")
        for words in ("Meldungen von Tieren", "etwa 51,8° N, 0,2° W", "Minuten bis zur Übernahme, neun von zehn"):
            ines.has(words, ".reports")
        self.has_no_english(ines)
        ines.resize(1440, 900)
        ines.evaluate("document.querySelector('.reports').scrollIntoView()")
        self.looked_at(ines, "trends-reports-german")
        ines.go(f"{self.play.address}/trends?from=2020-01-01T00:00:00Z&until=2020-01-02T00:00:00Z")
        ines.has("In diesem Zeitraum wurde kein Tier gemeldet.", ".reports")

    def is_recorded(self):
        """Who read the incident stands in the ledger."""
        reads = [entry for entry in self.play.export() if entry["type"].startswith("access.read/") and entry["actor"].startswith("auditor/")]
        for subject in (f"incident/{self.play.incident}", f"report/{self.seal}"):
            hold(any(entry["data"]["resource"] == subject and entry["data"]["purpose"] == "timeline" for entry in reads), f"the reading of the timeline of {subject} is in the ledger")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots", help="where pictures of the pages go")
    parser.add_argument("--events", type=int, help="measure with an incident of so many events")
    parser.add_argument("--seeks", type=int, default=300)
    parser.add_argument("--axe", help="axe.min.js, to look for what keeps people out")
    run(main, parser.parse_args())
