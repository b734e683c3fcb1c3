// SPDX-License-Identifier: Apache-2.0
import Events
public import Foundation

/// Writes the entries of a ledger as lines, byte for byte.
public enum Export {
    /// What the file with the checkpoint of an export adds to its name.
    public static let checkpointSuffix = ".checkpoint"
    /// What is added to the name of an export of a ledger that is damaged.
    public static let damagedSuffix = ".damaged"

    /// What was written.
    public struct Outcome: Sendable {
        /// How many entries.
        public let count: UInt64
        /// What is wrong with them, or with where they end; `nil` if nothing is, as far as looked at.
        public let damage: String?
        /// The newest signed checkpoint of the log; `nil` if it has none.
        public let checkpoint: String?
        /// Where they lie; `nil` if they went to a stream.
        public fileprivate(set) var file: URL?
    }

    /// Exports a ledger to a file, in one step, with its newest checkpoint in a file beside it.
    ///
    /// Whatever has the name stays as it is until all lines are on disk, and for good when anything is wrong with the
    /// ledger, or its lines are not those of the export that stands there, as far as the checkpoint beside that tells:
    /// yesterday's lines are what it can be restored from. What could be read lies under a name of its own then, with
    /// ``damagedSuffix``.
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder.
    ///   - file: The file to write.
    ///   - program: How the walking process is started.
    ///   - progress: Hears how many of how many are written.
    /// - Returns: What was written.
    /// - Throws: ``CannotVerify`` if the ledger cannot be read at all or another ledger's export has the name, and what
    ///   writing throws.
    public static func ledger(
        at folder: URL,
        toFile file: URL,
        program: WalkProgram = .current,
        progress: (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
    ) throws -> Outcome {
        let growing = URL(filePath: file.path + ".part")
        guard FileManager.default.createFile(atPath: growing.path, contents: nil) else {
            throw CannotVerify("export to \(file.path) was not possible: it cannot be written")
        }
        do {
            let handle = try FileHandle(forWritingTo: growing)
            var outcome = try copy(folder, to: handle, EarlierExport(file), program, progress)
            try handle.synchronize()
            try handle.close()
            outcome.file =
                outcome.damage == nil ? file : URL(filePath: file.path + damagedSuffix)
            try place(growing, outcome)
            return outcome
        } catch {
            // Half an export would be taken for one.
            unlink(growing.path)
            guard !FileFault.isForWantOfRoom(error) else {
                throw CannotVerify("no room for \(file.path): make room, then repeat")
            }
            throw error
        }
    }

    /// Gives the lines their name, and the checkpoint its file beside them.
    private static func place(_ growing: URL, _ outcome: Outcome) throws {
        guard let file = outcome.file else { return }
        let note = URL(filePath: file.path + checkpointSuffix)
        if let checkpoint = outcome.checkpoint {
            try Data(checkpoint.utf8).write(to: note, options: .atomic)
        } else if FileManager.default.fileExists(atPath: note.path) {
            try FileManager.default.removeItem(at: note)
        }
        guard rename(growing.path, file.path) == 0 else {
            throw CannotVerify(
                "export to \(file.path) was not possible: \(String(cString: strerror(errno)))"
            )
        }
    }

    /// Exports a ledger through another process, so that damage ends the export and nothing else.
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder.
    ///   - output: Where the lines go.
    ///   - program: How the walking process is started.
    ///   - progress: Hears how many of how many are written.
    /// - Returns: What was written.
    /// - Throws: ``CannotVerify`` if the ledger cannot be read at all, and what writing throws.
    public static func ledger(
        at folder: URL,
        to output: FileHandle,
        program: WalkProgram = .current,
        progress: (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
    ) throws -> Outcome {
        try copy(folder, to: output, nil, program, progress)
    }

    private static func copy(
        _ folder: URL,
        to output: FileHandle,
        _ earlier: EarlierExport?,
        _ program: WalkProgram,
        _ progress: (_ done: UInt64, _ of: UInt64) -> Void
    ) throws -> Outcome {
        do {
            _ = try LMDBFileHead.read(folder.appending(path: "log/data.mdb"))
        } catch {
            throw CannotVerify(
                "export of \(folder.path) was not possible: \(error.localizedDescription); name the ledger's folder with --data"
            )
        }
        var copy = LogCopy(of: folder, to: output, earlier)
        try copy.run(LogWalk(folder: folder, program: program), progress)
        return Outcome(
            count: copy.count,
            damage: try copy.damage ?? LogEnd.fault(of: folder),
            checkpoint: copy.newestCheckpoint
        )
    }
}

/// The export that has the name already, as far as the checkpoint beside it tells.
struct EarlierExport {
    let path: String
    /// The note beside it; `nil` if there is none, or it is no checkpoint and tells nothing of the lines.
    let note: String?
    private let checkpoint: Checkpoint?

    init(_ file: URL) {
        path = file.path
        let beside = file.path + Export.checkpointSuffix
        let text = (try? RegularFile.contents(beside)).map { String(decoding: $0, as: UTF8.self) }
        checkpoint = text.flatMap { try? Checkpoint(text: SignedNote($0).text) }
        note = checkpoint == nil ? nil : text
    }

    /// Refuses to take the name of another ledger's export.
    func check(_ origin: String?) throws {
        guard let checkpoint, let origin, origin != checkpoint.origin else { return }
        throw CannotVerify(
            "export to \(path) was not possible: an export of \(checkpoint.origin) has that name, and this ledger is \(origin); name another file"
        )
    }
}
