// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// The file `checkpoint` beside a log, in whose place anybody may have put anything.
enum CheckpointFile {
    case missing
    /// What it holds, which may be no checkpoint.
    case note(String)
    /// Why nobody can read it.
    case unreadable(String)
    /// What keeps this reader from it, which says nothing of the ledger.
    case keptOut(String)

    /// Reads it; never waits, and takes no more of it than a note may have.
    static func read(in folder: URL) -> CheckpointFile {
        let path = folder.appending(path: "checkpoint").path
        guard FileManager.default.fileExists(atPath: path) else { return .missing }
        do {
            let bytes = try RegularFile.open(path).read(upToCount: ProofLimits.noteBytesMax + 1)
            return .note(String(decoding: bytes ?? Data(), as: UTF8.self))
        } catch {
            return OwnCondition.words(error).map(Self.keptOut) ?? .unreadable("\(error)")
        }
    }

    /// What it holds, if it can be read.
    var text: String? {
        if case .note(let text) = self { text } else { nil }
    }
}

extension Checkpoint {
    /// Reads a checkpoint that lies with a ledger, if it is to be believed as one of its.
    ///
    /// - Parameters:
    ///   - text: The note.
    ///   - origin: The log's name; `nil` if it has none.
    ///   - verifiers: The ledger's keys; if none is known, no signature is asked for.
    /// - Throws: Why it is not.
    init(believing text: String, of origin: String?, _ verifiers: [NoteVerifier]) throws {
        let note = try SignedNote(text)
        try self.init(text: note.text)
        if let origin, !origin.utf8.elementsEqual(self.origin.utf8) {
            throw CheckpointError.otherLog(origin: self.origin, expected: origin)
        }
        if !verifiers.isEmpty { try note.verify(with: verifiers) }
    }
}
