// SPDX-License-Identifier: Apache-2.0

/// Why a text is not a checkpoint, or not the one that was expected.
public enum CheckpointError: Error, Hashable {
    /// The lines are not origin, size and root.
    case malformed
    /// The origin is empty, too long or has control characters.
    case origin(String)
    /// The size is 0 and the root not that of the empty tree.
    case emptyTreeRoot(MerkleHash)
    /// The checkpoint is of another log.
    case otherLog(origin: String, expected: String)
}

extension CheckpointError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed:
            """
            checkpoint unreadable: its lines are not origin, size in decimal and root in base64; \
            fetch it again from the log
            """
        case .origin(let origin):
            """
            checkpoint origin “\(origin.prefix(100))” refused: it must have 1 to \
            \(ProofLimits.nameBytesMax) bytes and no control characters
            """
        case .emptyTreeRoot(let root):
            """
            checkpoint refused: size 0 with root \(root); an empty log has root \
            \(MerkleHash.emptyTree)
            """
        case .otherLog(let origin, let expected):
            """
            checkpoint refused: it is of \(origin), expected was \(expected); \
            give the checkpoint of this log
            """
        }
    }
}
