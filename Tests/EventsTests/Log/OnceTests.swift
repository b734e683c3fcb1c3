// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Events

@Suite(.tags(.promise3)) struct `A command id that was used` {
    private let folder: TemporaryFolder
    private let keys = ErasableKeys()
    private let signer: NoteSigner

    init() throws {
        folder = try TemporaryFolder()
        signer = try NoteSigner(name: "daybook.example.org/test")
    }

    private func open(_ signer: NoteSigner?) throws -> EventLog {
        let configuration = LogConfiguration(
            origin: "daybook.example.org/test",
            keys: keys,
            signer: signer
        )
        return try EventLog.open(folder.url, configuration: configuration)
    }

    private func asked(_ text: String) -> SHA256Digest { SHA256Digest(of: Array(text.utf8)) }

    @Test(arguments: [false, true])
    func `gives its receipt to the same question, and none to another, for ever`(indexed: Bool)
        async throws
    {
        var samples = SampleEvents()
        var log = try open(signer)
        let stamp = samples.stamp().asking(asked("close"))
        let write = SubjectWrite(samples.subject(), [samples.signal(), samples.signal()])
        let first = try await log.append([write], command: stamp)
        if indexed {
            await log.close()
            log = try open(signer)
        }
        let again = try await log.append([write], command: stamp)
        #expect(again.repeated && again.first == first.first)
        let other = stamp.asking(asked("open"))
        await #expect(throws: EventLogError.idReused(stamp.command)) {
            try await log.append([write], command: other)
        }
        #expect(throws: EventLogError.idReused(stamp.command)) { try log.receipt(of: other) }
        #expect(log.size == 2)
        let hashes = try log.entries(from: LogPosition(0)).map(\.envelope.commandHash)
        #expect(hashes.count == 2 && hashes[0] == hashes[1] && hashes[0] != nil)
        await log.close()
    }

    @Test func `refuses another question in the same commit, too`() async throws {
        var samples = SampleEvents()
        let log = try open(signer)
        let stamp = samples.stamp()
        let writes = (0..<16).map { _ in SubjectWrite(samples.subject(), [samples.signal()]) }
        let taken = await withTaskGroup(of: Bool.self) { group in
            for (number, write) in writes.enumerated() {
                let stamp = stamp.asking(asked("\(number)"))
                group.addTask {
                    do {
                        return try await !log.append([write], command: stamp).repeated
                    } catch {
                        return false
                    }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(taken == 1 && log.size == 1)
        await log.close()
    }

    @Test func `answers as before where nothing was or can be hashed`() async throws {
        var samples = SampleEvents()
        let stamp = samples.stamp()
        let (one, two) = (stamp.asking(asked("one")), stamp.asking(asked("two")))
        let write = SubjectWrite(samples.subject(), [samples.signal()])
        var log = try open(nil)
        try await log.append([write], command: one)
        #expect(try log.entries(from: LogPosition(0))[0].envelope.commandHash == nil)
        #expect(try await log.append([write], command: two).repeated)
        await log.close()

        log = try open(signer)
        #expect(try await log.append([write], command: two).repeated)
        let later = samples.stamp()
        try await log.append([write], command: later.asking(asked("one")))
        await log.close()

        // Another key of the same ledger cannot tell.
        log = try open(try NoteSigner(name: "daybook.example.org/test"))
        #expect(try log.receipt(of: later.asking(asked("two")))?.repeated == true)
        await log.close()
    }

    @Test func `is hashed under the key of its person, and by nobody once that is erased`()
        async throws
    {
        var samples = SampleEvents()
        let log = try open(signer)
        let person: PersonID = samples.id()
        keys.add(person)
        let stamps = [samples.stamp(), samples.stamp()].map { $0.asking(asked("help")) }
        let plain = SubjectWrite(samples.subject(), [samples.signal()])
        let changed = ReportStatusChanged(
            from: .submitted,
            to: .acknowledged,
            by: UserID(unchecked: "1"),
            note: .open("help", of: person)
        )
        let event = Event(id: samples.id(), fact: .report(.statusChanged(changed)))
        let sealed = SubjectWrite(samples.subject(), [event])
        try await log.append([plain], command: stamps[0])
        try await log.append([sealed], command: stamps[1])
        let entries = try log.entries(from: LogPosition(0))
        #expect(sealedPersons(in: entries[1].data) == [person])
        #expect(entries[0].envelope.commandHash != entries[1].envelope.commandHash)
        let other = stamps[1].asking(asked("HELP"))
        await #expect(throws: EventLogError.idReused(other.command)) {
            try await log.append([plain], command: other)
        }
        keys.destroy(person)
        #expect(try await log.append([plain], command: other).repeated)
        await log.close()
    }
}

/// Keys that can be destroyed.
private final class ErasableKeys: PersonKeys {
    private let people = Mutex<[PersonID: PersonKey]>([:])

    func key(of person: PersonID) -> PersonKey? { people.withLock { $0[person] } }
    func add(_ person: PersonID) { people.withLock { $0[person] = .random() } }
    func destroy(_ person: PersonID) { people.withLock { $0[person] = nil } }
}
