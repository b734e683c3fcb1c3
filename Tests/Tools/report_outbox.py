# SPDX-License-Identifier: Apache-2.0
"""Strangers' phones, whose outboxes repeat a report and its photos until the gateway has them, for the program `dispatch`."""

import dataclasses
import http.client
import os
import struct
import time
import zlib
from collections import Counter

from browser_pictures import PICTURES
from centre import hold
from daybook import DEADLINE, new_id
from passer_by import solve

# What a request raises that found no gateway, or whose gateway went.
LOST = (OSError, http.client.HTTPException)


@dataclasses.dataclass
class Report:
    """What a stranger reports, what was decided apart from the gateway, and what the gateway answered."""

    number: int
    place: tuple
    kind: str
    species: str
    address: str
    body: dict
    decision: object
    photos: list = dataclasses.field(default_factory=list)
    key: str = dataclasses.field(default_factory=new_id)
    id: str = ""
    token: str = ""
    answer: dict = None
    posted: float = 0
    # Of the form, and of its photos.
    attempts: Counter = dataclasses.field(default_factory=Counter)

    @property
    def is_repeated(self):
        """Whether the form went again, refusals of its proof not counted."""
        return self.attempts[0] > 1 + self.attempts["refused"]

    def __str__(self):
        return f"report {self.number} ({self.kind}, {self.species} at {self.place[0]!r}, {self.place[1]!r})"


class Outbox:
    """Strangers' phones: what got no answer goes again under the same key, and with a new proof where the old one is refused."""

    def __init__(self, dispatch, waiting=None, moments=None, victims={}):
        self.dispatch, self.waiting, self.moments, self.victims = dispatch, waiting, moments, victims
        self.client = dispatch.centre.client()

    def run(self):
        """Sends what waits; says when a kill is due, and at the end that none is."""
        try:
            proof = None
            while (report := self.waiting.get()) is not None:
                # Some try another's proof: it is refused, unless a kill made the gateway forget that it was used.
                tries_other = proof and report.number % 10 == 0
                proof = self.sends(report, proof if tries_other else self._solved(report))
        except Exception as fault:  # told by the main thread, whatever it is
            self.dispatch.failed.append(repr(fault))
        self.moments.put(False)

    def _solved(self, report):
        return self.dispatch.solvers.submit(solve, self._until_answered(lambda: self.challenge(report))).result()

    def _until_answered(self, ask):
        end = time.monotonic() + DEADLINE
        while True:
            try:
                return ask()
            except LOST:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def challenge(self, report):
        answer = self.client.get("/v1/public/proof-of-work", headers=self._headers(report), patiently=False)
        hold(answer.ok, f"a challenge for {report}: {answer}")
        return answer.json

    def _headers(self, report, **more):
        return {"X-Forwarded-For": report.address, **more}

    def _begins(self, report, part):
        """An attempt at a part of a report: 0 is the form, others are photos."""
        report.attempts[part] += 1
        if self.victims.get(report.number) == part and report.attempts[part] == 1:
            self.moments.put(True)

    def post(self, report, proof):
        self._begins(report, 0)
        return self.client.post("/v1/public/reports", {**report.body, "proof": proof}, key=report.key, headers=self._headers(report), patiently=False)

    def sends(self, report, proof):
        """Sends a report until it is there, then its photos; returns the proof that was taken."""
        report.posted = time.monotonic()
        while (answer := self._until_answered(lambda: self.post(report, proof))).status != 201:
            # Its own address has sent nothing else: nobody else's limit is its own.
            hold(answer.status == 422 and b"proof-of-work-refused" in answer.body or answer.status == 503, f"{report}: {answer}")
            proof, report.attempts["refused"] = self._solved(report), report.attempts["refused"] + (answer.status == 422)
        report.answer = answer.json
        report.id, report.token = report.answer["report"], report.answer["token"]
        for number, (data, media_type) in enumerate(report.photos, 1):
            while (answer := self._until_answered(lambda: self.put(report, number, data, media_type))).status == 503:
                time.sleep(0.05)
            hold(answer.status in (200, 201), f"photo {number} of {report}: {answer}")
        return proof

    def put(self, report, number, data, media_type):
        self._begins(report, number)
        headers = self._headers(report, **{"Content-Type": media_type})
        return self.client.put(f"/v1/public/reports/{report.token}/photos/{number}", data, headers=headers, patiently=False)


def photos(number):
    """Two pictures that nobody else sent: a remark in each says whose they are."""
    with open(os.path.join(PICTURES, "street.jpg"), "rb") as file:
        jpeg = file.read()
    with open(os.path.join(PICTURES, "street.png"), "rb") as file:
        png = file.read()
    remark, end = b"Comment\0stranger %d" % number, png.rindex(b"IEND") - 4
    chunk = struct.pack(">I", len(remark)) + b"tEXt" + remark + struct.pack(">I", zlib.crc32(b"tEXt" + remark))
    return [(jpeg[:2] + b"\xff\xfe" + struct.pack(">H", 2 + len(remark)) + remark + jpeg[2:], "image/jpeg"), (png[:end] + chunk + png[end:], "image/png")]
