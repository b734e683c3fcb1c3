// SPDX-License-Identifier: Apache-2.0
public import Events

/// Why events could not be turned into rows.
public enum ProjectionError: Error, Hashable, CustomStringConvertible {
    /// SQLite could not store a batch; nothing of it was kept.
    case notStored(ProjectorIdentity, path: String, reason: String)
    /// The file cannot be opened or is not this projector's.
    case cannotOpen(path: String, reason: String)
    /// The file holds what no projector of ours wrote, or cannot be read any more; it is built anew.
    case damaged(ProjectorIdentity, path: String, reason: String)
    /// The log holds a kind that this program does not know.
    case unknownKind(Kind, at: LogPosition)
    /// The log ended before the position that was asked for.
    case logTooShort(asked: LogPosition, size: UInt64)

    /// Whether trying the same file again is of no use.
    var isDamage: Bool {
        guard case .damaged = self else { return false }
        return true
    }

    public var description: String {
        switch self {
        case .notStored(let identity, let path, let reason):
            "\(identity) could not write \(path): \(reason); free space or mend the disk, it is tried again"
        case .cannotOpen(let path, let reason):
            "the read model \(path) cannot be opened: \(reason); delete it and it is built again"
        case .damaged(let identity, let path, let reason):
            "\(identity) in \(path) is damaged: \(reason); it is built anew, look after the disk and who may write there"
        case .unknownKind(let kind, let position):
            "position \(position) holds \(kind), which this program does not know; use a newer one"
        case .logTooShort(let asked, let size):
            "position \(asked) was asked for, the log has \(size) events; ask for an earlier one"
        }
    }
}
