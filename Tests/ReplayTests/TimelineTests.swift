// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import Replay
import TestSupport
import Testing

@Suite struct `The timeline of an incident` {
    /// The subjects of an incident, found in the plainest way there is: by looking at every event.
    private static func subjects(
        of incident: Subject,
        in events: [RecordedEvent]
    ) -> Set<Subject> {
        var found: Set<Subject> = [incident]
        var grown = true
        while grown {
            let before = found.count
            for event in events {
                switch event.fact {
                case .session(.created(let fact)) where found.contains(.incident(fact.incident)):
                    found.insert(event.envelope.subject)
                case .incident(.sessionLinked(let fact))
                where found.contains(event.envelope.subject):
                    found.insert(.session(fact.session))
                case .incident(.merged(let fact)) where found.contains(.incident(fact.into)):
                    found.insert(event.envelope.subject)
                case .stream(.started(let fact)) where found.contains(.session(fact.session)):
                    found.insert(event.envelope.subject)
                case .alert(.queued(let fact)) where found.contains(fact.cause):
                    found.insert(event.envelope.subject)
                default: break
                }
            }
            grown = found.count > before
        }
        return found
    }

    @Test(arguments: UInt64(1)...3, [true, false])
    func `has exactly the entries of its subjects, each once`(
        seed: UInt64,
        usingIndex: Bool
    ) async throws {
        let ledger = try await AuditedLedger(events: 1_500, seed: seed)
        let events = try ledger.entries().map { try EventDecoder().decode(Entry(parsing: $0)) }
        let reader = try LedgerReader.open(ledger.url, usingIndex: usingIndex)
        defer { reader.close() }
        #expect(reader.usesIndex == usingIndex)
        let incidents = Set(events.map(\.envelope.subject).filter { $0.category == "incident" })
        #expect(!incidents.isEmpty)
        for incident in incidents.sorted(by: { $0.text < $1.text }).prefix(12) {
            let timeline = try CaseTimeline(of: String(incident.name), in: reader)
            let subjects = Self.subjects(of: incident, in: events)
            let expected = events.filter { subjects.contains($0.envelope.subject) }
                .map(\.envelope.position.rawValue)
            #expect(timeline.root == incident.text)
            #expect(Set(timeline.subjects) == Set(subjects.map(\.text)))
            #expect(timeline.entries.map(\.position) == expected)
        }
    }

    @Test func `shows only what was known at a position`() async throws {
        let ledger = try await AuditedLedger(events: 1_000)
        let events = try ledger.entries().map { try EventDecoder().decode(Entry(parsing: $0)) }
        let first = try #require(
            events.map(\.envelope).first { $0.subject.category == "incident" }
        )
        let reader = try LedgerReader.open(ledger.url)
        defer { reader.close() }
        let now = try CaseTimeline(of: String(first.subject.name), in: reader)
        for entry in now.entries {
            let then = try CaseTimeline(
                of: String(first.subject.name),
                in: reader,
                asOf: .position(LogPosition(entry.position))
            )
            // What was linked or merged later is not there yet, from whenever it is.
            let before = Array(events.prefix(Int(entry.position) + 1))
            let subjects = Self.subjects(of: first.subject, in: before)
            let known = Set(
                before.filter { subjects.contains($0.envelope.subject) }
                    .map(\.envelope.position.rawValue)
            )
            #expect(then.entries == now.entries.filter { known.contains($0.position) })
            #expect(then.entries.count == known.count)
        }
    }

    @Test func `opens what can be opened, and says sealed and erased of the rest`() async throws {
        let keys = SeededKeys()
        let ledger = try await AuditedLedger(events: 1_500, keys: keys)
        let events = try ledger.entries().map { try EventDecoder().decode(Entry(parsing: $0)) }
        let reader = try LedgerReader.open(ledger.url)
        defer { reader.close() }
        let session = try #require(
            events.first {
                if case .chat(.messageSent) = $0.fact { true } else { false }
            }
        ).envelope.subject
        let closed = try CaseTimeline(of: String(session.name), in: reader)
        let open = try CaseTimeline(of: String(session.name), in: reader, keys: keys)
        let hidden = closed.entries.flatMap(\.says).filter { $0.state != .plain }
        #expect(!hidden.isEmpty && hidden.allSatisfy { $0.value == nil })
        let shown = open.entries.flatMap(\.says).filter { $0.state == .opened }
        #expect(shown.contains { $0.name == "text" && $0.value?.isEmpty == false })
        #expect(!closed.text().contains("\u{1B}"))
        #expect(closed.text().contains("=sealed") || closed.text().contains("=erased"))
    }

    @Test func `of an unknown id is refused with the way out`() async throws {
        let ledger = try await AuditedLedger(events: 50)
        let run = try AuditedLedger.run(
            "timeline",
            "01890000-0000-7000-8000-000000000000",
            "--data",
            ledger.url.path
        )
        #expect(run.code == 2)
        #expect(run.errors.contains("check the id"))
    }
}
