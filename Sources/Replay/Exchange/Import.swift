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

    /// Imports a file, checking each entry as it goes; if anything is wrong, or its first entries are not those that the
    /// checkpoint beside it covers, nothing is kept.
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
        let promised = try checkpoint(beside: path)
        var tree = MerkleFrontier()
        let next: () throws -> [UInt8]? = {
            if let promised, tree.size == promised.size, tree.root != promised.root {
                throw ExportedFileError(
                    "\(path) is not what was exported: its first \(promised.size) entries have another root than \(path)\(Export.checkpointSuffix); export again"
                )
            }
            if let line = try file.next() {
                tree.append(.leaf(line))
                return line
            }
            guard tree.size >= promised?.size ?? 0 else {
                throw ExportedFileError(
                    "\(path) is half an export: it has \(tree.size) entries, and \(path)\(Export.checkpointSuffix) was signed over \(promised?.size ?? 0); export again"
                )
            }
            return nil
        }
        do {
            let restored = try EventLog.restore(into: folder, progress: progress, entries: next)
            return Outcome(origin: restored.origin, size: restored.size, root: restored.root.hex)
        } catch EventLogError.damaged(let position, let detail) {
            let line = position.map { "line \($0.rawValue + 1)" } ?? "a line"
            throw file.changed("\(line) is no entry as it was recorded (\(detail))")
        }
    }

    /// The checkpoint beside an export; `nil` if there is none.
    private static func checkpoint(beside path: String) throws -> Checkpoint? {
        let note = path + Export.checkpointSuffix
        guard let bytes = FileManager.default.contents(atPath: note) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return try Checkpoint(text: SignedNote(text).text)
    }
}
