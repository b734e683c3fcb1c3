// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Media

/// Why the archive did not do what it was asked.
enum ArchiveError: Error, Hashable, Sendable {
    case unknown(StreamID)
    /// The stream is over; its recording takes nothing more.
    case stopped(StreamID)
    case tooManyRecordings(max: Int)
    /// Nothing of the stream is archived yet.
    case empty(StreamID)
    /// The disk is as full as video may make it.
    case noRoom(free: Int64, floor: Int64)
    /// Nobody can say how full the disk is.
    case roomUnknown(DiskRoom.Unknown)
    /// Another folder stands where recordings lie: their disk is not mounted.
    case away(Fault)
    /// The unfinished pictures of all streams, or of those of one caller, take what memory there is for them.
    case tooMuchUnfinished(max: Int)
}

extension ArchiveError: ProblemRepresentable {
    var problem: Problem {
        switch self {
        case .unknown(let id):
            Problem(
                .streamUnknown,
                detail: "there is no stream \(id); check the id",
                facts: ["stream": .string("\(id)")]
            )
        case .stopped(let id):
            Problem(
                .streamStopped,
                detail: "stream \(id) has stopped; start a new stream",
                facts: ["stream": .string("\(id)")]
            )
        case .tooManyRecordings(let max):
            Problem(.unavailable, detail: "\(max) streams arrive at once already; try again later")
        case .empty(let id):
            Problem(
                .notFound,
                detail: "nothing of stream \(id) is archived yet; try again in a second",
                facts: ["stream": .string("\(id)")]
            )
        case .noRoom(let free, let floor):
            Problem(
                .storageFull,
                detail:
                    "video is not taken: \(DiskRoom.words(free)), \(floor >> 20) MiB are kept for the ledger; keep "
                    + "what was filmed and send it again, it goes on by itself when there is room"
            )
        case .roomUnknown:
            Problem(
                .storageFull,
                detail:
                    "video is not taken: how much room its disk has cannot be told; keep what was filmed and send it again, "
                    + "it goes on by itself when that is known"
            )
        case .away(let fault): FolderAway(fault: fault).problem
        case .tooMuchUnfinished(let max):
            .tryLater(
                .unavailable,
                "pictures that are not whole take \(max >> 20) MiB of memory already; send whole pictures, or later"
            )
        }
    }
}

extension ArchiveError: FaultCoded, CustomStringConvertible {
    var faultCode: String {
        if case .away(let fault) = self { return fault.code }
        return "archive \((self as NSError).code)"
    }

    var description: String {
        if case .away(let fault) = self { return fault.words }
        if case .roomUnknown(let unknown) = self { return "video is not taken: \(unknown)" }
        return problem.detail ?? problem.type.title
    }
}

extension RecordingError: ProblemRepresentable {
    /// Refusals tell the sender what to do; faults keep the paths of this machine to themselves.
    var problem: Problem {
        switch self {
        case .gap(let part, let expected, _):
            Problem(
                .mediaGap,
                detail: description,
                facts: ["part": .integer(Int(part)), "expected": .integer(Int(expected))]
            )
        case .conflict(let part, let offset):
            Problem(
                .mediaConflict,
                detail: description,
                facts: ["part": .integer(Int(part)), "offset": .integer(Int(offset))]
            )
        case .partEnded, .unknownPart, .tooManyParts: Problem(.mediaConflict, detail: description)
        case .pieceTooLarge, .tooMuchUnfinished: Problem(.bodyTooLarge, detail: description)
        case .tooManyChunks(_, _, let wait), .aheadOfTime(_, _, let wait):
            .tooManyRequests(description, wait: wait)
        case .storage(_, _, ENOSPC), .storage(_, _, EDQUOT):
            Problem(
                .storageFull,
                detail:
                    "video is not taken: its disk is full; keep what was filmed and send it again, it goes on by itself when "
                    + "there is room"
            )
        case .storage, .inUse, .namesTaken, .truncated, .afterFailure:
            Problem(.unavailable, detail: "the archive cannot write now; keep the bytes, try again")
        case .damaged, .invalidName:
            Problem(.internalError, detail: "the recording cannot go on; start a new stream")
        case .finalized: Problem(.streamStopped, detail: "the recording is final")
        default: Problem(.mediaRefused, detail: description)
        }
    }
}

extension ProblemType {
    static let streamUnknown = Self("stream-unknown", .notFound, "No such stream")
    static let streamStopped = Self("stream-stopped", .gone, "Stream has stopped")
    static let mediaGap = Self("media-gap", .conflict, "Bytes are missing")
    static let mediaConflict = Self("media-conflict", .conflict, "Other bytes are archived")
    static let mediaRefused = Self("media-refused", .unprocessableContent, "Video not acceptable")
}
