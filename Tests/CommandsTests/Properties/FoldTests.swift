// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Testing

@testable import Commands

@Suite struct `Folding` {
    @Test(arguments: seeds(40))
    func `in two steps gives the same as in one`(seed: UInt64) throws {
        var play = try RandomPlay(seed: seed)
        for step in 0..<60 { try play.step("seed \(seed), step \(step)") }
        var chance = SeededGenerator(seed: seed)
        // In order, and in an order that no log would have: a fold accepts both.
        for events in [play.ledger.events, play.ledger.events.shuffled(using: &chance)] {
            let split = Int.random(in: 0...events.count, using: &chance)
            for check in checks(of: events) {
                #expect(check(events, split), "seed \(seed), split at \(split)")
            }
        }
    }

    @Test(arguments: seeds(10))
    func `accepts every event of the vocabulary, also of other things`(seed: UInt64) throws {
        var arbitrary = Arbitrary(seed: seed)
        var play = try RandomPlay(seed: seed)
        for step in 0..<20 { try play.step("seed \(seed), step \(step)") }
        let real = play.ledger.events
        var events = real
        for kind in EventCatalog.current.written {
            let place = try #require(real.randomElement(using: &arbitrary.generator)).envelope
            for _ in 0..<4 {
                let fact = try #require(Fact.arbitrary(of: kind, using: &arbitrary))
                events.append(RecordedEvent(envelope: place, fact: fact))
            }
        }
        events.shuffle(using: &arbitrary.generator)
        for check in checks(of: real) { #expect(check(events, events.count / 2), "seed \(seed)") }
    }

    @Test func `keeps no more states than it may`() throws {
        let ledger = MemoryLedger()
        let store = FoldStore(capacity: 10) { _, _ in [] }
        for _ in 0..<100 { _ = try store.current(Session.self, ledger.id()) }
        #expect(store.count <= 10 && store.count > 0)
    }

    private typealias Check = ([RecordedEvent], Int) -> Bool

    /// A check for each kind of fold, about things that the events name.
    private func checks(of events: [RecordedEvent]) -> [Check] {
        var checks: [Check] = []
        for subject in Set(events.map(\.envelope.subject)).sorted(by: { $0.text < $1.text }) {
            let name = String(subject.name)
            if let id = SessionID(name) {
                checks += [check(Session.self, id), check(Membership.self, id)]
            }
            if let id = IncidentID(name) {
                checks += [check(Incident.self, id), check(MergedIncidents.self, id)]
            }
            if let id = StreamID(name) { checks.append(check(Stream.self, id)) }
            if let id = ReportID(name) { checks.append(check(Report.self, id)) }
            if let id = AgencyID(name) {
                checks += [check(Agency.self, id), check(AgencyPlace.self, id)]
            }
            if let id = AlertID(name) { checks.append(check(Alert.self, id)) }
            if let id = DeviceID(name) { checks.append(check(Device.self, id)) }
            if let id = PatrolPointID(name) { checks.append(check(PatrolPoint.self, id)) }
            if let id = PersonID(name) {
                checks += [check(Person.self, id), check(Caller.self, id)]
                checks += [check(Contact.self, id), check(Footprint.self, id)]
            }
        }
        for user in [UserID.sam, .john, .mary] {
            checks += [check(Operator.self, user), check(User.self, user)]
        }
        return checks + [
            check(Holds.self, .main), check(HoldingOrganisations.self, ()),
            check(Policy.self, Policy.startLimit),
        ]
    }

    private func check<State: Fold>(_ type: State.Type, _ id: State.ID) -> Check {
        { events, split in
            var state = State(id, after: events.prefix(split))
            for event in events.dropFirst(split) { state.apply(event) }
            return state == State(id, after: events)
        }
    }
}
