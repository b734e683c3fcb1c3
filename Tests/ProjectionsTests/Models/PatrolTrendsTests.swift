// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import ProjectionsTesting
import Testing

@testable import Projections

/// A tour of three points, each due from a minute after the start to three minutes after it.
private struct Night {
    var script = EventScript()
    let round: RoundID
    let points: [PatrolPointID]
    let guardID = UserID(unchecked: "g1")
    let person: PersonID

    init() throws {
        round = script.id()
        points = [script.id(), script.id(), script.id()]
        person = script.person()
        let begins = script.now + .seconds(1)
        let due = points.map { point in
            RoundStarted.Point(
                point: point,
                from: begins + .seconds(60),
                until: begins + .seconds(180),
                lateUntil: begins + .seconds(480)
            )
        }
        let started = RoundStarted(
            tour: script.id(),
            guardID: guardID,
            points: due,
            isOrdered: false
        )
        try script.record(.patrol(.roundStarted(started)), on: .round(round))
    }

    mutating func scan(
        _ number: Int,
        after seconds: Int,
        keptFor kept: Int? = nil
    ) throws {
        let moment = script.now + .seconds(seconds)
        try script.record(
            .patrol(
                .checkedIn(
                    PatrolCheckedIn(
                        guardID: guardID,
                        guardPerson: person,
                        offline: kept != nil,
                        round: round
                    )
                )
            ),
            on: .patrolPoint(points[number]),
            occurredAt: kept.map { moment + .seconds(-$0) },
            after: .seconds(seconds)
        )
    }

    mutating func record(_ event: PatrolEvent, after seconds: Int = 0) throws {
        try script.record(.patrol(event), on: .round(round), after: .seconds(seconds))
    }

    mutating func refuse(_ reason: PatrolCheckInRefused.Reason) throws {
        let refused = PatrolCheckInRefused(guardID: guardID, reason: reason, round: round)
        try script.record(.patrol(.checkInRefused(refused)), on: .patrolPoint(points[0]))
    }

    mutating func callForHelp(_ alarm: GuardAlarmID, by user: UserID, after seconds: Int) throws {
        let raised = GuardAlarmRaised(guardID: user, guardPerson: person)
        try script.record(
            .patrol(.guardAlarmRaised(raised)),
            on: .guardAlarm(alarm),
            after: .seconds(seconds)
        )
    }

    mutating func answer(_ alarm: GuardAlarmID, after seconds: Int) throws {
        let answered = GuardAlarmAnswered(by: UserID(unchecked: "s1"))
        try script.record(
            .patrol(.guardAlarmAnswered(answered)),
            on: .guardAlarm(alarm),
            after: .seconds(seconds)
        )
    }

    /// The numbers of all hours together, of the metrics that begin with one of these.
    func numbers(of metrics: String...) async throws -> [String: Int] {
        let trends = HourlyTrends(try await rows(of: HourlyTrendsProjector(), script.events))
        let all = try await trends.rows(by: .period, in: .wholeLedger, knownTo: script.now)
        return all.reduce(into: [:]) { numbers, row in
            guard metrics.contains(row.metric), !["p95", "p99"].contains(row.dimension) else {
                return
            }
            numbers["\(row.metric) \(row.dimension)"] = row.value
        }
    }
}

@Suite struct `Patrols in the hourly trends` {
    @Test func `check-ins are counted by verdict, and refused ones by reason`() async throws {
        var night = try Night()
        try night.scan(0, after: 30)
        try night.scan(0, after: 60)
        try night.scan(1, after: 10, keptFor: 5)
        try night.scan(2, after: 10, keptFor: 100)
        for reason in [PatrolCheckInRefused.Reason.tooFar, .tooFar, .duplicate, .codeRenewed] {
            try night.refuse(reason)
        }
        let numbers = try await night.numbers(of: "check_ins")
        #expect(
            numbers == [
                "check_ins counted": 1, "check_ins kept": 1, "check_ins early": 2,
                "check_ins refused/too_far": 2, "check_ins refused/duplicate": 1,
                "check_ins refused/code_renewed": 1,
            ]
        )
    }

    @Test func `a check-in on no round is never early`() async throws {
        var evening = try Evening()
        _ = try evening.walkRound()
        let trends = HourlyTrends(
            try await rows(of: HourlyTrendsProjector(), evening.script.events)
        )
        let all = try await trends.rows(
            by: .period,
            in: .wholeLedger,
            knownTo: evening.script.now
        )
        let checkIns = all.filter { $0.metric == "check_ins" }
        #expect(checkIns.map(\.dimension) == ["counted", "refused/bad_code"])
        #expect(checkIns.map(\.value) == [5, 2])
    }

    @Test func `tours are counted by how they began and ended, with their points`() async throws {
        var night = try Night()
        try night.record(.roundPointReached(.init(point: night.points[0], standing: .onTime)))
        try night.record(
            .roundFinished(
                RoundFinished(
                    guardID: night.guardID,
                    reason: .stopped,
                    reached: 1,
                    missed: Array(night.points.dropFirst()),
                    durationMilliseconds: 60_000
                )
            )
        )
        let tour: TourID = night.script.id()
        try night.script.record(
            .patrol(.tourNotBegun(TourNotBegun(scheduledFor: night.script.now))),
            on: .tour(tour)
        )
        let whole = RoundFinished(
            guardID: night.guardID,
            reason: .done,
            reached: 3,
            missed: [],
            durationMilliseconds: 60_000
        )
        let other: RoundID = night.script.id()
        try night.script.record(.patrol(.roundFinished(whole)), on: .round(other))
        let numbers = try await night.numbers(of: "tours", "tour_points")
        #expect(
            numbers == [
                "tours begun": 1, "tours complete": 1, "tours incomplete/stopped": 1,
                "tours not_begun": 1, "tour_points on_time": 1, "tour_points missed": 2,
            ]
        )
    }

    @Test func `a point is late from the end of its window to the scan, not to its arrival`()
        async throws
    {
        var night = try Night()
        try night.scan(0, after: 200)
        try night.record(.roundPointReached(.init(point: night.points[0], standing: .late)))
        // 560 s after the start, of a scan at 500 s: 320 s after the window.
        try night.scan(1, after: 360, keptFor: 60)
        try night.record(.roundPointReached(.init(point: night.points[1], standing: .missed)))
        let numbers = try await night.numbers(of: "tour_points", "tour_late_ms")
        #expect(
            numbers == [
                "tour_points late": 1, "tour_points after_grace": 1, "tour_late_ms count": 2,
                "tour_late_ms p50": 20_000, "tour_late_ms p90": 320_000,
            ]
        )
    }

    @Test func `a late point is answered by the first thing that is done about it`() async throws {
        var night = try Night()
        let (point, user) = (night.points[0], night.guardID)
        let until = night.script.now
        try night.record(.roundPointOverdue(.init(point: point, guardID: user, until: until)))
        try night.record(.roundPointHandled(.init(point: point, by: user)), after: 40)
        try night.record(.roundPointMissed(.init(point: point, guardID: user, until: until)))
        try night.record(.roundPointHandled(.init(point: point, by: user)), after: 300)
        // Of a point that was never late there is nothing to measure.
        try night.record(.roundPointHandled(.init(point: night.points[1], by: user)), after: 7)
        let numbers = try await night.numbers(of: "patrol_alarms", "late_point_handled_ms")
        #expect(
            numbers == [
                "patrol_alarms late": 1, "patrol_alarms missed": 1,
                "late_point_handled_ms count": 1, "late_point_handled_ms p50": 40_000,
                "late_point_handled_ms p90": 40_000,
            ]
        )
    }

    @Test func `a guard who calls again has waited since the first call; one answer is for all`()
        async throws
    {
        var night = try Night()
        let (first, again): (GuardAlarmID, GuardAlarmID) = (night.script.id(), night.script.id())
        let (other, later): (GuardAlarmID, GuardAlarmID) = (night.script.id(), night.script.id())
        let colleague = UserID(unchecked: "g2")
        try night.callForHelp(first, by: night.guardID, after: 1)
        try night.callForHelp(other, by: colleague, after: 10)
        try night.callForHelp(again, by: night.guardID, after: 20)
        try night.answer(again, after: 30)
        try night.callForHelp(later, by: night.guardID, after: 100)
        // The first call was answered with the second one.
        try night.answer(first, after: 5)
        try night.answer(later, after: 5)
        let numbers = try await night.numbers(of: "patrol_alarms", "help_answered_ms")
        #expect(
            numbers == [
                "patrol_alarms help": 4, "help_answered_ms count": 2,
                "help_answered_ms p50": 10_000, "help_answered_ms p90": 60_000,
            ]
        )
    }
}
