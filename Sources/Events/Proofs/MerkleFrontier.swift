// SPDX-License-Identifier: Apache-2.0

/// The right edge of a growing tree: enough to append leaves and to give the root at any size.
///
/// It holds one hash for each bit set in the size, so it stays below 2 KiB for any log.
public struct MerkleFrontier: Hashable, Sendable {
    /// The number of leaves.
    public private(set) var size: UInt64

    // The roots of the complete subtrees, largest first, one for each bit set in `size`.
    private var peaks: [MerkleHash]

    /// The empty tree.
    public init() {
        size = 0
        peaks = []
    }

    init(size: UInt64, peaks: [MerkleHash]) {
        precondition(peaks.count == size.nonzeroBitCount, "one peak for each bit of the size")
        self.size = size
        self.peaks = peaks
    }

    /// The root of the tree as it stands.
    ///
    /// - Complexity: O(log size) node hashes.
    public var root: MerkleHash {
        guard var root = peaks.last else { return .emptyTree }
        for peak in peaks.dropLast().reversed() {
            root = .node(peak, root)
        }
        return root
    }

    /// Adds the next leaf.
    ///
    /// - Parameter leaf: The leaf hash of the entry at position `size`.
    /// - Complexity: One node hash on average, O(log size) at most.
    public mutating func append(_ leaf: MerkleHash) {
        var hash = leaf
        var bits = size
        while bits & 1 == 1 {
            hash = .node(peaks.removeLast(), hash)
            bits >>= 1
        }
        peaks.append(hash)
        size += 1
    }
}

extension MerkleFrontier {
    /// The stored form: the size as 8 bytes, big-endian, then the peaks from left to right.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 + peaks.count * MerkleHash.byteCount)
        withUnsafeBytes(of: size.bigEndian) { bytes.append(contentsOf: $0) }
        peaks.withUnsafeBytes { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Reads the stored form.
    ///
    /// - Parameter bytes: What ``bytes-swift.property`` gave.
    /// - Throws: ``ProofError/malformedFrontier(byteCount:)`` when the length does not fit the
    ///   size that it begins with.
    public init(bytes: [UInt8]) throws(ProofError) {
        guard bytes.count >= 8 else { throw .malformedFrontier(byteCount: bytes.count) }
        let size = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard bytes.count == 8 + size.nonzeroBitCount * MerkleHash.byteCount else {
            throw .malformedFrontier(byteCount: bytes.count)
        }
        self.init(size: size, peaks: TileHashes.hashes(in: bytes.dropFirst(8)))
    }
}
