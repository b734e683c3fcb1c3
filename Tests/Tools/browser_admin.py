#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The administrators' page in a real browser: people, phones, holds, erasure and the ledger. Whatever cannot be taken back asks first, says in numbers what it will do, and can be
left; what was refused is told in words, what was done stays on the page.

  browser_admin.py --daybook PATH [--screenshots FOLDER] [--axe axe.min.js]

Ends with 77 where no Chromium is installed.
"""

import json
import os

from browser_emergency import open_browser
from centre import PASSWORD, Centre, arguments, hold, run
from daybook import new_id
from story import tell, watched

PHONE = {"width": 390, "height": 844}
DIALOG = "dialog.question"


def main(options, folder):
    desk = Centre(options.daybook, folder, options=["--site-name", "Watford Rescue", "--country", "GB", "--camera-networks", "127.0.0.0/8"]).open()
    with open_browser(folder) as browser:
        browser.ignores_policy = bool(options.axe)
        admin = Administrator(options, desk, browser)
        with watched(admin.pages, folder):
            tell(admin.begins, admin.open_the_desk, admin.sees_people, admin.adds_somebody, admin.changes_a_role, admin.resets_a_password, admin.disables_who_has_a_session, admin.sees_sign_ins, admin.revokes_a_token,
                 admin.works_by_keys, admin.ends_a_phone, admin.places_a_hold, admin.cannot_erase_who_is_held, admin.lifts_it_with_another, admin.holds_a_camera, admin.erases, admin.erases_an_account,
                 admin.rebuilds, admin.takes_first_steps, admin.writes_a_text, admin.gives_room, admin.goes_back, admin.uses_a_phone, admin.reads_german, admin.is_told_that_nobody_answers, admin.others_see_less, admin.is_recorded)
        hold(not admin.faults, f"axe: {admin.faults}")
    desk.stop()
    desk.verify()


class Administrator:
    def __init__(self, options, desk, browser):
        self.options, self.desk, self.browser = options, desk, browser
        self.address = f"http://127.0.0.1:{desk.port}"
        self.context = browser.context()
        self.page = self.context.page(f"{self.address}/admin")
        self.pages = [self.page]
        self.axe, self.faults = options.axe and open(options.axe).read(), []
        if options.screenshots:
            os.makedirs(options.screenshots, exist_ok=True)

    def open_the_desk(self):
        """Somebody who may agree with the admin, for behind her stands nobody but the console; two callers, one of whom still talks."""
        self.page.is_gateway_away = True
        self.sue = self.desk.by_console("sue")
        self.caller, self.second = self.desk.caller(self.amina), self.desk.caller(self.amina)
        # One at a time is amina's limit.
        self.other = self.talk(self.second, isOver=True)
        self.session = self.talk(self.caller)

    def talk(self, caller, isOver=False):
        """A chat of one message that amina took, and perhaps has ended."""
        chat, session = self.desk.chat(caller)
        chat.send_json({"IncidentID": session, "Type": "message", "Message": "There is smoke", "Timestamp": "1", "TempMessageID": "1"})
        chat.wait_for(lambda frame: frame.get("Type") == "message_report")
        hold(self.amina.post(f"/v1/sessions/{session}/claim").ok, "amina takes it")
        if isOver:
            hold(self.amina.post(f"/v1/sessions/{session}/close", {"disposition": "handled"}).ok, "amina ends it")
        return session

    # MARK: Ways

    def looked_at(self, name, page=None):
        """Pictures in light and dark; with `--axe` what that program says of both."""
        page = page or self.page
        for isDark in (False, True) if self.options.screenshots or self.axe else ():
            page.dark(isDark)
            theme = "dark" if isDark else "light"
            if self.options.screenshots:
                page.screenshot(os.path.join(self.options.screenshots, f"{name}-{theme}.png"))
            if self.axe:
                self.faults += [f"{name}, {theme}: {fault}" for fault in page.axe(self.axe)]
        page.dark(False)

    def ready(self, page=None):
        (page or self.page).wait_for("'ready' in document.documentElement.dataset", what="the page is there")

    def part(self, words):
        self.page.press(words, within=".tabs")
        self.page.wait_for(f"document.querySelector('.tabs [aria-current]')?.innerText === {json.dumps(words)} && !document.querySelector('.part > [role=status]')", what=f"{words} is shown")

    def asks(self, *words):
        """A question stands there that says this."""
        self.page.wait_for(f"document.querySelector('{DIALOG}')?.open", what="it asks first")
        for one in words:
            self.page.has(one, DIALOG)

    def presses(self, words):
        self.page.press(words, within=f"{DIALOG} .actions")
        self.page.wait_for(f"!document.querySelector('{DIALOG}')", what=f"{words} is done")

    def refused(self, button, words):
        """What is pressed is refused in the question, which stays."""
        self.page.press(button, within=f"{DIALOG} .actions")
        self.page.wait_for(f"document.querySelector('{DIALOG} [role=alert]:not([hidden])')?.innerText.length > 20", what="the refusal is told in words")
        self.page.has(words, f"{DIALOG} [role=alert]")

    def leaves(self):
        self.page.press("Cancel", within=DIALOG)
        self.page.wait_for(f"!document.querySelector('{DIALOG}')", what="the question is gone")

    def did(self, words):
        self.page.has(words, ".done")

    def chooses(self, name, value):
        self.page.evaluate(f"(() => {{ const e = document.querySelector('{DIALOG} [name={name}]'); e.value = {json.dumps(value)}; e.dispatchEvent(new Event('change', {{bubbles: true}})); }})()")

    def writes(self, name, text):
        self.page.type(f"{DIALOG} [name={name}]", text)

    def opens(self, login):
        self.part("People")
        self.page.press(login, within=".part table")
        self.page.has("Change the role", ".part")

    def user(self, login):
        return next(user for user in self.desk.admin.get("/v1/users").json["items"] if user["login"] == login)

    def signs(self, login, password):
        return self.desk.client().post("/v1/auth/login", {"login": login, "password": password}, key=False)

    def password_told(self):
        return self.page.wait_for("document.querySelector('.done .told')?.textContent", what="the password is told")

    # MARK: People

    def begins(self):
        """Where nobody can answer yet, the sign-in leads to the first steps, and those to the first operator."""
        self.page.type("[name=login]", "admin")
        self.page.type("[name=password]", PASSWORD)
        self.looked_at("door")
        self.page.press("Sign in", within=".door")
        self.ready()
        self.page.wait_for("location.pathname === '/admin/start'", what="the first steps are shown")
        self.page.has("Nobody can take a call yet.", ".steps")
        self.page.has("make an operator first", ".steps")
        self.looked_at("begins")
        self.page.press("Add an operator", within=".steps")
        self.writes("login", "amina")
        self.writes("name", "Amina")
        self.presses("Make the account")
        self.page.has("1 person can take a call: Amina.", ".steps")
        self.amina = self.desk.first_sign_in("amina", self.password_told())
        self.amina.name = self.amina.get("/v1/me").json["user"]

    def sees_people(self):
        """The people, and the head: the site's name, who is there, the pages for this role and that the centre is reached."""
        self.page.go(f"{self.address}/admin")
        self.ready()
        self.page.has("Watford Rescue", ".top")
        self.page.has("admin · admin", "#who")
        self.page.has("connected", ".reach")
        for words in ("Amina", "operator", "3 of 3 accounts"):
            self.page.has(words, ".part")
        links = self.page.evaluate("[...document.querySelectorAll('.pages a')].map((e) => e.getAttribute('href'))")
        hold("/admin" in links and "/replay" in links and "/console" not in links, f"the head leads to {links}")
        self.looked_at("people")

    def adds_somebody(self):
        """Leaving the question makes nobody; the password of who is made is told once, and a refusal in words."""
        self.page.press("Add somebody", within=".part")
        self.asks("temporary password")
        self.writes("login", "omar")
        self.leaves()
        hold(len(self.desk.admin.get("/v1/users").json["items"]) == 3, "nobody was made")
        self.page.press("Add somebody", within=".part")
        self.writes("login", "omar")
        self.writes("name", "Omar Haddad")
        self.looked_at("add")
        self.presses("Make the account")
        self.did("Made the account omar, operator.")
        self.page.has("Omar Haddad (omar)", ".part")
        self.omar = self.desk.first_sign_in("omar", self.password_told())
        self.part("People")
        self.page.press("Add somebody", within=".part")
        self.writes("login", "omar")
        self.refused("Make the account", "omar")
        self.leaves()

    def changes_a_role(self):
        self.opens("omar")
        self.page.press("Change the role", within=".part")
        self.asks("1 sign-in or token of omar ends at once.", "0 open sessions")
        self.chooses("role", "guard")
        self.writes("reason", "night shift")
        self.presses("Change the role")
        self.did("Made omar guard; before operator.")
        self.page.has("guard", ".part .facts")
        hold(self.user("omar")["role"] == "guard", "the role is another")
        hold(self.omar.get("/v1/me").status == 401, "omar is signed out")

    def resets_a_password(self):
        self.page.press("New temporary password", within=".part")
        self.asks("opens nothing any more")
        self.presses("New temporary password")
        self.did("Gave omar a temporary password.")
        told = self.password_told()
        hold(self.signs("omar", PASSWORD).status == 401, "the password of before opens nothing")
        self.omar = self.desk.first_sign_in("omar", told)
        self.looked_at("person")
        self.page.press("Dismiss", within=".done")
        hold(told not in self.page.text(), "the password is put away")

    def disables_who_has_a_session(self):
        """It says that a session becomes free; leaving it changes nothing."""
        self.opens("amina")
        self.page.press("Disable", within=".part")
        self.asks("1 open session becomes free.", "amina cannot sign in")
        self.looked_at("disable")
        self.leaves()
        hold(self.amina.get("/v1/me").ok, "amina is still signed in")
        self.page.press("Disable", within=".part")
        self.writes("reason", "left")
        self.presses("Disable")
        self.did("Disabled amina.")
        hold(self.amina.get("/v1/me").status == 401 and self.user("amina")["disabled"], "amina is out")
        self.page.press("Enable", within=".part")
        self.asks("can sign in again")
        self.writes("reason", "back")
        self.presses("Enable")
        self.did("Enabled amina.")
        hold(self.signs("amina", PASSWORD).ok, "amina is back")

    def sees_sign_ins(self):
        self.page.press("Show when they came and went", within=".part")
        self.page.has("signed out", ".part")

    def revokes_a_token(self):
        """The sign-in of a browser is ended from here."""
        self.opens("omar")
        self.page.press("Revoke", within=".part table")
        self.asks("refused from its next request on")
        self.presses("Revoke")
        self.did("Revoked a token of omar.")
        hold(self.omar.get("/v1/me").status == 401, "omar's sign-in has ended")

    def works_by_keys(self):
        """A question is opened, left and answered by keys alone, and the keyboard comes back to where it was."""
        self.part("People")
        self.page.evaluate("[...document.querySelectorAll('.part button')].find((e) => e.innerText === 'Add somebody').focus()")
        self.page.key("Enter")
        self.asks()
        hold(self.page.evaluate("document.activeElement.name") == "login", "the first field has the keyboard")
        self.page.key("Escape")
        self.page.wait_for(f"!document.querySelector('{DIALOG}')", what="Escape leaves the question")
        hold(self.page.evaluate("document.activeElement.innerText") == "Add somebody", "the keyboard is where it was")
        self.page.type(".part [name=find]", "haddad")
        self.page.has("1 of 4 accounts", ".part")
        hold("find=haddad" in self.page.evaluate("location.search"), "the address has what is looked for")
        self.page.reload()
        self.ready()
        self.page.has("1 of 4 accounts", ".part")

    # MARK: Phones, holds, erasure

    def ends_a_phone(self):
        self.part("Phones and links")
        self.page.type(".part [name=phone]", "none")
        self.page.press("Find", within=".part")
        self.page.has("Write the number", ".part [role=alert]")
        self.page.type(".part [name=phone]", "0" + self.second.phone[3:])
        self.page.press("Find", within=".part")
        self.page.has("1 phone was ever registered", ".part")
        self.looked_at("phones")
        self.page.press("End this phone", within=".part")
        self.asks("1 phone is signed out at once", "0 phones of")
        self.writes("reason", "lost")
        self.presses("End this phone")
        self.did("Ended phone")
        hold(self.second.get("/v1/me").status == 401, "the phone is out")

    def places_a_hold(self):
        self.part("Holds")
        self.page.has("Nothing is held.", ".part")
        self.page.press("Place a hold", within=".part")
        self.writes("id", "0199e0c0-0000-7000-8000-000000000000")
        self.writes("authority", "court 7, 2026/114")
        self.writes("reason", "trial")
        self.refused("Place a hold", "0199e0c0")
        self.writes("id", self.other)
        self.looked_at("hold")
        self.presses("Place a hold")
        self.did("for court 7, 2026/114.")
        self.page.has("1 hold is in force.", ".part")

    def looks_up(self, who):
        self.part("Erasure")
        self.page.type(".part [name=who]", who)
        self.page.press("Show what there is", within=".part")

    def cannot_erase_who_is_held(self):
        """What there is is told, and what stands in the way, before anything can be pressed."""
        self.looks_up(self.second.phone)
        for words in ("1 session", "1 message", "court 7, 2026/114"):
            self.page.has(words, ".preview")
        hold(self.page.evaluate("!document.querySelector('.preview button')"), "there is nothing to press")
        self.looked_at("held")
        self.looks_up(self.caller.phone)
        self.page.has(f"Session {self.session} is open", ".preview")

    def lifts_it_with_another(self):
        self.part("Holds")
        self.page.press("Lift", within=".part table")
        self.asks("can be erased from then on", "0 other holds")
        self.writes("reason", "over")
        self.writes("login", "sue")
        self.writes("password", "guessed guessed")
        self.refused("Lift", "")
        self.looked_at("lift")
        self.writes("password", PASSWORD)
        self.presses("Lift")
        self.did("Lifted the hold")
        self.page.has("Nothing is held.", ".part")
        self.page.press("Lifted ones, too", within=".part")
        self.page.has("over", ".part table")

    def holds_a_camera(self):
        """A camera is chosen by its name, and told by it."""
        camera = {"site": "Watford", "number": 3, "name": "Gate", "floor": 0, "latitude": 51.6565, "longitude": -0.3903, "source": "mjpeg", "address": "http://127.0.0.1:9/video", "width": 320, "height": 240,
                  "framesPerSecond": 10, "kilobitsPerSecond": 200, "keptDays": 7, "keptBytes": 1 << 30, "frame": {"x": 0, "y": 0, "width": 320, "height": 240}, "neighbours": {}, "viewers": [], "isOn": False}
        id = new_id()
        made = self.desk.admin.put(f"/v1/cameras/{id}", camera)
        hold(made.ok, f"setting a camera up: {made}")
        self.part("Erasure")
        self.part("Holds")
        self.page.press("Place a hold", within=".part")
        self.asks("Nobody whom it covers can be erased")
        self.chooses("kind", "camera")
        self.asks("None of the camera's footage is removed", "3 · Gate · Watford")
        hold(not self.page.evaluate(f"document.querySelector('{DIALOG} [name=id]').checkVisibility()"), "no id is asked for")
        self.writes("authority", "court 8")
        self.writes("reason", "trial")
        self.looked_at("hold-camera")
        self.presses("Place a hold")
        self.did("Placed a hold on the camera 3 · Gate · Watford for court 8.")
        self.page.has("3 · Gate · Watford", ".part table")
        hold([one["scope"] for one in self.desk.admin.get("/v1/holds").json["items"]] == [f"camera/{id}"], "the camera is held")
        self.looked_at("holds")
        self.page.press("Lift", within=".part table")
        self.asks("The footage of the camera 3 · Gate · Watford is removed again", "0 other holds")
        self.writes("reason", "over")
        self.writes("login", "sue")
        self.writes("password", PASSWORD)
        self.presses("Lift")
        self.did("Lifted the hold on the camera 3 · Gate · Watford for court 8.")

    def erases(self):
        """Only who writes whom it is about erases; what went is told, and stays told."""
        self.looks_up(self.second.phone)
        self.page.press("Erase for good", within=".preview")
        self.asks("This cannot be undone", "1 session", "1 message")
        self.writes("reason", "asked by the person")
        self.writes("written", "yes")
        self.refused("Erase for good", "exactly")
        self.writes("written", self.second.phone)
        self.looked_at("erase")
        self.presses("Erase for good")
        self.did("1 session, 1 message")
        hold(self.second.phone[-6:] not in self.page.evaluate("document.querySelector('.done li').innerText"), "who is forgotten is not named")
        self.page.has("This person is erased already.", ".preview")
        held = self.desk.admin.get(f"/v1/callers?prefix=%2B{self.second.phone[1:]}").json["items"]
        hold(not held, f"the number is still known: {held}")

    def erases_an_account(self):
        """A person behind an account goes with it, when a second person agrees."""
        self.opens("omar")
        self.page.press("Forget this person", within=".part")
        self.page.has("omar (guard)", ".preview")
        label = self.page.evaluate("new URLSearchParams(location.search).get('person').slice(-12)")
        self.page.press("Erase for good", within=".preview")
        self.asks("A second person agrees")
        self.writes("reason", "left")
        self.writes("login", "admin")
        self.writes("password", PASSWORD)
        self.writes("written", label)
        self.refused("Erase for good", "")
        self.writes("login", "sue")
        self.presses("Erase for good")
        self.did("1 account, which ends with the person")
        hold("omar" not in [user["login"] for user in self.desk.admin.get("/v1/users").json["items"]], "the account is gone")

    # MARK: The ledger

    def rebuilds(self):
        self.part("Ledger")
        self.page.has("Everything works.", ".part")
        self.page.has("outside.example/main", ".part")
        self.looked_at("ledger")
        self.page.evaluate("document.querySelector('.part details').open = true")
        self.page.has("outside.example/main", ".checkpoint")
        self.page.click(".part [data-key=registry]")
        self.asks("events are read again", "Nothing in the ledger changes")
        self.leaves()
        self.page.click(".part [data-key=registry]")
        self.presses("Rebuild")
        self.did("Built registry anew")

    def takes_first_steps(self):
        """What is set stands there with its option; the test call is told when it comes in and when somebody answers."""
        self.part("First steps")
        for words in ("Watford Rescue", "--emergency-number", "2 people can take a call: Amina, sue."):
            self.page.has(words, ".steps")
        self.page.has("--sip HOST:PORT", ".part")
        self.page.type(".steps [name=phone]", "07700 900123")
        self.page.press("Prepare a test call", within=".steps")
        code = self.page.wait_for("document.querySelector('.steps .told')?.textContent", what="the code is told")
        hold(self.page.evaluate("document.querySelector('.qr').getAttribute('aria-label')") == f"QR code of {self.address}/call", "the picture says what it is")
        self.looked_at("steps")
        device = self.desk.client().post("/v1/devices", {"phone": "+447700900123", "code": code}, key=False)
        hold(device.status == 201, f"the code registers a phone: {device}")
        chat, session = self.desk.chat(self.desk.client(device.json["token"]))
        chat.send_json({"IncidentID": session, "Type": "message", "Message": "a test", "Timestamp": "1", "TempMessageID": "1"})
        self.page.has("The call came in.", ".steps")
        hold(self.sue.post(f"/v1/sessions/{session}/claim").ok, "sue takes it")
        self.page.has("The call was answered.", ".steps")
        self.did("was answered")

    def writes_a_text(self):
        """A text for everybody is seen as it will be read while it is written, is read by strangers, and is hidden again."""
        self.part("Public texts")
        self.page.has("There is no text yet.", ".part")
        self.page.press("Add a text", within=".part")
        self.page.type(".content-form [name=title]", "Safe house")
        self.page.type(".content-form [name=text]", "**Always open**, also for [children](javascript:alert)")
        self.page.wait_for("document.querySelector('.seen strong')?.innerText === 'Always open' && !document.querySelector('.seen a')", what="the text is shown as it will be read")
        self.page.evaluate("(() => { const e = document.querySelector('.content-form [name=section]'); e.value = 'resources'; e.dispatchEvent(new Event('input', {bubbles: true})); })()")
        self.page.type(".content-form [name=phone]", "116 016")
        self.page.type(".content-form [placeholder='36.8, -121.8']", "51.6565, -0.3903")
        self.looked_at("content-edit")
        self.page.press("Save", within=".content-form .acts")
        self.did("Safe house saved.")
        self.page.has("Shown", ".part table")
        self.looked_at("content")
        public = lambda: [(one["title"], one["phone"], round(one["latitude"], 4)) for one in self.desk.client().get("/v1/public/content").json["items"]]
        hold(public() == [("Safe house", "116 016", 51.6565)], f"strangers read {public()}")
        self.page.press("Hide", within=".part table")
        self.did("Safe house: hidden.")
        self.page.has("Hidden", ".part table")
        hold(public() == [], "strangers do not read a hidden text")

    # MARK: The page as a whole

    def gives_room(self):
        """A folder of recordings is added, the ledger's own emptied, and the added one removed again; each is asked first, and a refusal is told in the question."""
        folder = os.path.join(os.path.dirname(self.desk.folder), "recordings")
        self.part("Storage")
        self.page.has("In use", ".part table")
        hold("Empty it" not in self.page.text(".part"), "the only folder can be emptied")
        self.page.press("Add a folder", within=".part")
        self.asks("New recordings may go there at once")
        self.writes("path", folder)
        self.refused("Add a folder", "is not a folder that is there")
        os.makedirs(folder)
        self.presses("Add a folder")
        self.did(f"{folder} was added.")
        self.looked_at("storage")
        self.storage("media", "drain")
        self.asks("Empty media?", "Recordings can be played while they are moved")
        self.looked_at("storage-empty")
        self.presses("Empty it")
        self.did("media is being emptied.")
        self.page.has("Emptied", ".part table")
        hold(not self.page.evaluate("!!document.querySelector('[data-key=\"remove-media\"]')"), "the ledger's own folder can be removed")
        self.storage("media", "use")
        self.asks("Use media again?")
        self.presses("Use again")
        self.did("media is used again.")
        self.storage(folder, "drain")
        self.asks("takes no new recording")
        self.presses("Empty it")
        self.page.has("Emptied", ".part table")
        self.storage(folder, "remove")
        self.asks("from the list?", "No recording is in it any more")
        self.presses("Remove")
        self.did("was removed from the list.")
        self.page.wait_for("document.querySelectorAll('.part tbody tr').length === 1", what="one folder is left")

    def storage(self, path, action):
        self.page.wait_for(f"document.querySelector('[data-key=\"{action}-{path}\"]')?.click() ?? !!document.querySelector('{DIALOG}')", what=f"{action} {path}")

    def goes_back(self):
        """Back leads to the part before, and what was done here stays."""
        self.part("Ledger")
        self.part("Holds")
        self.page.evaluate("history.back()")
        self.page.wait_for("location.pathname === '/admin/ledger' && document.querySelector('.tabs [aria-current]').innerText.startsWith('Ledger')", what="Back leads to the ledger")
        self.did("Built registry anew")
        self.page.evaluate("history.pushState(null, '', '/admin/nothing'); dispatchEvent(new PopStateEvent('popstate'))")
        self.page.has("There is no such part", ".part")

    def uses_a_phone(self):
        """On a small screen nothing lies beside it, and each value says what it is."""
        self.page.resize(**PHONE)
        for words in ("People", "Phones and links", "Holds", "Erasure", "Ledger", "Public texts", "Storage", "First steps"):
            self.part(words)
            wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
            hold(wide <= 0, f"{words} is {wide} px wider than the screen")
            hold(self.page.evaluate("(() => { const r = document.querySelector('.tabs [aria-current]').getBoundingClientRect(); return r.left >= 0 && r.right <= innerWidth; })()"), f"the tab of {words} is not on the screen")
            self.looked_at(f"phone-{words.split()[0].lower()}")
        self.opens("amina")
        self.page.press("Disable", within=".part")
        self.asks("amina cannot sign in")
        self.looked_at("phone-disable")
        self.leaves()
        self.page.resize(1440, 900)
        hold(self.page.evaluate("document.querySelector('.tabs').scrollWidth <= document.querySelector('.tabs').clientWidth && document.querySelector('.tabs').clientHeight < 60"), "the tabs are one row, and all are on the screen")

    def reads_german(self):
        self.page.evaluate("localStorage.setItem('language', 'de')")
        self.page.reload()
        self.ready()
        self.page.has("Verwaltung", ".top h1")
        self.page.has("Personen", ".tabs")
        self.looked_at("german")
        self.page.evaluate("localStorage.removeItem('language')")
        self.page.reload()
        self.ready()

    def is_told_that_nobody_answers(self):
        """While the gateway is away the page says so, and what is pressed is told not to be done."""
        self.page.is_gateway_away = True
        self.desk.gateway.kill()
        self.page.evaluate("dispatchEvent(new Event('focus'))")
        self.page.has("Not connected since", "connection-bar")
        hold(self.page.evaluate("document.querySelector('.reach').hidden"), "it does not say that it is connected")
        self.looked_at("away")
        self.part_without_centre()
        self.desk.start()
        self.page.evaluate("dispatchEvent(new Event('focus'))")
        self.page.wait_for("document.querySelector('connection-bar').hidden", what="the bar is gone")
        self.page.press("Try again", within=".part")
        self.page.has("holds are in force", ".part")

    def part_without_centre(self):
        self.page.press("Holds", within=".tabs")
        self.page.has("cannot be reached now.", ".part [role=alert]")

    def others_see_less(self):
        """A supervisor is led to what a supervisor may do; an operator is told why the page is not for him."""
        self.page.click("[aria-label='Sign out']")
        self.page.type("[name=login]", "amina")
        self.page.type("[name=password]", PASSWORD)
        self.page.press("Sign in", within=".door")
        self.page.has("amina is operator, and cannot look after this site.", ".door")
        self.page.type("[name=login]", "sue")
        self.page.type("[name=password]", PASSWORD)
        self.page.press("Sign in", within=".door")
        self.ready()
        tabs = self.page.evaluate("[...document.querySelectorAll('.tabs a')].map((e) => e.innerText)")
        hold(tabs == ["People", "Phones and links", "Holds", "Ledger", "Rotas", "Chains", "Agencies"], f"sue has {tabs}")
        self.part("People")
        hold("Add somebody" not in self.page.text(".part"), "sue makes no accounts")
        self.page.press("amina", within=".part table")
        self.page.has("not change it", ".part")
        self.looked_at("supervisor")

    def is_recorded(self):
        """Whose comings and goings were read stands in the ledger, and so does what was done."""
        self.desk.stop()
        entries = self.desk.entries()
        reads = [entry for entry in entries if entry["type"].startswith("access.read/") and entry["data"].get("purpose") == "sign-ins"]
        hold(any(entry["data"]["resource"] == f"user/{self.amina.name}" for entry in reads), "the reading of amina's sign-ins is in the ledger")
        kinds = {entry["type"].split("/")[0] for entry in entries}
        for kind in ("user.created", "user.role_changed", "user.disabled", "device.revoked", "hold.placed", "hold.lifted", "person.erased"):
            hold(kind in kinds, f"the ledger has no {kind}: {sorted(kinds)}")
        self.desk.start()


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--screenshots", help="where pictures of the page go")
    parser.add_argument("--axe", help="axe.min.js, to look for what keeps people out")
    run(main, parser.parse_args())
