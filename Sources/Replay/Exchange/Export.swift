// SPDX-License-Identifier: Apache-2.0
import Events
public import Foundation

/// Writes the entries of a ledger as lines, byte for byte.
public enum Export {
    /// What the file with the checkpoint of an export adds to its name.
    public static let checkpointSuffix = ".checkpoint"
    /// What is added to the name of an export that does not replace the one that stands there.
    public static let damagedSuffix = ".damaged"

    /// What was written.
    public struct Outcome: Sendable {
        /// How many entries.
        public let count: UInt64
        /// Why not all of them, or more than the log's own keys ended; `nil` if neither.
        public fileprivate(set) var damage: String?
        /// The newest signed checkpoint of the log; `nil` if it has none.
        public let checkpoint: String?
        /// Where they lie; `nil` if they went to a stream.
        public fileprivate(set) var file: URL?
    }

    /// Exports a ledger to a file, in one step, with its newest checkpoint in a file beside it.
    ///
    /// Whatever has the name stays as it is until all lines are on disk, and for good when the ledger turns out to be
    /// damaged, or shorter than the export that stands there: yesterday's lines are what it can be restored from. What
    /// could be read lies under a name of its own then, with ``damagedSuffix``.
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
            var outcome = try ledger(at: folder, to: handle, program: program, progress: progress)
            try handle.synchronize()
            try handle.close()
            let earlier = EarlierExport(file)
            outcome.damage = try outcome.damage ?? earlier?.shortfall(of: outcome)
            if outcome.damage != nil, earlier != nil {
                outcome.file = URL(filePath: file.path + damagedSuffix)
            } else {
                outcome.file = file
            }
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
    /// - Returns: What was written; the lines before any damage are whole.
    /// - Throws: ``CannotVerify`` if the ledger cannot be read at all, and what writing throws.
    public static func ledger(
        at folder: URL,
        to output: FileHandle,
        program: WalkProgram = .current,
        progress: (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
    ) throws -> Outcome {
        do {
            _ = try LMDBFileHead.read(folder.appending(path: "log/data.mdb"))
        } catch {
            throw CannotVerify(
                "export of \(folder.path) was not possible: \(error.localizedDescription); name the ledger's folder with --data"
            )
        }
        var writer = LineWriter(output)
        var size: UInt64 = 0
        var count: UInt64 = 0
        var newest: (size: UInt64, note: String)?
        do {
            try LogWalk(folder: folder, program: program).run { item in
                switch item {
                case .size(let total): size = total
                case .entry(_, let bytes):
                    try writer.write(bytes)
                    count += 1
                    if count.isMultiple(of: 4_096) { progress(count, size) }
                case .checkpoint(let size, let note):
                    if size >= newest?.size ?? 0 { newest = (size, note) }
                case .fact: break
                }
            }
        } catch WalkError.cannotStart(let reason) {
            throw CannotVerify("export of \(folder.path) was not possible: \(reason)")
        } catch let error as WalkError {
            try writer.flush()
            return Outcome(count: count, damage: "\(error)", checkpoint: newest?.note)
        }
        try writer.flush()
        progress(count, size)
        return Outcome(
            count: count,
            damage: try LogEnd.fault(of: folder),
            checkpoint: newest?.note
        )
    }
}

/// The export that has the name already, as far as the checkpoint beside it tells.
private struct EarlierExport {
    private let path: String
    private let checkpoint: Checkpoint?

    /// - Returns: `nil` if nothing has the name.
    init?(_ file: URL) {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        path = file.path
        let note = file.path + Export.checkpointSuffix
        // What is none tells nothing of the lines.
        checkpoint = (try? RegularFile.contents(note)).flatMap { bytes in
            try? Checkpoint(text: SignedNote(String(decoding: bytes, as: UTF8.self)).text)
        }
    }

    /// What it has and an export of the same ledger has not; `nil` if that is nothing, as far as is known.
    func shortfall(of outcome: Export.Outcome) throws -> String? {
        guard let checkpoint else { return nil }
        if let newer = try outcome.checkpoint.map({ try Checkpoint(text: SignedNote($0).text) }),
            newer.origin != checkpoint.origin
        {
            throw CannotVerify(
                "export to \(path) was not possible: an export of \(checkpoint.origin) has that name, and this ledger is \(newer.origin); name another file"
            )
        }
        guard checkpoint.size > outcome.count else { return nil }
        return
            "\(path) of an earlier export has at least \(checkpoint.size): positions \(outcome.count)..<\(checkpoint.size) are lost"
    }
}

/// Collects lines and writes many at once.
private struct LineWriter {
    private let output: FileHandle
    private var buffer = Data()

    init(_ output: FileHandle) {
        self.output = output
    }

    mutating func write(_ line: UnsafeRawBufferPointer) throws {
        buffer.append(contentsOf: line)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= ReplayLimits.readBytes { try flush() }
    }

    mutating func flush() throws {
        try output.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
