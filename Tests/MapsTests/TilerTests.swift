// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Foundation
import TestSupport
import Testing

@testable import Maps

@Suite struct `Tiles of a map` {
    @Test(arguments: 0..<12 as Range<UInt64>)
    func `show what lies there: ids, names and areas come back`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let island = SampleShapes.island(points: 300, &generator)
        let features = [
            Feature(
                id: 7,
                layer: .land,
                zoomLeast: 0,
                properties: [],
                outlines: [try #require(SampleShapes.outline(island))]
            ),
            Feature(
                id: 1 << 40,
                layer: .place,
                zoomLeast: 2,
                properties: [("name", .text("São Tomé")), ("capital", .boolean(true))],
                outlines: Shapefile.Shape(kind: .points, parts: [[island[0]]]).outlines
            ),
        ]
        var tiles: [TileID: TileReader] = [:]
        try Tiler(zoomMost: 4).tiles(of: features) { id, bytes in
            tiles[id] = try TileReader(compressed: bytes)
        }
        let whole = `An outline`.area(features[0].outlines[0])
        for zoom in 0...4 {
            let own = tiles.filter { $0.key.zoom == zoom }
            #expect(!own.isEmpty)
            for (_, tile) in own { Self.checkShape(tile) }
            // A tile knows a margin of its neighbours; that much more may be counted twice.
            let sum = own.reduce(0) { $0 + Self.area($1.value, zoom: zoom) }
            #expect(abs(sum - whole) < whole * 0.15, "zoom \(zoom): \(sum) of \(whole)")
            let named = own.values.flatMap { $0.layers["place"] ?? [] }
            #expect(named.isEmpty == (zoom < 2))
            #expect(named.allSatisfy { $0.id == 1 << 40 })
            #expect(named.allSatisfy { $0.properties == ["name": "São Tomé", "capital": "1"] })
        }
    }

    /// Rings have three points at least, an area, and lie in the tile and its margin.
    private static func checkShape(_ tile: TileReader) {
        let margin = VectorTile.extent / 64 + 1
        for land in tile.layers["land"] ?? [] {
            #expect(land.id == 7)
            #expect(land.type == 3)
            for ring in land.parts {
                #expect(ring.count >= 3)
                #expect(TileGeometry.doubledArea(ring) > 0)
                #expect(ring.first != ring.last)
                let range = -margin...VectorTile.extent + margin
                #expect(ring.allSatisfy { range.contains($0.x) && range.contains($0.y) })
            }
        }
    }

    private static func area(_ tile: TileReader, zoom: Int) -> Double {
        let steps = Double(VectorTile.extent << zoom)
        let doubled = (tile.layers["land"] ?? []).flatMap(\.parts)
            .map(TileGeometry.doubledArea).reduce(0, +)
        return Double(doubled) / 2 / (steps * steps)
    }

    @Test func `leave out a hole whose ring is too small to be seen`() throws {
        let size = 1e-9
        func ring(_ points: [(Double, Double)], _ role: Outline.Role) throws -> Outline {
            let vertices = points.map {
                Vertex(
                    point: SquarePoint(x: 0.5 + $0.0 * size, y: 0.5 + $0.1 * size),
                    importance: .infinity
                )
            }
            return try #require(Outline(role, vertices))
        }
        let outer = try ring([(0, 0), (9, 0), (9, 9), (0, 9)], .outer)
        let hole = try ring([(1, 1), (1, 8), (8, 8), (8, 1)], .hole)
        let feature = Feature(
            id: 1,
            layer: .land,
            zoomLeast: 0,
            properties: [],
            outlines: [outer, hole]
        )
        #expect(VectorTile(.world, toleranceSteps: 1).encoded([feature]) == nil)
    }
}

@Suite struct `The world map` {
    @Test func `is made of shapefiles, and read back by its tiles`() async throws {
        let folder = try TemporaryFolder()
        try Self.writeWorld(in: folder)
        let file = folder.url.appending(path: "World Map.mbtiles")
        let summary = try WorldMap(from: folder.url, zoomMost: 3).write(to: file)
        #expect(summary.features == 5)
        let set = try TileSet(at: file)
        #expect(set.name == "world-map")
        #expect(set.format == .vector)
        #expect(set.zooms == 0...3)
        #expect(set.attribution == "Natural Earth, public domain")
        let quarter = try #require(TileID(zoom: 1, column: 1, row: 0))
        let world = try #require(try await set.tile(quarter))
        let read = try TileReader(compressed: [UInt8](world))
        #expect(Set(read.layers.keys) == ["land", "border", "place"])
        #expect(read.layers["place"]?.first?.properties["name"] == "Inselstadt")
        // The island lies in the north east: there and nowhere else something is to be seen.
        let inside = try #require(TileID(zoom: 3, column: 4, row: 3))
        let outside = try #require(TileID(zoom: 3, column: 4, row: 5))
        let north = try await set.tile(inside)
        let south = try await set.tile(outside)
        #expect(north != nil)
        #expect(south == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.filter { $0.contains("mbtiles") } == ["World Map.mbtiles"])
    }

    @Test func `says what is missing, and leaves nothing behind`() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "world.mbtiles")
        let error = #expect(throws: MapError.self) {
            try WorldMap(from: folder.url).write(to: file)
        }
        #expect(error?.description.contains("apt-get install") == true)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.isEmpty)
    }

    @Test func `is refused where a file is no set of tiles`() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "notes.mbtiles")
        try Data("notes".utf8).write(to: file)
        let error = #expect(throws: MapError.self) { try TileSet(at: file) }
        #expect(error?.description.contains("--map") == true)
        #expect(throws: MapError.self) { try TileSet(at: folder.url.appending(path: "no.mbtiles")) }
    }

    /// One island with a river, two borders and a town.
    private static func writeWorld(in folder: TemporaryFolder) throws {
        var generator = SeededGenerator(seed: 3)
        let island = SampleShapes.island(&generator)
        let line = Shapefile.Shape(kind: .lines, parts: [Array(island.prefix(30))])
        let shapes: [(String, [Shapefile.Shape], [String])] = [
            ("land", [Shapefile.Shape(kind: .polygon, parts: [island + [island[0]]])], ["", "0"]),
            ("rivers_lake_centerlines", [line], ["River", "9"]),
            ("admin_1_states_provinces_lines", [line], ["", "9"]),
            ("admin_0_boundary_lines_land", [line], ["", "0"]),
            (
                "populated_places_simple",
                [Shapefile.Shape(kind: .points, parts: [[GeoPoint(longitude: 10, latitude: 20)]])],
                ["Inselstadt", "0"]
            ),
        ]
        for (name, shapes, row) in shapes {
            let file = folder.url.appending(path: "ne_10m_\(name)")
            let (bytes, index) = SampleShapes.shapefile(shapes)
            try Data(bytes).write(to: file.appendingPathExtension("shp"))
            try Data(index).write(to: file.appendingPathExtension("shx"))
            let table = SampleShapes.table(["name", "scalerank"], shapes.map { _ in row })
            try Data(table).write(to: file.appendingPathExtension("dbf"))
        }
    }
}
