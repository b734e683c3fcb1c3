// SPDX-License-Identifier: Apache-2.0

/// The coordinates of a hash tile (C2SP tlog-tiles).
///
/// Tile `index` of level `level` holds, one after another, the hashes of the complete subtrees of
/// 256^level leaves, from number `index` × 256 on. A full tile holds 256, a partial one 1 to 255.
public struct Tile: Hashable, Sendable {
    /// The level: 0 holds leaf hashes.
    public let level: Int
    /// The place within the level.
    public let index: UInt64
    /// The number of hashes, 1 to 256.
    public let width: Int

    /// A tile by its coordinates; values outside the limits are a programming error.
    ///
    /// - Parameters:
    ///   - level: 0 to 63.
    ///   - index: The place within the level.
    ///   - width: 1 to 256 hashes; 256 is a full tile.
    public init(level: Int, index: UInt64, width: Int = ProofLimits.tileWidth) {
        precondition(0...ProofLimits.tileLevelMax ~= level, "tile levels go from 0 to 63")
        precondition(index <= ProofLimits.tileIndexMax, "tile index beyond any log")
        precondition(1...ProofLimits.tileWidth ~= width, "tiles are 1 to 256 hashes wide")
        self.level = level
        self.index = index
        self.width = width
    }

    /// The tile as it stands in a tree of a certain size, or `nil` when it is empty there.
    ///
    /// - Parameters:
    ///   - level: 0 to 63.
    ///   - index: The place within the level.
    ///   - size: The number of leaves in the tree.
    public init?(level: Int, index: UInt64, atSize size: UInt64) {
        guard index <= ProofLimits.tileIndexMax else { return nil }
        let hashes = Self.hashCount(level: level, atSize: size)
        guard hashes > index << 8 else { return nil }
        let width = min(hashes - index << 8, UInt64(ProofLimits.tileWidth))
        self.init(level: level, index: index, width: Int(width))
    }

    /// Whether all 256 hashes are there: only then is the tile hashed into the level above.
    public var isFull: Bool { width == ProofLimits.tileWidth }

    /// The length of the tile, in bytes.
    public var byteCount: Int { width * MerkleHash.byteCount }

    /// Whether a tree of a certain size has all hashes of this tile.
    ///
    /// - Parameter size: The number of leaves in the tree.
    /// - Returns: Whether the tile may be served below a checkpoint of that size.
    public func isWithin(size: UInt64) -> Bool {
        let last = (index << 8) + UInt64(width - 1)
        return last < Self.hashCount(level: level, atSize: size)
    }

    /// The number of complete subtrees of 256^level leaves in a tree.
    ///
    /// - Parameters:
    ///   - level: The level.
    ///   - size: The number of leaves in the tree.
    /// - Returns: The number of hashes at that level.
    public static func hashCount(level: Int, atSize size: UInt64) -> UInt64 {
        // A shift by 64 and more gives 0, which is right for the levels that no log reaches.
        size >> UInt64(8 * level)
    }

    /// The partial tiles on the right edge of a tree, from level 0 up.
    ///
    /// - Parameter size: The number of leaves in the tree.
    /// - Returns: At most one tile for each level; a level that ends in a full tile has none.
    public static func rightEdge(ofSize size: UInt64) -> [Tile] {
        (0..<8).compactMap { level in
            let hashes = hashCount(level: level, atSize: size)
            let width = Int(hashes & 255)
            return width == 0 ? nil : Tile(level: level, index: hashes >> 8, width: width)
        }
    }

    /// All tiles of a tree: for each level from 0 up the full ones, then the partial one.
    ///
    /// - Parameter size: The number of leaves in the tree.
    /// - Returns: The tiles, made one by one.
    public static func all(ofSize size: UInt64) -> some Sequence<Tile> {
        (0..<8).lazy.flatMap { level in
            let hashes = hashCount(level: level, atSize: size)
            let tiles = hashes >> 8 + (hashes & 255 == 0 ? 0 : 1)
            return (0..<tiles).lazy.compactMap { index in
                Tile(level: level, index: index, atSize: size)
            }
        }
    }
}
