#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Strangers report animals at random places, through a proxy that is believed: each report goes to the agency that an independent program chooses, whose member is pushed once.

  dispatch.py --daybook PATH [--reports 300] [--kills 0] [--seed 1]

With --kills the gateway is killed while two outboxes send reports with two photos each, and repeat what got no answer: each report is there once, with the photos that were sent. Then a
reporter is erased. Told is how long it took from the form to the push; a measurement, no gate. Ends with 77 where python3-shapely or python3-geographiclib is not installed.
"""

import concurrent.futures
import datetime
import multiprocessing
import queue
import random
import threading
import time
from collections import Counter

from agency_choice import Places, agencies, decide
from centre import Centre, arguments, chosen, hold, run, seed
from daybook import new_id, until
from passer_by import solve
from push_endpoint import PushEndpoint
from report_outbox import LOST, Outbox, Report, photos
from talker import percentile

SPECIES = ["sea-lion", "harbor-seal", "elephant-seal", "dolphin", "porpoise", "whale", "sea-otter", "seabird", "other", "sea-turtle"]
SIZES, CONDITIONS = ["small", "medium", "large"], ["alive", "injured", "entangled", "dead", "unknown", "mummified"]
# Numbers for the proofs of so many reports are looked for at a time, and then nothing while those are sent: a challenge is good for ten minutes.
REPORTS_AT_ONCE, OUTBOXES = 60, 2
KILL_WITHIN_SECONDS = 0.015
# The share of the reports that is sent while these take reports: most of the agencies, two that do not take every animal, none.
PHASES = (({"Bay", "Reserve", "South", "Whales", "Ocean", "Date line"}, 0.8), ({"Reserve", "Whales"}, 0.1), (set(), 0.1))


def main(options, folder):
    chance = random.Random(chosen(options))
    # Before there are threads.
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as solvers:
        list(solvers.map(abs, range(2)))
        proxy = ["--trusted-proxy", "127.0.0.1", "--proxy-header", "x-forwarded-for", "--behind-proxy"]
        centre = Centre(options.daybook, folder, options=[*proxy, "--site-name", "Monterey Rescue", "--country", "US", "--push-reach", "machine"]).open()
        dispatch = Dispatch(centre, solvers, options.kills, chance)
        dispatch.sets_up()
        for phase, (taking, share) in enumerate(PHASES):
            dispatch.takes_reports(taking)
            dispatch.submits(max(1, round(options.reports * share)), options.kills if phase == 0 else 0)
        dispatch.each_is_there_once()
        dispatch.each_went_to_its_agency()
        dispatch.each_was_pushed()
        dispatch.each_photo_opens()
        dispatch.tells_how_long_it_took()
        dispatch.erases_a_reporter()
        dispatch.leave.set()
        centre.stop()
        plain = centre.daybook("verify")
        hold(plain.returncode == 0, f"daybook verify: {plain.stdout[-2000:].decode()}")
        centre.verify("--decode")


class Dispatch:
    def __init__(self, centre, solvers, kills, chance):
        self.centre, self.solvers, self.kills, self.chance = centre, solvers, kills, chance
        self.agencies, self.reports, self.members = agencies(), [], {}
        self.places, self.leave, self.failed = Places(chance, self.agencies), threading.Event(), []

    # MARK: Setting up

    def sets_up(self):
        self.chief = self.centre.staff("sue", "supervisor")
        for number, agency in enumerate(self.agencies):
            agency.id = new_id()
            self.told(self.chief.put(f"/v1/agencies/{agency.id}", agency.definition), f"setting up {agency.name}")
            self.members[agency.name] = member = Member(self.centre, f"member{number}")
            users = [member.client.name]
            if agency.name == "Bay":
                self.resting = Member(self.centre, "resting")
                later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
                self.told(self.resting.client.put("/v1/reach", {"offDutyUntil": later.isoformat(timespec="seconds").replace("+00:00", "Z")}), "going off duty")
                users.append(self.resting.client.name)
            self.told(self.chief.put(f"/v1/agencies/{agency.id}/members", {"members": users}), f"members of {agency.name}")
        hold(len(self.chief.get("/v1/agencies").json["items"]) == len(self.agencies), "all agencies are shown")
        threading.Thread(target=self._acknowledge, daemon=True).start()

    def told(self, answer, what):
        hold(answer.ok, f"{what}: {answer}")
        return answer

    def takes_reports(self, taking):
        for agency in self.agencies:
            if agency.takes_reports != (agency.name in taking):
                agency.takes_reports = agency.name in taking
                self.told(self.chief.put(f"/v1/agencies/{agency.id}", agency.definition), f"changing {agency.name}")

    def _acknowledge(self):
        """Whoever is pushed takes the report: within five minutes, so that it goes to no other agency."""
        while not self.leave.wait(0.05):
            for member in self.members.values():
                try:
                    member.acknowledges()
                except LOST:
                    pass  # the gateway is away
                except Exception as fault:  # told by the main thread, whatever it is
                    self.failed.append(repr(fault))
                    return

    # MARK: Reporting

    def invents(self, count):
        for _ in range(count):
            number, (place, kind), species = len(self.reports), self.places.next(), self.chance.choice(SPECIES)
            # Every third one is of version 6, and some proxies pass on what the client wrote before.
            address = f"2001:db8:{number:x}::{self.chance.randrange(1, 65_536):x}" if number % 3 == 0 else f"198.18.{number // 200}.{1 + number % 200}"
            fix = {"latitude": place[0], "longitude": place[1], "accuracyMetres": self.chance.choice((3, 25, 120))}
            body = {"fix": fix, "species": species, "sizeClass": self.chance.choice(SIZES), "condition": self.chance.choice(CONDITIONS),
                    "notes": f"notes of stranger {number}.", "contact": f"stranger{number}@example.org"}
            report = Report(number, place, kind, species, f"203.0.113.7, {address}" if number % 5 == 0 else address, body, decide(self.agencies, *place, species))
            # Of the others one has photos, to be erased.
            report.photos = photos(number) if self.kills or number == 0 else []
            self.reports.append(report)
            yield report

    def submits(self, count, kills):
        new = list(self.invents(count))
        if self.kills:
            self._over_kills(new, kills)
        else:
            self._undisturbed(new)
        forms, pictures = sum(one.is_repeated for one in new), sum(one.attempts[part] > 1 for one in new for part in (1, 2))
        print(f"{len(new)} reports sent over {kills} kills; {forms} forms and {pictures} photos were repeated, {sum(one.attempts['refused'] for one in new)} forms for their proof", flush=True)

    def _undisturbed(self, new):
        """Looks for numbers first, and sends then: the machine has nothing else to do."""
        sender = Outbox(self)
        for begin in range(0, len(new), REPORTS_AT_ONCE):
            part = new[begin:begin + REPORTS_AT_ONCE]
            proofs = list(self.solvers.map(solve, [sender.challenge(report) for report in part]))
            for report, proof in zip(part, proofs):
                # No two at a fixed distance: the policy looks twice a second.
                time.sleep(self.chance.uniform(0, 0.3))
                sender.sends(report, proof)

    def _over_kills(self, new, kills):
        """Each kill comes within milliseconds of the beginning of a request: of a form, or of one of its photos."""
        waiting, moments = queue.SimpleQueue(), queue.SimpleQueue()
        victims = {report.number: self.chance.randrange(3) for report in self.chance.sample(new, kills)}
        outboxes = [Outbox(self, waiting, moments, victims) for _ in range(OUTBOXES)]
        for report in [*new, *(None for _ in outboxes)]:
            waiting.put(report)
        for outbox in outboxes:
            threading.Thread(target=outbox.run, daemon=True).start()
        for left in (*range(kills), *outboxes):
            is_kill = moments.get()
            hold(not self.failed, f"{self.failed}")
            if is_kill:
                time.sleep(self.chance.choice((0, self.chance.uniform(0, KILL_WITHIN_SECONDS))))
                self.centre.gateway.kill()
                self.centre.start()

    # MARK: What is there

    def each_is_there_once(self):
        """The desk's list, page by page."""
        found, before = [], ""
        while True:
            page = self.told(self.chief.get(f"/v1/reports?limit=100{before}"), "the list of reports").json
            found += page["items"]
            if "next" not in page:
                break
            before = f"&before={page['next']}"
        ids, notes = Counter(one["id"] for one in found), Counter(one["notes"] for one in found)
        hold(ids == Counter(report.id for report in self.reports), f"{len(found)} reports are listed, {len(self.reports)} were sent: {ids - Counter(report.id for report in self.reports)}")
        hold(notes == Counter(report.body["notes"] for report in self.reports), "each report's words are there once")

    def each_went_to_its_agency(self):
        self.shown, kinds, unclear = {}, Counter(), 0
        for report in self.reports:
            shown = self.shown[report.id] = self.told(self.chief.get(f"/v1/reports/{report.id}"), f"{report}").json
            hold((shown["fix"]["latitude"], shown["fix"]["longitude"]) == report.place, f"{report} is shown at {shown['fix']}")
            hold(len(shown["assignments"]) == 1, f"{report} has assignments {shown['assignments']}")
            given, allowed = shown["assignments"][0], {one.id: one for one in report.decision.allowed}
            words = f"{report} went to {given['agency']['name']} by {given['rule']}, and belongs to {[one.name for one in report.decision.allowed]} by {report.decision.rule}"
            hold(given["agency"]["id"] in allowed and given["rule"] == report.decision.rule, words)
            agency = allowed[given["agency"]["id"]]
            followed = self.told(self.centre.client().get(f"/v1/public/reports/{report.token}"), f"{report}, followed").json
            hold(report.answer["agency"]["id"] == agency.id == shown["agency"]["id"] == followed["agency"]["id"], f"{report}: the stranger was told {report.answer['agency']}, the desk {shown['agency']}")
            hold(followed["photos"] == len(report.photos), f"{report}: the stranger is told of {followed['photos']} photos, and sent {len(report.photos)}")
            report.agency = agency
            kinds[f"{agency.name} by {given['rule']}"] += 1
            unclear += len(allowed) > 1
        print(f"{len(self.reports)} assignments are those of shapely and geographiclib, {unclear} of them too close to call; {dict(kinds.most_common())}", flush=True)

    def each_was_pushed(self):
        """To its agency's member, once; twice only where nobody knows how an attempt ended. Nobody else, and nobody off duty."""
        wanted = {report.id: report.agency.name for report in self.reports}
        until(lambda: {one for member in self.members.values() for one in member.pushed()} >= set(wanted) or self.failed, "each report was pushed")
        hold(not self.failed, f"{self.failed}")
        queued, unknown, doubled = {}, set(), 0
        for entry in self.centre.entries():
            if entry["type"] == "alert.queued/1":
                queued.setdefault(entry["data"]["cause"].removeprefix("report/"), []).append(entry["subject"])
            elif entry["type"] == "alert.failed/1" and entry["data"]["permanence"] == "unknown":
                unknown.add(entry["subject"])
        for name, member in {**self.members, "nobody, off duty": self.resting}.items():
            hold(not member.end.faults, f"the push service of {name} found: {member.end.faults}")
            for report, count in Counter(member.pushed()).items():
                hold(wanted.get(report) == name, f"report {report} of {wanted.get(report)} was pushed to {name}")
                hold(len(queued[report]) == 1, f"report {report} has the alerts {queued[report]}")
                hold(count == 1 or queued[report][0] in unknown, f"report {report} was pushed {count} times, and no attempt is unknown")
                doubled += count > 1
        print(f"{len(wanted)} reports pushed to their agencies' members, {doubled} of them twice, after {len(unknown)} attempts of which nobody knows the end", flush=True)

    def each_photo_opens(self):
        """For the agency's member, with the bytes that were sent."""
        count = 0
        for report in self.reports:
            pictures = self.shown[report.id]["pictures"]
            hold(len(pictures) == len(report.photos), f"{report} has {len(pictures)} photos, sent were {len(report.photos)}")
            member = self.members[report.agency.name].client
            opened = [self.told(member.get(f"/v1/reports/{report.id}/photos/{one['id']}"), f"a photo of {report}").body for one in pictures]
            hold(sorted(opened) == sorted(data for data, _ in report.photos), f"the photos of {report} have other bytes than were sent")
            count += len(opened)
        print(f"{count} photos open with the bytes that were sent", flush=True)

    def tells_how_long_it_took(self):
        came = {}
        for member in self.members.values():
            for at, report in member.arrivals():
                came[report] = min(at, came.get(report, at))
        for words, some in (("sent once", [one for one in self.reports if not one.is_repeated]), ("repeated over a kill", [one for one in self.reports if one.is_repeated])):
            # Who had to look for another number took that long.
            times = sorted(1_000 * (came[report.id] - report.posted) for report in some if not report.attempts["refused"])
            if times:
                print(f"from the form to the push, of {len(times)} {words}: p50 {percentile(times, 50):.0f} ms, p99 {percentile(times, 99):.0f} ms, most {times[-1]:.0f} ms", flush=True)

    # MARK: Erasing

    def erases_a_reporter(self):
        """What staff wrote of the stranger goes, too; the report stays, and others' do."""
        report = next(one for one in self.reports if one.photos)
        other = next(one for one in self.reports if one is not report)
        member, near = self.members[report.agency.name].client, f"&near={report.place[0]},{report.place[1]}"
        self.told(member.post(f"/v1/reports/{report.id}/updates", {"text": f"{report.body['contact']} waits there"}), "an update")
        self.told(member.post(f"/v1/reports/{report.id}/status", {"to": "heading_out", "note": f"{report.body['contact']} called"}), "a note")
        readers = {"the desk": self.chief, "the member": member, "the administrator": self.centre.admin}
        paths = [f"/v1/reports/{report.id}", "/v1/reports?limit=500"]
        for who, reader in readers.items():
            hold(report.body["contact"].encode() in reader.get(paths[0]).body, f"{who} reads the contact before")
        pictures = [one["id"] for one in self.shown[report.id]["pictures"]]
        erased = self.centre.admin.post(f"/v1/persons/{self.shown[report.id]['reporter']}/erase", {"reason": "asked"})
        hold(erased.status == 200 and not erased.json["left"], f"erasing the reporter: {erased}")
        for who, reader in readers.items():
            shown = self.told(reader.get(paths[0]), f"the erased report, by {who}").json
            hold(shown["erased"] and not {"fix", "notes", "contact", "metresAway"} & set(shown), f"{who} still sees {shown}")
            hold(all("note" not in one for one in shown["history"]) and all("text" not in one for one in shown["updates"]), f"{who} still sees {shown}")
            # From a few distances to bases, which are no secret, a place follows again.
            hold(not any("metres" in name for one in shown["assignments"] for name in one), f"{who} is told distances: {shown['assignments']}")
            listed = [one for one in self.listed(reader, paths[1]) if one["id"] == report.id]
            hold(len(listed) == 1 and listed[0]["erased"] and not {"fix", "notes", "contact", "metresAway"} & set(listed[0]), f"{who} sees in the list {listed}")
            for path in paths:
                hold(report.body["contact"].encode() not in reader.get(path).body, f"{who} still reads the contact in {path}")
            for picture in pictures:
                answer = reader.get(f"/v1/reports/{report.id}/photos/{picture}")
                hold(answer.status in (404, 410), f"{who} opens a photo of the erased report: {answer.status}")
        hold(report.id not in [one["id"] for one in self.chief.get(f"/v1/reports?withinMetres=1000{near}").json.get("items", [])], "the erased report is found by its place")
        hold(self.chief.get(f"/v1/reports/{other.id}").json["contact"] == other.body["contact"], "another report lost its contact")
        # An outbox that did not hear of it sends again; nothing comes back by that.
        again = Outbox(self)
        answer = again.post(report, solve(again.challenge(report)))
        data, media_type = photos(len(self.reports))[0]
        photo = again.put(report, 3, data, media_type)
        print(f"a reporter is erased; the report that is sent again is answered {answer.status}, a further photo {photo.status}", flush=True)
        for picture in self.told(member.get(paths[0]), f"{report}").json["pictures"]:
            hold(member.get(f"/v1/reports/{report.id}/photos/{picture['id']}").status in (404, 410), "a photo that came after the erasure opens")
        shown = self.chief.get(paths[0]).json
        hold(shown["erased"] and "contact" not in shown and "fix" not in shown, f"sent again, it shows {shown}")
        hold(len(self.listed(self.chief, paths[1])) == len(self.reports), "sent again, it is another report")

    def listed(self, reader, path):
        found, page = [], self.told(reader.get(path), f"{path}").json
        while True:
            found += page["items"]
            if "next" not in page:
                return found
            page = self.told(reader.get(f"{path}&before={page['next']}"), f"{path}").json


class Member:
    """A rescuer with a browser, who takes what comes."""

    def __init__(self, centre, login):
        self.client, self.end, self.taken = centre.staff(login, "rescuer"), PushEndpoint(), set()
        # It reads on the main thread and takes reports on another.
        self.hand = centre.client(self.client.token)
        self.end.key = self.client.get("/v1/push/key").json["key"]
        answer = self.client.put("/v1/reach/browser", self.end.subscription())
        hold(answer.ok, f"subscribing: {answer}")

    def arrivals(self):
        """When each push came, and of which report."""
        return [(one["at"], one["message"]["url"].removeprefix("/rescue/")) for one in list(self.end.received) if one["message"]]

    def pushed(self):
        return [report for _, report in self.arrivals()]

    def acknowledges(self):
        for report in self.pushed():
            if report not in self.taken:
                answer = self.hand.post(f"/v1/reports/{report}/status", {"to": "acknowledged"}, key=f"take-{report}")
                hold(answer.ok, f"taking {report}: {answer}")
                self.taken.add(report)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--reports", type=int, default=300)
    parser.add_argument("--kills", type=int, default=0, help="of the gateway, while outboxes send reports with photos")
    seed(parser)
    run(main, parser.parse_args())
