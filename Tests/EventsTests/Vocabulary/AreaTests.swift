// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@Suite struct `An area` {
    private static let square = [0.0, 0, 10, 0, 10, 10, 0, 10, 0, 0]
    private static let neighbour = [10.0, 0, 20, 0, 20, 10, 10, 10, 10, 0]
    private static let hole = [4.0, 4, 6, 4, 6, 6, 4, 6, 4, 4]

    private static func isIn(_ area: Area, _ latitude: Double, _ longitude: Double) -> Bool {
        area.covers(Fix(latitude: latitude, longitude: longitude))
    }

    @Test func `covers its border and the border of its hole, and not the hole`() throws {
        let area = Area(polygons: [[Self.square, Self.hole]])
        try area.check()
        #expect(Self.isIn(area, 1, 1))
        #expect(!Self.isIn(area, 5, 5))
        #expect(Self.isIn(area, 4, 5))
        #expect(Self.isIn(area, 0, 0))
        #expect(Self.isIn(area, 5, 10))
        #expect(!Self.isIn(area, 5, 10.000_001))
    }

    @Test func `goes round either way, and in several pieces`() throws {
        let backwards = stride(from: 8, through: 0, by: -2).flatMap {
            [Self.square[$0], Self.square[$0 + 1]]
        }
        let far = Self.neighbour.enumerated().map {
            $0.offset % 2 == 0 ? $0.element + 30 : $0.element
        }
        let area = Area(polygons: [[backwards], [far]])
        try area.check()
        #expect(Self.isIn(area, 5, 5))
        #expect(Self.isIn(area, 5, 45))
        #expect(!Self.isIn(area, 5, 25))
    }

    @Test func `may lie on both sides of the date line, which is one meridian`() throws {
        let east = [170.0, -20, 180, -20, 180, -10, 170, -10, 170, -20]
        let west = [-180.0, -20, -175, -20, -175, -10, -180, -10, -180, -20]
        let area = Area(polygons: [[east], [west]])
        try area.check()
        for longitude in [179.9, 180, -180, -179.9] { #expect(Self.isIn(area, -15, longitude)) }
        #expect(!Self.isIn(area, -15, -170))
        #expect(Self.isIn(Area(polygons: [[east]]), -15, -180))
    }

    @Test(arguments: [
        ([0.0, 0, 10, 10, 10, 0, 0, 10, 0, 0], Area.Fault.crossesItself(polygon: 1, ring: 1)),
        ([0.0, 0, 10, 0, 10, 10, 0, 10], .notClosed(polygon: 1, ring: 1)),
        ([0.0, 0, 10, 0, 0, 0], .tooFewCorners(polygon: 1, ring: 1)),
        ([0.0, 0, 10], .oddNumbers(polygon: 1, ring: 1)),
        ([0.0, 0, 10, 0, 10, 91, 0, 0], .notOnEarth(polygon: 1, ring: 1)),
        ([-170.0, 0, 170, 0, 170, 10, -170, 0], .edgeOverHalfTheEarth(polygon: 1, ring: 1)),
        ([.nan, 0, 10, 0, 10, 10, .nan, 0], .notClosed(polygon: 1, ring: 1)),
    ])
    func `is refused by name`(ring: [Double], fault: Area.Fault) {
        #expect(throws: fault) { try Area(polygons: [[ring]]).check() }
    }

    @Test func `has a polygon, no more corners than are kept, and no hole across its outline`() {
        #expect(throws: Area.Fault.empty) { try Area(polygons: []).check() }
        #expect(throws: Area.Fault.empty) { try Area(polygons: [[]]).check() }
        var ring: [Double] = []
        for number in 0...Area.cornersMax { ring += [Double(number) / 1_000, 0] }
        #expect(throws: Area.Fault.tooManyCorners(Area.cornersMax + 1)) {
            try Area(polygons: [[ring]]).check()
        }
        let across = [5.0, 5, 15, 5, 15, 6, 5, 6, 5, 5]
        #expect(throws: Area.Fault.crossesItself(polygon: 1, ring: 2)) {
            try Area(polygons: [[Self.square, across]]).check()
        }
        #expect(throws: Never.self) {
            try Area(polygons: [[Self.square], [Self.neighbour]]).check()
        }
    }
}

@Suite struct `The way over the ground` {
    /// From GeographicLib: places from which 48,280 m lead north-west, east, north, over the date line and across the pole.
    @Test(arguments: [
        (36.8044, -121.7869, 37.111398197, -122.170987585, 48_279.0),
        (36.8044, -121.7869, 37.111410888, -122.171003560, 48_281.0),
        (36.8044, -121.7869, 36.803169532, -121.245898862, 48_279.0),
        (0, 10, 0, 10.433715602, 48_281.0), (0, 10, 0.436620455, 10, 48_279.0),
        (-16.5, 179.8, -16.423769442, -179.754841373, 48_279.0),
        (89.8, 20, 89.762150949, -178.395962152, 48_281.0),
        (78.2, 15.6, 78.192193389, 13.486875771, 48_280.0),
        (-54.8, -68.3, -55.207261076, -68.559372247, 48_280.0),
        (66.0, -179.9, 66.213707109, 179.171323815, 48_280.0),
    ])
    func `is that of the ellipsoid`(
        latitude: Double,
        longitude: Double,
        toLatitude: Double,
        toLongitude: Double,
        metres: Double
    ) {
        let here = Fix(latitude: latitude, longitude: longitude)
        let there = Fix(latitude: toLatitude, longitude: toLongitude)
        #expect(abs(here.metres(to: there) - metres) < 0.001)
        #expect(abs(there.metres(to: here) - metres) < 0.001)
        #expect(here.metres(to: here) == 0)
    }

    @Test func `is finite to the other side of the Earth`() {
        let here = Fix(latitude: 0, longitude: 0)
        let far = here.metres(to: Fix(latitude: 0.1, longitude: 179.9))
        #expect((19_800_000.0...20_040_000).contains(far))
    }
}
