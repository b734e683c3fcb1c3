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

    /// Imports a file, checking each entry as it goes; if anything is wrong, nothing is kept.
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
        let restored = try EventLog.restore(into: folder, progress: progress) { try file.next() }
        return Outcome(origin: restored.origin, size: restored.size, root: restored.root.hex)
    }
}
