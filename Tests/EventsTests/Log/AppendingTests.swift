// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Events

@Suite(.tags(.promise1, .promise2, .promise3, .promise4)) struct `Appending` {
    let folder: TemporaryFolder
    let configuration = LogConfiguration(origin: "daybook.example.org/test", keys: NoKeys())

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `gives gapless positions and revisions, also after reopening`() async throws {
        var samples = SampleEvents()
        let (a, b) = (samples.subject(), samples.subject())
        var log = try EventLog.open(folder.url, configuration: configuration)
        let first = try await log.append(
            [
                SubjectWrite(a, [samples.signal(), samples.signal()]),
                SubjectWrite(b, [samples.signal()]),
            ],
            command: samples.stamp()
        )
        #expect(first.first == LogPosition(0) && first.count == 3)
        #expect(first.revisions == [a: Revision(1), b: Revision(0)])
        await log.close()
        log = try EventLog.open(folder.url, configuration: configuration)
        let second = try await log.append(
            [SubjectWrite(a, [samples.signal()])],
            command: samples.stamp()
        )
        #expect(second.first == LogPosition(3))
        #expect(second.revisions == [a: Revision(2)])
        let entries = try log.entries(from: LogPosition(0))
        #expect(entries.map(\.envelope.position.rawValue) == [0, 1, 2, 3])
        #expect(try log.entries(of: a).map(\.envelope.revision.rawValue) == [0, 1, 2])
        #expect(
            zip(entries, entries.dropFirst()).allSatisfy { $0.envelope.time <= $1.envelope.time }
        )
        await log.close()
    }

    @Test(arguments: [false, true])
    func `of more bytes than a page has gives the same receipt again`(reindexed: Bool) async throws
    {
        var samples = SampleEvents()
        let (subject, other) = (samples.subject(), samples.subject())
        let stamp = samples.stamp()
        let reason = String(repeating: "x", count: 60_000)
        let events = (0..<200).map { _ in
            Event(
                id: samples.id(),
                fact: .chat(
                    .messageRejected(
                        ChatMessageRejected(temporaryID: "temp", from: .caller, reason: reason)
                    )
                )
            )
        }
        var log = try EventLog.open(folder.url, configuration: configuration)
        let writes = [
            SubjectWrite(subject, Array(events.prefix(100))),
            SubjectWrite(other, Array(events.suffix(100))),
        ]
        let first = try await log.append(writes, command: stamp)
        try await log.append([SubjectWrite(subject, [samples.signal()])], command: samples.stamp())
        if reindexed {
            await log.close()
            try FileManager.default.removeItem(at: folder.url.appending(path: "index"))
            log = try EventLog.open(folder.url, configuration: configuration)
        }
        let again = try await log.append(writes, command: stamp)
        #expect(again.repeated)
        #expect(again.first == first.first && again.count == first.count)
        #expect(again.revisions == first.revisions)
        #expect(log.size == 201)
        await log.close()
    }

    @Test(arguments: [false, true])
    func `of the same command gives the same receipt`(reopened: Bool) async throws {
        var samples = SampleEvents()
        let subject = samples.subject()
        let stamp = samples.stamp()
        var log = try EventLog.open(folder.url, configuration: configuration)
        let first = try await log.append(
            [SubjectWrite(subject, [samples.signal()])],
            command: stamp
        )
        if reopened {
            await log.close()
            log = try EventLog.open(folder.url, configuration: configuration)
        }
        let again = try await log.append(
            [SubjectWrite(subject, [samples.signal()])],
            when: [Condition(subject, .absent)],
            command: stamp
        )
        #expect(again.repeated && !first.repeated)
        #expect(again.first == first.first && again.revisions == first.revisions)
        #expect(again.time == first.time)
        #expect(log.size == 1)
        await log.close()
    }

    @Test func `on a stale revision is refused and names both revisions`() async throws {
        var samples = SampleEvents()
        let subject = samples.subject()
        let log = try EventLog.open(folder.url, configuration: configuration)
        try await log.append([SubjectWrite(subject, [samples.signal()])], command: samples.stamp())
        try await log.append([SubjectWrite(subject, [samples.signal()])], command: samples.stamp())
        await #expect(
            throws: EventLogError.stale(subject, expected: Revision(0), actual: Revision(1))
        ) {
            try await log.append(
                [SubjectWrite(subject, [samples.signal()])],
                when: [Condition(subject, .revision(Revision(0)))],
                command: samples.stamp()
            )
        }
        #expect(log.size == 2)
        await log.close()
    }

    @Test func `can depend on a subject that it does not write, and on links`() async throws {
        var samples = SampleEvents()
        let (mine, other) = (samples.subject(), samples.subject())
        let user = try #require(UserID("123456789"))
        let log = try EventLog.open(folder.url, configuration: configuration)
        let claim = try await log.append(
            [SubjectWrite(other, [samples.claim(by: user)])],
            command: samples.stamp()
        )
        await #expect(throws: EventLogError.linked(.user(user), at: claim.first)) {
            try await log.append(
                [SubjectWrite(mine, [samples.claim(by: user)])],
                when: [Condition(.user(user), .notLinked(as: .owner, since: nil))],
                command: samples.stamp()
            )
        }
        let accepted = try await log.append(
            [SubjectWrite(mine, [samples.claim(by: user)])],
            when: [
                Condition(.user(user), .notLinked(as: .owner, since: claim.first)),
                Condition(other, .revision(Revision(0))),
            ],
            command: samples.stamp()
        )
        #expect(accepted.first == LogPosition(1))
        let linked = try log.entries(linkedTo: .user(user))
        #expect(linked.map(\.envelope.position.rawValue) == [0, 1])
        await log.close()
    }

    @Test func `is not made stale by who only looked`() async throws {
        var samples = SampleEvents()
        let (mine, reader) = (samples.subject(), Actor(unchecked: "operator/1"))
        let log = try EventLog.open(folder.url, configuration: configuration)
        let read = Event(
            id: samples.id(),
            fact: .access(
                .read(AccessRead(reader: reader, resource: mine, purpose: "transcript", fields: []))
            )
        )
        let looked = try await log.append(
            [SubjectWrite(.access(reader), [read])],
            command: samples.stamp()
        )
        #expect(try log.last(.about(mine)) == looked.first)
        #expect(try log.last(.member(mine)) == nil)
        #expect(try log.entries(linkedTo: mine).count == 1)
        #expect(try log.entries(linkedTo: mine, as: .member).isEmpty)
        try await log.append(
            [SubjectWrite(mine, [samples.signal()])],
            when: [Condition(mine, .notLinked(as: .member, since: nil))],
            command: samples.stamp()
        )
        #expect(log.size == 2)
        await log.close()
    }

    @Test func `by many at once lets exactly one of the rivals win`() async throws {
        var samples = SampleEvents()
        let subject = samples.subject()
        let log = try EventLog.open(folder.url, configuration: configuration)
        let rivals = (0..<100).map { _ in (samples.signal(), samples.stamp()) }
        let won = await withTaskGroup(of: Bool.self) { group in
            for (event, stamp) in rivals {
                group.addTask {
                    (try? await log.append(
                        [SubjectWrite(subject, [event])],
                        when: [Condition(subject, .absent)],
                        command: stamp
                    )) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(won == 1 && log.size == 1)
        await log.close()
    }

    @Test func `under a name that leaves no room behind the data is refused`() async throws {
        var samples = SampleEvents()
        let log = try EventLog.open(folder.url, configuration: configuration)
        let endless = Subject(unchecked: "session/" + String(repeating: "a", count: 400))
        await #expect(throws: EventLogError.self) {
            try await log.append(
                [SubjectWrite(endless, [samples.signal()])],
                command: samples.stamp()
            )
        }
        let longest = Subject(unchecked: "session/" + String(repeating: "a", count: 128))
        try await log.append([SubjectWrite(longest, [samples.signal()])], command: samples.stamp())
        #expect(try log.entry(at: LogPosition(0))?.envelope.subject == longest)
        await log.close()
    }

    @Test func `to a folder that another log serves is refused`() async throws {
        let log = try EventLog.open(folder.url, configuration: configuration)
        #expect(throws: EventLogError.self) {
            try EventLog.open(folder.url, configuration: configuration)
        }
        await log.close()
    }

    @Test func `when space is short takes only what must be taken`() async throws {
        var samples = SampleEvents()
        var short = configuration
        short.freeBytesMin = .max
        let log = try EventLog.open(folder.url, configuration: short)
        let subject = samples.subject()
        await #expect(throws: EventLogError.self) {
            try await log.append(
                [SubjectWrite(subject, [samples.signal()])],
                command: samples.stamp()
            )
        }
        let lifted = Event(
            id: samples.id(),
            fact: .hold(.lifted(HoldLifted(hold: samples.id(), reason: "over", approvedBy: [])))
        )
        try await log.append([SubjectWrite(.holds(.main), [lifted])], command: samples.stamp())
        #expect(log.size == 1)
        await log.close()
    }

    @Test func `where nobody can say how much room there is counts as having none`() {
        let nowhere = folder.url.appending(path: "nowhere")
        var space = FreeSpace(folder: nowhere, bytesMin: 1)
        #expect(space.shortage(mapBytes: .max) == FreeSpace.Shortage(bytes: nil))
    }

    @Test func `into a map that is half of the reserve takes who comes in, and not who writes`()
        async throws
    {
        var samples = SampleEvents()
        var small = configuration
        (small.mapBytes, small.mapBytesMax, small.freeBytesMin) = (1 << 20, 1 << 20, 1 << 19)
        let log = try EventLog.open(folder.url, configuration: small)
        _ = await fill(log, &samples)
        let user = Subject.user(UserID(unchecked: "1"))
        func leave() -> Event {
            Event(id: samples.id(), fact: .user(.loggedOut(UserLoggedOut(reason: .idle))))
        }
        try await log.append([SubjectWrite(user, [leave()])], command: samples.stamp())
        var refusal: EventLogError?
        for _ in 0..<10_000 where refusal == nil {
            do {
                try await log.append([SubjectWrite(user, [leave()])], command: samples.stamp())
            } catch {
                refusal = error
            }
        }
        guard case .reserved(_, let left) = refusal else {
            Issue.record(
                "expected a refusal for the last of the reserve, got \(String(describing: refusal))"
            )
            return
        }
        #expect(try #require(left) < 1 << 17)
        let lifted = Event(
            id: samples.id(),
            fact: .hold(.lifted(HoldLifted(hold: samples.id(), reason: "over", approvedBy: [])))
        )
        try await log.append([SubjectWrite(.holds(.main), [lifted])], command: samples.stamp())
        await log.close()
    }

    @Test func `into a full map is refused, and what is there stays readable`() async throws {
        var samples = SampleEvents()
        var small = configuration
        (small.mapBytes, small.mapBytesMax, small.freeBytesMin) = (1 << 18, 1 << 18, 0)
        let log = try EventLog.open(folder.url, configuration: small)
        let (taken, refusal) = await fill(log, &samples)
        guard case .full(let detail) = refusal else {
            Issue.record("expected a refusal as full, got \(String(describing: refusal))")
            return
        }
        #expect(detail.contains("262144 bytes"))
        #expect(log.size == taken)
        #expect(try log.entry(at: LogPosition(taken - 1)) != nil)
        await log.close()
        // A larger map takes more.
        let larger = try EventLog.open(folder.url, configuration: configuration)
        try await larger.append(
            [SubjectWrite(samples.subject(), [samples.signal()])],
            command: samples.stamp()
        )
        #expect(larger.size == taken + 1)
        await larger.close()
    }

    /// Ruling 41: the reserve is for who closes, holds or erases, not for who looks.
    @Test func `into a map that is nearly full takes only what must be taken`() async throws {
        var samples = SampleEvents()
        var small = configuration
        (small.mapBytes, small.mapBytesMax, small.freeBytesMin) = (1 << 20, 1 << 20, 1 << 19)
        let log = try EventLog.open(folder.url, configuration: small)
        let (taken, refusal) = await fill(log, &samples)
        guard case .reserved(_, let left?) = refusal else {
            Issue.record("expected a refusal for the reserve, got \(String(describing: refusal))")
            return
        }
        #expect(left < 1 << 19 && left > 1 << 18 && log.size == taken)
        let reader = Actor(unchecked: "operator/1")
        let read = AccessRead(
            reader: reader,
            resource: samples.subject(),
            purpose: "case",
            fields: []
        )
        await #expect(throws: EventLogError.self) {
            try await log.append(
                [
                    SubjectWrite(
                        .access(reader),
                        [Event(id: samples.id(), fact: .access(.read(read)))]
                    )
                ],
                command: samples.stamp()
            )
        }
        let erased = Event(
            id: samples.id(),
            fact: .person(.erased(PersonErased(person: samples.id(), reason: "asked")))
        )
        try await log.append(
            [SubjectWrite(.person(samples.id()), [erased])],
            command: samples.stamp()
        )
        #expect(log.size == taken + 1)
        await log.close()
    }

    /// Appends until it is refused; gives what was taken and why no more was.
    private func fill(
        _ log: EventLog,
        _ samples: inout SampleEvents
    ) async -> (taken: UInt64, refusal: EventLogError?) {
        for taken in 0..<10_000 as Range<UInt64> {
            do {
                try await log.append(
                    [SubjectWrite(samples.subject(), [samples.signal()])],
                    command: samples.stamp()
                )
            } catch {
                return (taken, error)
            }
        }
        return (10_000, nil)
    }

    @Test func `outgrows its map, and the map follows`() async throws {
        var samples = SampleEvents()
        var small = configuration
        (small.mapBytes, small.freeBytesMin) = (1 << 18, 0)
        let log = try EventLog.open(folder.url, configuration: small)
        let subject = samples.subject()
        let reader = Task {
            // Reads all the while, also when the map moves.
            var count = 0
            for try await page in log.follow(from: LogPosition(0), pageLimit: 64) {
                count += page.count
                if count >= 10_240 { break }
            }
            return count
        }
        for _ in 0..<40 {
            let events = (0..<256).map { _ in samples.signal() }
            try await log.append([SubjectWrite(subject, events)], command: samples.stamp())
        }
        let usage = log.store.environment.usage
        #expect(usage.used > 1 << 20 && usage.map > (LogLimits.mapRatioMin - 1) * usage.used)
        #expect(try log.entries(of: subject, from: Revision(10_239)).count == 1)
        // A log that closes keeps nobody waiting, also not for the rest.
        #expect(try await reader.value == 10_240)
        await log.close()
        let again = try EventLog.open(folder.url, configuration: small)
        #expect(again.size == 10_240)
        await again.close()
    }

    @Test func `by another process that outgrows the map is followed`() async throws {
        var samples = SampleEvents()
        let log = try EventLog.open(folder.url, configuration: configuration)
        try await log.append(
            [SubjectWrite(samples.subject(), [samples.signal()])],
            command: samples.stamp()
        )
        await log.close()
        let reader = try LedgerReader.open(folder.url, mapBytes: 1 << 18)
        #expect(try reader.size() == 1)
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            var samples = SampleEvents(seed: 2)
            let log = try EventLog.open(
                URL(filePath: path),
                configuration: LogConfiguration(origin: "daybook.example.org/test", keys: NoKeys())
            )
            for _ in 0..<20 {
                let events = (0..<256).map { _ in samples.signal() }
                try await log.append(
                    [SubjectWrite(samples.subject(), events)],
                    command: samples.stamp()
                )
            }
            await log.close()
        }
        #expect(try reader.size() == 5_121)
        #expect(try reader.entry(at: LogPosition(5_120)) != nil)
        reader.close()
    }

    /// As long as its event waits for the index; of older ones whoever made the id vouches.
    @Test func `with an id that was used just now is refused`() async throws {
        var samples = SampleEvents()
        let log = try EventLog.open(folder.url, configuration: configuration)
        var refusals = 0
        // The index may have been quicker.
        for _ in 0..<200 where refusals == 0 {
            let event = samples.signal()
            let subjects = (samples.subject(), samples.subject())
            try await log.append([SubjectWrite(subjects.0, [event])], command: samples.stamp())
            do {
                let again = [SubjectWrite(subjects.1, [samples.signal(), event])]
                try await log.append(again, command: samples.stamp())
            } catch {
                guard case .unacceptable(let reason) = error else { throw error }
                #expect(reason.contains("\(event.id)"))
                refusals += 1
            }
        }
        #expect(refusals == 1)
        let (size, twice) = (log.size, samples.signal())
        await #expect(throws: EventLogError.self) {
            try await log.append(
                [SubjectWrite(samples.subject(), [twice, twice])],
                command: samples.stamp()
            )
        }
        #expect(log.size == size)
        await log.close()
    }
}
