// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import HTTPTypes
import Maps
import TestSupport
import Testing

@testable import Gateway

@Suite struct `Maps over HTTP` {
    @Test func `are listed, and their tiles answered as they lie in the file`() async throws {
        let (door, reader) = try await door()
        let list = try await door.send(.get, "/tiles", headers: reader)
        let items = try list.items
        #expect(items.map { $0["set"] as? String } == ["streets", "plan"])
        #expect(items.map { $0["format"] as? String } == ["pbf", "png"])
        #expect(items[0]["maxzoom"] as? Int == 2)
        #expect(items[0]["attribution"] as? String == "somebody")
        let tile = try await door.send(.get, "/tiles/streets/2/1/0", headers: reader)
        #expect(tile.status == 200)
        #expect(tile.headers[.contentType] == "application/vnd.mapbox-vector-tile")
        #expect(tile.headers[.contentEncoding] == "gzip")
        #expect(tile.headers[.cacheControl]?.hasPrefix("private") == true)
        let plan = try await door.send(.get, "/tiles/plan/0/0/0", headers: reader)
        #expect(plan.headers[.contentType] == "image/png")
        #expect(plan.headers[.contentEncoding] == nil)
        #expect(plan.body == "picture")
    }

    @Test func `are not sent again to a browser that has them`() async throws {
        let (door, reader) = try await door()
        let first = try await door.send(.get, "/tiles/plan/0/0/0", headers: reader)
        let tag = try #require(first.headers[.eTag])
        // Something on the way may have made it weak.
        for known in [tag, "\"other\", W/\(tag)"] {
            var headers = reader
            headers[.ifNoneMatch] = known
            let again = try await door.send(.get, "/tiles/plan/0/0/0", headers: headers)
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
        }
    }

    @Test(arguments: [
        ("/tiles/streets/2/1/1", 204), ("/tiles/streets/9/1/1", 204), ("/tiles/streets/2/4/0", 404),
        ("/tiles/streets/2/-1/0", 404), ("/tiles/streets/x/1/1", 404), ("/tiles/no/0/0/0", 404),
        ("/tiles/streets/99/0/0", 404), ("/tiles/..%2fplan/0/0/0", 404),
    ])
    func `show nothing where there is nothing`(path: String, status: Int) async throws {
        let (door, reader) = try await door()
        #expect(try await door.send(.get, path, headers: reader).status == status)
    }

    @Test func `of a site are for its staff, the world is everybody's`() async throws {
        let (door, _) = try await door(["world"])
        let list = try await door.send(.get, "/tiles")
        #expect(try list.items.map { $0["set"] as? String } == ["world"])
        #expect(try await door.send(.get, "/tiles/world/0/0/0").status == 200)
        #expect(try await door.send(.get, "/tiles/plan/0/0/0").status == 404)
    }

    @Test func `must differ in their names`() throws {
        let folder = try TemporaryFolder()
        let one = try Self.map("plan", "png", in: folder, tiles: [(0, 0, 0, "x")])
        #expect(throws: MapError.self) { try MapShelf([one, one]) }
    }

    @Test func `are found in the ledger's folder, the world first`() throws {
        let folder = try TemporaryFolder()
        let maps = folder.url.appending(path: "maps")
        try FileManager.default.createDirectory(at: maps, withIntermediateDirectories: true)
        for name in ["town.mbtiles", "aerial.mbtiles", "world.mbtiles", "notes.txt"] {
            try Data().write(to: maps.appending(path: name))
        }
        let found = MapShelf.standard(for: folder.url).map(\.lastPathComponent)
        #expect(found == ["world.mbtiles", "aerial.mbtiles", "town.mbtiles"])
    }

    /// As they were found in the folders of others: cut off, a page of an error, a pointer to the file, nothing, no tiles.
    @Test(arguments: ["half", "page", "pointer", "empty", "no tiles", "no metadata"])
    func `are left out when they are found damaged, and refused when they are named`(
        fault: String
    ) throws {
        let folder = try TemporaryFolder()
        let maps = folder.url.appending(path: "maps")
        try FileManager.default.createDirectory(at: maps, withIntermediateDirectories: true)
        let good = try Self.map("plan", "png", in: folder, tiles: [(0, 0, 0, "picture")])
        try FileManager.default.copyItem(at: good, to: maps.appending(path: "plan.mbtiles"))
        let bad = maps.appending(path: "town.mbtiles")
        switch fault {
        case "half":
            let bytes = try Data(contentsOf: good)
            try bytes.prefix(bytes.count / 2).write(to: bad)
        case "page": try Data("<html>502 Bad Gateway</html>".utf8).write(to: bad)
        case "pointer":
            try Data("version https://git-lfs.github.com/spec/v1\noid sha256:0\n".utf8).write(
                to: bad
            )
        case "empty": try Data().write(to: bad)
        default:
            try FileManager.default.copyItem(at: good, to: bad)
            let table = fault == "no tiles" ? "tiles" : "metadata"
            try DatabaseQueue(path: bad.path).write { try $0.execute(sql: "DROP TABLE \(table)") }
        }
        var configuration = GatewayConfiguration(folder: folder.url)
        let shelf = try MapShelf(configuration)
        #expect(shelf.set(named: "plan") != nil && shelf.set(named: "town") == nil)
        #expect(shelf.fault?.words.contains(bad.lastPathComponent) == true)
        configuration.maps = [bad]
        #expect(throws: MapError.self) { try MapShelf(configuration) }
    }

    /// A door with a vector and a raster map, and somebody who may read them.
    private func door(_ others: [String] = []) async throws -> (TestDoor, HTTPFields) {
        let door = try TestDoor()
        let folder = try TemporaryFolder()
        let streets = try Self.map(
            "streets",
            "pbf",
            in: folder,
            tiles: [(2, 1, 3, nil), (0, 0, 0, nil)]
        )
        let plan = try Self.map("plan", "png", in: folder, tiles: [(0, 0, 0, "picture")])
        let more = try others.map {
            try Self.map($0, "png", in: folder, tiles: [(0, 0, 0, "picture")])
        }
        door.door.add(MapRoutes(shelf: try MapShelf([streets, plan] + more)).routes)
        let token = try await door.token()
        return (door, [.authorization: "Bearer \(token)"])
    }

    /// An MBTiles file; rows count from the south, and a tile without a text looks like gzip.
    private static func map(
        _ name: String,
        _ format: String,
        in folder: TemporaryFolder,
        tiles: [(Int, Int, Int, String?)]
    ) throws -> URL {
        let file = folder.url.appending(path: "\(name).mbtiles")
        let queue = try DatabaseQueue(path: file.path)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE metadata (name TEXT, value TEXT);
                    CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                    INSERT INTO metadata VALUES ('attribution', 'somebody');
                    """
            )
            try database.execute(
                sql: "INSERT INTO metadata VALUES ('format', ?)",
                arguments: [format]
            )
            for (zoom, column, row, text) in tiles {
                let data = text.map { Data($0.utf8) } ?? Data([0x1F, 0x8B, 0x08, 0x00])
                try database.execute(
                    sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)",
                    arguments: [zoom, column, row, data]
                )
            }
        }
        try queue.close()
        return file
    }
}
