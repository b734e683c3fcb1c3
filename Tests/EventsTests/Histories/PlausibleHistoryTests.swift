// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Testing

@Suite struct `A plausible history` {
    private func recorded(_ events: Int, seed: UInt64 = SeededGenerator.environmentSeed)
        -> RecordedHistory
    {
        RecordedHistory(PlausibleHistory(seed: seed, events: events), keys: SeededKeys())
    }

    @Test func `has every kind of event`() {
        var coverage = Coverage(ofKindsAnd: [])
        for event in recorded(60_000) { coverage.meet(event.fact) }
        #expect(coverage.missing == [], "\(coverage.table)")
    }

    @Test func `is the same for the same seed and another for another`() {
        #expect(Array(recorded(2_000, seed: 5)) == Array(recorded(2_000, seed: 5)))
        #expect(Array(recorded(200, seed: 5)) != Array(recorded(200, seed: 6)))
    }

    @Test func `has gapless places and times that never go back`() {
        var last: RecordedEvent?
        var revisions: [Subject: UInt64] = [:]
        for event in recorded(4_000) {
            #expect(
                event.envelope.position.rawValue == (last?.envelope.position.rawValue).map {
                    $0 + 1
                } ?? 0
            )
            #expect(event.envelope.time >= last?.envelope.time ?? event.envelope.time)
            #expect(event.envelope.revision.rawValue == revisions[event.envelope.subject] ?? 0)
            revisions[event.envelope.subject] = event.envelope.revision.rawValue + 1
            #expect(Subject(event.envelope.subject.text) == event.envelope.subject)
            #expect(Actor(event.envelope.actor.text) == event.envelope.actor)
            last = event
        }
    }

    @Test func `names new people before it tells about them`() {
        var known: Set<PersonID> = []
        for append in PlausibleHistory(seed: SeededGenerator.environmentSeed, events: 10_000) {
            known.formUnion(append.newPeople)
            for event in append.events {
                for subject in event.fact.links.map(\.subject) where subject.category == "person" {
                    #expect(known.contains { "\($0)" == subject.name })
                }
            }
        }
    }

    @Test func `spreads over hours`() throws {
        let appends = Array(PlausibleHistory(seed: SeededGenerator.environmentSeed, events: 20_000))
        let first = try #require(appends.first).time
        let last = try #require(appends.last).time
        #expect(last - first > .seconds(3 * 3_600))
        #expect(last - first < .seconds(48 * 3_600))
    }
}
