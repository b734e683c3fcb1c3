// SPDX-License-Identifier: Apache-2.0
public import Events

/// Tours, and the rounds that guards walk of them: a part of ``CheckIns``.
enum RoundTables {
    static let all = [
        Table(
            "tour",
            key: ["id"],
            columns: [
                "id TEXT NOT NULL", "org TEXT NOT NULL", "site TEXT NOT NULL", "name TEXT NOT NULL",
                "ordered INTEGER NOT NULL", "grace_s INTEGER NOT NULL", "retired INTEGER NOT NULL",
                "position INTEGER NOT NULL", "schedule TEXT",
            ],
            indexes: [["org", "position"], ["position"]]
        ),
        Table(
            "tour_point",
            key: ["tour", "place"],
            columns: [
                "tour TEXT NOT NULL", "place INTEGER NOT NULL", "point TEXT NOT NULL",
                "from_s INTEGER NOT NULL", "until_s INTEGER NOT NULL",
            ]
        ),
        Table(
            "round",
            key: ["id"],
            columns: [
                "id TEXT NOT NULL", "position INTEGER NOT NULL", "org TEXT NOT NULL",
                "tour TEXT NOT NULL", "guard TEXT NOT NULL", "started_at INTEGER NOT NULL",
                "finished_at INTEGER", "reason TEXT", "ordered INTEGER NOT NULL",
            ],
            indexes: [["guard", "position"], ["org", "position"], ["position"]]
        ),
        Table(
            "round_point",
            key: ["round", "place"],
            columns: [
                "round TEXT NOT NULL", "place INTEGER NOT NULL", "point TEXT NOT NULL",
                "from_at INTEGER NOT NULL", "until_at INTEGER NOT NULL",
                "late_until INTEGER NOT NULL", "standing TEXT", "reached_at INTEGER",
                "overdue_at INTEGER", "missed_at INTEGER", "handled_by TEXT", "handled_at INTEGER",
                "sent TEXT", "note TEXT", "next_at INTEGER",
            ],
            lookups: [["round", "point"]],
            indexes: [["next_at"]]
        ),
    ]
}

extension CheckInsProjector {
    static let rounds = Handlers {
        On(TourDefined.self) { define($0, of: $1, in: $2) }
        On(TourNotBegun.self) { exceptStart(of: $0, $1, in: $2) }
        On(RoundStarted.self) { start($0, of: $1, in: $2) }
        On(RoundPointReached.self) { reached, event, rows in
            rows.run(
                """
                UPDATE round_point SET standing = ?3, reached_at = ?4, next_at = NULL
                WHERE round = ?1 AND point = ?2
                """,
                event.subjectName,
                reached.point,
                reached.standing.rawValue,
                event.time
            )
            guard reached.standing != .onTime else { return }
            except(
                .reached,
                event,
                on: event.subjectName,
                at: "\(reached.point)",
                reason: reached.standing.rawValue,
                in: rows
            )
        }
        On(RoundPointOverdue.self) { overdue, event, rows in
            rows.run(
                """
                UPDATE round_point SET overdue_at = ?3, next_at = late_until
                WHERE round = ?1 AND point = ?2
                """,
                event.subjectName,
                overdue.point,
                event.time
            )
            except(.late, event, on: event.subjectName, at: "\(overdue.point)", in: rows)
        }
        On(RoundPointMissed.self) { missed, event, rows in
            rows.run(
                """
                UPDATE round_point SET missed_at = ?3, next_at = NULL
                WHERE round = ?1 AND point = ?2
                """,
                event.subjectName,
                missed.point,
                event.time
            )
            except(.missed, event, on: event.subjectName, at: "\(missed.point)", in: rows)
        }
        On(RoundPointHandled.self) { handled, event, rows in
            rows.run(
                """
                UPDATE round_point SET handled_by = ?3, handled_at = ?4, sent = coalesce(?5, sent),
                note = coalesce(?6, note) WHERE round = ?1 AND point = ?2
                """,
                event.subjectName,
                handled.point,
                handled.by,
                event.time,
                handled.sent,
                handled.note
            )
            except(
                .handled,
                event,
                on: event.subjectName,
                at: "\(handled.point)",
                note: handled.note,
                in: rows
            )
        }
        On(RoundFinished.self) { finished, event, rows in
            rows.run(
                "UPDATE round SET finished_at = ?2, reason = ?3 WHERE id = ?1",
                event.subjectName,
                event.time,
                finished.reason.rawValue
            )
            rows.run("UPDATE round_point SET next_at = NULL WHERE round = ?1", event.subjectName)
            if finished.reason == .stopped {
                except(.stopped, event, on: event.subjectName, in: rows)
            }
        }
    }

    private static func define(_ fact: TourDefined, of event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            "INSERT OR REPLACE INTO tour VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            event.subjectName,
            event.envelope.organisation,
            fact.site,
            fact.name,
            fact.isOrdered,
            fact.graceSeconds,
            fact.isRetired,
            event.position,
            fact.schedule?.text
        )
        rows.run("DELETE FROM tour_point WHERE tour = ?1", event.subjectName)
        for (place, point) in fact.points.enumerated() {
            rows.run(
                "INSERT OR REPLACE INTO tour_point VALUES (?1, ?2, ?3, ?4, ?5)",
                event.subjectName,
                place,
                point.point,
                point.fromSeconds,
                point.untilSeconds
            )
        }
    }

    private static func start(_ fact: RoundStarted, of event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            "INSERT OR REPLACE INTO round VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL, NULL, ?7)",
            event.subjectName,
            event.position,
            event.envelope.organisation,
            fact.tour,
            fact.guardID,
            event.time,
            fact.isOrdered
        )
        for (place, point) in fact.points.enumerated() {
            rows.run(
                """
                INSERT OR REPLACE INTO round_point VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL, NULL, NULL,
                NULL, NULL, NULL, NULL, NULL, ?5)
                """,
                event.subjectName,
                place,
                point.point,
                point.from,
                point.until,
                point.lateUntil
            )
        }
    }
}

extension CheckIns {
    /// The tours of the scope's organisation, also those that are walked no more, in the order in which they were last defined.
    ///
    /// - Parameters:
    ///   - position: Only tours that were defined behind it: the cursor.
    ///   - limit: At most ``ProjectionLimits/listRowsMax``.
    ///   - scope: Whose.
    /// - Returns: The tours, each with its points in order.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func tours(
        after position: LogPosition? = nil,
        limit: Int = 100,
        in scope: Scope
    ) async throws -> [PatrolTour] {
        try await database.read { view in
            var query = Query(PatrolTour.selection)
            query.filter(scope)
            query.filter("position > ?", position)
            query.order(by: "position", limit: bounded(limit))
            return try view.all(query, read: PatrolTour.init).map { tour in
                var tour = tour
                tour.points = try view.all(
                    "SELECT point, from_s, until_s FROM tour_point WHERE tour = ?1 ORDER BY place",
                    tour.id
                ) { row in
                    TourDefined.Point(
                        point: try row.value(),
                        fromSeconds: try row.integer(),
                        untilSeconds: try row.integer()
                    )
                }
                return tour
            }
        }
    }

    /// Rounds of the scope's organisation, newest first.
    ///
    /// - Parameters:
    ///   - guardID: Whose; `nil` for everybody's.
    ///   - openOnly: Whether only those that go on.
    ///   - position: Only rounds that began before: the cursor.
    ///   - limit: At most ``ProjectionLimits/listRowsMax``.
    ///   - scope: Whose.
    /// - Returns: The rounds, each with its points in order.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func rounds(
        of guardID: UserID? = nil,
        openOnly: Bool = false,
        before position: LogPosition? = nil,
        limit: Int = 100,
        in scope: Scope
    ) async throws -> [PatrolRound] {
        try await database.read { view in
            var query = Query(PatrolRound.selection)
            query.filter(leading: "guard = ?", guardID)
            query.filter(scope)
            if openOnly { query.filter("finished_at IS NULL") }
            query.filter("position < ?", position)
            query.order(by: "position DESC", limit: bounded(limit))
            return try view.all(query, read: PatrolRound.init).map { try filled($0, in: view) }
        }
    }

    /// One round, if it is in the scope's organisation.
    public func round(_ id: RoundID, in scope: Scope) async throws -> PatrolRound? {
        try await database.read { view in
            var query = Query(PatrolRound.selection)
            query.filter(leading: "id = ?", id)
            query.filter(scope)
            return try view.all(query, read: PatrolRound.init).first.map {
                try filled($0, in: view)
            }
        }
    }

    private func filled(_ round: PatrolRound, in view: ReadTransaction) throws -> PatrolRound {
        var round = round
        round.points = try view.all(
            PatrolRound.Point.selection + " WHERE round = ?1 ORDER BY place",
            round.id,
            read: PatrolRound.Point.init
        )
        return round
    }

    /// The tours of all organisations that are walked, and are to begin at certain times.
    public func scheduledTours() async throws -> [(id: TourID, schedule: TourDefined.Schedule)] {
        try await database.read { view in
            try view.all(
                PatrolTour.selection + " WHERE schedule IS NOT NULL AND retired = 0",
                read: PatrolTour.init
            )
        }.compactMap { tour in tour.schedule.map { (tour.id, $0) } }
    }

    /// The rounds of which a point may be late or missed by now.
    public func roundsDue(at now: Timestamp) async throws -> [RoundID] {
        try await database.read { view in
            try view.all(
                "SELECT DISTINCT round FROM round_point WHERE next_at < ?1 ORDER BY next_at",
                now
            ) { try $0.value() }
        }
    }

}

/// One walk of a tour.
public struct PatrolRound: Hashable, Sendable {
    public let id: RoundID
    public let position: LogPosition
    public let tour: TourID
    public let guardID: UserID
    public let startedAt: Timestamp
    /// `nil` while it goes on.
    public let finishedAt: Timestamp?
    public let reason: RoundFinished.Reason?
    public let isOrdered: Bool
    /// In the order in which they are walked.
    public internal(set) var points: [Point] = []

    static let selection =
        "SELECT id, position, tour, guard, started_at, finished_at, reason, ordered FROM round"

    init(_ row: inout RowReader) throws {
        id = try row.value()
        position = try row.position()
        tour = try row.value()
        guardID = try row.value()
        startedAt = try row.time()
        finishedAt = try row.optionalTime()
        reason = try row.optionalWord()
        isOrdered = try row.flag()
    }

    /// A point of it, and how it stands.
    public struct Point: Hashable, Sendable {
        public let point: PatrolPointID
        public let from: Timestamp
        public let until: Timestamp
        public let lateUntil: Timestamp
        /// `nil` while nobody was there.
        public let standing: RoundPointReached.Standing?
        public let reachedAt: Timestamp?
        public let overdueAt: Timestamp?
        public let missedAt: Timestamp?
        public let handledBy: UserID?
        public let handledAt: Timestamp?
        /// Who was sent there.
        public let sent: UserID?
        public let note: Sealed<String>?

        static let selection = """
            SELECT point, from_at, until_at, late_until, standing, reached_at, overdue_at, missed_at,
            handled_by, handled_at, sent, note FROM round_point
            """

        init(_ row: inout RowReader) throws {
            point = try row.value()
            from = try row.time()
            until = try row.time()
            lateUntil = try row.time()
            standing = try row.optionalWord()
            reachedAt = try row.optionalTime()
            overdueAt = try row.optionalTime()
            missedAt = try row.optionalTime()
            handledBy = try row.optional()
            handledAt = try row.optionalTime()
            sent = try row.optional()
            note = try row.optionalSealed()
        }
    }
}
