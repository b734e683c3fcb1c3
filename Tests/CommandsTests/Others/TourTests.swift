// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Testing

@testable import Commands

@Suite struct `A guard's alarm` {
    private func raise(_ ledger: MemoryLedger) throws -> GuardAlarmID {
        let person = ledger.person()
        return try ledger.run(
            RaiseGuardAlarm(ledger.id(), by: .mary, person: person, at: .birmingham)
        )
    }

    @Test func `that is taken up opens an incident, once`() throws {
        let ledger = MemoryLedger()
        let alarm = try raise(ledger)
        try ledger.run(AnswerGuardAlarm(alarm, by: .sam))
        let kinds = ledger.events.suffix(2).map(\.fact.kind.text)
        #expect(kinds == ["guard.alarm_answered/1", "incident.opened/1"])
        let incident = try #require(try ledger.state(GuardAlarm.self, alarm).incident)
        #expect(incident.uuid == alarm.uuid)
        let state = try ledger.state(Incident.self, incident)
        #expect(state.classification == .init(type: "guard_alarm", priority: 1))
        #expect(try ledger.count(AnswerGuardAlarm(alarm, by: .sam)) == 0)
    }

    @Test func `that was taken up before alarms opened incidents has none`() throws {
        let ledger = MemoryLedger()
        let alarm = try raise(ledger)
        var state = try ledger.state(GuardAlarm.self, alarm)
        let last = try #require(ledger.events.last)
        let answered = GuardAlarmAnswered(by: .sam)
        state.apply(
            RecordedEvent(envelope: last.envelope, fact: .patrol(.guardAlarmAnswered(answered)))
        )
        #expect(state.answeredBy == .sam)
        #expect(state.incident == nil)
    }
}

@Suite struct `A round of a tour` {
    private let person = Arbitrary(seed: 1).people[0]

    private func scan(_ point: PatrolPointID, by guardID: UserID = .mary) -> CheckIn {
        CheckIn(
            at: point,
            by: guardID,
            person: person,
            code: .genuine(number: 1)
        )
    }

    private func kinds(_ ledger: MemoryLedger, last count: Int) -> [String] {
        ledger.events.suffix(count).map(\.fact.kind.text)
    }

    @Test func `counts check-ins in order and in time, and is done with the last`() throws {
        let ledger = MemoryLedger()
        let (tour, points) = try ledger.tour()
        let round = try ledger.run(StartRound(of: tour, by: .mary))
        try ledger.run(scan(points[0]))
        // Its window begins a minute after the start: the scan is recorded, and counts for nothing.
        try ledger.run(scan(points[1]))
        #expect(try ledger.state(Round.self, round).reached == [points[0]: .onTime])
        ledger.wait(.seconds(1_250))
        // Only behind the second.
        try ledger.run(scan(points[2]))
        try ledger.run(scan(points[1]))
        #expect(try ledger.state(Round.self, round).reached[points[1]] == .late)
        ledger.wait(.seconds(300))
        try ledger.run(scan(points[2]))
        #expect(
            kinds(ledger, last: 3) == [
                "patrol.checked_in/1", "round.point_reached/1", "round.finished/1",
            ]
        )
        #expect(try ledger.state(ActiveRound.self, .mary).round == nil)
        #expect(try ledger.state(Round.self, round).isFinished)
    }

    @Test func `counts a check-in at a point where the guard was too early just before`() throws {
        let ledger = MemoryLedger()
        let (tour, points) = try ledger.tour()
        let round = try ledger.run(StartRound(of: tour, by: .mary))
        // The second comes behind the first, and not within its first minute.
        try ledger.run(scan(points[1]))
        try ledger.run(scan(points[0]))
        ledger.wait(.seconds(61))
        try ledger.run(scan(points[1]))
        #expect(
            try ledger.state(Round.self, round).reached == [points[0]: .onTime, points[1]: .onTime]
        )
        // Now it is a repetition.
        #expect(throws: CheckIn.Refusal.duplicate(points[1])) {
            try ledger.run(scan(points[1]))
        }
    }

    @Test func `of another guard counts nobody else's check-ins`() throws {
        let ledger = MemoryLedger()
        let (tour, points) = try ledger.tour()
        let round = try ledger.run(StartRound(of: tour, by: .mary))
        try ledger.run(scan(points[0], by: .john))
        #expect(try ledger.state(Round.self, round).reached.isEmpty)
    }

    @Test func `tells once what is late, then what is missed, and ends by itself`() throws {
        let ledger = MemoryLedger()
        let (tour, points) = try ledger.tour(isOrdered: false)
        let round = try ledger.run(StartRound(of: tour, by: .mary))
        ledger.wait(.seconds(600))
        #expect(try ledger.count(PassRoundTime(round)) == 0)
        ledger.wait(.seconds(1))
        try ledger.run(PassRoundTime(round))
        #expect(try ledger.count(PassRoundTime(round)) == 0)
        #expect(kinds(ledger, last: 1) == ["round.point_overdue/1"])
        ledger.wait(.seconds(300))
        try ledger.run(PassRoundTime(round))
        #expect(kinds(ledger, last: 1) == ["round.point_missed/1"])
        // Whoever comes all the same has been there, and it stays missed.
        try ledger.run(scan(points[0]))
        #expect(try ledger.state(Round.self, round).reached == [points[0]: .missed])
        ledger.wait(.seconds(1_200))
        // Two are late, two are missed, and then it is over.
        #expect(try ledger.count(PassRoundTime(round)) == 5)
        try ledger.run(PassRoundTime(round))
        guard case .patrol(.roundFinished(let finished)) = ledger.events.last?.fact else {
            Issue.record("the round did not end")
            return
        }
        #expect(finished.reason == .expired && finished.reached == 1)
        #expect(finished.missed == Array(points[1...]))
        #expect(try ledger.count(PassRoundTime(round)) == 0)
    }

    @Test func `goes on behind a missed point, and is done with the last that can be reached`()
        throws
    {
        let ledger = MemoryLedger()
        let (tour, points) = try ledger.tour()
        let round = try ledger.run(StartRound(of: tour, by: .mary))
        ledger.wait(.seconds(901))
        try ledger.run(PassRoundTime(round))
        try ledger.run(scan(points[1]))
        try ledger.run(scan(points[2]))
        guard case .patrol(.roundFinished(let finished)) = ledger.events.last?.fact else {
            Issue.record("the round did not end")
            return
        }
        #expect(finished.reason == .done && finished.missed == [points[0]])
    }

    @Test func `keeps what it began with when its tour is changed, and is stopped by its guard`()
        throws
    {
        let ledger = MemoryLedger()
        let (tour, points) = try ledger.tour()
        let round = try ledger.run(StartRound(of: tour, by: .mary))
        try ledger.run(DefineTour(tour, as: .sample([points[2]])))
        #expect(try ledger.state(Round.self, round).start?.points.map(\.point) == points)
        try ledger.run(StopRound(round, by: .mary))
        #expect(kinds(ledger, last: 1) == ["round.finished/1"])
        try ledger.run(StartRound(of: tour, by: .mary))
        try ledger.run(scan(points[2]))
        #expect(kinds(ledger, last: 1) == ["round.finished/1"])
    }

    @Test func `takes what was done about a point that is late, for its guard's eyes sealed`()
        throws
    {
        let ledger = MemoryLedger()
        let (round, points) = try ledger.lateRound()
        let person = ledger.person()
        try ledger.user(.john, as: .guard)
        try ledger.run(
            HandleRoundPoint(
                points[0],
                of: round,
                by: .sam,
                sending: .john,
                note: "the gate is stuck",
                about: person
            )
        )
        guard case .patrol(.roundPointHandled(let handled)) = ledger.events.last?.fact else {
            Issue.record("nothing was recorded")
            return
        }
        #expect(handled.sent == .john && handled.note?.person == person)
    }
}
