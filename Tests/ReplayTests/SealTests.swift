// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Replay
import TestSupport
import Testing

/// What stands behind the newest checkpoint: the master key tells whose it is, and without it nobody says that it is proved.
@Suite(.tags(.promise5), .timeLimit(.minutes(10))) struct `Verifying the seal of a commit` {
    private let ledger: AuditedLedger
    private let masterKey = MasterKey.random()

    /// A ledger of 30 events, of which 20 are signed, as a process that was killed leaves it.
    init() async throws {
        let (folder, running) = (try TemporaryFolder(), try TemporaryFolder())
        let seed = [UInt8](repeating: 7, count: 32)
        let signer = try NoteSigner(name: AuditedLedger.origin, seed: seed)
        ledger = AuditedLedger(folder, signer)
        let (masterKey, place) = (masterKey, running.url)
        let key = OriginKey(
            signer: signer,
            signed: .nothing(at: Timestamp(microseconds: 0)),
            isSealed: true
        )
        try key.write(to: place, masterKey: masterKey)
        let memory = SigningMemory(
            last: key.signed,
            sealer: CommitSealer(masterKey: masterKey, verifier: signer.verifier),
            isSealed: true
        ) { head in
            var key = key
            key.signed = head
            try key.write(to: place, masterKey: masterKey)
        }
        let log = try EventLog.open(
            place,
            configuration: LogConfiguration(
                origin: AuditedLedger.origin,
                keys: NoKeys(),
                signer: signer,
                memory: memory,
                checkpointInterval: .seconds(3_600)
            )
        )
        try await Self.fill(log, 20, seed: 1)
        try await log.makeCheckpoint()
        try await Self.fill(log, 10, seed: 2)
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "log"),
            withIntermediateDirectories: true
        )
        for name in ["log/data.mdb", OriginKey.fileName, "checkpoint"] {
            try FileManager.default.copyItem(
                at: place.appending(path: name),
                to: folder.url.appending(path: name)
            )
        }
        await log.close()
        try LedgerDescription(origin: AuditedLedger.origin, vkey: signer.verifier.vkey)
            .write(to: folder.url)
    }

    private static func fill(_ log: EventLog, _ count: Int, seed: UInt64) async throws {
        var samples = SampleEvents(seed: seed)
        for _ in 0..<count {
            try await log.append(
                [SubjectWrite(samples.subject(), [samples.signal()])],
                command: samples.stamp()
            )
        }
    }

    private func verify(_ key: MasterKey?) async throws -> VerifyReport {
        try await ledger.verify { options in
            options.without = [.accounts, .media, .blobs, .read]
            options.masterKey = key
        }
    }

    @Test func `says with the master key that the rest is sealed`() async throws {
        let report = try await verify(masterKey)
        #expect(report.verdict == .soundAsFarAsLookedAt, "\(report.text())")
        #expect(report.provedSize == 20)
        #expect(report.sealedSize == 30)
        #expect(report.text().contains("The others are sealed under the master key"))
        #expect(!report.notLookedAt.contains { $0.contains("who wrote") })
    }

    @Test func `misses the newest checkpoints that were taken out of the log`() async throws {
        let root = try MerkleTree(leaves: ledger.entries().map { MerkleHash.leaf($0) }).root()
        // As the gateway left it behind a checkpoint over all 30, whose row and file somebody put back to the former.
        try OriginKey(
            signer: ledger.signer,
            signed: SignedHead(size: 30, root: root, time: Timestamp(microseconds: 1)),
            isSealed: true
        ).write(to: ledger.url, masterKey: masterKey)
        let report = try await verify(masterKey)
        #expect(report.verdict == .damage, "\(report.text())")
        #expect(
            report.findings.contains {
                $0.place == "checkpoints" && $0.fact.contains("the log has one over 20 at most")
            }
        )
    }

    @Test func `misses what a gateway leaves in each folder that it serves`() async throws {
        let media = ledger.url.appending(path: "media")
        try FileManager.default.createDirectory(at: media, withIntermediateDirectories: false)
        try LedgerDescription(origin: AuditedLedger.origin, vkey: ledger.signer.verifier.vkey)
            .write(to: media)
        func missing(without parts: Set<VerifyOptions.Part> = []) async throws -> [String] {
            let report = try await ledger.verify {
                $0.without = parts.union([.accounts, .media, .blobs, .read])
            }
            #expect(report.verdict == .soundAsFarAsLookedAt, "\(report.text())")
            return report.findings.filter { $0.severity == .missing }.map(\.place)
        }
        #expect(try await missing() == ["push.key", "clock", "marked"])
        #expect(try await missing(without: [.keys]).isEmpty, "a copy leaves them out")
        for (name, text) in [("push.key", "x"), ("clock", "{}"), ("marked", "blobs\n")] {
            try Data(text.utf8).write(to: ledger.url.appending(path: name))
        }
        #expect(try await missing() == ["marked"], "it does not name media")
        try Data("blobs\nmedia\n".utf8).write(to: ledger.url.appending(path: "marked"))
        #expect(try await missing().isEmpty)
    }

    @Test func `says without it whose entries nobody looked at`() async throws {
        let report = try await verify(nil)
        #expect(report.verdict == .soundAsFarAsLookedAt, "\(report.text())")
        #expect(report.sealedSize == nil)
        #expect(report.notLookedAt.contains { $0.contains("who wrote positions 20..<30") })
        #expect(report.notLookedAt.contains { $0.contains("taken away with its checkpoints") })
        #expect(try await verify(masterKey).notLookedAt.allSatisfy { !$0.contains("taken away") })
    }

    @Test func `names an edited entry, and not what stands between it and what is proved`()
        async throws
    {
        // The index, from the log as it was.
        let reader = try EventLog.open(
            ledger.url,
            configuration: LogConfiguration(origin: AuditedLedger.origin, keys: NoKeys())
        )
        let entry = try #require(try reader.entry(at: LogPosition(24)))
        await reader.close()
        let file = ledger.url.appending(path: "log/data.mdb")
        var bytes = try Data(contentsOf: file)
        let id = Data("\(entry.envelope.id)".utf8)
        // Also in pages that are no longer used.
        while let place = bytes.range(of: id) { bytes[place.upperBound - 1] ^= 1 }
        try bytes.write(to: file)
        let report = try await verify(masterKey)
        #expect(report.verdict == .damage)
        let found = try #require(report.findings.first { $0.fact.contains("over other entries") })
        #expect(found.position == 24)
        #expect(!report.findings.contains { $0.fact.contains("nobody vouches") })
        #expect(report.findings.compactMap(\.position).min() == 24, "\(report.text())")
    }

    @Test func `is damage where others appended, with the first of their positions`() async throws {
        let forger = try EventLog.open(
            ledger.url,
            configuration: LogConfiguration(origin: AuditedLedger.origin, keys: NoKeys())
        )
        try await Self.fill(forger, 2, seed: 3)
        await forger.close()
        let report = try await verify(masterKey)
        #expect(report.verdict == .damage)
        let found = try #require(report.findings.first { $0.fact.contains("nobody vouches") })
        #expect(found.position == 30)
        #expect(found.fact.contains("positions 30..<32"))
        // Whose entries they are the key tells; that the seal is of another end, anybody sees.
        let unkeyed = try await verify(nil)
        #expect(unkeyed.verdict == .damage)
        #expect(unkeyed.findings.contains { $0.fact.contains("positions 30..<32") })
    }
}
