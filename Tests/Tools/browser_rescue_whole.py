#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Four people and one rescue, each in a real browser, beside a real mail server (Exim): an administrator sets everything up in an empty ledger without the command line; a passer-by
reports in German, by six presses and for a while without network; a rescuer is told by e-mail, goes there and ends it; a visitor without an account sees it half an hour later on
the public pages, at a rough place, and before and after in the gallery.

  browser_rescue_whole.py --daybook PATH [--screenshots FOLDER] [--axe axe.min.js]

Ends with 77 where Chromium, Leaflet, Exim or a C compiler is not installed: the gateway's clock is moved.
"""

import os
import re

import centre
from browser_agencies import FORM, MAP, TOOLS, Agencies
from browser_emergency import open_browser
from browser_map import LEAFLET, world_map
from browser_pictures import PICTURES, choose
from browser_report import Reporter
from browser_rescue import PHONE, Rescuer
from centre import PASSWORD, Centre, arguments, hold, run
from clock_steps import Clocks
from mail_server import MailServer
from story import counted, tell, watched

SITE, AGENCY, NUMBER, DONATION = "North Sea Animal Rescue", "Seal Station Eider", "+49 4862 5550", "https://station.example/give"
RESCUER, MAIL = "rike", "rike@station.example"
BASE, BEACH = (54.3100, 8.9400), (54.30318, 8.58462)
# A phone takes JPEGs; only those have a public copy.
PHOTOS, AFTER = ("street.jpg", "street.png"), "street.jpg"
# What the public is told of it, to a hundredth of a degree, and so much later.
ROUGH, LATER = "54.30° N, 8.58° E", 31 * 60
# So long the pages of the public are kept.
KEPT = 31
SIZES = {"phone": (390, 844), "wide": (1440, 900)}


def main(options, folder):
    if not os.path.exists(LEAFLET):
        centre.skip("Leaflet is not installed")
    world = world_map(options.daybook, folder)
    with MailServer() as mail:
        site = ["--site-name", SITE, "--country", "DE", "--emergency-number", "112", "--time-zone", "Europe/Berlin", "--push-roots", mail.certificate]
        desk = Centre(options.daybook, folder, options=[*site, *(["--map", world] if world else [])])
        desk.gateway.options += ["--public-address", f"http://127.0.0.1:{desk.port}"]
        clocks = Clocks(folder)
        desk.gateway.environment.update(clocks.environment)
        # Nothing but what it makes and prints by itself.
        desk.start()
        with open_browser(folder) as browser:
            browser.ignores_policy = bool(options.axe)
            people = admin, reporter, rescuer, visitor = (SettingUp(options, desk, browser), PassingBy(options, folder, desk, browser, "de-DE"), Responding(options, desk, browser), Visiting(options, desk, browser))
            admin.mail = rescuer.mail = mail
            visitor.clocks = clocks
            with watched(Together(people), folder):
                tell(admin.signs_in, admin.makes_a_rescuer, admin.sets_up_mail, admin.sets_up_an_agency, rescuer.signs_in_for_the_first_time)
                tell(reporter.sees_the_form, reporter.loses_the_network_and_sends, reporter.is_sent_later, lambda: admin.counts(reporter.agency), reporter.follows)
                tell(rescuer.is_told, rescuer.takes_it, rescuer.heads_out, visitor.sees_nothing_yet, visitor.sees_it_on_the_map)
                tell(rescuer.is_on_scene, rescuer.rescues, rescuer.shows_the_photo, reporter.sees_the_end, visitor.follows, visitor.sees_before_and_after)
            hold(not (faults := [fault for one in people for fault in one.faults]), f"axe: {faults}")
        desk.stop()
        desk.verify("--decode")


class Together:
    """The pages of several people, as they are at the time."""

    def __init__(self, people):
        self.people = people

    def __iter__(self):
        return (page for one in self.people for page in one.pages)


class InBothSizes:
    """Whoever looks at a page looks at it on a phone and on a large screen; afterwards it has its own size again."""

    def looked_at(self, name, page=None):
        page = page or self.shown
        own = page.evaluate("[innerWidth, innerHeight]")
        for size, (width, height) in SIZES.items() if self.options.screenshots or self.axe else ():
            page.resize(width, height, touch=own[0] == PHONE["width"])
            for theme in ("light", "dark"):
                page.dark(theme == "dark")
                if self.options.screenshots:
                    page.screenshot(os.path.join(self.options.screenshots, f"{name}-{size}-{theme}.png"))
                if self.axe:
                    self.faults += [f"{name}, {size}, {theme}: {fault}" for fault in page.axe(self.axe)]
        page.dark(False)
        page.resize(*own, touch=own[0] == PHONE["width"])


def signs_in_first(page, login, temporary):
    """With a temporary password, which is changed at once."""
    page.type("[name=login]", login)
    page.type("[name=password]", temporary)
    page.press("Sign in", within=".door")
    page.type(".door [name=chosen]", PASSWORD)
    page.type(".door [name=again]", PASSWORD)
    page.press("Go on", within=".door")
    page.wait_for("'ready' in document.documentElement.dataset", what="the page is there")


class SettingUp(InBothSizes, Agencies):
    """The administrator, who knows what `daybook serve` printed, and works in the browser alone."""

    def __init__(self, *all):
        super().__init__(*all)
        counted(self.page)

    @property
    def shown(self):
        return self.page

    def signs_in(self):
        signs_in_first(self.page, "admin", re.search(r"temporary password (\S+)", self.desk.gateway.output)[1])
        self.page.wait_for("location.pathname === '/admin/start'", what="the first steps are shown")
        self.looked_at("admin-first")

    def makes_a_rescuer(self):
        self.part("People")
        self.page.press("Add somebody", within=".part")
        self.writes("login", RESCUER)
        self.writes("name", RESCUER.title())
        self.chooses("role", "rescuer")
        self.looked_at("admin-rescuer")
        self.presses("Make the account")
        self.did(f"Made the account {RESCUER}, rescuer.")
        self.desk.temporary = self.password_told()
        self.looked_at("admin-password-told")

    def chooses(self, name, value):
        super().chooses(name, value)
        self.page.presses += 1

    def sets_up_mail(self):
        self.part("E-mail and SMS")
        self.page.press("Set up", within=".part section[aria-label='E-mail']")
        self.asks("Set up: E-mail")
        for name, value in {"host": "localhost", "port": str(self.mail.port), "user": self.mail.name, "password": self.mail.password, "from": "centre@station.example"}.items():
            self.writes(name, value)
        self.looked_at("admin-mail")
        self.presses("Save")
        self.page.has("Nothing sent yet", ".part section[aria-label='E-mail']")

    def sets_up_an_agency(self):
        """The first steps lead there: who they are, where they are responsible, and who works for them, with the way to reach her."""
        self.part("First steps")
        self.page.press("Agencies", within=".part")
        self.page.has("Needed until the first report can come in", ".part")
        self.looked_at("admin-agencies-none")
        self.page.press("Add an agency", within=".part")
        self.page.wait_for(f"{MAP}?.dataset.with === 'leaflet'", what="the map is there")
        for name, text in (("name", AGENCY), ("phone", NUMBER), ("donationLink", DONATION)):
            self.page.type(f"{FORM} [name={name}]", text)
        self.page.type(".part [placeholder='36.8, -121.8']", ", ".join(map(str, BASE)))
        self.page.key("Enter")
        self.page.has("Move the base", TOOLS)
        self.looked_at("admin-base")
        self.draws("Draw an area", (0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
        self.page._click(self.handle("first"))
        self.page.has("Area 1: 4 corners", ".outlines")
        self.looked_at("admin-area")
        self.page.press(RESCUER.title(), within=f"{FORM} .picker-boxes")
        self.page.press("How to reach them", within=".reached")
        self.asks()
        self.writes("email", MAIL)
        self.presses("Save")
        self.page.has("Can be reached", ".reached")
        self.looked_at("admin-members")
        self.page.press("Save", within=FORM)
        self.did(f"{AGENCY} saved.")
        self.page.has("Takes reports", ".part table")
        missing = self.page.text(".missing")
        hold(missing.count("to do") == 1 and "A supervisor" in missing, f"only who is told when nobody answers is missing: {missing}")
        self.looked_at("admin-agency-saved")

    def counts(self, agency):
        hold(agency == AGENCY, f"the first report is with {agency}")
        print(f"  the administrator pressed {self.page.presses} times and filled in {self.page.written} fields, from the empty ledger to the first report that is with a team")


class PassingBy(InBothSizes, Reporter):
    """A phone in German."""

    @property
    def shown(self):
        return self.page

    def sees_the_form(self):
        # What was opened before there was an agency asks again when it is looked at.
        self.page.reload()
        self.page.place(*BEACH)
        self.ready(self.page)
        self.page.has("Welches Tier?", "#form")
        self.looked_at("report-form")

    def loses_the_network_and_sends(self):
        """Six presses: animal, size, condition, photos, place, send; from the third on there is no network."""
        counted(self.page)
        self.page.press("Seehund")
        self.page.press("Kürzer als 1 m")
        self.page.sleep(True)
        self.page.press("Verletzt oder krank")
        self.gives("#album", *(os.path.join(PICTURES, one) for one in PHOTOS))
        self.page.presses += 1
        self.has_photos(2)
        self.page.press("mein Ort")
        self.page.has("Der Ort steht fest, auf 12 m genau.", "#place-told")
        self.looked_at("report-filled")
        needed = self.page.presses + 1
        self.page.press("Meine Fotos dürfen öffentlich gezeigt werden")
        self.page.press("Meldung senden")
        self.page.has("Ihre Meldung liegt auf diesem Telefon", "#sent")
        self.looked_at("report-waits")
        print(f"  {needed} presses from opening to sent, and one that lets the public see the photos")
        hold(needed <= 6, f"six presses at most, not {needed}")

    def is_sent_later(self):
        """By itself, as soon as there is a network."""
        self.page.sleep(False)
        self.page.has(f"{AGENCY} hat Ihre Meldung", "#sent")
        self.page.has("2 von 2 Fotos sind bei der Leitstelle.", "#sent")
        self.agency = self.page.text("#sent .card strong")
        links = self.page.evaluate("[...document.querySelectorAll('#sent a')].map((e) => e.getAttribute('href'))")
        hold({f"tel:{NUMBER.replace(' ', '')}", DONATION} <= set(links), f"they can be called, and given to: {links}")
        self.looked_at("report-sent")

    def follows(self):
        self.page.press("Die Rettung verfolgen")
        self.page.wait_for("location.pathname.startsWith('/r/')")
        self.ready(self.page)
        self.page.has("Ihre Meldung ist angekommen.", "#now")
        self.page.has("Das Team hat 2 Fotos von Ihnen.", "#now")
        self.looked_at("status-begun")

    def sees_the_end(self):
        self.page.evaluate("dispatchEvent(new Event('online'))")
        self.page.has("Das Tier wurde gerettet und wird versorgt.", "#now")
        self.page.has("Diese Rettung ist vorbei.", "#now")
        steps = self.page.evaluate("document.querySelectorAll('#steps li').length")
        hold(steps == 5, f"five steps are told: {self.page.text('#steps')}")
        self.looked_at("status-over")


class Responding(InBothSizes, Rescuer):
    """The rescuer's phone."""

    @property
    def shown(self):
        return self.phone

    def signs_in_for_the_first_time(self):
        signs_in_first(self.phone, RESCUER, self.desk.temporary)
        for words in ("No animal needs help now.", "On duty"):
            self.phone.has(words, "#main")
        self.looked_at("rescuer-on-duty")

    def is_told(self):
        """By an e-mail whose link leads to the report, and in the list by itself."""
        self.phone.has("Harbor seal, small", ".calling")
        for words in ("1 report waits for you", "injured", f"for you, {AGENCY}"):
            self.phone.has(words, ".calling")
        self.phone.wait_for("document.querySelector('.calling .thumb img')?.naturalWidth > 0", what="its picture is shown")
        self.looked_at("rescuer-list")
        message = self.mail.wait_for(1)[0]
        text = message.get_content()
        print(f"  the e-mail: {message['Subject']!r} {text!r}")
        hold(message.recipient == MAIL and SITE in text + message["Subject"], f"the e-mail is for her, and says whose it is: {text}")
        self.phone.go(re.search(rf"{self.address}/rescue/[\w-]+", text)[0])
        self.ready(self.phone)

    def takes_it(self):
        self.step("I take it")
        self.phone.has("Heading out", ".act")
        self.phone.has("you have it", ".head")
        self.phone.has(", ".join(f"{one:.6f}" for one in BEACH), ".place")
        self.phone.has(f"Assigned to {AGENCY}, in whose area it is", ".history")
        self.looked_at("rescuer-taken")
        self.phone.evaluate("document.querySelector('.pictures').scrollIntoView({ block: 'center' })")
        self.phone.wait_for("[...document.querySelectorAll('.pictures img')].filter((e) => e.naturalWidth > 0).length === 2", what="both photos are shown")
        self.looked_at("rescuer-photos")

    def heads_out(self):
        self.phone.evaluate("window.open = (address) => { window.opened = address; return null; }")
        self.step("Heading out")
        self.phone.wait_for("window.opened?.includes('directions')", what="directions are opened")
        self.phone.has("heading out", ".head")
        self.phone.has("Heading out", ".history")
        self.phone.wait_for("!document.querySelector('.waits')", what="the step is sent")

    def is_on_scene(self):
        """Half an hour later she is still signed in, and where she was."""
        self.phone.reload()
        self.ready(self.phone)
        self.step("On scene")
        self.phone.has("How did it end?", ".act")
        self.looked_at("rescuer-on-scene")

    def rescues(self):
        choose(self.phone, ".photos", os.path.join(PICTURES, AFTER))
        self.phone.wait_for("document.querySelectorAll('.pictures .picture').length === 3 && !document.querySelector('.waits')", what="the photo is sent")
        self.step("Rescued")
        self.asks("The animal was rescued?")
        self.looked_at("rescuer-question")
        self.answers("Rescued")
        self.phone.has("This mission is over: rescued.", ".act")
        self.looked_at("rescuer-over")

    def shows_the_photo(self):
        """Her own, that is: the reporter's is shown by the reporter's word."""
        mine = ".pictures > :last-child"
        self.phone.press("Show to the public", within=mine)
        self.phone.wait_for(f"document.querySelector('{mine} input:checked:not([aria-busy])') !== null", what="the photo is shown to the public")
        self.looked_at("rescuer-shows")


class Visiting(InBothSizes):
    """The browser of somebody without an account."""

    def __init__(self, options, desk, browser):
        self.options, self.address = options, f"http://127.0.0.1:{desk.port}"
        self.shown = browser.context().page("about:blank", **PHONE)
        self.pages = [self.shown]
        self.axe, self.faults = options.axe and open(options.axe).read(), []

    def opens(self, path):
        self.shown.go(self.address + path)

    def sees_nothing_yet(self):
        self.opens("/rescues")
        self.shown.has("No report is shown at the moment", "#main")
        self.looked_at("public-nothing")

    def sees_it_on_the_map(self):
        self.clocks.passes(LATER)
        self.opens("/rescues")
        for words in ("Harbor seal", "team on its way", AGENCY):
            self.shown.has(words, ".reports")
        # With tiles a map that can be moved takes the place of the drawn one.
        self.shown.wait_for("document.querySelectorAll('svg.map .dot').length === 1 || document.querySelector('place-map')?.shadowRoot.querySelectorAll('path.spot').length === 1", what="it is a mark on the map")
        self.looked_at("public-map")
        self.shown.press("Harbor seal", within=".reports")
        self.shown.has("Rescuers are on their way.", "#status")
        self.shown.has(ROUGH, "#main")
        hold(str(BEACH[0])[:6] not in self.shown.evaluate("document.documentElement.outerHTML"), "nobody is told the exact place")
        self.is_drawn(2)
        self.looked_at("public-report")
        self.report = self.shown.evaluate("location.pathname")

    def is_drawn(self, count):
        self.shown.wait_for(f"[...document.querySelectorAll('main img')].filter((e) => (e.loading = 'eager', e.complete && e.naturalWidth > 0)).length === {count}", what=f"{count} photos are shown")

    def follows(self):
        self.clocks.passes(KEPT)
        self.opens(self.report)
        self.shown.has("The animal was rescued and is being cared for.", "#status")
        self.shown.press("Map and list", within=".parts")
        self.shown.has("Closed in the last 14 days (1)", "#main")
        self.looked_at("public-map-past")

    def sees_before_and_after(self):
        self.shown.press("Rescued animals", within=".parts")
        for words in ("Harbor seal", "As it was found", "After the rescue"):
            self.shown.has(words, ".gallery")
        self.is_drawn(2)
        self.looked_at("public-gallery")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots", help="where pictures of the pages go")
    parser.add_argument("--axe", help="axe.min.js, to look for what keeps people out")
    run(main, parser.parse_args())
