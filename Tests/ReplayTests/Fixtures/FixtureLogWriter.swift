// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Events

/// Makes fixtures/logs from nothing.
struct FixtureLogWriter {
    /// The entry that is damaged.
    private static let victim = 9

    private let ledger: AuditedLedger
    private let entries: [[UInt8]]
    private let bytes: Data

    init() async throws {
        ledger = try await AuditedLedger(events: 16)
        entries = try ledger.entries()
        bytes = try Data(contentsOf: ledger.url.appending(path: Self.log))
    }

    private static let log = "log/data.mdb"

    /// Writes the healthy ledger and what is beside it, each with the verdict that it gets now: to be looked at before
    /// it is kept.
    func write() async throws {
        let parts = [Self.log, "index/data.mdb", "checkpoint", LedgerDescription.fileName]
        for part in parts {
            let target = FixtureLog.healthy.appending(path: part)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(contentsOf: ledger.url.appending(path: part)).write(to: target)
        }
        try await write("healthy", "Nothing is wrong with it.", [nil])
        try await write(
            "torn-tail",
            "The disk lost the end of the file.",
            stride(from: bytes.count - 4_096, to: 0, by: -4_096).map {
                .init(file: Self.log, bytesLeft: $0)
            }
        )
        try await write(
            "flipped-bit",
            "The disk changed one bit of an entry.",
            try edits("\"revision\":", "\"sevision\":")
        )
        try await write(
            "edited-entry",
            "Somebody changed who did it, and left the entry well formed.",
            try edits("\"actor\":\"a", "\"actor\":\"x")
        )
        try await write(
            "lost-tail",
            "The newest checkpoint covers an entry more: the log is a copy from before it.",
            [try checkpoint(over: entries + [entries[0]])]
        )
        try await write(
            "wrong-checkpoint",
            "The ledger's own key signed a root that its entries do not have.",
            [try checkpoint(over: entries.dropLast() + [entries[0]])]
        )
    }

    /// Writes the first of the changes that hurts.
    private func write(
        _ name: String,
        _ about: String,
        _ changes: [FixtureLog.Change?]
    ) async throws {
        var written: FixtureLog?
        for change in changes where written?.expected.verdict != "damage" {
            let report = try await FixtureLog.verify(with: change)
            written = FixtureLog(about: about, change: change, expected: .init(report))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let text = try encoder.encode(try #require(written)) + Data("\n".utf8)
        try text.write(to: FixtureLog.folder.appending(path: "\(name).json"))
    }

    /// Other words in the victim, wherever the file has it: LMDB leaves old copies of pages lying about.
    private func edits(_ was: String, _ becomes: String) throws -> [FixtureLog.Change] {
        let entry = Data(entries[Self.victim])
        let words = try #require(entry.firstRange(of: Data(was.utf8)))
        return bytes.ranges(of: entry).map { copy in
            FixtureLog.Change(
                file: Self.log,
                at: copy.lowerBound + words.lowerBound,
                was: was,
                becomes: becomes
            )
        }
    }

    /// A checkpoint over other entries in place of the newest.
    private func checkpoint(over entries: [[UInt8]]) throws -> FixtureLog.Change {
        let forged = try ForgedLog().write(entries)
        let reader = try LedgerReader.open(forged.url, usingIndex: false)
        defer { reader.close() }
        let note: String = try #require(try reader.newestCheckpointNote())
        let file = ledger.url.appending(path: "checkpoint")
        return FixtureLog.Change(
            file: "checkpoint",
            at: 0,
            was: try String(contentsOf: file, encoding: .utf8),
            becomes: note
        )
    }
}
