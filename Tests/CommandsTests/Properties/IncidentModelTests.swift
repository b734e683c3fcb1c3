// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Testing

@testable import Commands

@Suite struct `Linking and merging at random` {
    @Test(arguments: seeds(100))
    func `does what an independent model says, and folds the same in two steps`(
        seed: UInt64
    ) throws {
        var play = IncidentPlay(seed: seed)
        for step in 0..<60 { try play.step("seed \(seed), step \(step)") }
        try play.compareStates("seed \(seed)")
    }

    @Test func `meets every refusal that the model knows`() throws {
        var met: Set<String> = []
        for seed in seeds(60) {
            var play = IncidentPlay(seed: seed)
            for step in 0..<60 { try play.step("seed \(seed), step \(step)") }
            met.formUnion(play.refusals)
        }
        #expect(
            met == [
                "incident-merged", "incident-not-merged", "incident-same", "session-alone",
                "session-not-linked",
            ]
        )
    }
}

/// One random play: the ledger, and plain tables that say a second time what must come of it.
private struct IncidentPlay {
    private let ledger: MemoryLedger
    private var chance: SeededGenerator
    private var sessions: [SessionID] = []
    private var incidents: [IncidentID] = []
    /// Where each session is, and where it was opened.
    private var place: [SessionID: IncidentID] = [:]
    private var home: [SessionID: IncidentID] = [:]
    /// What each merged incident was merged into, and which sessions went with it.
    private var merged: [IncidentID: (into: IncidentID, moved: [SessionID])] = [:]
    private(set) var refusals: Set<String> = []

    init(seed: UInt64) {
        ledger = MemoryLedger(seed: seed)
        chance = SeededGenerator(seed: seed &* 37)
    }

    mutating func step(_ comment: Comment) throws {
        guard let session = sessions.randomElement(using: &chance), sessions.count > 2,
            let first = incidents.randomElement(using: &chance),
            let second = incidents.randomElement(using: &chance)
        else { return try open() }
        switch Int.random(in: 0..<9, using: &chance) {
        case 0 where sessions.count < 12: try open()
        case 0...2: try link(session, to: first, comment)
        case 3: try unlink(session, from: first, comment)
        case 4: try unlink(session, from: place[session] ?? first, comment)
        case 5, 6: try merge(first, into: second, comment)
        case 7: try unmerge(first, from: second, comment)
        default: try unmerge(first, from: root(of: first), comment)
        }
    }

    private mutating func open() throws {
        let session = try ledger.chat().session
        let incident = try #require(try ledger.state(Session.self, session).contact?.incident)
        sessions.append(session)
        incidents.append(incident)
        place[session] = incident
        home[session] = incident
    }

    private func root(of incident: IncidentID) -> IncidentID {
        merged[incident].map { root(of: $0.into) } ?? incident
    }

    private mutating func link(
        _ session: SessionID,
        to incident: IncidentID,
        _ comment: Comment
    ) throws {
        let command = LinkSession(session, to: incident, reason: "same fire")
        let expected = merged[incident] == nil ? nil : "incident-merged"
        guard try run(command, expected, comment) != nil else { return }
        place[session] = incident
    }

    private mutating func unlink(
        _ session: SessionID,
        from incident: IncidentID,
        _ comment: Comment
    ) throws {
        let command = UnlinkSession(session, from: incident, reason: "another fire")
        let members = place.values.filter { $0 == incident }.count
        let expected =
            place[session] != incident
            ? "session-not-linked" : members == 1 ? "session-alone" : nil
        guard let to = try run(command, expected, comment) else { return }
        if let home = home[session], home != incident, merged[home] == nil,
            !place.values.contains(home)
        {
            #expect(to == home, comment)
        } else {
            #expect(!incidents.contains(to), comment)
            incidents.append(to)
        }
        place[session] = to
    }

    private mutating func merge(
        _ other: IncidentID,
        into incident: IncidentID,
        _ comment: Comment
    ) throws {
        let command = MergeIncidents(other, into: incident, reason: "same fire")
        let isSo = merged[other]?.into == incident
        let stands = merged[other] != nil || merged[incident] != nil
        let expected =
            other == incident ? "incident-same" : stands && !isSo ? "incident-merged" : nil
        guard try run(command, expected, comment) != nil, !isSo else { return }
        let moved = sessions.filter { place[$0] == other }
        for session in moved { place[session] = incident }
        merged[other] = (incident, moved)
    }

    private mutating func unmerge(
        _ other: IncidentID,
        from incident: IncidentID,
        _ comment: Comment
    ) throws {
        let command = UnmergeIncident(other, from: incident, reason: "another fire")
        let isPart = merged[other] != nil && root(of: other) == incident
        guard try run(command, isPart ? nil : "incident-not-merged", comment) != nil else { return }
        for session in merged[other]?.moved ?? [] where place[session] == incident {
            place[session] = other
        }
        merged[other] = nil
    }

    private mutating func run<C: Command>(
        _ command: C,
        _ expected: String?,
        _ comment: Comment
    ) throws -> C.Outcome? {
        do {
            let outcome = try ledger.run(command)
            #expect(expected == nil, "\(comment): \(C.self) was not refused")
            return outcome
        } catch let refusal as any CommandRefusal {
            #expect(refusal.problem.slug == expected, "\(comment): \(C.self)")
            refusals.insert(refusal.problem.slug)
            return nil
        }
    }

    func compareStates(_ comment: Comment) throws {
        for session in sessions {
            #expect(
                try ledger.state(Membership.self, session).incident == place[session],
                comment
            )
        }
        for incident in incidents {
            let present = try Incident.present(incident) { try ledger.state(Incident.self, $0) }
            #expect(present.id == root(of: incident), comment)
            let parts = try ledger.state(MergedIncidents.self, incident).incidents
            #expect(Set(parts) == Set(merged.filter { $0.value.into == incident }.keys), comment)
            #expect(folds(incident), comment)
        }
    }

    /// Whether folding in two steps gives the same as in one, wherever they part.
    private func folds(_ incident: IncidentID) -> Bool {
        let events = ledger.events
        return stride(from: 0, through: events.count, by: max(1, events.count / 7)).allSatisfy {
            split in
            var state = Incident(incident, after: events.prefix(split))
            var parts = MergedIncidents(incident, after: events.prefix(split))
            for event in events.dropFirst(split) {
                state.apply(event)
                parts.apply(event)
            }
            return state == Incident(incident, after: events)
                && parts == MergedIncidents(incident, after: events)
        }
    }
}
