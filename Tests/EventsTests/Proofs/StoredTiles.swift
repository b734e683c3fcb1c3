// SPDX-License-Identifier: Apache-2.0
import Events

/// Tiles as an index stores them: by level and index, a partial one overwritten as it grows.
struct StoredTiles {
    struct Key: Hashable {
        let level: Int
        let index: UInt64
    }

    private(set) var bytes: [Key: [UInt8]] = [:]

    init() {}

    init(leaves: [MerkleHash]) {
        var builder = TileBuilder()
        for leaf in leaves { builder.append(leaf) }
        store(&builder)
    }

    mutating func store(_ builder: inout TileBuilder) {
        builder.drain { tile, bytes in
            self.bytes[Key(level: tile.level, index: tile.index)] = [UInt8](bytes)
        }
    }

    func read(_ tile: Tile) throws -> [UInt8] {
        guard let bytes = bytes[Key(level: tile.level, index: tile.index)] else {
            throw Missing(tile: tile)
        }
        return bytes
    }

    struct Missing: Error {
        let tile: Tile
    }
}
