// SPDX-License-Identifier: Apache-2.0
public import Events
public import Foundation

/// Whether a log ends where its own keys ended it, as far as that can be seen without reading the log.
///
/// For whoever shows what the log holds: a log that was cut off looks like a shorter one, and one that somebody wrote on
/// like a longer one. Nothing that is believed here is proved; ``Verify`` does that.
public enum LogEnd {
    /// What is missing behind the end, or stands behind the end of the last commit.
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder.
    ///   - masterKey: Opens what the gateway remembers of what it signed.
    /// - Returns: The fact; `nil` if nothing tells of another end.
    /// - Throws: `EventLogError` when the log cannot be opened.
    public static func fault(
        of folder: URL,
        masterKey: MasterKey? = nil
    ) throws -> String? {
        // Read before the log, which may grow meanwhile.
        let beside = besideLog(folder, masterKey)
        let ledger = try LedgerReader.open(folder, usingIndex: false)
        defer { ledger.close() }
        var claims = beside
        claims.append(claim("its newest checkpoint") { try ledger.newestCheckpointNote() })
        let end = try ledger.sealedEnd()
        if let seal = end.seal { claims.append(Claim("its last commit reached", seal.size)) }
        let longest = claims.compactMap(\.self).max { $0.size < $1.size }
        guard let longest, longest.size > end.size else {
            return end.seal.flatMap { surplus(behind: $0, of: end.size) }
        }
        return
            "the log has \(end.size) entries, and \(longest.source) \(longest.size): positions \(end.size)..<\(longest.size) are lost"
    }

    private static func surplus(behind seal: CommitSeal, of size: UInt64) -> String? {
        guard seal.size < size else { return nil }
        return
            "the log has \(size) entries, and its last commit reached \(seal.size): nobody vouches for positions \(seal.size)..<\(size)"
    }

    private struct Claim {
        let source: String
        let size: UInt64

        init(_ source: String, _ size: UInt64) {
            self.source = source
            self.size = size
        }
    }

    private static func besideLog(_ folder: URL, _ masterKey: MasterKey?) -> [Claim?] {
        let file = folder.appending(path: "checkpoint").path
        let kept = claim("the file checkpoint") {
            guard FileManager.default.fileExists(atPath: file) else { return nil }
            return String(decoding: try RegularFile.contents(file), as: UTF8.self)
        }
        // Whether what the master key opens is whole, verify says.
        let signed = masterKey.flatMap { try? OriginKey.read(from: folder, masterKey: $0)?.signed }
        return [kept, signed.map { Claim("at \($0.time) were signed", $0.size) }]
    }

    /// What a checkpoint covers; what is none covers nothing, and verify tells of it.
    private static func claim(_ source: String, _ note: () throws -> String?) -> Claim? {
        guard let text = try? note(), let signed = try? SignedNote(text),
            let checkpoint = try? Checkpoint(text: signed.text)
        else { return nil }
        return Claim("\(source) covers", checkpoint.size)
    }
}
