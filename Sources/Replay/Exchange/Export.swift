// SPDX-License-Identifier: Apache-2.0
import Events
public import Foundation

/// Writes the entries of a ledger as lines, byte for byte.
public enum Export {
    /// What was written.
    public struct Outcome: Sendable {
        /// How many entries.
        public let count: UInt64
        /// Why not all of them; `nil` if all.
        public let damage: String?
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
        do {
            try LogWalk(folder: folder, program: program).run { item in
                switch item {
                case .size(let total): size = total
                case .entry(_, let bytes):
                    try writer.write(bytes)
                    count += 1
                    if count.isMultiple(of: 4_096) { progress(count, size) }
                case .fact, .checkpoint: break
                }
            }
        } catch WalkError.cannotStart(let reason) {
            throw CannotVerify("export of \(folder.path) was not possible: \(reason)")
        } catch let error as WalkError {
            try writer.flush()
            return Outcome(count: count, damage: "\(error)")
        }
        try writer.flush()
        progress(count, size)
        return Outcome(count: count, damage: nil)
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
