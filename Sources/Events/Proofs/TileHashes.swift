// SPDX-License-Identifier: Apache-2.0

/// Subtree hashes out of tiles, each tile read once.
///
/// A class, because the closures of a ``MerkleTree`` share what it has read.
final class TileHashes {
    private let size: UInt64
    private let read: MerkleTree.TileReader
    private var tiles: [Tile: [MerkleHash]] = [:]

    init(size: UInt64, read: @escaping MerkleTree.TileReader) {
        self.size = size
        self.read = read
    }

    /// The hash of the complete subtree `index` among those of 2^height leaves.
    func subtree(height: Int, index: UInt64) throws -> MerkleHash {
        // A tile spans eight heights; those between are hashed from the lowest.
        let (level, rise) = height.quotientAndRemainder(dividingBy: 8)
        let first = index << UInt64(rise)
        let hashes = try self.hashes(level: level, index: first >> 8)
        let place = Int(first & 255)
        return .perfectRoot(of: hashes[place..<place + 1 << rise])
    }

    private func hashes(level: Int, index: UInt64) throws -> [MerkleHash] {
        guard let tile = Tile(level: level, index: index, atSize: size) else {
            preconditionFailure("subtree outside a tree of \(size) leaves")
        }
        if let known = tiles[tile] { return known }
        let hashes = try Self.hashes(of: tile, in: try read(tile))
        tiles[tile] = hashes
        return hashes
    }

    /// The hashes of a tile out of stored bytes, which may belong to a wider state of it.
    static func hashes(of tile: Tile, in bytes: [UInt8]) throws(TileError) -> [MerkleHash] {
        guard bytes.count >= tile.byteCount, bytes.count.isMultiple(of: MerkleHash.byteCount) else {
            throw .length(tile, byteCount: bytes.count)
        }
        return hashes(in: bytes.prefix(tile.byteCount))
    }

    /// The hashes in bytes whose number is a multiple of 32.
    static func hashes(in bytes: ArraySlice<UInt8>) -> [MerkleHash] {
        bytes.withUnsafeBytes { buffer in
            stride(from: 0, to: buffer.count, by: MerkleHash.byteCount).map { offset in
                MerkleHash(copying: UnsafeRawBufferPointer(rebasing: buffer[offset...]))
            }
        }
    }
}
