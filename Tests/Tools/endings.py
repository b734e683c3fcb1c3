#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""When a right has ended, everything that is open by it closes, and nothing is recorded in that name: every kind of socket and
the feed (chat, topics, watch, ingest), by every kind of ending (sign-out, revocation of token or phone, another role, disabling, erasure, a token's
time, silence, a guest's ten minutes). When somebody else claims a conversation, nothing of it comes any more over what stays open: also to who takes
so little at a time that most of it was still to come.

Each must have told something before, so that its silence says something; what is spoken and filmed afterwards goes on all the time. How long each
took to close is printed.

  endings.py --daybook PATH [--few]
"""

import http.client
import os
import socket
import struct
import threading
import time

import centre
import film
from centre import PASSWORD, Centre, hold
from clock_steps import Clocks, seconds
from daybook import DEADLINE, until
from sides import say

#: How long a token lives whose time is looked at, after how much silence an operator is signed out, and how long a guest reads what was said.
LIFE, SILENCE, GRACE = 240, 300, 600
#: Seconds that pass at once: so few that nobody is taken for dead who is heard after each.
STEP = 10
#: The name of what is said after the end.
LEFT = "left"


def main(options, folder):
    desk = Centre(options.daybook, folder)
    desk.clocks = Clocks(folder)
    desk.gateway.environment = dict(os.environ, **desk.clocks.environment)
    desk.open()
    desk.by_console("clerk")
    process = desk.gateway.process.pid
    amina = desk.staff("amina")
    print(f"{'ending':24} " + "  ".join(f"{name:>24}" for name in ("chat", "topics", "feed", "watch", "ingest")))
    for end in PHONE_ENDINGS:
        by_phone(desk, amina, end)
    room = Room(desk, amina)
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
        self.lock = threading.Lock()
        self.act()
        threading.Thread(target=self.attend, daemon=True).start()

    def act(self):
        """Something that everybody who may is told of: words, and a part of video."""
        with self.lock:
            self.said += 1
            say(self.chat, self.session, f"word {self.said}")
            film.send(self.camera, film.recorded(), part=self.part)
            self.part += 1

    def attend(self):
        """Answers who asks whether there is still somebody, however long it takes until the next word."""
        try:
            while True:
                time.sleep(5)
                with self.lock:
                    for socket in (self.chat, self.camera):
                        self.take(socket)
        except OSError:
            pass  # it is closed

    def is_heard(self):
        """Lets the gateway hear that somebody is there."""
        with self.lock:
            for socket in (self.chat, self.camera):
                before = socket.pongs
                socket.ping()
                until(lambda: socket.pongs > before or self.take(socket), "the gateway answers a ping", pause=0)

    @staticmethod
    def take(socket):
        try:
            socket.receive(timeout=0.05)
        except TimeoutError:
            pass  # nobody said anything


class Open:
    """Everything that one reader has open, and what came over it when."""

    def __init__(self, client, sockets):
        self.client, self.told, self.closed, self.faults, self.sockets = client, {name: [] for name in sockets}, {}, {}, sockets
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
        until(lambda: all(len(told) > before[name] or name in self.closed for name, told in self.told.items()),
              f"{words}: each of {set(self.told)} tells something before, for else its silence would prove nothing")
        hold(not self.closed, f"{words}: {set(self.closed)} closed before the right had ended")

    def is_heard(self):
        """Lets the gateway hear over every socket that somebody is there, who asks for nothing."""
        open_now = [socket for name, socket in self.sockets.items() if not callable(socket) and name not in self.closed]
        before = [socket.pongs for socket in open_now]
        for socket in open_now:
            try:
                socket.ping()
            except OSError:
                pass  # closed meanwhile
        until(lambda: self.closed or all(socket.pongs > count for socket, count in zip(open_now, before)), "the gateway answers pings")

    def try_to_say(self, session):
        """Speaks as who has left; what comes back, the listener hears."""
        try:
            self.chat.send_json({"IncidentID": session, "Type": "message", "Message": "from who has left", "Timestamp": "1", "TempMessageID": LEFT})
        except OSError:
            pass  # closed already

    def check(self, words, ended, act):
        """Goes on acting while the right ends, waits until everything has closed, and acts once more."""
        act()
        until(lambda: self.faults or set(self.closed) == set(self.told), f"{words}: each of {set(self.told)} closes")
        act()
        hold(not self.faults, f"{words}: not understood: {self.faults}")
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
    """Holds the entries from a place on to have none of an actor, and none at all to have what was said after the end."""
    entries = desk.entries()
    late = [entry for entry in entries[since:] if entry["actor"] == actor and not entry["type"].startswith(("access.", "user."))]
    late += [entry for entry in entries if entry["actor"] == actor and entry["data"].get("temporaryID") == LEFT and entry["type"] == "chat.message_sent/1"]
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
    since = len(desk.export())
    reader.try_to_say(room.session)
    reader.check(words, ended, room.act)
    nothing_recorded(desk, f"operator/{leaver.name}", since, words)


def by_life(desk, passing):
    words, room = "token's time over", Room(desk, passing)
    issued = passing.post(f"/v1/users/{passing.name}/tokens", {"password": PASSWORD, "lifeSeconds": LIFE})
    hold(issued.ok, f"a token of {LIFE} s: {issued}")
    expires = seconds(issued.json["expires"])
    by_time(desk, room, desk.client(issued.json["token"]), passing.name, words, lambda: expires - wall(desk))


def by_silence(desk, silent):
    """Also of who is told all the while; the five minutes pass on both clocks in small steps, for a clock that is only set makes nobody silent (decision 0073)."""
    begun, passed = [], desk.clocks.passed
    by_time(desk, Room(desk, silent), silent, silent.name, "silent for too long",
            lambda: SILENCE - (time.monotonic() - begun[0] + desk.clocks.passed - passed), lambda: begun.append(time.monotonic()))


def by_grace(desk, host):
    """The guest of a one-use link; the ten minutes are two steps of the wall clock."""
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
    hold(closed.ok, f"closing: {closed}")
    desk.clocks.step(GRACE // 2)
    act()
    hold(not reader.closed, f"{words}: {set(reader.closed)} closed after half of it")
    desk.clocks.step(GRACE // 2)
    reader.check(words, time.monotonic(), act)


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


def by_time(desk, room, client, name, words, left, asked=lambda: None):
    """Lets time pass until nothing is left of the right's; `asked` is called before the last request of who has it."""
    asked()
    claimed = client.post(f"/v1/sessions/{room.session}/claim")
    hold(claimed.ok, f"claiming: {claimed}")
    reader = opened(client, room.session, room.stream, False)
    reader.wait_for_more(room.act, words)
    while left() > 0:
        hold(not reader.closed, f"{words}: {set(reader.closed)} closed {left():.1f} s before")
        desk.clocks.passes(STEP)
        room.is_heard()
        reader.is_heard()
    ended, since = time.monotonic(), len(desk.export())
    reader.try_to_say(room.session)
    reader.check(words, ended, room.act)
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

    def is_heard():
        """What everybody at the desk may know comes over each that stays open, after all that came before."""
        _, other = desk.chat(desk.caller(owner))
        reader.chat.send_json({"Type": "start_session", "IncidentID": other})
        until(lambda: all(any(other in str(message) for _, message in reader.told[name]) for name in ("chat", "topics", "feed")), f"{words}: what is not of this session is told")

    claim(owner, room.session)
    # Who watches is asked again when there is something to be shown.
    room.act()
    until(lambda: "watch" in reader.closed, f"{words}: watch closes")
    is_heard()
    before = {name: len(told) for name, told in reader.told.items()}
    room.act()
    is_heard()
    private = (room.session, room.stream)
    late = [(name, str(message)[:200]) for name, told in reader.told.items() for _, message in told[before[name]:] if any(one in str(message) for one in private)]
    hold(not late, f"{words}: {len(late)} came after, first {late[:1]}")
    hold(set(reader.closed) == {"watch"}, f"{words}: what is not of this session closed with it: {set(reader.closed)}")
    print(f"{words:24} nothing of it came after, and the rest goes on", flush=True)
    return room.session


def claim(owner, session):
    claimed = owner.post(f"/v1/sessions/{session}/claim")
    hold(claimed.ok, f"claiming: {claimed}")


def slow_viewer(desk, owner, onlooker):
    phone = desk.caller(owner)
    _, session = desk.chat(phone)
    stream = film.begin(phone, session)
    camera, _ = film.connect(phone, stream)
    clusters, size = 60, 200_000
    film.send(camera, film.heavy(clusters, size), piece=60_000)
    quick = Open(onlooker, {"watch": onlooker.socket(f"/v1/streams/{stream}/watch")})
    viewer = onlooker.socket(f"/v1/streams/{stream}/watch?from=0")

    def end():
        claim(owner, session)
        film.send(camera, film.recorded(), part=1)
        until(lambda: quick.closed, "a viewer of the same is sent away")

    slowly("a slow viewer", viewer, end, clusters * size, lambda received: False)
    camera.close()
    return session


def slow_chat(desk, owner, onlooker):
    chat, session = desk.chat(desk.caller(owner))
    count, size = 1_500, 4_000
    for number in range(count):
        chat.send_json({"IncidentID": session, "Type": "message", "Message": "x" * size, "Timestamp": "1", "TempMessageID": str(number)})
        if number % 100 == 99:
            chat.wait_for(lambda frame: frame["Type"] == "message_report" and frame["TempMessageID"] == str(number))
    _, other = desk.chat(desk.caller(owner))
    reader, quick = onlooker.socket("/chat"), onlooker.socket("/chat")
    start = {"Type": "start_session", "IncidentID": session}
    quick.send_json(start)
    quick.wait_for(lambda frame: frame["Type"] == "session" and frame["Status"] == "open")
    reader.send_json(start)

    def end():
        claim(owner, session)
        quick.wait_for(lambda frame: frame["Type"] == "session" and frame["Status"] != "open")
        # Its answer comes after all that is still said of the other.
        reader.send_json({"Type": "start_session", "IncidentID": other})

    slowly("a slow chat", reader, end, count * size, lambda received: other.encode() in received)
    quick.drop()
    return session


def slowly(words, reader, end, whole, is_last):
    """Takes a twentieth, then nothing until the right has ended: of what was not under way by then hardly anything comes."""
    reader.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    taken, tail = len(reader.buffer), b""
    while taken < whole // 20:
        taken += len(reader.socket.recv(65_536))
    end()
    sent = taken + under_way(reader.socket)
    hold(sent < whole // 2, f"{words}: {sent} of {whole} bytes were under way before: silence would prove nothing")
    reader.socket.settimeout(DEADLINE)
    try:
        while not is_last(tail) and (got := reader.socket.recv(65_536)):
            taken, tail = taken + len(got), tail[-100:] + got
    except ConnectionError:
        pass  # closed
    # A piece was being sent, and another may have been.
    hold(taken <= sent + whole // 8, f"{words}: {taken - sent} bytes were sent after the right's end")
    print(f"{words:24} {max(0, taken - sent)} of {whole} bytes were sent after", flush=True)
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
    since = len(desk.export())
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
