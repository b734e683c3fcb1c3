// SPDX-License-Identifier: Apache-2.0
import Events
public import Foundation

/// Brings exported entries into a ledger that has none.
public enum Import {
    /// What the new ledger holds.
    public struct Outcome: Codable, Sendable {
        public let origin: String
        public let size: UInt64
        /// The root of the tree over the entries, in hexadecimal.
        public let root: String
    }

    /// Imports a file, checking each entry as it goes; if anything is wrong, or the file has fewer entries than the checkpoint
    /// beside it covers, nothing is kept.
    ///
    /// - Parameters:
    ///   - path: The exported file; `-` for standard input.
    ///   - folder: The ledger's folder; made if missing.
    ///   - progress: Hears how many entries are in.
    /// - Returns: Size and root: those of the ledger that the file came from.
    /// - Throws: `EventLogError`, or why the file cannot be read.
    public static func file(
        _ path: String,
        into folder: URL,
        progress: (UInt64) -> Void = { _ in }
    ) throws -> Outcome {
        let file = try ExportedFile(path)
        let promised = try promisedSize(path)
        var count: UInt64 = 0
        let restored = try EventLog.restore(into: folder, progress: progress) {
            if let line = try file.next() {
                count += 1
                return line
            }
            guard count >= promised else {
                throw ExportedFileError(
                    "\(path) is half an export: it has \(count) entries, and \(path)\(Export.checkpointSuffix) was signed over \(promised); export again"
                )
            }
            return nil
        }
        return Outcome(origin: restored.origin, size: restored.size, root: restored.root.hex)
    }

    /// How many entries the checkpoint beside an export covers; 0 if there is none.
    private static func promisedSize(_ path: String) throws -> UInt64 {
        let note = path + Export.checkpointSuffix
        guard let bytes = FileManager.default.contents(atPath: note) else { return 0 }
        let text = String(decoding: bytes, as: UTF8.self)
        return try Checkpoint(text: SignedNote(text).text).size
    }
}
