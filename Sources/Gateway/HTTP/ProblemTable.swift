// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import NIOCore

/// An error that knows how a client should read it.
///
/// Every typed error that can reach a route conforms, with a switch that names each of its
/// cases.
protocol ProblemRepresentable: Error {
    /// The problem that stands for this error.
    var problem: Problem { get }
}

extension Problem: ProblemRepresentable {
    var problem: Problem { self }
}

/// The one place where errors become problems.
enum ProblemTable {
    /// The problem for any error that left a route.
    ///
    /// Errors that are not ours are told apart here; what nobody knows is an internal error,
    /// whose text stays in the log.
    static func problem(for error: any Error) -> Problem {
        switch error {
        case let error as any ProblemRepresentable: error.problem
        case let error as any CommandRefusal: Problem(refusal: error.problem)
        case let error as DecodingError: malformedJSON(error)
        case is NIOTooManyBytesError: Problem(.bodyTooLarge)
        case let error as HTTPError: problem(for: error)
        case let error where isForWantOfRoom(error):
            Problem(.storageFull, detail: "nothing was kept; make room, then repeat")
        case let error where isForWantOfDisk(error):
            .tryLater(
                .unavailable,
                "what this gateway keeps cannot be read or written; whoever runs it is told why by daybook doctor; repeat later"
            )
        case is CancellationError: Problem(.unavailable, detail: "the gateway is stopping; repeat")
        default: Problem(.internalError, detail: "tell the operator of this gateway the request id")
        }
    }

    /// Whether a file system had no room, whoever met it: accounts, blobs, files beside them.
    private static func isForWantOfRoom(_ error: any Error) -> Bool {
        switch error {
        case let error as DatabaseError: error.resultCode == .SQLITE_FULL
        case StartError.noRoom: true
        default: FileFault.isForWantOfRoom(error)
        }
    }

    /// Whether a disk, or a file on it, gave way; doing it again goes wrong until somebody has seen to that.
    private static func isForWantOfDisk(_ error: any Error) -> Bool {
        switch error {
        case let error as DatabaseError:
            error.isOfDisk || [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
        case let error as FileFault: codesOfDisk.contains(error.code)
        case let error as POSIXError: codesOfDisk.contains(error.code.rawValue)
        case let error as CocoaError:
            [.fileWriteVolumeReadOnly, .fileWriteNoPermission].contains(error.code)
        default: false
        }
    }

    /// Of a disk that fails, is gone, is mounted for reading, or whose files are not ours.
    private static let codesOfDisk: Set<Int32> = [EIO, EROFS, ENODEV, ESTALE, EACCES, EPERM]

    private static func problem(for error: HTTPError) -> Problem {
        switch error.status.code {
        case 404: Problem(.unknownRoute)
        case 413: Problem(.bodyTooLarge)
        case 415: Problem(.unsupportedMediaType, detail: error.body)
        case 400..<500: Problem(.malformedRequest, detail: error.body)
        default: Problem(.internalError)
        }
    }

    /// Names the place and the kind of fault, never the value.
    private static func malformedJSON(_ error: DecodingError) -> Problem {
        let (path, fault) =
            switch error {
            case .keyNotFound(let key, let context):
                (context.codingPath + [key], "is missing")
            case .typeMismatch(let type, let context):
                (context.codingPath, "is not of type \(type)")
            case .valueNotFound(_, let context):
                (context.codingPath, "is null")
            case .dataCorrupted(let context):
                (context.codingPath, "is not valid")
            @unknown default:
                ([], "could not be read")
            }
        let pointer = path.map { "/" + ($0.intValue.map(String.init) ?? $0.stringValue) }.joined()
        return Problem(
            .malformedJSON,
            detail: pointer.isEmpty ? "the body \(fault)" : "\(pointer) \(fault)",
            facts: ["pointer": .string(pointer)]
        )
    }
}
