// SPDX-License-Identifier: Apache-2.0

/// Proves that a leaf stands at an index of a tree of a certain size (RFC 9162 §2.1.3).
public struct InclusionProof: Hashable, Sendable {
    /// The index of the leaf.
    public let index: UInt64
    /// The number of leaves in the tree.
    public let size: UInt64
    /// The sibling hashes from the leaf to the root.
    public let hashes: [MerkleHash]

    /// Takes the parts of a proof as received; nothing is checked before `verify`.
    ///
    /// - Parameters:
    ///   - index: The index of the leaf.
    ///   - size: The number of leaves in the tree.
    ///   - hashes: The sibling hashes from the leaf to the root.
    public init(index: UInt64, size: UInt64, hashes: [MerkleHash]) {
        self.index = index
        self.size = size
        self.hashes = hashes
    }

    /// Checks the proof.
    ///
    /// - Parameters:
    ///   - leaf: The leaf hash, computed from the entry by the caller.
    ///   - root: The root, from a checkpoint that the caller trusts.
    /// - Throws: ``ProofError`` unless the leaf stands at `index` of the tree with that root.
    public func verify(leaf: MerkleHash, root: MerkleHash) throws(ProofError) {
        let computed = try self.root(leaf: leaf)
        guard computed == root else { throw .rootDiffers(computed: computed, expected: root) }
    }

    /// The root that the proof leads to from a leaf (RFC 9162 §2.1.3.2, steps 1 to 4).
    ///
    /// - Parameter leaf: The leaf hash.
    /// - Returns: The root; it proves nothing until it equals that of a trusted checkpoint.
    /// - Throws: ``ProofError`` when the index lies outside the tree or the number of hashes is
    ///   not that of the path.
    public func root(leaf: MerkleHash) throws(ProofError) -> MerkleHash {
        guard index < size else { throw .indexOutsideTree(index: index, size: size) }
        var fn = index
        var sn = size - 1
        var root = leaf
        for hash in hashes {
            guard sn != 0 else { throw .wrongLength(hashes: hashes.count) }
            if fn & 1 == 1 || fn == sn {
                root = .node(hash, root)
                // On the right edge a node without sibling moves up unchanged.
                while fn & 1 == 0 && fn != 0 {
                    fn >>= 1
                    sn >>= 1
                }
            } else {
                root = .node(root, hash)
            }
            fn >>= 1
            sn >>= 1
        }
        guard sn == 0 else { throw .wrongLength(hashes: hashes.count) }
        return root
    }
}
