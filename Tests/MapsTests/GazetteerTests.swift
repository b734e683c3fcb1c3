// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Maps

@Suite struct `The nearest town` {
    private let zones = Gazetteer(
        zones: """
            # a comment
            GB\t+513030-0000731\tEurope/London
            FR\t+4852+00220\tEurope/Paris
            AR\t-3436-05827\tAmerica/Argentina/Buenos_Aires\tmost of it
            FJ\t-1808+17825\tPacific/Fiji
            """
    )

    @Test(arguments: [
        (51.6565, -0.3903, "London", 25_000.0, Gazetteer.Direction.northWest),
        (51.5083, -0.1253, "London", 0, .north),
        (48.0, 2.3333, "Paris", 96_000, .south),
        (-34.6, -59.0, "Buenos Aires", 50_000, .west),
        // Beyond the date line.
        (-18.13, -179.5, "Fiji", 220_000, .east),
    ])
    func `is told with distance and direction`(
        latitude: Double,
        longitude: Double,
        name: String,
        metres: Double,
        direction: Gazetteer.Direction
    ) throws {
        let nearest = try #require(zones.nearest(latitude: latitude, longitude: longitude))
        #expect(nearest.name == name)
        #expect(abs(nearest.metres - metres) < 2_500)
        if metres > 0 { #expect(nearest.direction == direction) }
    }

    @Test func `is one of Natural Earth's where they are there`() throws {
        let folder = try TemporaryFolder()
        let places = [
            Shapefile.Shape(kind: .points, parts: [[GeoPoint(longitude: 10, latitude: 20)]]),
            Shapefile.Shape(kind: .points, parts: [[GeoPoint(longitude: 11, latitude: 20)]]),
        ]
        let file = folder.url.appending(path: "ne_10m_populated_places_simple")
        let (bytes, index) = SampleShapes.shapefile(places)
        try Data(bytes).write(to: file.appendingPathExtension("shp"))
        try Data(index).write(to: file.appendingPathExtension("shx"))
        let table = SampleShapes.table(["name"], [["Inselstadt"], ["Osthafen"]])
        try Data(table).write(to: file.appendingPathExtension("dbf"))
        let gazetteer = try Gazetteer(naturalEarth: folder.url)
        #expect(gazetteer.nearest(latitude: 20, longitude: 10.9)?.name == "Osthafen")
        #expect(Gazetteer(zones: "").nearest(latitude: 0, longitude: 0) == nil)
    }
}
