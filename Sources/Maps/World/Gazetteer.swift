// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Towns by place, so that words can be told where only coordinates are known.
public struct Gazetteer: Sendable {
    /// A town, in degrees (WGS 84).
    struct Town: Sendable, Hashable {
        let name: String
        let latitude: Double
        let longitude: Double
    }

    /// The nearest town to a place.
    public struct Nearest: Sendable, Hashable {
        public let name: String
        /// On a sphere: right to half a per cent.
        public let metres: Double
        /// Where the place is, as seen from the town.
        public let direction: Direction
    }

    /// Eight directions, clockwise from the north.
    public enum Direction: Int, Sendable, CaseIterable {
        case north, northEast, east, southEast, south, southWest, west, northWest
    }

    let towns: [Town]

    /// The best that this machine has: some 7,000 towns of Natural Earth (`libmagics++-data`), otherwise the 400 after which time zones are
    /// called (`tzdata`); `nil` where it has neither.
    public static let installed: Gazetteer? =
        (try? Gazetteer(naturalEarth: URL(filePath: NaturalEarth.standardFolder)))
        ?? (try? Gazetteer(zones: URL(filePath: "/usr/share/zoneinfo/zone.tab")))

    /// The populated places of Natural Earth at 1:10 million.
    ///
    /// - Throws: ``MapError``.
    public init(naturalEarth folder: URL) throws {
        let file = folder.appending(path: "ne_10m_populated_places_simple.shp")
        let shapes = try Shapefile(at: file).shapes
        let table = try AttributeTable(
            at: file.deletingPathExtension().appendingPathExtension("dbf")
        )
        towns = shapes.prefix(table.count).enumerated().compactMap { row, shape -> Town? in
            guard let point = shape.parts.first?.first, let name = table.text("name", of: row)
            else { return nil }
            return Town(name: name, latitude: point.latitude, longitude: point.longitude)
        }
    }

    /// The table of time zones (`zone.tab` of the tz database, columns 2 and 3).
    ///
    /// - Throws: What reading the file throws.
    public init(zones file: URL) throws {
        self.init(zones: try String(contentsOf: file, encoding: .utf8))
    }

    /// Reads the table itself.
    public init(zones table: String) {
        towns = table.split(separator: "\n").compactMap { line -> Town? in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard !line.hasPrefix("#"), columns.count >= 3,
                let (latitude, longitude) = Self.coordinates(columns[1]),
                let name = columns[2].split(separator: "/").last
            else { return nil }
            return Town(
                name: String(name.replacing("_", with: " ")),
                latitude: latitude,
                longitude: longitude
            )
        }
    }

    /// The nearest town; with equal distances the first of the table.
    ///
    /// - Returns: `nil` where the gazetteer is empty.
    public func nearest(latitude: Double, longitude: Double) -> Nearest? {
        let found = towns.min {
            Self.chord($0, latitude, longitude) < Self.chord($1, latitude, longitude)
        }
        return found.map { town in
            Nearest(
                name: town.name,
                metres: 2 * Self.earthRadius
                    * asin(min(1, Self.chord(town, latitude, longitude).squareRoot())),
                direction: Self.direction(from: town, latitude, longitude)
            )
        }
    }

    private static let earthRadius = 6_371_008.8

    /// The haversine of the angle between a town and a place, which grows with their distance.
    private static func chord(_ town: Town, _ latitude: Double, _ longitude: Double) -> Double {
        let (north, east) = (radians(latitude - town.latitude), radians(longitude - town.longitude))
        return pow(sin(north / 2), 2)
            + cos(radians(latitude)) * cos(radians(town.latitude)) * pow(sin(east / 2), 2)
    }

    private static func direction(
        from town: Town,
        _ latitude: Double,
        _ longitude: Double
    ) -> Direction {
        let (from, to) = (radians(town.latitude), radians(latitude))
        let east = radians(longitude - town.longitude)
        let angle = atan2(
            sin(east) * cos(to),
            cos(from) * sin(to) - sin(from) * cos(to) * cos(east)
        )
        let eighths = Int((angle / (.pi / 4)).rounded())
        return Direction(rawValue: (eighths + 8) % 8) ?? .north
    }

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

    /// `±DDMM±DDDMM` or `±DDMMSS±DDDMMSS` (ISO 6709).
    private static func coordinates(_ text: Substring) -> (latitude: Double, longitude: Double)? {
        guard let split = text.dropFirst().firstIndex(where: { $0 == "+" || $0 == "-" }),
            let latitude = degrees(text[..<split], whole: 2),
            let longitude = degrees(text[split...], whole: 3)
        else { return nil }
        return (latitude, longitude)
    }

    private static func degrees(_ text: Substring, whole: Int) -> Double? {
        let digits = text.dropFirst()
        guard let degrees = Double(digits.prefix(whole)),
            let minutes = Double(digits.dropFirst(whole).prefix(2))
        else { return nil }
        let seconds = Double(digits.dropFirst(whole + 2)) ?? 0
        let value = degrees + minutes / 60 + seconds / 3600
        return text.first == "-" ? -value : value
    }
}
