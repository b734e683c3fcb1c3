# SPDX-License-Identifier: Apache-2.0
"""Agencies whose areas are hard to tell apart, places at their edges, and which agency a report belongs to: decided by GEOS (shapely) and GeographicLib, apart from the gateway.

A program that uses this ends with 77 where python3-shapely or python3-geographiclib is not installed.
"""

import dataclasses
import math
import os
import sys

try:
    from geographiclib.geodesic import Geodesic
    from shapely.geometry import MultiPolygon, Point, Polygon
except ImportError:
    # Debian's modules are Debian's Python's: the program begins again with that.
    if os.path.realpath(sys.executable) == os.path.realpath("/usr/bin/python3"):
        print("skipped: python3-shapely or python3-geographiclib is not installed")
        sys.exit(77)
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

# Two ways that differ by less are as long as one another: what the gateway's formula and GeographicLib's may differ by.
SAME_METRES = 0.002
# Beyond that, almost on the other side of the Earth, the gateway's answer is that of a sphere, within 0.6 %.
FAR_METRES, FAR_SHARE = 19_900_000, 0.006


@dataclasses.dataclass
class Agency:
    """`polygons` are lists of rings of (longitude, latitude); `base` is (latitude, longitude). An agency without `types` takes all."""

    name: str
    base: tuple
    polygons: list = dataclasses.field(default_factory=list)
    types: tuple = ()
    takes_reports: bool = True
    id: str = ""

    def __post_init__(self):
        self.shape = MultiPolygon([Polygon(rings[0], rings[1:]) for rings in self.polygons])

    @property
    def definition(self):
        """As the gateway is told."""
        body = {"name": self.name, "types": list(self.types), "base": dict(zip(("latitude", "longitude"), self.base)), "takesReports": self.takes_reports}
        return body | ({"area": {"type": "MultiPolygon", "coordinates": self.polygons}} if self.polygons else {})

    def takes(self, species):
        return not self.types or species in self.types

    def covers(self, latitude, longitude):
        """Whether the place lies in the area or on a border of it; 180° west and east are one meridian."""
        meridians = {longitude, -longitude} if abs(longitude) == 180 else {longitude}
        return any(self.shape.covers(Point(meridian, latitude)) for meridian in meridians)

    def metres(self, latitude, longitude):
        return Geodesic.WGS84.Inverse(*self.base, latitude, longitude)["s12"]


def box(west, south, east, north):
    return [(west, south), (east, south), (east, north), (west, north), (west, south)]


# Decimal fractions of two, so that the middle of an edge is a number that JSON and the processor have exactly.
HOLE = box(-122.5, 36.75, -122, 37.25)
DIAMOND = [(-124, 36), (-122, 34.5), (-120, 36), (-122, 37.5), (-124, 36)]
HAWAII = (21.3, -157.9)


def agencies():
    """In the order in which they are set up."""
    return [
        Agency("Resting", (36.6, -121.9), [[box(-130, 30, -110, 45)]], takes_reports=False),
        Agency("Bay", (36.8044, -121.7869), [[box(-123, 36, -121, 38), HOLE]]),
        Agency("Reserve", (37.0, -122.25), [[HOLE]], ("sea-otter", "harbor-seal")),
        # Its northern edge is Bay's southern one; the others are at no number that is exact.
        Agency("South", (35.37, -120.86), [[[(-123, 36), (-122.9, 34.37), (-121.55, 34.13), (-120.7, 34.9), (-121, 36), (-123, 36)]]]),
        # Over Bay, its hole and South. From outside it is as far away as Ocean, and was there first.
        Agency("Whales", HAWAII, [[DIAMOND]], ("dolphin", "porpoise", "whale")),
        Agency("Ocean", HAWAII),
        # Its western part is the narrower one: elsewhere 180° west is in it as 180° east alone.
        Agency("Date line", (-18.14, 178.44), [[box(177, -20, 180, -15)], [box(-180, -18.5, -178, -16)]]),
    ]


@dataclasses.dataclass
class Decision:
    """`allowed` are the agencies that the rule lets have it: one, unless several are equally near for all that the formulas know."""

    allowed: list
    rule: str


def decide(agencies, latitude, longitude, species):
    """The rule of `AgencyChoice`, of agencies that are all in use, in the order in which they were set up."""
    taking = [one for one in agencies if one.takes_reports] or agencies
    such = [one for one in taking if one.takes(species)]
    covering = [one for one in such if one.covers(latitude, longitude)]
    naming = [one for one in covering if species in one.types]
    pool = naming or covering or such or taking
    metres = {one.name: one.metres(latitude, longitude) for one in pool}
    shortest = min(metres.values())
    near = [one for one in pool if metres[one.name] - shortest < max(SAME_METRES, FAR_SHARE * shortest if shortest > FAR_METRES else 0)]
    # Of one base the first agency has it; of two bases that are as near either may.
    allowed = [one for place, one in enumerate(near) if one.base not in [other.base for other in near[:place]]]
    return Decision(allowed, "jurisdiction" if covering else "nearest")


class Places:
    """Places by chance, most of them where it is hard to say whose they are. Each is (latitude, longitude)."""

    def __init__(self, chance, agencies):
        self.chance, self.agencies = chance, agencies
        self.rings = [ring for agency in agencies for rings in agency.polygons for ring in rings]
        self.kinds = [self.about, self.about, self.in_hole, self.corner, self.border, self.border, self.beside, self.by_date_line, self.by_date_line, self.divide, self.divide, self.anywhere, self.pole]

    def next(self):
        """A place and its kind."""
        kind = self.chance.choice(self.kinds)
        latitude, longitude = kind()
        return (max(-90.0, min(90.0, latitude)), max(-180.0, min(180.0, longitude))), kind.__name__

    def about(self):
        return self.chance.uniform(33.5, 38.5), self.chance.uniform(-125, -119)

    def in_hole(self):
        return self.chance.uniform(36.75, 37.25), self.chance.uniform(-122.5, -122)

    def corner(self):
        longitude, latitude = self.chance.choice(self.chance.choice(self.rings))
        return float(latitude), float(longitude)

    def border(self):
        """On an edge: exactly where the numbers are, else within what a number can say."""
        ring, part = self.chance.choice(self.rings), self.chance.randrange(1, 16) / 16
        place = self.chance.randrange(len(ring) - 1)
        (west, south), (east, north) = ring[place], ring[place + 1]
        return south + part * (north - south), west + part * (east - west)

    def beside(self):
        """The next number to a border, or a tenth of a metre away."""
        latitude, longitude = self.border()
        towards, step = self.chance.choice((-1, 1)), self.chance.choice((None, 1e-6))
        moved = lambda degrees: degrees + towards * step if step else math.nextafter(degrees, towards * 1_000)
        return (moved(latitude), longitude) if self.chance.random() < 0.5 else (latitude, moved(longitude))

    def by_date_line(self):
        latitude = self.chance.choice((-15.0, -20.0, self.chance.uniform(-22, -13)))
        west = self.chance.choice((180.0, math.nextafter(180, 0), 179.999999, self.chance.uniform(176, 180)))
        return latitude, west * self.chance.choice((-1, 1))

    def divide(self):
        """A few centimetres beside where one agency's places end and another's begin, mostly as far from both bases."""
        def whose(place):
            return decide(self.agencies, *place, "other").allowed[0]
        one = other = self.anywhere()
        while whose(one) is whose(other):
            other = self.anywhere()
        while max(abs(one[0] - other[0]), abs(one[1] - other[1])) > 1e-6:
            middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
            one, other = (middle, other) if whose(middle) is whose(one) else (one, middle)
        return self.chance.choice((one, other))

    def anywhere(self):
        return math.degrees(math.asin(self.chance.uniform(-1, 1))), self.chance.uniform(-180, 180)

    def pole(self):
        return self.chance.choice((-90.0, 90.0)), self.chance.uniform(-180, 180)
