// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Events

/// Promise 5: who can write the folder and has no key gets nothing signed.
@Suite(.tags(.promise5)) struct `What a ledger signed last` {
    private static let origin = "daybook.example.org/test"
    private let folder: TemporaryFolder
    private let masterKey = MasterKey.random()

    init() async throws {
        folder = try TemporaryFolder()
        try OriginKey(
            signer: NoteSigner(name: Self.origin, seed: Array(repeating: 7, count: 32)),
            signed: .nothing(at: Timestamp(microseconds: 0))
        ).write(to: folder.url, masterKey: masterKey)
        try await append(300)
    }

    private func key() throws -> OriginKey {
        try #require(try OriginKey.read(from: folder.url, masterKey: masterKey))
    }

    private func open() throws -> EventLog {
        let key = try key()
        let (place, masterKey) = (folder.url, masterKey)
        let memory = SigningMemory(last: key.signed, begun: key.begun) { head in
            var key = key
            key.signed = head
            try key.write(to: place, masterKey: masterKey)
        }
        return try EventLog.open(
            folder.url,
            configuration: LogConfiguration(
                origin: Self.origin,
                keys: NoKeys(),
                signer: key.signer,
                memory: memory
            )
        )
    }

    private func append(_ count: Int) async throws {
        var samples = SampleEvents(seed: UInt64.random(in: 1...(1 << 40)))
        let log = try open()
        for _ in 0..<count {
            try await log.append(
                [SubjectWrite(samples.subject(), [samples.signal()])],
                command: samples.stamp()
            )
        }
        await log.close()
    }

    private func remove(_ names: String...) throws {
        for name in names {
            try FileManager.default.removeItem(at: folder.url.appending(path: name))
        }
    }

    /// Opens the log, asks for a signature and tells why there was none.
    private func refusal() async throws -> String? {
        let before = try key().signed
        let log = try open()
        let reason = log.readOnlyReason
        try await log.makeCheckpoint()
        await log.close()
        if reason != nil { #expect(try key().signed == before) }
        return reason.map { "\($0)" }
    }

    private func store<Value>(_ work: (EntryStore) throws -> Value) throws -> Value {
        let store = try EntryStore(
            path: folder.url.appending(path: "log").path,
            access: .readWrite,
            map: MapSize(bytes: 1 << 30)
        )
        defer { store.environment.close() }
        return try work(store)
    }

    private func rewrite(_ count: Int, changing victim: Int?) throws {
        let entries = try store { store in
            var entries: [[UInt8]] = []
            try store.page(from: LogPosition(0), limit: count) { _, bytes in
                entries.append([UInt8](bytes))
                return true
            }
            return entries
        }
        try remove("log", "index", "checkpoint")
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "log"),
            withIntermediateDirectories: true
        )
        try store { store in
            let transaction = try store.environment.beginWrite()
            try store.put(fact: Self.origin, named: "origin", in: transaction)
            try store.put(fact: EntryStore.format, named: "format", in: transaction)
            for (position, entry) in entries.enumerated() {
                let bytes =
                    position == victim
                    ? Array(
                        String(decoding: entry, as: UTF8.self)
                            .replacing("\"org\":\"main\"", with: "\"org\":\"pain\"").utf8
                    ) : entry
                let room = try store.reserve(
                    LogPosition(UInt64(position)),
                    byteCount: bytes.count,
                    in: transaction
                )
                bytes.withUnsafeBytes { room.copyMemory(from: $0) }
            }
            try transaction.commit()
        }
    }

    @Test func `is kept before anybody sees it, and lets a whole log go on`() async throws {
        let signed = try #require(try key().signed)
        #expect(signed.size == 300)
        #expect(try await refusal() == nil)
        try await append(20)
        #expect(try key().signed?.size == 320)
    }

    @Test func `refuses to sign an edited entry, though every checkpoint is gone`() async throws {
        try rewrite(300, changing: 150)
        let reason = try #require(try await refusal())
        #expect(reason.contains("are not those that were signed"), "\(reason)")
        #expect(reason.contains("--new-origin"))
        #expect(try store { try $0.checkpointCount() } == 0)
    }

    @Test func `refuses to sign a shorter log, though every checkpoint is gone`() async throws {
        try rewrite(290, changing: nil)
        let reason = try #require(try await refusal())
        #expect(reason.contains("290 events, and 300 were signed"), "\(reason)")
    }

    @Test func `refuses a whole log whose checkpoints are gone`() async throws {
        try store { try $0.removeCheckpoints() }
        try remove("checkpoint")
        let reason = try #require(try await refusal())
        #expect(reason.contains("its checkpoints are gone"), "\(reason)")
    }

    @Test func `does not open for another master key, nor after a changed byte`() throws {
        #expect(throws: SealingError.self) {
            _ = try OriginKey.read(from: folder.url, masterKey: .random())
        }
        let file = folder.url.appending(path: OriginKey.fileName)
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: file)
        #expect(throws: SealingError.self) {
            _ = try OriginKey.read(from: folder.url, masterKey: masterKey)
        }
    }

    @Test func `gives way to a new origin, whose checkpoints say where it began`() async throws {
        try rewrite(290, changing: 5)
        #expect(try await refusal() != nil)
        let begun = try EventLog.retireCheckpoints(in: folder.url)
        #expect(begun == 290)
        try OriginKey(
            signer: NoteSigner(name: Self.origin),
            signed: .nothing(at: Timestamp(microseconds: 0)),
            begun: begun
        ).write(to: folder.url, masterKey: masterKey)
        try await append(10)
        let note = try String(contentsOf: folder.url.appending(path: "checkpoint"), encoding: .utf8)
        let checkpoint = try Checkpoint(
            verifying: SignedNote(note),
            with: [try key().signer.verifier],
            origin: Self.origin
        )
        #expect(checkpoint.begun == 290)
        #expect(checkpoint.size == 300)
    }
}
