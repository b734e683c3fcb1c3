// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Events

/// Promise 5: what stands behind the newest signature is signed only if this ledger's keys wrote it.
@Suite(.tags(.promise5), .timeLimit(.minutes(10))) struct `The seal of a commit` {
    private static let origin = "daybook.example.org/test"
    private let folder: TemporaryFolder
    private let masterKey = MasterKey.random()

    /// A ledger of 60 events, of which 40 are signed, as a process that was killed leaves it.
    init() async throws {
        folder = try TemporaryFolder()
        let running = try TemporaryFolder()
        try key(seed: 7, isSealed: true).write(to: running.url, masterKey: masterKey)
        let log = try open(running.url)
        try await fill(log, 40)
        try await log.makeCheckpoint()
        // The next one is due in an hour.
        try await fill(log, 20)
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "log"),
            withIntermediateDirectories: true
        )
        for name in ["log/data.mdb", OriginKey.fileName, "checkpoint"] {
            try FileManager.default.copyItem(
                at: running.url.appending(path: name),
                to: folder.url.appending(path: name)
            )
        }
        await log.close()
        #expect(try kept().signed?.size == 40)
    }

    private func key(seed: UInt8, isSealed: Bool, begun: UInt64 = 0) throws -> OriginKey {
        OriginKey(
            signer: try NoteSigner(name: Self.origin, seed: Array(repeating: seed, count: 32)),
            signed: .nothing(at: Timestamp(microseconds: 0)),
            begun: begun,
            isSealed: isSealed
        )
    }

    private func kept(in place: URL? = nil) throws -> OriginKey {
        try #require(try OriginKey.read(from: place ?? folder.url, masterKey: masterKey))
    }

    private func sealer(_ key: OriginKey) -> CommitSealer {
        CommitSealer(masterKey: masterKey, verifier: key.signer.verifier)
    }

    private func open(_ place: URL? = nil) throws -> EventLog {
        let place = place ?? folder.url
        let key = try kept(in: place)
        let masterKey = masterKey
        let memory = SigningMemory(
            last: key.signed,
            begun: key.begun,
            sealer: sealer(key),
            isSealed: key.isSealed
        ) { head in
            var key = key
            key.signed = head
            key.isSealed = true
            try key.write(to: place, masterKey: masterKey)
        }
        return try EventLog.open(
            place,
            configuration: LogConfiguration(
                origin: Self.origin,
                keys: NoKeys(),
                signer: key.signer,
                memory: memory,
                checkpointInterval: .seconds(3_600)
            )
        )
    }

    private func fill(_ log: EventLog, _ count: Int) async throws {
        var samples = SampleEvents(seed: UInt64.random(in: 1...(1 << 40)))
        for _ in 0..<count {
            try await log.append(
                [SubjectWrite(samples.subject(), [samples.signal()])],
                command: samples.stamp()
            )
        }
    }

    /// Appends with a program that has no key of the ledger, index and all.
    private func forge(_ count: Int) async throws {
        let log = try EventLog.open(
            folder.url,
            configuration: LogConfiguration(origin: Self.origin, keys: NoKeys())
        )
        try await fill(log, count)
        await log.close()
    }

    /// Opens the log, asks for a signature and tells why there was none.
    private func refusal() async throws -> String? {
        let before = try kept().signed
        let log = try open()
        let reason = log.readOnlyReason
        try await log.makeCheckpoint()
        await log.close()
        if reason != nil { #expect(try kept().signed == before) }
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

    /// Writes the log anew from its first entries, with its checkpoints and with another seal or none.
    private func rewrite(
        _ count: Int,
        changing victim: Int? = nil,
        seal change: (String?) -> String? = { $0 }
    ) throws {
        let (entries, notes, seal) = try store { store in
            var entries: [[UInt8]] = []
            try store.page(from: LogPosition(0), limit: count) { _, bytes in
                entries.append([UInt8](bytes))
                return true
            }
            return (entries, try store.checkpointNotes(), try store.fact(CommitSeal.factName))
        }
        for name in ["log", "index"] {
            let part = folder.url.appending(path: name)
            guard FileManager.default.fileExists(atPath: part.path) else { continue }
            try FileManager.default.removeItem(at: part)
        }
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "log"),
            withIntermediateDirectories: true
        )
        try store { store in
            let transaction = try store.environment.beginWrite()
            try store.put(fact: Self.origin, named: "origin", in: transaction)
            try store.put(fact: EntryStore.format, named: "format", in: transaction)
            if let seal = change(seal) {
                try store.put(fact: seal, named: CommitSeal.factName, in: transaction)
            }
            for note in notes {
                try store.put(checkpoint: note.note, size: note.size, in: transaction)
            }
            for (position, entry) in entries.enumerated() {
                let bytes = position == victim ? edited(entry) : entry
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

    private func edited(_ entry: [UInt8]) -> [UInt8] {
        Array(
            String(decoding: entry, as: UTF8.self)
                .replacing("\"org\":\"main\"", with: "\"org\":\"pain\"").utf8
        )
    }

    @Test func `lets a ledger go on that was killed between commit and checkpoint`() async throws {
        #expect(try await refusal() == nil)
        #expect(try kept().signed?.size == 60)
        let log = try open()
        try await fill(log, 3)
        await log.close()
        #expect(try await refusal() == nil)
        #expect(try kept().signed?.size == 63)
    }

    @Test(arguments: [60, 40])
    func `is missing from what others append, which is never signed`(whole: Int) async throws {
        if whole == 60 { #expect(try await refusal() == nil) }
        try await forge(2)
        let reason = try #require(try await refusal())
        #expect(reason.contains("nobody vouches for positions 60..<62"), "\(reason)")
        #expect(reason.contains("--new-origin"))
        let refused = try open()
        await #expect(throws: EventLogError.self) { try await fill(refused, 1) }
        await refused.close()
    }

    @Test func `does not fit an entry that was changed behind the signature`() async throws {
        try rewrite(60, changing: 50)
        let reason = try #require(try await refusal())
        #expect(reason.contains("nobody vouches for positions 40..<60"), "\(reason)")
    }

    @Test func `is asked of the entries as they stand, not of the index`() async throws {
        // An index of the honest entries, made without a key; then one of them is changed under it.
        try await forge(0)
        let index = folder.url.appending(path: "index")
        let aside = folder.url.appending(path: "aside")
        try FileManager.default.copyItem(at: index, to: aside)
        try rewrite(60, changing: 50)
        try FileManager.default.moveItem(at: aside, to: index)
        let reason = try #require(try await refusal())
        #expect(reason.contains("nobody vouches for positions 40..<60"), "\(reason)")
    }

    @Test func `tells that the end is lost, whether it is left or removed`() async throws {
        try rewrite(55)
        let shorter = try #require(try await refusal())
        #expect(shorter.contains("reached position 60, and it has 55 events"), "\(shorter)")
        try rewrite(40) { _ in nil }
        let none = try #require(try await refusal())
        #expect(none.contains("the seal of its last commit is gone"), "\(none)")
    }

    @Test(arguments: [nil, "", "60", "60 AAAA", "59 AAAA", "x y"])
    func `cannot be removed or made up`(seal: String?) async throws {
        try rewrite(60) { _ in seal }
        let reason = try #require(try await refusal())
        #expect(reason.contains("nobody vouches for positions 40..<60"), "\(reason)")
    }

    @Test func `of another signing key says nothing`() async throws {
        let other = sealer(try key(seed: 9, isSealed: true))
        let tree = try store { store in
            var tree = MerkleFrontier()
            try store.page(from: LogPosition(0)) { _, bytes in
                tree.append(.leaf(bytes))
                return true
            }
            return tree
        }
        #expect(other.made(other.seal(tree), over: tree.root))
        #expect(!sealer(try kept()).made(other.seal(tree), over: tree.root))
        try rewrite(60) { _ in other.seal(tree).text }
        #expect(try await refusal() != nil)
    }

    @Test func `is made once for what a program from before seals left`() async throws {
        var old = try kept()
        old.isSealed = false
        try old.write(to: folder.url, masterKey: masterKey)
        try rewrite(60) { _ in nil }
        let log = try open()
        #expect(log.readOnlyReason == nil)
        #expect(try kept().isSealed)
        #expect(try kept().signed?.size == 40)
        await log.close()
        try rewrite(60) { _ in nil }
        let reason = try #require(try await refusal())
        #expect(reason.contains("the seal of its last commit is gone"), "\(reason)")
    }

    @Test func `of a new origin covers what it found, before it signed any of it`() async throws {
        try await forge(2)
        #expect(try await refusal() != nil)
        let begun = try EventLog.retireCheckpoints(in: folder.url)
        let new = try key(seed: 8, isSealed: true, begun: begun)
        try EventLog.seal(folder.url, with: sealer(new))
        try new.write(to: folder.url, masterKey: masterKey)
        try rewrite(62, changing: 5)
        let reason = try #require(try await refusal())
        #expect(reason.contains("nobody vouches for positions 0..<62"), "\(reason)")
        try EventLog.seal(folder.url, with: sealer(new))
        #expect(try await refusal() == nil)
        #expect(try kept().signed?.size == 62)
    }
}
