// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import TestSupport
import Testing

@testable import Replay

/// Promise 5 and ruling 42: what is said of a ledger is what was looked at, and no more.
@Suite(.tags(.promise5)) struct `The verdict on a ledger` {
    @Test func `names the key that was believed and what was not looked at`() async throws {
        let ledger = try await AuditedLedger(events: 300)
        let report = try await ledger.verify()
        #expect(report.verdict == .soundAsFarAsLookedAt)
        #expect(report.key?.vkey == ledger.signer.verifier.vkey)
        #expect(report.key?.source == "daybook.json")
        #expect(report.notLookedAt.contains { $0.contains("no master key") })
        let text = report.text()
        #expect(text.contains("proved by a checkpoint signed with \(ledger.signer.verifier.key)"))
        #expect(text.contains("--without media"))
    }

    @Test func `is unproved without a key, and never says proved`() async throws {
        let ledger = try await AuditedLedger(events: 40)
        let files = FileManager.default
        for name in ["checkpoint", "log", "daybook.json"] {
            _ = try files.attributesOfItem(atPath: ledger.url.appending(path: name).path)
        }
        let bare = try ForgedLog().write(try ledger.entries(), checkpoint: false)
        try files.removeItem(at: bare.url.appending(path: LedgerDescription.fileName))
        let report = try await bare.verify()
        #expect(report.verdict == .unproved, "\(report.text())")
        #expect(report.provedSize == nil)
        #expect(!report.text().contains("proved by"))
        let run = try AuditedLedger.run(
            program: try AuditedLedger.daybook,
            ["verify", "--data", bare.url.path]
                + ["keys", "media", "blobs"].flatMap { ["--without", $0] }
        )
        #expect(run.code == 3, "\(String(decoding: run.out, as: UTF8.self))")
    }

    @Test func `takes a root that nobody signed for no proof`() async throws {
        let ledger = try await AuditedLedger(events: 60)
        let other = try NoteSigner(name: AuditedLedger.origin)
        let report = try await ledger.verify { $0.vkeys = [other.verifier.vkey] }
        #expect(report.verdict == .damage)
        #expect(report.provedSize == nil)
        #expect(!report.text().contains("proved by"))
    }

    @Test func `is damage where no checkpoint was signed for minutes while events came`()
        async throws
    {
        let ledger = try await AuditedLedger(events: 2_000)
        let stripped = try ForgedLog().write(try ledger.entries(), checkpoint: false)
        let report = try await stripped.verify()
        #expect(report.verdict == .damage)
        #expect(
            report.findings.contains {
                $0.place == "checkpoints" && $0.fact.contains("one a minute")
            },
            "\(report.text())"
        )
    }

    @Test func `misses checkpoints also where the papers of the gateway are gone, too`()
        async throws
    {
        let ledger = try await AuditedLedger(events: 2_000)
        let stripped = try ForgedLog().write(try ledger.entries(), checkpoint: false)
        let files = FileManager.default
        try files.removeItem(at: stripped.url.appending(path: LedgerDescription.fileName))
        try files.createDirectory(
            at: stripped.url.appending(path: "media"),
            withIntermediateDirectories: false
        )
        let report = try await stripped.verify { $0.vkeys = [ledger.signer.verifier.vkey] }
        #expect(report.verdict == .damage, "\(report.text())")
    }

    @Test func `is never sound of no entries beside what was recorded`() async throws {
        let empty = try ForgedLog().write([] as [[UInt8]], checkpoint: false)
        let media = empty.url.appending(path: "media")
        try FileManager.default.createDirectory(at: media, withIntermediateDirectories: false)
        #expect(try await empty.verify().verdict == .unproved)
        try Data([1]).write(to: media.appending(path: "one.webm"))
        #expect(try await empty.verify().verdict == .damage)
    }

    @Test func `never puts a checkpoint over one that the ledger does not have`() async throws {
        let ledger = try await AuditedLedger(events: 300)
        let kept = ledger.url.appending(path: "kept")
        func save(_ folder: URL) throws -> Int32 {
            let words = ["media", "blobs", "keys", "accounts"].flatMap { ["--without", $0] }
            return try AuditedLedger.run(
                program: try AuditedLedger.daybook,
                ["verify", "--data", folder.path, "--save-checkpoint", kept.path] + words
            ).code
        }
        #expect(try save(ledger.url) == 0)
        let first = try Data(contentsOf: kept)
        let older = try ForgedLog().write(try ledger.entries().dropLast(20).map { $0 })
        for _ in 1...2 {
            #expect(try save(older.url) == 1)
            #expect(try Data(contentsOf: kept) == first)
        }
        try Data("no checkpoint".utf8).write(to: kept)
        #expect(try save(ledger.url) == 2)
        #expect(try Data(contentsOf: kept) == Data("no checkpoint".utf8))
    }

    @Test func `is damage, and not waiting for ever, where a pipe lies for a file`() async throws {
        let ledger = try await AuditedLedger(events: 40)
        mkfifo(ledger.url.appending(path: "keys").path, 0o600)
        let report = try await ledger.verify { $0.without = [] }
        #expect(report.verdict == .damage)
        #expect(report.findings.contains { $0.fact.contains("neither a file nor a folder") })
    }

    @Test func `names the parts of the folder that nobody looked at`() async throws {
        let ledger = try await AuditedLedger(events: 40)
        for name in ["clock", "push.key"] {
            try Data([1]).write(to: ledger.url.appending(path: name))
        }
        let report = try await ledger.verify { $0.without = [.accounts, .keys, .media, .blobs] }
        #expect(report.verdict == .soundAsFarAsLookedAt)
        for name in ["clock", "push.key"] {
            #expect(report.notLookedAt.contains { $0.contains(name) }, "\(report.text())")
        }
    }

    @Test func `counts every damaged entry, also what is not spelt out`() async throws {
        let entries = try await AuditedLedger(events: 900).entries()
        let damaged = entries.map { $0.replacing("\"org\":\"", with: "\"org\":\" ") }
        let report = try await ForgedLog().write(damaged).verify()
        #expect(report.damageCount >= entries.count)
        #expect(report.findings.count < entries.count)
    }

    @Test func `finds a story that the rules forbid`() async throws {
        let ledger = try await AuditedLedger(events: 1_500)
        let told = try await ledger.verify { $0.checksStory = true }
        #expect(told.verdict.isSound, "\(told.text())")
        var entries = try ledger.entries()
        let victim = try #require(
            entries.firstIndex {
                String(decoding: $0, as: UTF8.self).contains(
                    "\"type\":\"chat.message_delivered/1\""
                )
            }
        )
        let before = String(decoding: entries[victim], as: UTF8.self)
        let message = try #require(before.firstMatch(of: /"message":"([0-9a-f-]{36})"/)?.1)
        let other = message.dropLast() + (message.hasSuffix("0") ? "1" : "0")
        entries[victim] = entries[victim].replacing(String(message), with: String(other))
        let forged = try ForgedLog().write(entries)
        #expect(try await forged.verify().verdict.isSound)
        let report = try await forged.verify { $0.checksStory = true }
        #expect(report.verdict == .damage, "\(report.text())")
        #expect(report.findings.contains { $0.fact.contains("breaks the rule") })
    }
}

/// Where checkpoints have to be.
@Suite(.tags(.promise5)) struct `The cadence of checkpoints` {
    private static func order(_ minutes: UInt64, _ seconds: UInt64 = 0) -> UInt64 {
        // As `EntryText.timeOrder` packs 31 December 2026, from 22:00 on, over the end of the year.
        let day: (UInt64, UInt64, UInt64) = minutes < 120 ? (2026, 12, 31) : (2027, 1, 1)
        let hour = minutes < 120 ? 22 + minutes / 60 : (minutes - 120) / 60
        let days = (day.0 * 13 + day.1) * 32 + day.2
        return ((days * 24 + hour) * 60 + minutes % 60) * 60_000_000 + seconds * 1_000_000
    }

    private static func gaps(_ sizes: [UInt64], begun: UInt64 = 0, _ minutes: [UInt64]) -> Int {
        var cadence = CheckpointCadence(sizes: sizes, begun: begun)
        for (position, minute) in minutes.enumerated() {
            cadence.add(UInt64(position), order(minute))
        }
        return cadence.gaps.count
    }

    @Test func `is kept by one checkpoint a minute, over the end of a year`() {
        #expect(Self.gaps(Array(1...60), Array(100..<160)) == 0)
    }

    @Test func `is broken by a quarter of an hour without one, told once`() {
        #expect(Self.gaps([], Array(110..<125)) == 1)
        #expect(Self.gaps([5, 20, 21, 22, 23, 24, 25], Array(100..<125)) == 1)
    }

    @Test func `lets a gateway be away for an hour, and be killed before it could sign`() {
        #expect(Self.gaps([3, 6], [0, 0, 1, 61, 61, 62]) == 0)
        #expect(Self.gaps([], [0, 0, 61, 61]) == 0)
    }

    @Test func `does not count across a step of the clock`() {
        var cadence = CheckpointCadence(sizes: [], begun: 0)
        for (position, minute) in [UInt64(100), 104, 108, 112].enumerated() {
            cadence.forget()
            cadence.add(UInt64(position), Self.order(minute))
        }
        #expect(cadence.gaps.isEmpty)
    }

    @Test func `begins where the key began`() {
        #expect(Self.gaps([], begun: 15, Array(110..<125)) == 0)
    }
}
