// SPDX-License-Identifier: Apache-2.0

/// Proves that a tree is the beginning of a larger one (RFC 9162 §2.1.4).
public struct ConsistencyProof: Hashable, Sendable {
    /// The number of leaves in the older tree.
    public let oldSize: UInt64
    /// The number of leaves in the newer tree.
    public let newSize: UInt64
    /// The hashes of the proof, in the order of the standard.
    public let hashes: [MerkleHash]

    /// Takes the parts of a proof as received; nothing is checked before `verify`.
    ///
    /// - Parameters:
    ///   - oldSize: The number of leaves in the older tree.
    ///   - newSize: The number of leaves in the newer tree.
    ///   - hashes: The hashes of the proof.
    public init(oldSize: UInt64, newSize: UInt64, hashes: [MerkleHash]) {
        self.oldSize = oldSize
        self.newSize = newSize
        self.hashes = hashes
    }

    /// Checks the proof.
    ///
    /// From size 0 everything follows: then the proof is empty and the older root that of the
    /// empty tree.
    ///
    /// - Parameters:
    ///   - oldRoot: The root of the older tree, from a checkpoint that the caller trusts.
    ///   - newRoot: The root of the newer tree, from a checkpoint that the caller trusts.
    /// - Throws: ``ProofError`` unless the older tree is the beginning of the newer.
    public func verify(oldRoot: MerkleHash, newRoot: MerkleHash) throws(ProofError) {
        guard oldSize <= newSize else { throw .treeShrinks(old: oldSize, new: newSize) }
        if oldSize == 0 || oldSize == newSize {
            return try verifyWithoutHashes(oldRoot: oldRoot, newRoot: newRoot)
        }
        let (old, new) = try roots(oldRoot: oldRoot)
        guard old == oldRoot else { throw .oldRootDiffers(computed: old, expected: oldRoot) }
        guard new == newRoot else { throw .rootDiffers(computed: new, expected: newRoot) }
    }

    private func verifyWithoutHashes(
        oldRoot: MerkleHash,
        newRoot: MerkleHash
    ) throws(ProofError) {
        guard hashes.isEmpty else { throw .wrongLength(hashes: hashes.count) }
        if oldSize == 0 && oldRoot != .emptyTree {
            throw .oldRootDiffers(computed: .emptyTree, expected: oldRoot)
        }
        if oldSize == newSize && newRoot != oldRoot {
            throw .rootDiffers(computed: oldRoot, expected: newRoot)
        }
    }

    /// The two roots that the hashes lead to (RFC 9162 §2.1.4.2, steps 1 to 6).
    private func roots(
        oldRoot: MerkleHash
    ) throws(ProofError) -> (old: MerkleHash, new: MerkleHash) {
        // A complete older tree is itself the first hash, and is left out of the proof.
        var path = oldSize.nonzeroBitCount == 1 ? [oldRoot] + hashes : hashes
        guard let first = path.first else { throw .wrongLength(hashes: 0) }
        path.removeFirst()
        var fn = oldSize - 1
        var sn = newSize - 1
        while fn & 1 == 1 {
            fn >>= 1
            sn >>= 1
        }
        var (old, new) = (first, first)
        for hash in path {
            guard sn != 0 else { throw .wrongLength(hashes: hashes.count) }
            if fn & 1 == 1 || fn == sn {
                old = .node(hash, old)
                new = .node(hash, new)
                while fn & 1 == 0 && fn != 0 {
                    fn >>= 1
                    sn >>= 1
                }
            } else {
                new = .node(new, hash)
            }
            fn >>= 1
            sn >>= 1
        }
        guard sn == 0 else { throw .wrongLength(hashes: hashes.count) }
        return (old, new)
    }
}
