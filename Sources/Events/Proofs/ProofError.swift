// SPDX-License-Identifier: Apache-2.0

/// Why a proof cannot be made, or does not prove what it claims.
public enum ProofError: Error, Hashable {
    /// A proof was asked for a leaf that the tree does not have.
    case indexOutsideTree(index: UInt64, size: UInt64)
    /// A consistency proof was asked from a larger tree to a smaller one.
    case treeShrinks(old: UInt64, new: UInt64)
    /// The proof has fewer or more hashes than its sizes call for.
    case wrongLength(hashes: Int)
    /// The hashes do not lead to the root of the tree.
    case rootDiffers(computed: MerkleHash, expected: MerkleHash)
    /// The hashes do not lead to the root of the older tree.
    case oldRootDiffers(computed: MerkleHash, expected: MerkleHash)
    /// Stored bytes are not a frontier.
    case malformedFrontier(byteCount: Int)
}

extension ProofError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .indexOutsideTree(let index, let size):
            """
            no inclusion proof for leaf \(index): the tree has \(size) leaves; \
            ask with a checkpoint of size \(index) + 1 or more
            """
        case .treeShrinks(let old, let new):
            """
            no consistency proof from size \(old) to size \(new): a log only grows; \
            give the older checkpoint first
            """
        case .wrongLength(let hashes):
            """
            proof refused: \(hashes) hashes do not fit its index and sizes; \
            fetch the proof again for exactly these sizes
            """
        case .rootDiffers(let computed, let expected):
            """
            proof refused: it leads to root \(computed), the checkpoint says \(expected); \
            the entry, the proof or the checkpoint is not of this log
            """
        case .oldRootDiffers(let computed, let expected):
            """
            proof refused: it leads to the older root \(computed), the older checkpoint says \
            \(expected); the log was rewritten or the checkpoint is of another log
            """
        case .malformedFrontier(let byteCount):
            """
            stored tree frontier unreadable: \(byteCount) bytes do not fit its size; \
            rebuild it from the entries
            """
        }
    }
}
