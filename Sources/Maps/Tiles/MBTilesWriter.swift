// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB

/// Writes an MBTiles file (1.3): a table of tiles and one of what they are.
///
/// Until ``finish()`` it lies under a name of its own beside the one asked for.
final class MBTilesWriter {
    private let file: URL
    private let draft: URL
    private let queue: DatabaseQueue
    private var waiting: [(TileID, [UInt8])] = []
    private(set) var tiles = 0
    private(set) var bytes = 0

    /// - Throws: ``MapError/file(_:reason:)``.
    init(beside file: URL) throws {
        self.file = file
        draft = file.deletingLastPathComponent()
            .appending(path: ".\(file.lastPathComponent).\(UUID().uuidString)")
        do {
            queue = try DatabaseQueue(path: draft.path)
            try queue.writeWithoutTransaction { database in
                // A draft that is torn is thrown away.
                try database.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            }
            try queue.write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT);
                        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER,
                            tile_data BLOB, PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID;
                        PRAGMA application_id = 0x4d504258;
                        """
                )
            }
        } catch {
            throw MapError.file(file.path, reason: "\(error)")
        }
    }

    func describe(_ metadata: [String: String]) throws {
        try queue.write { database in
            for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
                try database.execute(
                    sql: "INSERT INTO metadata VALUES (?, ?)",
                    arguments: [name, value]
                )
            }
        }
    }

    func write(_ tile: TileID, _ data: [UInt8]) throws {
        waiting.append((tile, data))
        tiles += 1
        bytes += data.count
        if waiting.count >= MapLimits.tilesOfTransaction { try flush() }
    }

    /// Puts the file in its place.
    func finish() throws {
        try flush()
        try queue.close()
        guard rename(draft.path, file.path) == 0 else {
            throw MapError.file(file.path, reason: String(cString: strerror(errno)))
        }
    }

    /// Throws the draft away.
    func discard() {
        unlink(draft.path)
    }

    private func flush() throws {
        try queue.write { database in
            let insert = try database.cachedStatement(sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)")
            for (tile, data) in waiting {
                try insert.execute(
                    arguments: [tile.zoom, tile.column, tile.rowFromSouth, Data(data)]
                )
            }
        }
        waiting = []
    }
}
