#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Footage that an incident keeps is exported with its proof, and the files alone prove it (`footage_proof.py`): what a camera of the tests sent is on the film, a byte that is changed anywhere is found.
A reader of the incident without a right at the camera sees the kept span, and nothing before or after it. A hold is placed on the camera, and lifted by two people.

  footage_export.py --daybook PATH
"""

import contextlib
import copy
import json
import os
import subprocess
import sys
import time

import footage_proof
from camera_child import WebM, of
from camera_recording import Camera, numbers_of, seconds_of, text_of
from cameras import COUNT, MjpegCamera
from centre import PASSWORD, Centre, arguments, hold, run
from daybook import new_id, until
from sides import made
from tlog_read import Refuted

SIZE, RATE = (320, 240), 10
# The gateway says of a picture when it was taken; a cluster holds a second of them.
CLUSTER_SECONDS = 1
CHECKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "footage_proof.py")


def main(options, folder):
    centre = Centre(options.daybook, folder, options=["--camera-networks", "127.0.0.0/8"]).open()
    camera = Camera(1, MjpegCamera, SIZE, SIZE, 200)
    with of(camera.source):
        story = FootageExport(centre, camera, folder)
        for step in (story.is_recorded_in_three_parts, story.is_kept, story.is_exported, story.is_proved, story.shows_what_was_sent, story.a_changed_byte_is_found,
                     story.others_may_not, story.a_reader_sees_the_span_alone, story.is_held):
            print(step.__name__.replace("_", " "), flush=True)
            step()
    centre.stop()
    story.entries_are_the_ledgers()
    centre.verify()


class FootageExport:
    def __init__(self, centre, camera, folder):
        self.centre, self.camera, self.folder = centre, camera, folder
        camera.source.pictures.rate = camera.source.pictures.usual_rate = RATE
        self.amina, self.audrey, self.gil = centre.staff("amina"), centre.staff("audrey", "auditor"), centre.staff("gil", "guard")
        self.parts = []

    @property
    def path(self):
        return f"/v1/incidents/{self.incident}/footage/{self.kept['number']}"

    def media(self, client, path, start, end):
        """Asks for footage between two moments of an hour."""
        hour = start // 3600 * 3600
        return client.get(f"{path}/media?hour={text_of(hour)}&from={int((start - hour) * 1000)}&to={int((end - hour) * 1000)}")

    # MARK: The story

    def records(self, pictures):
        """Switches the camera on for so many pictures; the times between which they were taken, once they are listed."""
        self.sets(isOn=True)
        began, sent = time.time(), len(self.camera.source.sent)
        self.camera.source.waits(sent + pictures)
        self.sets(isOn=False)

        def listed():
            answer = self.amina.get(f"/v1/cameras/{self.camera.id}/footage?from={text_of(began)}&to={text_of(time.time())}")
            return [seconds_of(one["lastAt"]) for one in answer.json["items"] if seconds_of(one["lastAt"]) > began]
        return began, max(until(listed, "what was recorded is listed"))

    def sets(self, **changed):
        answer = self.centre.admin.put(f"/v1/cameras/{self.camera.id}", self.camera.settings(**changed))
        hold(answer.ok, f"setting the camera up: {answer}")

    def is_recorded_in_three_parts(self):
        """Who switches a camera off ends a minute of its footage, so nobody waits for the clock's."""
        self.parts = [self.records(pictures) for pictures in (10, 40, 10)]

    def is_kept(self):
        caller = self.centre.caller(self.amina)
        _, session = self.centre.chat(caller)
        hold(self.amina.post(f"/v1/sessions/{session}/claim").ok, "claiming")
        self.incident = self.centre.shown(self.amina, session)["incident"]
        end = self.parts[1][1]
        self.span = round(end - 2.5, 3), round(end - 1, 3)
        kept = self.amina.post(f"/v1/incidents/{self.incident}/footage", {"camera": self.camera.id, "from": text_of(self.span[0]), "until": text_of(self.span[1])})
        hold(kept.ok, f"keeping footage: {kept}")
        [self.kept] = self.audrey.get(f"/v1/incidents/{self.incident}/footage").json["items"]
        shown = {name: self.kept[name] for name in ("camera", "name", "site", "by")}
        hold(shown == {"camera": self.camera.id, "name": "Camera 1", "site": "Plant", "by": f"operator/{self.amina.name}"}, f"it is listed as {self.kept}")
        hold((seconds_of(self.kept["from"]), seconds_of(self.kept["until"])) == self.span, f"kept from {self.kept['from']} until {self.kept['until']}, not {self.span}")

    def is_exported(self):
        [file] = self.audrey.get(f"{self.path}/files").json["items"]
        hold(self.span[0] - 0.001 <= seconds_of(file["firstAt"]) <= seconds_of(file["lastAt"]) <= self.span[1] + 0.001, f"the file is of {file}, more than {self.span}")
        self.hour = file["startedAt"]
        film = self.audrey.get(f"{self.path}/export?hour={self.hour}")
        hold(film.ok and film.headers["Content-Type"].startswith("video/webm"), f"the film: {film.status}")
        proof = self.audrey.get(f"{self.path}/proof")
        hold(proof.ok, f"the proof: {proof}")
        self.film, self.proof = film.body, proof.json
        self.name = self.proof["files"][0]["name"]
        hold(film.headers["Content-Disposition"] == f'attachment; filename="{self.name}"', film.headers["Content-Disposition"])
        hold(proof.headers["Content-Disposition"].startswith("attachment; ") and proof.headers["Content-Disposition"].endswith('.json"'), proof.headers["Content-Disposition"])
        hold(file["bytes"] == len(self.film) - self.proof["files"][0]["head"], f"the list says {file['bytes']} bytes, the film has {len(self.film)}")

    def is_proved(self):
        """By the program that an auditor runs."""
        self.vkey = self.centre.client().get("/v1/ledger").json["vkey"]
        self.files = [os.path.join(self.folder, name) for name in ("proof.json", self.name)]
        for path, data in zip(self.files, (json.dumps(self.proof).encode(), self.film)):
            with open(path, "wb") as file:
                file.write(data)
        done = subprocess.run([sys.executable, CHECKER, *self.files, "--vkey", self.vkey], capture_output=True, text=True)
        hold(done.returncode == 0 and "unchanged, " in done.stdout and "entries: 1, " in done.stdout, f"footage_proof.py ended with {done.returncode}: {done.stdout}{done.stderr}")
        print("  " + done.stdout.replace("\n", "\n  ").rstrip())
        [self.minute] = footage_proof.check(self.proof, {self.name: self.film}, self.vkey)[self.name]

    def shows_what_was_sent(self):
        """Pictures of the part that the span lies in, each once and in order, and of no other part."""
        hour, webm = seconds_of(self.hour), WebM()
        webm.push(self.film)
        times, numbers = [hour + milliseconds / 1000 for milliseconds, _, _ in webm.blocks], numbers_of(self.film)
        hold(len(numbers) == len(times) == self.minute["frames"], f"{len(times)} pictures, {len(numbers)} decoded, the entry says {self.minute['frames']}")
        # Where the gateway's clock and the source's are apart a picture is left out.
        hold(None not in numbers and all(0 < (later - sooner) % COUNT < COUNT // 2 for sooner, later in zip(numbers, numbers[1:])), f"the film shows {numbers}")
        hold([text_of(times[0]), text_of(times[-1])] == [self.minute["firstAt"], self.minute["lastAt"]], f"the film is from {text_of(times[0])} until {text_of(times[-1])}, the entry says {self.minute}")
        began, end = self.parts[1]
        hold(began - 1 < times[0] < self.span[0] and self.span[1] < times[-1] <= end + 0.001, f"the film is from {times[0]} until {times[-1]}, the part from {began} until {end}")

    def a_changed_byte_is_found(self):
        """In a film, also where whoever changed it made the digests of the proof anew; and in each part of the proof."""
        file = self.proof["files"][0]
        [minute] = file["minutes"]
        ends = [(cluster["offset"], cluster["offset"] + cluster["length"]) for cluster in minute["clusters"]]
        for at in (0, file["head"] - 1, ends[0][0], sum(ends[1]) // 2, len(self.film) - 1):
            film = bytearray(self.film)
            film[at] ^= 1
            self.is_refuted(self.proof, bytes(film))
            self.is_refuted(self.made_anew(bytes(film)) if at >= file["head"] else self.proof, bytes(film))
        whole = json.dumps(self.proof)
        changed = {"another time": whole.replace(self.minute["lastAt"], self.minute["firstAt"]), "another digest": whole.replace(self.minute["digest"], "0" * 64), "another camera": whole.replace(self.camera.id, new_id())}
        for what, text in changed.items():
            hold(text != whole, f"{what} is no change")
            self.is_refuted(json.loads(text), self.film)
        for change in (self.with_another_sibling, self.with_another_signature, self.without_its_last_cluster):
            proof, film = change(copy.deepcopy(self.proof))
            self.is_refuted(proof, film)

    def made_anew(self, film):
        """The proof as somebody makes it who has no key."""
        proof = copy.deepcopy(self.proof)
        file = proof["files"][0]
        file["sha256"] = footage_proof.hashlib.sha256(film).hexdigest()
        for cluster in file["minutes"][0]["clusters"]:
            cluster["sha256"] = footage_proof.hashlib.sha256(film[cluster["offset"]:cluster["offset"] + cluster["length"]]).hexdigest()
        return proof

    def with_another_sibling(self, proof):
        path = proof["files"][0]["minutes"][0]["proof"]
        path[0] = ("B" if path[0][0] != "B" else "C") + path[0][1:]
        return proof, self.film

    def with_another_signature(self, proof):
        text = proof["checkpoint"]
        at = len(text) - 20
        proof["checkpoint"] = text[:at] + ("B" if text[at] != "B" else "C") + text[at + 1:]
        return proof, self.film

    def without_its_last_cluster(self, proof):
        file = proof["files"][0]
        last = file["minutes"][0]["clusters"].pop()
        film = self.film[:last["offset"]]
        file.update(bytes=len(film), sha256=footage_proof.hashlib.sha256(film).hexdigest())
        return proof, film

    def is_refuted(self, proof, film):
        with contextlib.suppress(Refuted):
            footage_proof.check(proof, {self.name: film}, self.vkey)
            hold(False, "a change is not found")

    def others_may_not(self):
        """A guard reads no incident; another organisation's desk knows none of this one."""
        other = self.centre.staff("olga", organisation="other")
        for part in ("", "/files", f"/export?hour={self.hour}", "/proof", f"/still?at={self.kept['from']}", f"/media?hour={self.hour}&from=0&to=1"):
            path = f"{self.path}{part}" if part else f"/v1/incidents/{self.incident}/footage"
            for client, status in ((self.gil, 403), (other, 404), (self.centre.client(), 401)):
                answer = client.get(path)
                hold(answer.status == status, f"{path} answers {answer.status}, not {status}")
        for path in (f"{self.path[:-1]}x/proof", f"{self.path}/export?hour={text_of(seconds_of(self.hour) - 3600)}"):
            hold(self.audrey.get(path).status == 404, f"{path} answers {self.audrey.get(path)}")

    def a_reader_sees_the_span_alone(self):
        """The auditor has no right at the camera itself; of the kept span its clusters are shown, of the rest of the same minute none."""
        camera = f"/v1/cameras/{self.camera.id}/footage"
        refused = self.media(self.audrey, camera, *self.span)
        hold(refused.status in (403, 404), f"the auditor may look at the camera: {refused}")
        answer = self.media(self.audrey, self.path, self.parts[0][0], self.parts[2][1])
        hold(answer.ok, f"the film of the span: {answer.status}")
        webm = WebM()
        webm.push(answer.body)
        hour = seconds_of(self.hour)
        times = [hour + milliseconds / 1000 for milliseconds, _, _ in webm.blocks]
        numbers = numbers_of(answer.body)
        hold(len(numbers) == len(times) and None not in numbers, f"{len(times)} pictures show {numbers}")
        hold(self.span[0] - CLUSTER_SECONDS <= times[0] <= self.span[0] + 0.2 and self.span[1] - 0.2 <= times[-1] <= self.span[1] + CLUSTER_SECONDS, f"of {self.span} are shown {times[0]} to {times[-1]}")
        for moment in (self.span[0] - 2, self.span[1] + 2, self.parts[0][1], self.parts[2][0]):
            answer = self.media(self.audrey, self.path, moment, moment)
            hold(answer.status == 404, f"the film of {text_of(moment)} answers {answer.status}")
            still = self.audrey.get(f"{self.path}/still?at={text_of(moment)}")
            hold(still.status == 404, f"a still of {text_of(moment)} answers {still.status}")
        middle = sum(self.span) / 2
        still = self.audrey.get(f"{self.path}/still?at={text_of(middle)}")
        shown = max((moment, number) for moment, number in zip(times, numbers) if moment <= middle)[1]
        hold(still.ok and numbers_of(still.body) == [shown], f"the still of {text_of(middle)}: {still.status}, it should show {shown}")

    def is_held(self):
        """Two people lift it; of a camera that there is not, nothing is held."""
        admin, scope = self.centre.admin, f"camera/{self.camera.id}"
        strange = admin.post("/v1/holds", {"scope": f"camera/{new_id()}", "reason": "trial", "authority": "court"})
        hold(strange.status == 404, f"a hold on no camera: {strange}")
        held = made(admin.post("/v1/holds", {"scope": scope, "reason": "trial", "authority": "court"}))["hold"]
        self.centre.by_console("clerk")
        lift = f"/v1/holds/{held}/lift"
        alone = admin.post(lift, {"reason": "over", "approver": {"login": "admin", "password": PASSWORD}})
        hold(not alone.ok, f"one person lifts a hold: {alone}")
        [one] = [one for one in admin.get("/v1/holds").json["items"] if one["scope"] == scope]
        hold((one["id"], one["authority"]) == (held, "court"), f"it is listed as {one}")
        done = admin.post(lift, {"reason": "over", "approver": {"login": "clerk", "password": PASSWORD}})
        hold(done.ok, f"lifting: {done}")
        hold(not admin.get("/v1/holds").json["items"], "it is lifted")

    def entries_are_the_ledgers(self):
        """The entries of the proof are those of `daybook export`, and what the auditor saw is recorded."""
        lines = self.centre.export()
        for minute in self.proof["files"][0]["minutes"]:
            hold(lines[int(minute["position"])] == minute["entry"].encode(), f"entry {minute['position']} is another one in the export")
        seen = {"reader": f"auditor/{self.audrey.name}", "resource": f"incident/{self.incident}", "fields": ["footage"]}
        hold(any(seen.items() <= json.loads(line)["data"].items() for line in lines), "nothing tells that the auditor saw the footage")


if __name__ == "__main__":
    run(main, arguments(__doc__).parse_args())
