// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import Replay
import TestSupport
import Testing

/// Promise 5: damaged files end in a verdict, never in a crash or a hang.
@Suite(.tags(.promise5)) struct `A damaged file` {
    /// How many bits each seed flips; `make campaign PART=fuzz` flips 250.
    static let flips =
        ProcessInfo.processInfo.environment["DAYBOOK_FLIPS"].flatMap { Int($0) } ?? 12

    @Test(arguments: UInt64(1)...4)
    func `with any byte flipped is found, or exports the same bytes`(seed: UInt64) async throws {
        let ledger = try await AuditedLedger(events: 250, seed: seed)
        let file = ledger.url.appending(path: "log/data.mdb")
        let sound = try Data(contentsOf: file)
        let export = try AuditedLedger.run("export", "--data", ledger.url.path)
        #expect(export.code == 0)
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<Self.flips {
            var damaged = sound
            // Half of the flips hit the first pages, where LMDB keeps its own words.
            let place =
                Bool.random(using: &chance)
                ? Int.random(in: 0..<damaged.count, using: &chance)
                : Int.random(in: 0..<min(40_960, damaged.count), using: &chance)
            damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
            try damaged.write(to: file)
            let report = try await ledger.verify { $0.silence = .seconds(10) }
            let again = try AuditedLedger.run("export", "--data", ledger.url.path)
            #expect([0, 1].contains(again.code), "seed \(seed), byte \(place): \(again.errors)")
            if report.verdict.isSound {
                #expect(again.out == export.out, "seed \(seed), byte \(place) is not found")
            }
        }
    }

    @Test(arguments: [
        0, 1, 100, 4_095, 4_096, 8_191, 8_192, 8_193, 20_480, 65_536, -4_096, -1, -5_000,
    ])
    func `that was cut is found or refused`(bytes: Int) async throws {
        let ledger = try await AuditedLedger(events: 400)
        let file = ledger.url.appending(path: "log/data.mdb")
        let sound = try Data(contentsOf: file)
        let export = try AuditedLedger.run("export", "--data", ledger.url.path)
        try sound.prefix(bytes < 0 ? sound.count + bytes : bytes).write(to: file)
        let report = try await ledger.verify()
        let again = try AuditedLedger.run("export", "--data", ledger.url.path)
        #expect(report.verdict == .damage || again.out == export.out, "\(report.text())")
        #expect([0, 1].contains(again.code), "\(again.errors)")
    }

    @Test func `that grew at its end is still sound`() async throws {
        let ledger = try await AuditedLedger(events: 100)
        let file = ledger.url.appending(path: "log/data.mdb")
        try (Data(contentsOf: file) + Data(repeating: 0xAA, count: 10_000)).write(to: file)
        let report = try await ledger.verify()
        #expect(report.verdict.isSound, "\(report.text())")
    }

    @Test func `of the index is repairable and named`() async throws {
        let ledger = try await AuditedLedger(events: 800)
        let file = ledger.url.appending(path: "index/data.mdb")
        let leaf = MerkleHash.leaf(try ledger.entries()[400]).bytes
        var bytes = try Data(contentsOf: file)
        var found = 0
        while let place = bytes.firstRange(of: Data(leaf)) {
            bytes[place.lowerBound] ^= 1
            found += 1
        }
        #expect(found > 0)
        try bytes.write(to: file)
        let report = try await ledger.verify()
        #expect(report.damageCount == 0 && report.repairableCount > 0, "\(report.text())")
        #expect(
            report.findings.contains { $0.place == "index" && $0.fact.contains("position 400") }
        )
        try FileManager.default.removeItem(at: ledger.url.appending(path: "index"))
        #expect(try await ledger.verify().verdict.isSound)
    }

    @Test func `that is no ledger at all cannot be verified`() async throws {
        let folder = try TemporaryFolder()
        await #expect(throws: CannotVerify.self) {
            try await Verify.ledger(at: folder.url, options: AuditedLedger.options)
        }
        let run = try AuditedLedger.run("verify", "--data", folder.url.path)
        #expect(run.code == 2)
        #expect(run.errors.contains("not possible"))
    }

    @Test func `is read by nobody who may not write it, and still verified`() async throws {
        let ledger = try await AuditedLedger(events: 500)
        let incident = try #require(
            try ledger.entries().lazy.map { try Entry(parsing: $0).envelope.subject }
                .first { $0.category == "incident" }
        )
        for arguments in [["-R", "a+rX", ledger.url.path], ["-R", "a-w", ledger.url.path]] {
            #expect(try AuditedLedger.run(program: "/usr/bin/chmod", arguments).code == 0)
        }
        let missing = ["keys", "accounts", "media", "blobs"].flatMap { ["--without", $0] }
        for arguments in [["verify"] + missing, ["timeline", String(incident.name)], ["export"]] {
            let run = try Powerless.run(arguments + ["--data", ledger.url.path])
            #expect(run.code == 0, "\(arguments): \(run.errors)")
            #expect(!run.out.isEmpty)
        }
        _ = try AuditedLedger.run(program: "/usr/bin/chmod", ["-R", "u+w", ledger.url.path])
    }
}
