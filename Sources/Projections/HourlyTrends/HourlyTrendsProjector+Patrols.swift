// SPDX-License-Identifier: Apache-2.0
import Events

extension HourlyTrendsProjector {
    static let patrols = Handlers {
        On(PatrolCheckedIn.self) { checkIn($0, of: $1, in: $2) }
        On(PatrolCheckInRefused.self) {
            count("check_ins", "refused/\($0.reason.rawValue)", 1, $1, in: $2)
        }
        On(TourNotBegun.self) { count("tours", "not_begun", 1, $1, in: $2) }
        On(RoundStarted.self) { start($0, of: $1, in: $2) }
        On(RoundPointReached.self) { reach($0, of: $1, in: $2) }
        On(RoundPointOverdue.self) { overdue, event, rows in
            count("patrol_alarms", "late", 1, event, in: rows)
            rows.run(
                "UPDATE trend_round_point SET overdue_at = ?3 WHERE round = ?1 AND point = ?2",
                event.subjectName,
                overdue.point,
                event.time
            )
        }
        On(RoundPointMissed.self) { count("patrol_alarms", "missed", 1, $1, in: $2) }
        On(RoundPointHandled.self) { handle($0, of: $1, in: $2) }
        On(RoundFinished.self) { finished, event, rows in
            let isComplete = finished.missed.isEmpty
            let result = isComplete ? "complete" : "incomplete/\(finished.reason.rawValue)"
            count("tours", result, 1, event, in: rows)
            if !isComplete {
                count("tour_points", "missed", finished.missed.count, event, in: rows)
            }
        }
        On(GuardAlarmRaised.self) { raise($0, of: $1, in: $2) }
        On(GuardAlarmAnswered.self) { answer($0, of: $1, in: $2) }
    }

    /// A scan before the window of its point is recorded, but counts for no round.
    private static func checkIn(
        _ fact: PatrolCheckedIn,
        of event: RecordedEvent,
        in rows: RowWriter
    ) {
        let moment = moment(of: fact, event)
        let due = rows.first(
            "SELECT from_at FROM trend_round_point WHERE round = ?1 AND point = ?2",
            fact.round,
            event.subjectName
        ) { try $0.time() }
        if let due, moment < due {
            count("check_ins", "early", 1, event, in: rows)
            return
        }
        count("check_ins", fact.offline ? "kept" : "counted", 1, event, in: rows)
        rows.run(
            "UPDATE trend_round_point SET scanned_at = ?3 WHERE round = ?1 AND point = ?2",
            fact.round,
            event.subjectName,
            moment
        )
    }

    /// When the scan was made: one that was kept has the device's time, which is never in the future.
    private static func moment(of fact: PatrolCheckedIn, _ event: RecordedEvent) -> Timestamp {
        fact.offline ? min(event.envelope.occurredAt ?? event.time, event.time) : event.time
    }

    private static func start(_ fact: RoundStarted, of event: RecordedEvent, in rows: RowWriter) {
        count("tours", "begun", 1, event, in: rows)
        for point in fact.points {
            rows.run(
                "INSERT OR REPLACE INTO trend_round_point VALUES (?1, ?2, ?3, ?4, NULL, NULL, 0)",
                event.subjectName,
                point.point,
                point.from,
                point.until
            )
        }
    }

    private static func reach(
        _ fact: RoundPointReached,
        of event: RecordedEvent,
        in rows: RowWriter
    ) {
        let word = fact.standing == .missed ? "after_grace" : fact.standing.rawValue
        count("tour_points", word, 1, event, in: rows)
        guard fact.standing != .onTime else { return }
        let times = rows.first(
            "SELECT until_at, scanned_at FROM trend_round_point WHERE round = ?1 AND point = ?2",
            event.subjectName,
            fact.point
        ) { (until: try $0.time(), scanned: try $0.optionalTime()) }
        guard let times else { return }
        let item = "\(event.subjectName)/\(fact.point)"
        sample("tour_late", item, from: times.until, until: times.scanned, event, in: rows)
    }

    /// Only the first thing that a supervisor did about a late point is an answer to it.
    private static func handle(
        _ fact: RoundPointHandled,
        of event: RecordedEvent,
        in rows: RowWriter
    ) {
        let overdue = rows.first(
            """
            SELECT overdue_at FROM trend_round_point
            WHERE round = ?1 AND point = ?2 AND is_handled = 0
            """,
            event.subjectName,
            fact.point
        ) { try $0.optionalTime() }
        guard let overdue = overdue ?? nil else { return }
        let item = "\(event.subjectName)/\(fact.point)"
        sample("late_point_handled", item, from: overdue, to: event, in: rows)
        rows.run(
            "UPDATE trend_round_point SET is_handled = 1 WHERE round = ?1 AND point = ?2",
            event.subjectName,
            fact.point
        )
    }

    /// A guard who calls again before an answer came has waited since the first call.
    private static func raise(
        _ fact: GuardAlarmRaised,
        of event: RecordedEvent,
        in rows: RowWriter
    ) {
        count("patrol_alarms", "help", 1, event, in: rows)
        rows.run(
            """
            INSERT OR REPLACE INTO trend_guard_alarm
            SELECT ?1, ?2, coalesce(min(since), ?3), 1 FROM trend_guard_alarm
            WHERE guard = ?2 AND is_open = 1
            """,
            event.subjectName,
            fact.guardID,
            event.time
        )
    }

    private static func answer(
        _ fact: GuardAlarmAnswered,
        of event: RecordedEvent,
        in rows: RowWriter
    ) {
        let since = rows.first(
            "SELECT since FROM trend_guard_alarm WHERE id = ?1 AND is_open = 1",
            event.subjectName
        ) { try $0.time() }
        guard let since else { return }
        sample("help_answered", event.subjectName, from: since, to: event, in: rows)
        rows.run(
            """
            UPDATE trend_guard_alarm SET is_open = 0 WHERE is_open = 1
            AND guard = (SELECT guard FROM trend_guard_alarm WHERE id = ?1)
            """,
            event.subjectName
        )
    }
}
