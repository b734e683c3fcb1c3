// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@testable import Commands

@Suite struct `Classifying an incident` {
    @Test func `tells each time what it was taken for before`() throws {
        let ledger = MemoryLedger()
        let incident = try ledger.incident()
        try ledger.run(ClassifyIncident(incident, as: "fire", priority: 2))
        try ledger.run(ClassifyIncident(incident, as: "fire", priority: 1))
        let told = ledger.events.compactMap { $0.fact.payload as? IncidentClassified }
        #expect(told.map(\.priority) == [2, 1])
        #expect(told.last?.typeBefore == "fire")
        #expect(told.last?.priorityBefore == 2)
        let state = try ledger.state(Incident.self, incident)
        #expect(state.classification == .init(type: "fire", priority: 1))
    }

    @Test func `as what it is already records nothing`() throws {
        let ledger = MemoryLedger()
        let incident = try ledger.incident()
        try ledger.run(ClassifyIncident(incident, as: "fire", priority: 2))
        #expect(try ledger.count(ClassifyIncident(incident, as: "fire", priority: 2)) == 0)
    }

    @Test(arguments: [
        ("", 3), ("a fire", 3), ("Fire", 3), ("fuß", 3), (String(repeating: "x", count: 129), 3),
        ("fire", 0), ("fire", 6), ("fire", -1),
    ])
    func `takes a word, and 1 to 5`(type: String, priority: Int) throws {
        let ledger = MemoryLedger()
        let incident = try ledger.incident()
        let refusal = #expect(throws: ClassifyIncident.Refusal.self) {
            try ledger.run(ClassifyIncident(incident, as: type, priority: priority))
        }
        guard case .unacceptable = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
    }
}

@Suite struct `A note about an incident` {
    @Test func `is sealed for the caller of whom it speaks`() throws {
        let ledger = MemoryLedger()
        let (first, second) = (try ledger.chat(), try ledger.chat())
        let incident = try #require(try ledger.state(Membership.self, first.session).incident)
        try ledger.run(LinkSession(second.session, to: incident, reason: "same fire"))
        try ledger.run(AddNote("she is deaf", to: incident, about: second.session))
        let note = try #require(
            ledger.events.compactMap { $0.fact.payload as? IncidentNoteAdded }.last
        )
        #expect(note.text == .open("she is deaf", of: second.caller))
        #expect(note.session == second.session)
    }

    @Test func `stays when the session it speaks of goes elsewhere, and none is added there`()
        throws
    {
        let ledger = MemoryLedger()
        let (first, second) = (try ledger.chat(), try ledger.chat())
        let incident = try #require(try ledger.state(Membership.self, first.session).incident)
        try ledger.run(LinkSession(second.session, to: incident, reason: "same fire"))
        try ledger.run(AddNote("she is deaf", to: incident, about: second.session))
        try ledger.run(UnlinkSession(second.session, from: incident, reason: "another fire"))
        #expect(try ledger.state(Incident.self, incident).notes == 1)
        #expect(throws: AddNote.Refusal.sessionElsewhere(second.session)) {
            try ledger.run(AddNote("she is deaf", to: incident, about: second.session))
        }
    }
}
