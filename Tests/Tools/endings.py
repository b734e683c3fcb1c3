#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second after a right has ended, nothing more comes over anything that is open, and nothing is recorded in that name: every kind of socket and
the feed (chat, topics, watch, ingest), by every kind of ending (sign-out, revocation of token or phone, another role, disabling, erasure, a token's
time, silence, a guest's ten minutes), and of one conversation when somebody else claims it: also to who takes so little at a time that most of it was still to come.

Each must have told something before, so that its silence says something; what is spoken and filmed afterwards goes on all the time.

  endings.py --daybook PATH [--few]
"""

import datetime
import http.client
import os
import socket
import struct
import threading
import time

import centre
import film
from centre import IS_SHARED, PASSWORD, Centre, hold
from clock_steps import Clocks, seconds
from sides import say

#: By when nothing more may come.
ALLOWED = 3.0 if IS_SHARED else 1.0
#: How long a token lives whose time is looked at, after how much silence an operator is signed out, and how long a guest reads what was said.
LIFE, SILENCE, GRACE = 13, 300, 600


def main(options, folder):
    desk = Centre(options.daybook, folder)
    desk.clocks = Clocks(folder)
    desk.gateway.environment = dict(os.environ, **desk.clocks.environment)
    desk.open()
    desk.by_console("clerk")
    process = desk.gateway.process.pid
    amina = desk.staff("amina")
    print(f"{'ending':24} " + "  ".join(f"{name:>24}" for name in ("chat", "topics", "feed", "watch", "ingest")))
    room = Room(desk, amina)
    for end in PHONE_ENDINGS:
        by_phone(desk, amina, end)
    leaver = desk.staff("leaver")
    for end in (USER_ENDINGS[0], USER_ENDINGS[-1]) if options.few else USER_ENDINGS:
        by_user(desk, room, leaver, end)
    by_user(desk, room, desk.staff("gone"), user_erased)
    by_life(desk, desk.staff("passing"))
    by_silence(desk, desk.staff("silent"))
    by_grace(desk, desk.staff("host"))
    owner, onlooker = desk.staff("owner"), desk.staff("onlooker")
    for end in (claimed_by_another, slow_viewer, slow_chat):
        session = end(desk, owner, onlooker)
        hold(owner.post(f"/v1/sessions/{session}/close", {"disposition": "handled"}).ok, "closing")
    hold(desk.gateway.process.poll() is None and desk.gateway.process.pid == process, "the gateway ended")
    desk.stop()
    desk.verify()


class Room:
    """A caller who goes on speaking and filming, whoever listens."""

    def __init__(self, desk, amina):
        self.phone = desk.caller(amina)
        self.chat, self.session = desk.chat(self.phone)
        self.stream = film.begin(self.phone, self.session)
        self.camera, _ = film.connect(self.phone, self.stream)
        self.part = self.said = 0
        self.act()

    def act(self):
        """Something that everybody who may is told of: words, and a part of video."""
        self.said += 1
        say(self.chat, self.session, f"word {self.said}")
        film.send(self.camera, film.recorded(), part=self.part)
        self.part += 1

    def answer(self):
        """Answers who asks whether there is still somebody."""
        for socket in (self.chat, self.camera):
            try:
                socket.receive(timeout=0.05)
            except TimeoutError:
                pass  # nobody said anything


class Open:
    """Everything that one reader has open, and what came over it when."""

    def __init__(self, client, sockets):
        self.client, self.told, self.closed, self.faults = client, {name: [] for name in sockets}, {}, {}
        for name, socket in sockets.items():
            take = socket if callable(socket) else lambda socket=socket: socket.receive(timeout=None)
            threading.Thread(target=self.listen, args=(name, take), daemon=True).start()

    def listen(self, name, take):
        try:
            while (message := take()) is not None:
                self.told[name].append((time.monotonic(), message))
        except (OSError, http.client.HTTPException):
            pass  # closed without a word
        except Exception as fault:
            self.faults[name] = fault
            return
        self.closed[name] = time.monotonic()

    def wait_for_more(self, act, words):
        """Acts, until everything that is open has told something of it."""
        before = {name: len(told) for name, told in self.told.items()}
        act()
        until = time.monotonic() + 30
        while silent := [name for name, told in self.told.items() if len(told) <= before[name] and name not in self.closed]:
            hold(time.monotonic() < until, f"{words}: {silent} told nothing before, so that silence proves nothing")
            time.sleep(0.02)
        hold(not self.closed, f"{words}: {set(self.closed)} closed before the right had ended")

    def try_to_say(self, session):
        """Speaks as who has left; what comes back, the listener hears."""
        try:
            self.chat.send_json({"IncidentID": session, "Type": "message", "Message": "from who has left", "Timestamp": "1", "TempMessageID": "left"})
        except OSError:
            pass  # closed already

    def check(self, words, ended, act):
        """Goes on acting while the right ends, and holds everything to have closed in time and to be silent."""
        act()
        time.sleep(max(0, ended + ALLOWED - time.monotonic()))
        act()
        # What was done is archived and told by now to whoever may know; what comes late would come behind it.
        time.sleep(ALLOWED / 2)
        late = [(name, str(message)[:200]) for name, told in self.told.items() for at, message in told if at > ended + ALLOWED]
        hold(not late, f"{words}: {len(late)} came more than {ALLOWED} s after, first {late[:1]}")
        hold(not self.faults, f"{words}: not understood: {self.faults}")
        still = set(self.told) - set(self.closed)
        hold(not still, f"{words}: still open: {still}")
        slow = {name: at - ended for name, at in self.closed.items() if at > ended + ALLOWED}
        hold(not slow, f"{words}: closed late: {slow}")
        cells = [f"{len(self.told[name])} told, closed {max(0, self.closed[name] - ended):.2f} s" if name in self.told else "-"
                 for name in ("chat", "topics", "feed", "watch", "ingest")]
        print(f"{words:24} " + "  ".join(f"{cell:>24}" for cell in cells), flush=True)


def opened(client, session, stream, is_phone, camera=None):
    """Opens every kind of socket and the feed, as one reader can have them."""
    chat = client.socket("/chat")
    chat.send_json({"Type": "start_session", **({} if is_phone else {"IncidentID": session})})
    chat.wait_for(lambda frame: frame["Type"] == "session")
    topics = client.socket("/v1/ws")
    for topic in ("me" if is_phone else "desk", f"session/{session}"):
        topics.send_json({"type": "subscribe", "topic": topic})
        topics.wait_for(lambda frame: frame.get("type") == "subscribed")
    feed = http.client.HTTPConnection(client.host, client.port)
    feed.request("GET", "/v1/events", headers={"Authorization": f"Bearer {client.token}"})
    lines = feed.getresponse()
    hold(lines.status == 200, f"the feed answered {lines.status}")
    everything = {"chat": chat, "topics": topics, "feed": lambda: lines.readline() or None}
    if stream:
        everything["watch"] = client.socket(f"/v1/streams/{stream}/watch")
    if camera:
        everything["ingest"] = camera
    reader = Open(client, everything)
    reader.chat = chat
    return reader


def nothing_recorded(desk, actor, since, words):
    late = [entry for entry in desk.entries() if entry["time"] > since and entry["actor"] == actor and not entry["type"].startswith(("access.", "user."))]
    hold(not late, f"{words}: recorded in the name of who had left: {late[:1]}")


# MARK: Users

def by_user(desk, room, leaver, end):
    words = end.__name__.replace("_", " ")
    client = leaver
    if not client.get("/v1/me").ok:
        login = desk.client().post("/v1/auth/login", {"login": "leaver", "password": PASSWORD}, key=False)
        hold(login.ok, f"signing in: {login}")
        client = desk.client(login.json["token"])
    claimed = client.post(f"/v1/sessions/{room.session}/claim")
    hold(claimed.ok, f"claiming: {claimed}")
    reader = opened(client, room.session, room.stream, False)
    reader.wait_for_more(room.act, words)
    answer = end(desk, leaver.name, client)
    hold(answer.ok, f"{words}: {answer}")
    ended = time.monotonic()
    since = datetime.datetime.now(datetime.timezone.utc).isoformat()[:26]
    reader.try_to_say(room.session)
    reader.check(words, ended, room.act)
    nothing_recorded(desk, f"operator/{leaver.name}", since, words)


def by_life(desk, passing):
    words, room = "token's time over", Room(desk, passing)
    issued = passing.post(f"/v1/users/{passing.name}/tokens", {"password": PASSWORD, "lifeSeconds": LIFE})
    hold(issued.ok, f"a token of {LIFE} s: {issued}")
    by_time(desk, room, desk.client(issued.json["token"]), passing.name, words, lambda: seconds(issued.json["expires"]) - wall(desk))


def by_silence(desk, silent):
    """Also of who is told all the while; most of the five minutes passes on both clocks in small steps, for a clock that is only set makes nobody silent (decision 0073)."""
    room = Room(desk, silent)

    def rest():
        begun, passed = time.monotonic(), desk.clocks.passed
        # In steps so small that who answers its pings is heard.
        while (silence := time.monotonic() - begun + desk.clocks.passed - passed) < SILENCE - LIFE:
            desk.clocks.passes(4)
            room.answer()
            time.sleep(0.1)
        return SILENCE - silence
    by_time(desk, room, silent, silent.name, "silent for too long", rest)


def by_grace(desk, host):
    """The guest of a one-use link; most of the ten minutes is a step of the wall clock."""
    words, admin = "guest's time over", desk.admin
    desk.numbers += 1
    made = host.post("/v1/sessions", {"phone": f"+4477{desk.numbers:08}"})
    session = made.json["session"]
    link = host.post(f"/v1/sessions/{session}/links")
    hold(made.ok and link.ok, f"a link: {made} {link}")
    used = desk.client().post("/v1/links/use", {"link": link.json["path"], "code": link.json["code"]}, key=False)
    hold(used.ok, f"using it: {used}")
    reader = opened_by_guest(desk.client(used.json["token"]), session)
    reader.wait_for_more(lambda: hold(host.post(f"/v1/sessions/{session}/messages", {"text": "we come"}).ok, "writing"), words)

    def act():
        for what in ("seal", "unseal"):
            done = admin.post(f"/v1/sessions/{session}/{what}", {"reason": "to be told of"})
            hold(done.ok, f"{what}: {done}")
    closed = host.post(f"/v1/sessions/{session}/close", {"disposition": "handled"})
    ends = time.monotonic() + LIFE
    hold(closed.ok, f"closing: {closed}")
    desk.clocks.step(GRACE - LIFE)
    act()
    time.sleep(ends - time.monotonic())
    reader.check(words, ends, act)


def opened_by_guest(client, session):
    chat, topics = client.socket("/chat"), client.socket("/v1/ws")
    chat.send_json({"Type": "start_session"})
    chat.wait_for(lambda frame: frame["Type"] == "session")
    topics.send_json({"type": "subscribe", "topic": f"session/{session}"})
    topics.wait_for(lambda frame: frame.get("type") == "subscribed")
    return Open(client, {"chat": chat, "topics": topics})


def wall(desk):
    """What the gateway's wall clock shows."""
    return time.time() + desk.clocks.wall


def by_time(desk, room, client, name, words, rest):
    claimed = client.post(f"/v1/sessions/{room.session}/claim")
    hold(claimed.ok, f"claiming: {claimed}")
    reader = opened(client, room.session, room.stream, False)
    left = rest()
    ends = time.monotonic() + left
    reader.wait_for_more(room.act, words)
    hold(time.monotonic() < ends, f"{words}: it was over before everything was open")
    time.sleep(ends - time.monotonic())
    # What was under way when it ended may be on disk a little later: nobody said when that would be.
    since = datetime.datetime.fromtimestamp(wall(desk) + ALLOWED, datetime.timezone.utc).isoformat()[:26]
    reader.try_to_say(room.session)
    reader.check(words, ends, room.act)
    nothing_recorded(desk, f"operator/{name}", since, words)


def signed_out(desk, user, client):
    return client.post("/v1/auth/logout")


def token_revoked(desk, user, client):
    tokens = [one for one in desk.admin.get(f"/v1/users/{user}/tokens").json["items"] if not one.get("revokedAt")]
    answers = [desk.admin.delete(f"/v1/users/{user}/tokens/{one['id']}") for one in tokens]
    hold(answers and all(answer.ok for answer in answers), f"revoking: {answers}")
    return answers[-1]


def role_changed(desk, user, client):
    changed = desk.admin.request("PATCH", f"/v1/users/{user}", {"role": "guard", "reason": "another task"})
    ended = desk.admin.request("PATCH", f"/v1/users/{user}", {"role": "operator", "reason": "and back"})
    hold(ended.ok, f"changing the role back: {ended}")
    return changed


def disabled(desk, user, client):
    return desk.admin.request("PATCH", f"/v1/users/{user}", {"disabled": True, "reason": "left"})


def user_erased(desk, user, client):
    person = next(entry["data"]["person"] for entry in desk.entries() if entry["subject"] == f"user/{user}" and entry["type"] == "user.created/1")
    path = f"/v1/persons/{person}/erase"
    alone = desk.admin.post(path, {"reason": "asked"})
    hold(alone.status == 403 and client.get("/v1/me").ok, f"one admin alone ends an account: {alone}")
    erased = desk.admin.post(path, {"reason": "asked", "approver": {"login": "clerk", "password": PASSWORD}})
    again = desk.client().post("/v1/auth/login", {"login": "gone", "password": PASSWORD}, key=False)
    hold(again.status == 401, f"who was erased signs in: {again}")
    return erased


USER_ENDINGS = (signed_out, token_revoked, role_changed, disabled)


# MARK: Claims

def claimed_by_another(desk, owner, onlooker):
    """A session that waits is everybody's at the desk; claimed, it is its owner's, and the onlooker's sockets go on without it."""
    words = "claimed by another"
    room = Room(desk, owner)
    reader = opened(onlooker, room.session, room.stream, False)
    reader.wait_for_more(room.act, words)
    ended = claim(owner, room.session)
    room.act()
    time.sleep(max(0, ended + ALLOWED - time.monotonic()))
    room.act()
    time.sleep(ALLOWED / 2)
    private = (room.session, room.stream)
    late = [(name, str(message)[:200]) for name, told in reader.told.items() for at, message in told
            if at > ended + ALLOWED and (name == "watch" or any(one in str(message) for one in private))]
    hold(not late, f"{words}: {len(late)} came more than {ALLOWED} s after, first {late[:1]}")
    hold("watch" in reader.closed, f"{words}: watch is still open")
    hold(set(reader.closed) == {"watch"}, f"{words}: what is not of this session closed with it: {set(reader.closed)}")
    print(f"{words:24} nothing of it came later than {ALLOWED} s", flush=True)
    return room.session


def claim(owner, session):
    claimed = owner.post(f"/v1/sessions/{session}/claim")
    hold(claimed.ok, f"claiming: {claimed}")
    return time.monotonic()


def slow_viewer(desk, owner, onlooker):
    phone = desk.caller(owner)
    _, session = desk.chat(phone)
    stream = film.begin(phone, session)
    camera, _ = film.connect(phone, stream)
    clusters, size = 60, 200_000
    film.send(camera, film.heavy(clusters, size), piece=60_000)
    viewer = onlooker.socket(f"/v1/streams/{stream}/watch?from=0")
    slowly("a slow viewer", viewer, lambda: claim(owner, session), clusters * size, 2 * size)
    camera.close()
    return session


def slow_chat(desk, owner, onlooker):
    chat, session = desk.chat(desk.caller(owner))
    count, size = 1_500, 4_000
    for number in range(count):
        chat.send_json({"IncidentID": session, "Type": "message", "Message": "x" * size, "Timestamp": "1", "TempMessageID": str(number)})
        if number % 100 == 99:
            chat.wait_for(lambda frame: frame["Type"] == "message_report" and frame["TempMessageID"] == str(number), timeout=120)
    reader = onlooker.socket("/chat")
    reader.send_json({"Type": "start_session", "IncidentID": session})
    slowly("a slow chat", reader, lambda: claim(owner, session), count * size, 10 * size)
    return session


def slowly(words, reader, end, whole, piece):
    """Takes a twentieth, then nothing until the right has ended: what comes later was under way by then, but for the piece that was being sent."""
    reader.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    taken = len(reader.buffer)
    while taken < whole // 20:
        taken += len(reader.socket.recv(65_536))
    ended = end()
    time.sleep(max(0, ended + ALLOWED - time.monotonic()))
    sent = taken + under_way(reader.socket)
    hold(sent < whole // 2, f"{words}: {sent} of {whole} bytes were under way before: silence would prove nothing")
    reader.socket.settimeout(3)
    try:
        while got := len(reader.socket.recv(65_536)):
            taken += got
    except OSError:
        pass  # silent, or closed
    hold(taken <= sent + piece, f"{words}: {taken - sent} bytes were sent later than {ALLOWED} s after the right's end")
    print(f"{words:24} {max(0, taken - sent)} of {whole} bytes were sent later than {ALLOWED} s", flush=True)
    reader.drop()


def under_way(client):
    """The bytes on the loopback that one side sent and the other has not taken yet."""
    ports, waiting = (client.getsockname()[1], client.getpeername()[1]), 0
    with open("/proc/net/tcp") as table:
        for line in list(table)[1:]:
            _, local, remote, _, queues = line.split()[:5]
            found = tuple(int(address.split(":")[1], 16) for address in (local, remote))
            sending, received = (int(queue, 16) for queue in queues.split(":"))
            waiting += received if found == ports else sending if found == ports[::-1] else 0
    return waiting


# MARK: Phones

def by_phone(desk, amina, end):
    words = end.__name__.replace("_", " ")
    phone = desk.caller(amina)
    phone.device = phone.get("/v1/me").json["device"]
    first, session = desk.chat(phone)
    say(first, session, "help")
    stream = film.begin(phone, session)
    camera, _ = film.connect(phone, stream)
    first.drop()
    reader = opened(phone, session, stream, True, camera)
    answers = {"ingest": 0}

    def act():
        written = amina.post(f"/v1/sessions/{session}/messages", {"text": "we come", "temporaryID": str(time.monotonic())})
        hold(written.ok, f"writing: {written}")

    def act_and_film():
        act()
        data, answers["ingest"] = film.recorded(), answers["ingest"] + 1
        camera.send_bytes(struct.pack(">IQ", 0, 0) + data[:200_000])
    hold(amina.post(f"/v1/sessions/{session}/claim").ok, "claiming")
    reader.wait_for_more(act_and_film, words)
    if end is person_erased:
        # An open session keeps its person: the erasure comes behind its end, with which video ends.
        person = next(entry["data"]["caller"] for entry in desk.entries() if entry["subject"] == f"session/{session}" and entry["type"] == "session.created/1")
        hold(amina.post(f"/v1/sessions/{session}/close", {"disposition": "handled"}).ok, "closing")
        phone.person = person

        def act():
            for what in ("seal", "unseal"):
                done = desk.admin.post(f"/v1/sessions/{session}/{what}", {"reason": "to be told of"})
                hold(done.ok, f"{what}: {done}")
    answer = end(desk, amina, phone)
    hold(answer.ok, f"{words}: {answer}")
    ended = time.monotonic()
    since = datetime.datetime.now(datetime.timezone.utc).isoformat()[:26]
    reader.try_to_say(session)
    reader.check(words, ended, act)
    nothing_recorded(desk, f"device/{phone.device}", since, words)
    if end is not person_erased:
        hold(amina.post(f"/v1/sessions/{session}/close", {"disposition": "handled"}).ok, "closing")


def phone_signed_out(desk, amina, phone):
    return phone.post("/v1/auth/logout")


def phone_revoked(desk, amina, phone):
    return desk.admin.delete(f"/v1/devices/{phone.device}?reason=lost")


def person_erased(desk, amina, phone):
    return desk.admin.post(f"/v1/persons/{phone.person}/erase", {"reason": "asked"})


PHONE_ENDINGS = (phone_signed_out, phone_revoked, person_erased)


if __name__ == "__main__":
    parser = centre.arguments(__doc__)
    parser.add_argument("--few", action="store_true", help="fewer endings of users")
    centre.run(main, parser.parse_args())
