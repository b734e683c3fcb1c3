// SPDX-License-Identifier: Apache-2.0
public import Events

/// Guards' calls for help: a part of ``CheckIns``.
enum GuardAlarmTables {
    static let all = [
        Table(
            "guard_alarm",
            key: ["id"],
            columns: [
                "id TEXT NOT NULL", "position INTEGER NOT NULL", "org TEXT NOT NULL",
                "guard TEXT NOT NULL", "at INTEGER NOT NULL", "fix TEXT", "answered_by TEXT",
                "answered_at INTEGER", "since INTEGER NOT NULL", "times INTEGER NOT NULL",
                "incident TEXT",
            ],
            indexes: [["org", "position"], ["position"], ["guard", "position"]]
        )
    ]
}

extension CheckInsProjector {
    static let alarms = Handlers {
        On(GuardAlarmRaised.self) { raise($0, of: $1, in: $2) }
        On(GuardAlarmAnswered.self) { answered, event, rows in
            rows.run(
                """
                UPDATE guard_alarm SET answered_by = ?2, answered_at = ?3, incident = ?4
                WHERE id = ?1
                """,
                event.subjectName,
                answered.by,
                event.time,
                answered.incident
            )
        }
    }

    /// Who calls again before anybody came has one row, with the newest place: however often a guard calls, the others' alarms
    /// stay in sight.
    private static func raise(
        _ fact: GuardAlarmRaised,
        of event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run(
            """
            INSERT OR REPLACE INTO guard_alarm
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, NULL, NULL, coalesce(min(since), ?5),
            coalesce(sum(times), 0) + 1, NULL FROM guard_alarm WHERE guard = ?4 AND answered_by IS NULL
            """,
            event.subjectName,
            event.position,
            event.envelope.organisation,
            fact.guardID,
            event.time,
            fact.fix
        )
        rows.run(
            "DELETE FROM guard_alarm WHERE guard = ?1 AND answered_by IS NULL AND id <> ?2",
            fact.guardID,
            event.subjectName
        )
        let round = fact.round.map { "\($0)" }
        except(.alarm, event, on: round, of: fact.guardID, in: rows)
    }
}

extension CheckIns {
    /// Guards' alarms of the scope's organisation, oldest first: those that nobody took up, one a guard, and those taken up since
    /// a moment.
    ///
    /// - Parameters:
    ///   - guardID: Whose; `nil` for everybody's.
    ///   - moment: `nil` for none that was taken up.
    ///   - scope: Whose.
    /// - Returns: At most ``ProjectionLimits/listRowsMax``.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func alarms(
        of guardID: UserID? = nil,
        takenSince moment: Timestamp?,
        in scope: Scope
    ) async throws -> [GuardAlarm] {
        try await database.read { view in
            var query = Query(GuardAlarm.selection)
            query.filter(leading: "guard = ?", guardID)
            query.filter(scope)
            if moment == nil { query.filter("answered_by IS NULL") }
            query.filter("(answered_by IS NULL OR answered_at >= ?)", moment)
            query.order(by: "position", limit: ProjectionLimits.listRowsMax)
            return try view.all(query, read: GuardAlarm.init)
        }
    }
}

/// A guard's call for help.
public struct GuardAlarm: Hashable, Sendable {
    public let id: GuardAlarmID
    public let guardID: UserID
    public let at: Timestamp
    public let fix: Sealed<Fix>?
    /// Who took it up; `nil` while nobody did.
    public let answeredBy: UserID?
    public let answeredAt: Timestamp?
    /// When the guard first called: earlier than ``at`` for one who called again before anybody came.
    public let since: Timestamp
    /// How often the guard called since then.
    public let times: Int
    /// The incident that it became when it was taken up.
    public let incident: IncidentID?

    static let selection = """
        SELECT id, guard, at, fix, answered_by, answered_at, since, times, incident FROM guard_alarm
        """

    init(_ row: inout RowReader) throws {
        id = try row.value()
        guardID = try row.value()
        at = try row.time()
        fix = try row.optionalSealed()
        answeredBy = try row.optional()
        answeredAt = try row.optionalTime()
        since = try row.time()
        times = try row.integer()
        incident = try row.optional()
    }
}
