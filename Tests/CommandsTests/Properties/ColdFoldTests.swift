// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Commands

@Suite(.timeLimit(.minutes(10))) struct `A state that nobody has read lately` {
    @Test func `is read on a thread of its own, a page at a time`() async throws {
        let threads = Mutex<[String?]>([])
        let store = FoldStore { source, place in
            threads.withLock { $0.append(Thread.current.name) }
            return page(of: source, behind: place, of: 5)
        }
        #expect(try await settled(store, long).events == 5 * CommandLimits.pageEvents)
        // The first page by whoever asks, the others there; that nothing is new any more is seen by whoever asks.
        let names = threads.withLock { $0 }
        #expect(names.filter { $0 == "folds" }.count == 5)
        #expect(names.first != "folds" && names.last != "folds")
        #expect(store.eventsRead == 5 * CommandLimits.pageEvents)
    }

    @Test func `keeps nobody waiting who asks for another`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let store = FoldStore { source, place in
            guard source == Tally.source(of: long) else { return [] }
            // Slow: it takes as long as the test lasts.
            if Thread.current.name == "folds" { gate.wait() }
            return page(of: source, behind: place, of: 3)
        }
        let first = Task { try await settled(store, long).events }
        // Whoever asks before the first page is there waits for it on the thread that he asks on.
        try await eventually("the first page is read") {
            store.eventsRead >= CommandLimits.pageEvents
        }
        // More than there are threads to ask on.
        let askers =
            [first]
            + (0..<ProcessInfo.processInfo.activeProcessorCount + 1).map { _ in
                Task { try await settled(store, long).events }
            }
        for number in 0..<100 {
            #expect(try await settled(store, SubjectOfTally(number)).events == 0)
        }
        for _ in 0..<100 { gate.signal() }
        for asker in askers { #expect(try await asker.value == 3 * CommandLimits.pageEvents) }
        #expect(store.eventsRead == 3 * CommandLimits.pageEvents, "each page is read once")
    }

    @Test func `is read no further when nobody wants it any more`() async throws {
        let isReading = Atomic(false)
        let gate = DispatchSemaphore(value: 0)
        let store = FoldStore { source, place in
            if Thread.current.name == "folds", !isReading.exchange(true, ordering: .relaxed) {
                gate.wait()
            }
            return page(of: source, behind: place, of: 9)
        }
        let asker = Task { _ = try await settled(store, long) }
        try await eventually("the thread reads") { isReading.load(ordering: .relaxed) }
        asker.cancel()
        gate.signal()
        await #expect(throws: CancellationError.self) { try await asker.value }
        #expect(store.eventsRead == 2 * CommandLimits.pageEvents)
        // What was read is kept: the next one reads the rest.
        #expect(try await settled(store, long).events == 9 * CommandLimits.pageEvents)
        #expect(store.eventsRead == 9 * CommandLimits.pageEvents)
    }
}

/// What the handler does.
@concurrent
private func settled(_ store: FoldStore, _ id: SubjectOfTally) async throws -> Tally {
    while true {
        do {
            return try store.current(Tally.self, id, .page).state
        } catch let cold as ColdFold {
            try await store.warm(cold)
        }
    }
}

/// Counts the events of a subject.
private struct Tally: Fold {
    private(set) var events = 0

    init(_ id: SubjectOfTally) {}

    static func source(of id: SubjectOfTally) -> FoldSource { .subject(id.subject) }

    mutating func apply(_ event: RecordedEvent) { events += 1 }
}

/// One of the things that are counted.
private struct SubjectOfTally: Hashable, Sendable {
    let subject: Subject

    init(_ number: Int) { subject = Subject(unchecked: "policy/\(number)") }
}

private let long = SubjectOfTally(-1)

/// The next events of a subject that has so many pages of them.
private func page(
    of source: FoldSource,
    behind place: Place?,
    of pages: Int
) -> [RecordedEvent] {
    let first = Int(place.map(\.revision.next.rawValue) ?? 0)
    let end = min(first + CommandLimits.pageEvents, pages * CommandLimits.pageEvents)
    let fact = Fact.policy(.enabled(PolicyEnabled(policy: "tally", settings: [:])))
    var chance = SeededGenerator(seed: UInt64(first))
    let time = Timestamp(microseconds: 1_700_000_000_000_000)
    return (first..<end).map { number in
        let envelope = Envelope(
            id: Identifier(at: time, using: &chance),
            subject: long.subject,
            kind: fact.kind,
            position: LogPosition(UInt64(number)),
            revision: Revision(UInt64(number)),
            time: time,
            occurredAt: nil,
            organisation: .main,
            actor: .ledger,
            command: CommandID(unchecked: "c"),
            source: "daybook.example.org/test"
        )
        return RecordedEvent(envelope: envelope, fact: fact)
    }
}
