// SPDX-License-Identifier: Apache-2.0
import Crypto

/// A SHA-256 hash in a Merkle tree: of a leaf, of a node, or of a whole tree (RFC 6962 §2.1).
///
/// The 32 bytes lie in the value itself and in their order, so an array of hashes *is* the
/// bytes of a tile.
public struct MerkleHash: Hashable, Sendable, BitwiseCopyable {
    /// The length of a hash, in bytes.
    public static let byteCount = 32

    /// The root of the tree that has no leaves: SHA-256 of nothing.
    public static let emptyTree = MerkleHash(SHA256().finalize())

    // The bytes as they lie in memory; never read as numbers.
    private var word0: UInt64
    private var word1: UInt64
    private var word2: UInt64
    private var word3: UInt64

    /// Takes the 32 bytes at the start of `bytes`.
    ///
    /// - Parameter bytes: At least 32 bytes, at any alignment; fewer is a programming error.
    public init(copying bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count >= Self.byteCount, "a Merkle hash takes 32 bytes")
        word0 = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        word1 = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        word2 = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        word3 = bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    }

    /// Takes exactly 32 bytes.
    ///
    /// - Parameter bytes: The bytes; `nil` results when there are not 32 of them.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self = [UInt8](bytes).withUnsafeBytes { MerkleHash(copying: $0) }
    }

    fileprivate init(_ digest: SHA256.Digest) {
        self = digest.withUnsafeBytes { MerkleHash(copying: $0) }
    }

    /// The 32 bytes as an array.
    public var bytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }

    /// Calls `body` with the 32 bytes, without copying them to the heap.
    ///
    /// - Parameter body: What reads the bytes; they must not be kept beyond the call.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Swift.withUnsafeBytes(of: self, body)
    }
}

extension MerkleHash {
    /// The hash of a leaf: SHA-256(0x00 ‖ entry).
    ///
    /// - Parameter entry: The bytes of the entry; they are read in place.
    /// - Returns: The leaf hash.
    public static func leaf(_ entry: UnsafeRawBufferPointer) -> MerkleHash {
        var hasher = SHA256()
        var prefix: UInt8 = 0
        Swift.withUnsafeBytes(of: &prefix) { hasher.update(bufferPointer: $0) }
        hasher.update(bufferPointer: entry)
        return MerkleHash(hasher.finalize())
    }

    /// The hash of a leaf held in an array.
    ///
    /// - Parameter entry: The bytes of the entry.
    /// - Returns: The leaf hash.
    public static func leaf(_ entry: [UInt8]) -> MerkleHash {
        entry.withUnsafeBytes { leaf($0) }
    }

    /// The hash of a leaf seen through a span.
    ///
    /// - Parameter entry: The bytes of the entry; they are read in place.
    /// - Returns: The leaf hash.
    public static func leaf(_ entry: RawSpan) -> MerkleHash {
        entry.withUnsafeBytes { leaf($0) }
    }

    /// The hash of an inner node: SHA-256(0x01 ‖ left ‖ right).
    ///
    /// - Parameters:
    ///   - left: The hash of the left child.
    ///   - right: The hash of the right child.
    /// - Returns: The hash of their parent.
    public static func node(_ left: MerkleHash, _ right: MerkleHash) -> MerkleHash {
        // One update of 65 bytes costs less than three calls.
        withUnsafeTemporaryAllocation(byteCount: 65, alignment: 1) { input in
            input[0] = 1
            input.storeBytes(of: left, toByteOffset: 1, as: MerkleHash.self)
            input.storeBytes(of: right, toByteOffset: 33, as: MerkleHash.self)
            var hasher = SHA256()
            hasher.update(bufferPointer: UnsafeRawBufferPointer(input))
            return MerkleHash(hasher.finalize())
        }
    }

    /// The root over hashes whose number is a power of two.
    ///
    /// - Parameter hashes: 1, 2, 4 … hashes, the roots of equal complete subtrees from left to
    ///   right; another number is a programming error.
    /// - Returns: The hash of the subtree that they span.
    /// - Complexity: One node hash for each hash but the last.
    static func perfectRoot(of hashes: ArraySlice<MerkleHash>) -> MerkleHash {
        precondition(hashes.count.nonzeroBitCount == 1, "a perfect tree has 2^k leaves")
        if hashes.count == 1 { return hashes[hashes.startIndex] }
        var level = [MerkleHash](hashes)
        var width = level.count
        while width > 1 {
            width /= 2
            for index in 0..<width {
                level[index] = node(level[2 * index], level[2 * index + 1])
            }
        }
        return level[0]
    }
}
