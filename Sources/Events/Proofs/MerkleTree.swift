// SPDX-License-Identifier: Apache-2.0

/// A tree of a certain size, over stored hashes of complete subtrees (RFC 6962 §2.1).
///
/// It computes roots and proofs and stores nothing but the tiles that it has read, so it is
/// made for one use, for instance inside one read transaction.
public struct MerkleTree {
    /// Reads the bytes of a tile.
    ///
    /// It is asked with the width that the tree's size calls for. More bytes may be returned,
    /// because a stored right-edge tile grows in place: only the first are used.
    public typealias TileReader = (Tile) throws -> [UInt8]

    /// The number of leaves.
    public let size: UInt64

    private let subtree: (_ height: Int, _ index: UInt64) throws -> MerkleHash

    /// A tree over the hashes of complete subtrees.
    ///
    /// - Parameters:
    ///   - size: The number of leaves.
    ///   - subtree: Gives the hash of leaves `index << height ..< (index + 1) << height`; it is
    ///     only asked for subtrees that lie inside the tree.
    public init(
        size: UInt64,
        subtree: @escaping (_ height: Int, _ index: UInt64) throws -> MerkleHash
    ) {
        self.size = size
        self.subtree = subtree
    }

    /// A tree over tiles, each read at most once.
    ///
    /// - Parameters:
    ///   - size: The number of leaves.
    ///   - tiles: Reads a tile.
    public init(size: UInt64, tiles: @escaping TileReader) {
        let hashes = TileHashes(size: size, read: tiles)
        self.init(size: size, subtree: hashes.subtree)
    }

    /// A tree over leaf hashes in memory.
    ///
    /// - Parameter leaves: The leaf hashes in order.
    /// - Complexity: Whatever is asked hashes the leaves concerned again.
    public init(leaves: [MerkleHash]) {
        self.init(size: UInt64(leaves.count)) { height, index in
            let first = Int(index) << height
            return .perfectRoot(of: leaves[first..<first + 1 << height])
        }
    }

    /// The root of the whole tree.
    ///
    /// - Returns: The root; that of no leaves is SHA-256 of nothing.
    /// - Throws: What reading a subtree throws.
    public func root() throws -> MerkleHash {
        size == 0 ? .emptyTree : try hash(of: 0..<size)
    }

    /// The Merkle tree hash of a range of leaves, `MTH(D[range])`.
    ///
    /// - Parameter range: A range inside the tree, not empty, that begins at a multiple of the
    ///   smallest power of two that is at least its length.
    /// - Returns: The hash.
    /// - Throws: What reading a subtree throws.
    func hash(of range: Range<UInt64>) throws -> MerkleHash {
        precondition(!range.isEmpty && range.upperBound <= size, "a range of leaves in the tree")
        let length = range.upperBound - range.lowerBound
        if length.nonzeroBitCount == 1 {
            let height = length.trailingZeroBitCount
            return try subtree(height, range.lowerBound >> UInt64(height))
        }
        let middle = range.lowerBound + Self.split(length)
        let left = try hash(of: range.lowerBound..<middle)
        return .node(left, try hash(of: middle..<range.upperBound))
    }

    /// The largest power of two below `length`, which is at least 2.
    static func split(_ length: UInt64) -> UInt64 {
        1 << UInt64(63 - (length - 1).leadingZeroBitCount)
    }
}
