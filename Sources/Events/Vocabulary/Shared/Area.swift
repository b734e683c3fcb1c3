// SPDX-License-Identifier: Apache-2.0

/// Polygons on the map, each with its outline and holes: the corners of a GeoJSON MultiPolygon (RFC 7946).
///
/// Edges are straight in longitude and latitude. What crosses the date line is cut at 180° into polygons on both sides.
public struct Area: Codable, Hashable, Sendable {
    /// Polygons, of rings, of corners one after the other: longitude, latitude, longitude, latitude … in degrees.
    ///
    /// The first ring is the outline, the others are holes; each ring ends with its first corner.
    public let polygons: [[[Double]]]

    public init(polygons: [[[Double]]]) {
        self.polygons = polygons
    }

    /// Corners of an area at most.
    public static let cornersMax = 2_000

    /// Why an area is none.
    public enum Fault: Error, Hashable, CustomStringConvertible {
        case empty
        case tooManyCorners(Int)
        case oddNumbers(polygon: Int, ring: Int)
        case tooFewCorners(polygon: Int, ring: Int)
        case notClosed(polygon: Int, ring: Int)
        case notOnEarth(polygon: Int, ring: Int)
        case edgeOverHalfTheEarth(polygon: Int, ring: Int)
        case crossesItself(polygon: Int, ring: Int)

        public var description: String {
            switch self {
            case .empty: "the area has no polygon; leave it out where there is none"
            case .tooManyCorners(let count):
                "the area has \(count) corners; at most \(Area.cornersMax) are kept: simplify it"
            case .oddNumbers(let polygon, let ring):
                "ring \(ring) of polygon \(polygon) has a longitude without latitude"
            case .tooFewCorners(let polygon, let ring):
                "ring \(ring) of polygon \(polygon) has fewer than 4 corners, the first one again at the end"
            case .notClosed(let polygon, let ring):
                "ring \(ring) of polygon \(polygon) does not end where it begins"
            case .notOnEarth(let polygon, let ring):
                "ring \(ring) of polygon \(polygon) has a corner beyond 180° or 90°; longitude stands first"
            case .edgeOverHalfTheEarth(let polygon, let ring):
                "ring \(ring) of polygon \(polygon) has an edge over more than 180° of longitude; "
                    + "cut the area at the date line into two polygons"
            case .crossesItself(let polygon, let ring):
                "ring \(ring) of polygon \(polygon) crosses itself or another ring"
            }
        }
    }

    /// Checks that this is an area; takes time in the square of its corners.
    public func check() throws(Fault) {
        guard !polygons.isEmpty, polygons.allSatisfy({ !$0.isEmpty }) else { throw .empty }
        let corners = polygons.reduce(0) { $0 + $1.reduce(0) { $0 + $1.count / 2 } }
        guard corners <= Self.cornersMax else { throw .tooManyCorners(corners) }
        for (polygon, rings) in polygons.enumerated() {
            for (ring, numbers) in rings.enumerated() {
                try Self.check(numbers, polygon + 1, ring + 1)
            }
            try Self.checkCrossings(rings, polygon + 1)
        }
    }

    private static func check(_ numbers: [Double], _ polygon: Int, _ ring: Int) throws(Fault) {
        guard numbers.count.isMultiple(of: 2) else {
            throw .oddNumbers(polygon: polygon, ring: ring)
        }
        let corners = corners(of: numbers)
        guard corners.count >= 4 else { throw .tooFewCorners(polygon: polygon, ring: ring) }
        guard corners.first == corners.last else { throw .notClosed(polygon: polygon, ring: ring) }
        guard
            corners.allSatisfy({ (-180...180).contains($0.x) && (-90...90).contains($0.y) })
        else { throw .notOnEarth(polygon: polygon, ring: ring) }
        guard zip(corners, corners.dropFirst()).allSatisfy({ abs($0.x - $1.x) <= 180 }) else {
            throw .edgeOverHalfTheEarth(polygon: polygon, ring: ring)
        }
    }

    /// Refuses edges of one polygon that meet anywhere but at the corner that two neighbours share.
    private static func checkCrossings(_ rings: [[Double]], _ polygon: Int) throws(Fault) {
        var edges: [Edge] = []
        for (ring, numbers) in rings.enumerated() {
            let corners = corners(of: numbers)
            for (from, to) in zip(corners, corners.dropFirst()) where from != to {
                edges.append(Edge(from: from, to: to, ring: ring + 1))
            }
        }
        for first in edges.indices {
            for second in edges.indices.dropFirst(first + 1)
            where edges[first].crosses(edges[second]) {
                throw .crossesItself(polygon: polygon, ring: edges[second].ring)
            }
        }
    }

    /// Whether a place lies in the area; its border, also that of a hole, is in it.
    ///
    /// The meridians 180° west and east are the same.
    public func covers(_ place: Fix) -> Bool {
        let point = Corner(x: place.longitude, y: place.latitude)
        let points =
            abs(point.x) == 180 ? [point, Corner(x: -point.x, y: point.y)] : [point]
        return polygons.contains { rings in points.contains { Self.covers($0, rings) } }
    }

    private static func covers(_ point: Corner, _ rings: [[Double]]) -> Bool {
        var isInside = false
        for ring in rings {
            let corners = corners(of: ring)
            for (from, to) in zip(corners, corners.dropFirst()) {
                let turn = point.turn(from, to)
                if turn == 0, point.isBetween(from, to) { return true }
                // The edge reaches over the point's latitude, and lies to the east of it.
                if (from.y > point.y) != (to.y > point.y), (to.y > from.y) == (turn > 0) {
                    isInside.toggle()
                }
            }
        }
        return isInside
    }

    private struct Corner: Hashable {
        /// Degrees east.
        let x: Double
        /// Degrees north.
        let y: Double

        /// Over zero where the point lies to the left of the way from one corner to the other, zero on its line.
        func turn(_ from: Corner, _ to: Corner) -> Double {
            (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x)
        }

        func isBetween(_ one: Corner, _ other: Corner) -> Bool {
            (min(one.x, other.x)...max(one.x, other.x)).contains(x)
                && (min(one.y, other.y)...max(one.y, other.y)).contains(y)
        }
    }

    private struct Edge {
        let from: Corner
        let to: Corner
        let ring: Int

        /// Whether two edges cross, or lie on one another; touching at a corner is none.
        func crosses(_ other: Edge) -> Bool {
            let (a, b) = (other.from.turn(from, to), other.to.turn(from, to))
            let (c, d) = (from.turn(other.from, other.to), to.turn(other.from, other.to))
            if a == 0, b == 0 { return overlaps(other) }
            return a * b < 0 && c * d < 0
        }

        /// Whether two edges on one line share more than an end.
        private func overlaps(_ other: Edge) -> Bool {
            let isSteep = abs(to.y - from.y) > abs(to.x - from.x)
            func span(_ edge: Edge) -> ClosedRange<Double> {
                let (one, two) = isSteep ? (edge.from.y, edge.to.y) : (edge.from.x, edge.to.x)
                return min(one, two)...max(one, two)
            }
            let (mine, others) = (span(self), span(other))
            return max(mine.lowerBound, others.lowerBound) < min(mine.upperBound, others.upperBound)
        }
    }

    private static func corners(of numbers: [Double]) -> [Corner] {
        stride(from: 0, to: numbers.count - 1, by: 2).map {
            Corner(x: numbers[$0], y: numbers[$0 + 1])
        }
    }
}
