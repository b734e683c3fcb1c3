// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Events

/// What an index is worth that is made again over bytes that are no entries.
@Suite(.tags(.promise5)) struct `Bytes that are no entry` {
    private let folder: TemporaryFolder
    private let one: Subject
    private let three: Subject
    private let other: Subject
    private let stamps: [CommandStamp]

    /// A log of five events, at positions 1 to 3 of one command.
    init() async throws {
        folder = try TemporaryFolder()
        var samples = SampleEvents(seed: 5)
        (one, three, other) = (samples.subject(), samples.subject(), samples.subject())
        stamps = (0..<3).map { _ in samples.stamp() }
        let log = try Self.open(folder)
        for (subject, count, stamp) in [(one, 1, stamps[0]), (three, 3, stamps[1])] {
            let events = (0..<count).map { _ in samples.signal() }
            try await log.append([SubjectWrite(subject, events)], command: stamp)
        }
        try await log.append([SubjectWrite(other, [samples.signal()])], command: stamps[2])
        await log.close()
    }

    private static let origin = "daybook.example.org/test"
    private static let masterKey = MasterKey.random()

    private static func open(
        _ folder: TemporaryFolder,
        isSealed: Bool = true
    ) throws -> EventLog {
        let signer = try NoteSigner(name: origin, seed: Array(repeating: 7, count: 32))
        return try EventLog.open(
            folder.url,
            configuration: LogConfiguration(
                origin: origin,
                keys: NoKeys(),
                signer: signer,
                memory: SigningMemory(
                    last: .nothing(at: Timestamp(microseconds: 0)),
                    sealer: CommitSealer(masterKey: masterKey, verifier: signer.verifier),
                    isSealed: isSealed
                ) { _ in }
            )
        )
    }

    /// Flips a bit at some positions, and takes the index away.
    private func harm(_ places: [UInt64]) throws {
        let store = try EntryStore(
            path: folder.url.appending(path: "log").path,
            access: .readWrite,
            map: MapSize(bytes: 1 << 30)
        )
        for place in places {
            var bytes = try #require(try store.bytes(at: LogPosition(place)))
            bytes[1] ^= 1
            let transaction = try store.environment.beginWrite()
            let table = try transaction.table("entries", [.integerKey])
            try withKey(place) { key throws(LMDBError) in
                try bytes.withUnsafeBufferPointer { value throws(LMDBError) in
                    try transaction.put(table, key, UnsafeRawBufferPointer(value))
                }
            }
            try transaction.commit()
        }
        store.environment.close()
        try FileManager.default.removeItem(at: folder.url.appending(path: "index"))
    }

    @Test func `has its leaf in the tree, and hides no other`() async throws {
        try harm([2])
        let log = try Self.open(folder)
        #expect(log.isDoubted && log.size == 5)
        #expect(log.unreadable == [LogPosition(2)])
        #expect(try log.revision(of: one) == Revision(0))
        #expect(try log.entries(of: three).map(\.envelope.revision) == [Revision(0), Revision(2)])
        #expect(try log.receipt(of: stamps[0])?.count == 1)
        #expect(try log.receipt(of: stamps[2])?.first == LogPosition(4))
        #expect(throws: EventLogError.self) { try log.receipt(of: stamps[1]) }
        let bytes = try #require(try log.store.bytes(at: LogPosition(2)))
        #expect(try log.index.leaf(at: LogPosition(2)) == MerkleHash.leaf(bytes))
        let run = try log.readableRun(from: LogPosition(1))
        #expect(run.entries.map(\.envelope.position.rawValue) == [1, 3, 4] && run.next == 5)
        await log.close()
    }

    @Test(arguments: [[0], [4], [1, 2, 3], [0, 1, 2, 3, 4]] as [[UInt64]])
    func `lets a log open wherever it stands`(places: [UInt64]) async throws {
        try harm(places)
        for known in [places, []] {
            let log = try Self.open(folder)
            #expect(log.size == 5 && log.isDoubted)
            #expect(log.unreadable == known.map { LogPosition($0) })
            var pages = log.follow(from: LogPosition(0)).makeAsyncIterator()
            let run = try #require(try await pages.nextRun())
            #expect(run.entries.count == 5 - places.count)
            #expect(try run.leaf == log.index.leaf(at: LogPosition(4)))
            await log.close()
        }
    }

    @Test func `lets no log open of which no seal tells that nobody committed them`() throws {
        try harm([2])
        for _ in 0..<2 {
            let refusal = EventLogError.damaged(
                position: LogPosition(2),
                detail: "it cannot be read"
            )
            #expect(throws: refusal) { try Self.open(folder, isSealed: false) }
        }
    }
}
