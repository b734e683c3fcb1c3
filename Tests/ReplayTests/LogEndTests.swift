// SPDX-License-Identifier: Apache-2.0
import Foundation
import Replay
import TestSupport
import Testing

@testable import Events

/// Whoever shows what a log holds says where it ends otherwise than its keys ended it; who takes away what would tell that
/// makes no log sounder, and what is not to be believed is not told on.
@Suite(.tags(.promise5), .timeLimit(.minutes(10))) struct `Where a log ends` {
    private let masterKey = MasterKey.random()

    /// What a gateway keeps under its master key beside a log.
    private func keep(_ ledger: AuditedLedger, isSealed: Bool = true) throws {
        try OriginKey(
            signer: ledger.signer,
            signed: .nothing(at: Timestamp(microseconds: 0)),
            isSealed: isSealed
        ).write(to: ledger.url, masterKey: masterKey)
    }

    private static func entries() async throws -> [[UInt8]] {
        try await AuditedLedger(events: 60).entries()
    }

    /// The entries, of which the newest checkpoint covers the first 50, without a seal.
    private static func unsealed() async throws -> AuditedLedger {
        let entries = try await entries()
        let ledger = try ForgedLog().write(Array(entries.prefix(50)))
        try change(ledger) { store, transaction in
            for (place, bytes) in entries.enumerated().dropFirst(50) {
                let position = LogPosition(UInt64(place))
                let room = try store.reserve(position, byteCount: bytes.count, in: transaction)
                bytes.withUnsafeBytes { room.copyMemory(from: $0) }
            }
        }
        return ledger
    }

    private static func change(
        _ ledger: AuditedLedger,
        _ work: (EntryStore, borrowing LMDBTransaction) throws -> Void
    ) throws {
        let store = try EntryStore(
            path: ledger.url.appending(path: "log").path,
            access: .readWrite,
            map: MapSize(bytes: 1 << 30)
        )
        defer { store.environment.close() }
        let transaction = try store.environment.beginWrite()
        try work(store, transaction)
        try transaction.commit()
    }

    private static func seal(_ ledger: AuditedLedger, as text: String) throws {
        try change(ledger) { store, transaction in
            try store.put(fact: text, named: CommitSeal.factName, in: transaction)
        }
    }

    @Test func `is said where a gateway's log has lost its seal`() async throws {
        let ledger = try await Self.unsealed()
        #expect(
            try LogEnd.fault(of: ledger.url)?
                .contains("nobody vouches for positions 50..<60") == true
        )
        try keep(ledger)
        let fault = try LogEnd.fault(of: ledger.url, masterKey: masterKey)
        #expect(
            fault?.contains("its last commit is gone: nobody vouches for positions 50..<60")
                == true
        )
        let covered = try ForgedLog().write(try await Self.entries())
        #expect(try LogEnd.fault(of: covered.url) == nil, "a checkpoint covers all of it")
        try keep(covered)
        #expect(
            try LogEnd.fault(of: covered.url, masterKey: masterKey)?
                .contains("whether more stood behind position 60") == true
        )
    }

    @Test func `is nothing to say of a log that has no seal by right`() async throws {
        let entries = try await Self.entries()
        let imported = try ForgedLog().write(entries, checkpoint: false)
        try FileManager.default.removeItem(at: imported.url.appending(path: "daybook.json"))
        #expect(try LogEnd.fault(of: imported.url) == nil)
        let begun = try ForgedLog().write([] as [[UInt8]], checkpoint: false)
        try keep(begun)
        #expect(try LogEnd.fault(of: begun.url, masterKey: masterKey) == nil)
        let older = try await Self.unsealed()
        try keep(older, isSealed: false)
        #expect(try LogEnd.fault(of: older.url, masterKey: masterKey) == nil)
    }

    @Test(arguments: ["xx", "", "18446744073709551615 code"])
    func `is said where the seal is none`(text: String) async throws {
        let ledger = try await Self.unsealed()
        try Self.seal(ledger, as: text)
        for key in [nil, masterKey] {
            let fault = try LogEnd.fault(of: ledger.url, masterKey: key)
            #expect(fault?.contains("its last commit cannot be read") == true)
        }
        let run = try AuditedLedger.run("trends", "--data", ledger.url.path)
        #expect(run.code == 1)
    }

    @Test func `is said with the master key where a seal of the right size is not its own`()
        async throws
    {
        let ledger = try await Self.unsealed()
        try keep(ledger)
        let sealer = CommitSealer(masterKey: masterKey, verifier: ledger.signer.verifier)
        var tree = MerkleFrontier()
        for entry in try ledger.entries() { tree.append(.leaf(entry)) }
        try Self.seal(ledger, as: sealer.seal(tree).text)
        #expect(try LogEnd.fault(of: ledger.url, masterKey: masterKey) == nil)
        try Self.seal(ledger, as: "60 forged")
        let fault = try LogEnd.fault(of: ledger.url, masterKey: masterKey)
        #expect(fault?.contains("not over these entries") == true, "\(fault ?? "")")
        #expect(fault?.contains("nobody vouches for positions 50..<60") == true)
    }

    @Test func `is not known where the keys of people are here and what was signed last is not`()
        async throws
    {
        let ledger = try ForgedLog().write(try await Self.entries())
        try Data().write(to: ledger.url.appending(path: "keys"))
        #expect(try LogEnd.fault(of: ledger.url) == nil)
        let fault = try LogEnd.fault(of: ledger.url, masterKey: masterKey)
        #expect(fault?.contains("origin.key does not open") == true)
        try keep(ledger)
        let other = try LogEnd.fault(of: ledger.url, masterKey: .random())
        #expect(other?.contains("origin.key does not open") == true)
    }

    @Test(arguments: ["garbage", "edited", "of another", "a folder", "a pipe", "a device"])
    func `is not told by a file checkpoint that is`(kind: String) async throws {
        let ledger = try ForgedLog().write(try await Self.entries())
        let file = ledger.url.appending(path: "checkpoint")
        let note = try String(contentsOf: file, encoding: .utf8)
        let longer = note.replacing("\n60\n", with: "\n600\n")
        try FileManager.default.removeItem(at: file)
        switch kind {
        case "garbage": try Data("x".utf8).write(to: file)
        case "edited": try Data(longer.utf8).write(to: file)
        case "of another":
            try Data(longer.replacing(AuditedLedger.origin, with: "o.example/x").utf8)
                .write(to: file)
        case "a folder":
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        case "a pipe": #expect(mkfifo(file.path, 0o600) == 0)
        default: #expect(symlink("/dev/zero", file.path) == 0)
        }
        let fault = try #require(try LogEnd.fault(of: ledger.url))
        #expect(fault.contains("the file checkpoint"), "\(fault)")
        #expect(!fault.contains("are lost"), "\(fault)")
        let report = try await ledger.verify()
        #expect(report.verdict == .damage)
        let told = report.findings.filter { $0.fact.contains("missing") }
        #expect(told.isEmpty, "\(report.text())")
    }

    @Test func `names what the log's file has beside a log`() async throws {
        let ledger = try ForgedLog().write(try await Self.entries())
        try Self.change(ledger) { store, transaction in
            try store.put(fact: "1", named: "zzz", in: transaction)
        }
        let log = try LMDBEnvironment(
            folder: ledger.url.appending(path: "log").path,
            access: .readWrite,
            map: MapSize(bytes: 1 << 30),
            tablesMax: 4
        )
        let transaction = try log.beginWrite()
        _ = try transaction.table("forged", .create)
        try transaction.commit()
        log.close()
        let report = try await ledger.verify()
        #expect(report.verdict.isSound, "\(report.text())")
        for what in ["the fact zzz", "the table forged"] {
            #expect(
                report.findings.contains { $0.severity == .note && $0.fact.contains(what) },
                "\(report.text())"
            )
        }
    }
}
