// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Events

/// Promise 5: what is derived from the log is believed only as this ledger's keys left it.
@Suite(.tags(.promise5), .timeLimit(.minutes(10))) struct `The seal of the index` {
    private static let origin = "daybook.example.org/test"
    private let folder: TemporaryFolder
    private let sealer: CommitSealer
    private let signer: NoteSigner
    private let subject: Subject

    /// A closed ledger of 30 events on one subject and 30 on others, index and all.
    init() async throws {
        folder = try TemporaryFolder()
        signer = try NoteSigner(name: Self.origin, seed: Array(repeating: 7, count: 32))
        sealer = CommitSealer(masterKey: .random(), verifier: signer.verifier)
        var samples = SampleEvents(seed: 5)
        subject = samples.subject()
        let log = try open()
        for _ in 0..<30 {
            for subject in [subject, samples.subject()] {
                try await log.append(
                    [SubjectWrite(subject, [samples.signal()])],
                    command: samples.stamp()
                )
            }
        }
        await log.close()
    }

    private func open() throws -> EventLog {
        try EventLog.open(
            folder.url,
            configuration: LogConfiguration(
                origin: Self.origin,
                keys: NoKeys(),
                signer: signer,
                memory: SigningMemory(last: nil, sealer: sealer) { _ in },
                checkpointInterval: .seconds(3_600)
            )
        )
    }

    /// Writes into the index as somebody without the ledger's keys can.
    private func edit(
        _ change: (LogIndex, borrowing LMDBTransaction) throws(LMDBError) -> Void
    ) throws {
        let index = try LogIndex(
            path: folder.url.appending(path: "index").path,
            map: MapSize(bytes: 1 << 30)
        )
        defer { index.environment.close() }
        let transaction = try index.environment.beginWrite()
        try change(index, transaction)
        try transaction.commit()
    }

    private func check() async throws {
        let log = try open()
        #expect(log.readOnlyReason == nil)
        #expect(try log.revision(of: subject) == Revision(29))
        #expect(try log.entries(of: subject).count == 30)
        var samples = SampleEvents(seed: 6)
        let receipt = try await log.append(
            [SubjectWrite(subject, [samples.signal()])],
            command: samples.stamp()
        )
        #expect(receipt.revisions[subject] == Revision(30))
        await log.close()
    }

    @Test func `stays as it is over closing and opening, and is level with it`() async throws {
        for revision in 30...32 as ClosedRange<UInt64> {
            let index = try LogIndex(
                path: folder.url.appending(path: "index").path,
                map: MapSize(bytes: 1 << 30),
                sealer: sealer
            )
            #expect(try index.isAsSealed())
            index.environment.close()
            let log = try open()
            var samples = SampleEvents(seed: revision)
            let receipt = try await log.append(
                [SubjectWrite(subject, [samples.signal()])],
                command: samples.stamp()
            )
            #expect(receipt.revisions[subject] == Revision(revision))
            await log.close()
        }
    }

    @Test func `is missed where a subject was taken back, and the index is made anew`() async throws
    {
        let subject = subject
        try edit { index, transaction throws(LMDBError) in
            let record = SubjectRecord(number: 0, revision: .max, position: .max)
            try withText(subject.text) { key throws(LMDBError) in
                try record.bytes.withUnsafeBufferPointer { value throws(LMDBError) in
                    let value = UnsafeRawBufferPointer(value)
                    try transaction.put(index.tables.subjects, key, value)
                }
            }
        }
        try await check()
    }

    @Test(arguments: LogIndex.Sealed.allCases)
    func `is missed where a table was emptied, whichever`(_ table: LogIndex.Sealed) async throws {
        try edit { index, transaction throws(LMDBError) in
            try transaction.empty(index.table(table))
        }
        try await check()
    }

    @Test(arguments: ["seal", "progress", "links"])
    func `is missed where what the index says of itself was changed`(_ fact: String) async throws {
        try edit { index, transaction throws(LMDBError) in
            try withText(fact) { key throws(LMDBError) in
                try withText("0") { value throws(LMDBError) in
                    try transaction.put(index.tables.progress, key, value)
                }
            }
        }
        try await check()
    }

    @Test func `fits no other ledger's keys`() throws {
        let other = CommitSealer(masterKey: .random(), verifier: signer.verifier)
        let path = folder.url.appending(path: "index").path
        let index = try LogIndex(path: path, map: MapSize(bytes: 1 << 30), sealer: other)
        defer { index.environment.close() }
        #expect(try !index.isAsSealed())
    }

    @Test func `makes an entry that somebody changed one that nothing rests on`() async throws {
        let place = LogPosition(10)
        let store = try EntryStore(
            path: folder.url.appending(path: "log").path,
            access: .readWrite,
            map: MapSize(bytes: 1 << 30)
        )
        var bytes = try #require(try store.bytes(at: place))
        let last = try #require(bytes.firstRange(of: Array("\"org\":\"main\"".utf8)))
        bytes[last.upperBound - 2] = UInt8(ascii: "m")
        let entries = try store.environment.beginWrite()
        let table = try entries.table("entries", [.integerKey])
        try withKey(place.rawValue) { key throws(LMDBError) in
            try bytes.withUnsafeBufferPointer { value throws(LMDBError) in
                try entries.put(table, key, UnsafeRawBufferPointer(value))
            }
        }
        try entries.commit()
        store.environment.close()
        let log = try open()
        #expect(throws: EventLogError.self) { try log.entry(at: place) }
        #expect(throws: EventLogError.self) { try log.entries(of: subject) }
        #expect(try log.entry(at: LogPosition(11)) != nil)
        await log.close()
    }
}
