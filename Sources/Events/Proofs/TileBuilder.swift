// SPDX-License-Identifier: Apache-2.0

/// Turns leaf hashes into tiles, level by level, as a log grows.
///
/// The index appends leaf hashes, and once per commit drains the tiles that changed: the
/// completed ones and the partial ones on the right edge, to be stored by level and index, so
/// that a partial tile is overwritten as it grows.
///
/// It is a value: keep a copy before a drain whose transaction may fail, and go on with the copy
/// if it does.
public struct TileBuilder: Sendable {
    /// The number of leaves appended.
    public private(set) var size: UInt64

    // For each level the hashes of its partial tile, at most 255.
    private var edges: [[MerkleHash]]
    private var completed: [(tile: Tile, hashes: [MerkleHash])] = []
    // The size at the last drain: tells which partial tiles have changed since.
    private var drainedSize: UInt64

    /// A builder for a new log.
    public init() {
        size = 0
        drainedSize = 0
        edges = []
    }

    /// A builder that goes on from stored tiles.
    ///
    /// Whoever resumes compares ``frontier``'s root with a checkpoint or with the entries: the
    /// tiles are taken as they are.
    ///
    /// - Parameters:
    ///   - size: The number of leaves that the tiles stand for.
    ///   - tiles: Reads a tile; asked only for the partial ones on the right edge.
    /// - Throws: ``TileError/length(_:byteCount:)``, or what `tiles` throws.
    public init(size: UInt64, tiles: MerkleTree.TileReader) throws {
        self.init()
        self.size = size
        drainedSize = size
        let edge = Tile.rightEdge(ofSize: size)
        edges = Array(repeating: [], count: (edge.last?.level ?? -1) + 1)
        for tile in edge {
            edges[tile.level] = try TileHashes.hashes(of: tile, in: try tiles(tile))
        }
    }

    /// Adds the next leaf.
    ///
    /// - Parameter leaf: The leaf hash of the entry at position `size`.
    /// - Complexity: One node hash on average.
    public mutating func append(_ leaf: MerkleHash) {
        size += 1
        var hash = leaf
        var level = 0
        while let carried = add(hash, level: level) {
            hash = carried
            level += 1
        }
    }

    /// Adds a hash to a level; returns the hash of the tile that this completed, if it did.
    private mutating func add(_ hash: MerkleHash, level: Int) -> MerkleHash? {
        if level == edges.count { edges.append([]) }
        if edges[level].isEmpty { edges[level].reserveCapacity(ProofLimits.tileWidth) }
        edges[level].append(hash)
        guard edges[level].count == ProofLimits.tileWidth else { return nil }
        let hashes = edges[level]
        edges[level] = []
        let index = (Tile.hashCount(level: level, atSize: size) >> 8) - 1
        completed.append((Tile(level: level, index: index), hashes))
        return .perfectRoot(of: hashes[...])
    }

    /// Hands over the tiles that changed since the last drain.
    ///
    /// Completed tiles come in the order of completion, then the partial ones from level 0 up.
    ///
    /// - Parameter store: Takes a tile and its bytes, which must not be kept beyond the call.
    /// - Throws: What `store` throws; then the next drain hands over the same tiles again.
    public mutating func drain(
        _ store: (Tile, UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        for (tile, hashes) in completed {
            try hashes.withUnsafeBytes { try store(tile, $0) }
        }
        for tile in Tile.rightEdge(ofSize: size) {
            let level = tile.level
            let before = Tile.hashCount(level: level, atSize: drainedSize)
            guard before != Tile.hashCount(level: level, atSize: size) else { continue }
            try edges[level].withUnsafeBytes { try store(tile, $0) }
        }
        completed.removeAll(keepingCapacity: true)
        drainedSize = size
    }

    /// The right edge of the tree as it stands, which gives the root.
    ///
    /// - Complexity: At most 255 node hashes for each level.
    public var frontier: MerkleFrontier {
        var peaks: [MerkleHash] = []
        for edge in edges.reversed() {
            var rest = edge[...]
            while !rest.isEmpty {
                let width = 1 << (Int.bitWidth - 1 - rest.count.leadingZeroBitCount)
                peaks.append(.perfectRoot(of: rest.prefix(width)))
                rest = rest.dropFirst(width)
            }
        }
        return MerkleFrontier(size: size, peaks: peaks)
    }
}
