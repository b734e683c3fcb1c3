// SPDX-License-Identifier: Apache-2.0
import Events

/// One round of a tour that is set up for it: points are reached, or late, missed and looked after; now and then the guard calls for help.
struct RoundScene {
    let id: RoundID
    private let guardMember: Town.Member
    private let points: [Town.Point]
    private let startedAt: Timestamp
    private let until: Timestamp
    private static let window = 3_600

    init(
        _ points: [Town.Point],
        _ guardMember: Town.Member,
        _ script: inout Script,
        _ town: inout Town
    ) {
        (self.points, self.guardMember) = (points, guardMember)
        let tour: TourID = town.arbitrary.id()
        id = town.arbitrary.id()
        let defined = TourDefined(
            site: "North",
            name: "Round",
            points: points.map {
                .init(point: $0.id, fromSeconds: 0, untilSeconds: Self.window)
            },
            isOrdered: false,
            graceSeconds: 600,
            schedule: town.arbitrary.one(in: 4)
                ? .init(minutesOfDay: [120, 1_320], weekdays: Array(1...7)) : nil
        )
        script.record(guardMember.actor, .tour(tour), .patrol(.tourDefined(defined)), in: &town)
        if defined.schedule != nil {
            let missed = TourNotBegun(scheduledFor: script.time)
            script.pass(town.wait(601...900))
            script.record(
                .policy("rounds"),
                .tour(tour),
                .patrol(.tourNotBegun(missed)),
                in: &town
            )
        }
        startedAt = script.time
        let until = startedAt + .seconds(Self.window)
        self.until = until
        let started = RoundStarted(
            tour: tour,
            guardID: guardMember.user,
            points: points.map { [startedAt] in
                .init(point: $0.id, from: startedAt, until: until, lateUntil: until + .seconds(600))
            },
            isOrdered: false
        )
        script.record(guardMember.actor, .round(id), .patrol(.roundStarted(started)), in: &town)
    }

    /// The guard was at a point, or was not and comes too late to ask why.
    func pass(
        _ point: Town.Point,
        _ isThere: Bool,
        _ script: inout Script,
        _ town: inout Town
    ) {
        guard !isThere else {
            let reached = RoundPointReached(point: point.id, standing: .onTime)
            return record(.roundPointReached(reached), &script, &town)
        }
        let (user, until) = (guardMember.user, until)
        record(
            .roundPointOverdue(.init(point: point.id, guardID: user, until: until)),
            &script,
            &town
        )
        record(
            .roundPointMissed(.init(point: point.id, guardID: user, until: until)),
            &script,
            &town
        )
        let note = Sealed.open("the door was locked", of: guardMember.person)
        record(
            .roundPointHandled(.init(point: point.id, by: user, sent: user, note: note)),
            &script,
            &town
        )
        let id: GuardAlarmID = town.id(at: script.time)
        let (alarm, incident) = (Subject.guardAlarm(id), IncidentID(id.uuid))
        let raised = GuardAlarmRaised(
            guardID: user,
            guardPerson: guardMember.person,
            round: self.id
        )
        script.record(guardMember.actor, alarm, .patrol(.guardAlarmRaised(raised)), in: &town)
        let answered = GuardAlarmAnswered(by: user, incident: incident)
        let opened = IncidentOpened(type: "guard_alarm", priority: 1)
        script.record(
            guardMember.actor,
            [
                (alarm, .patrol(.guardAlarmAnswered(answered))),
                (.incident(incident), .incident(.opened(opened))),
            ],
            in: &town
        )
    }

    func end(missing missed: [PatrolPointID], _ script: inout Script, _ town: inout Town) {
        let finished = RoundFinished(
            guardID: guardMember.user,
            reason: .done,
            reached: points.count - missed.count,
            missed: missed,
            durationMilliseconds: Int(
                (script.time.microseconds - startedAt.microseconds) / 1_000
            )
        )
        record(.roundFinished(finished), &script, &town)
    }

    private func record(_ event: PatrolEvent, _ script: inout Script, _ town: inout Town) {
        script.record(guardMember.actor, .round(id), .patrol(event), in: &town)
    }
}
