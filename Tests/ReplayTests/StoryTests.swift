// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Replay
import TestSupport
import Testing

@Suite(.tags(.promise10)) struct `The rules of a story` {
    @Test func `a plausible history: no rule is broken`() {
        for seed in SeededGenerator.environmentSeed..<(SeededGenerator.environmentSeed + 2) {
            let history = PlausibleHistory(seed: seed, events: 8_000)
            var rules = DomainRules()
            for event in RecordedHistory(history, keys: SeededKeys()) { rules.apply(event) }
            #expect(rules.broken == [], "seed \(seed)")
            #expect(rules.sessionsEnded > 20, "seed \(seed)")
        }
    }

    @Test func `one subject of two organisations: the second event breaks a rule`() {
        var samples = SampleEvents()
        let point: PatrolPointID = samples.id()
        var rules = DomainRules()
        for (number, owner) in [OrganisationID.main, OrganisationID(unchecked: "north")]
            .enumerated()
        {
            let defined = PatrolPointDefined(
                site: owner.text,
                name: "Gate 3",
                latitude: 52.4796,
                longitude: -1.9026,
                radiusMetres: 50
            )
            let fact = Fact.patrol(.pointDefined(defined))
            let envelope = Envelope(
                id: samples.id(),
                subject: .patrolPoint(point),
                kind: fact.kind,
                position: LogPosition(UInt64(number)),
                revision: Revision(UInt64(number)),
                time: Timestamp(microseconds: 1_700_000_000_000_000),
                organisation: owner,
                actor: .ledger,
                command: CommandID(unchecked: "c\(number)"),
                source: "daybook.example.org/test"
            )
            rules.apply(RecordedEvent(envelope: envelope, fact: fact))
        }
        #expect(rules.broken.map(\.position.rawValue) == [1])
    }
}
