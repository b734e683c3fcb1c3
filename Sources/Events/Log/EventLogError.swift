// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Why the log did not do what it was asked.
///
/// Each message names the attempt, the fact and the way out.
public enum EventLogError: Error, Hashable, Sendable {
    /// Decided on an old revision: load the subject and decide again.
    case stale(Subject, expected: Revision?, actual: Revision?)
    /// Something was linked to the subject meanwhile: load it and decide again.
    case linked(Subject, at: LogPosition)
    /// The id belongs to a command that asked something else.
    case idReused(CommandID)
    /// The append is malformed; nothing would make it acceptable.
    case unacceptable(reason: String)
    /// An event is too large.
    case tooLarge(kind: Kind, bytes: Int, limit: Int)
    /// No room on the disk, in the map or in memory; nothing was kept.
    case full(detail: String)
    /// Little room is left on the disk or in the map, or nobody can say how much (`nil`), and it is kept for others, as
    /// ``LogLimits/freeBytesMin`` says.
    case reserved(kind: Kind, freeBytes: Int?)
    /// Too many appends wait; try again.
    case busy(waiting: Int)
    /// The disk did not confirm a commit; repeat with the same id after a restart of the process.
    case outcomeUnknown(detail: String)
    /// An earlier commit was not confirmed, so this process appends no more.
    case poisoned(detail: String)
    /// The log may be read only: it is shorter than, or inconsistent with, a signed checkpoint, or its end has no seal.
    case readOnly(reason: String)
    /// Another folder, or none, has the name of the ledger's: nothing is written, for it would be written there.
    case elsewhere(path: String)
    /// Closed by this process.
    case closed
    /// The folder cannot be used.
    case cannotOpen(path: String, reason: String)
    /// Stored bytes are not what they must be.
    case damaged(position: LogPosition?, detail: String)
    /// liblmdb failed while reading.
    case unreadable(detail: String)
}

extension EventLogError {
    /// What failed where hardly a byte is free failed for that, whatever the library below calls it.
    func named(onDiskOf folder: URL) -> EventLogError {
        switch self {
        case .cannotOpen(_, let reason), .unreadable(let reason):
            let codes = [EIO, ENOSPC, EDQUOT]
            guard codes.contains(where: { reason.contains(String(cString: strerror($0))) }) else {
                return self
            }
            do throws(DiskRoom.Unknown) {
                let free = try DiskRoom.bytesOfFiles(below: folder.path)
                guard free < LogLimits.bytesToOpenMin else { return self }
                return .cannotOpen(
                    path: folder.path,
                    reason: "there is no room, \(free >> 10) KiB are free; make room (\(reason))"
                )
            } catch {
                return self
            }
        default: return self
        }
    }

    /// Whether there was no room for it, or what there is is kept for others.
    public var isForWantOfRoom: Bool {
        switch self {
        case .full, .reserved: true
        default: false
        }
    }
}

extension EventLogError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .stale(let subject, let expected, let actual):
            "append to \(subject) refused: decided at \(name(expected)), the subject is at \(name(actual)); load it and decide again"
        case .linked(let subject, let position):
            "append refused: position \(position) was linked to \(subject) meanwhile; load it and decide again"
        case .idReused(let id):
            "append refused: command \(id) was taken before and asked something else; use a fresh id"
        case .unacceptable(let reason):
            "append refused: \(reason)"
        case .tooLarge(let kind, let bytes, let limit):
            "append of \(kind) refused: it has \(bytes) bytes, the limit is \(limit); keep large content in the blob store"
        case .full(let detail):
            "append refused, nothing was kept: \(detail); make room, then repeat"
        case .reserved(let kind, let freeBytes):
            "append of \(kind) refused: \(freeBytes.map { "only \($0)" } ?? "nobody can say how many") bytes are left on the disk or in the map, and they are kept for signing in and out, claims, changes of accounts, closings, holds and erasures, and the last of them for the last three; \(freeBytes == nil ? "look at the disk" : "make room"), then repeat"
        case .busy(let waiting):
            "append refused: \(waiting) appends wait already; repeat a little later"
        case .outcomeUnknown(let detail):
            "append not confirmed by the disk: \(detail); outcome unknown, repeat with the same id"
        case .poisoned(let detail):
            "append refused: an earlier commit was not confirmed (\(detail)); restart the process, then repeat with the same id"
        case .readOnly(let reason):
            "append refused: the log is read-only: \(reason)"
        case .elsewhere(let path):
            "append refused: \(path) is not the folder that was opened any more: its disk was unmounted, or another folder was put in its place; put it back and all goes on, or restart to serve what is there"
        case .closed:
            "the log was closed by this process; open it again"
        case .cannotOpen(let path, let reason):
            "cannot open the log in \(path): \(reason)"
        case .damaged(let position, let detail):
            "the log is damaged\(position.map { " at position \($0)" } ?? ""): \(detail); run daybook verify"
        case .unreadable(let detail):
            "the log could not be read: \(detail)"
        }
    }
}

private func name(_ revision: Revision?) -> String {
    revision.map { "revision \($0)" } ?? "no event"
}
