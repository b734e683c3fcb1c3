// SPDX-License-Identifier: Apache-2.0
public import Events

/// What did not go as planned on guards' tours, for the report of a night: a part of ``CheckIns``.
enum PatrolExceptionTables {
    static let all = [
        Table(
            "patrol_exception",
            key: ["position"],
            columns: [
                "position INTEGER NOT NULL", "org TEXT NOT NULL", "at INTEGER NOT NULL",
                "kind TEXT NOT NULL", "site TEXT", "round TEXT", "tour TEXT", "point TEXT",
                "guard TEXT", "reason TEXT", "distance TEXT", "note TEXT",
            ],
            indexes: [["org", "position"]]
        )
    ]
}

extension CheckInsProjector {
    /// Notes what an event tells of a round, whose tour and guard are taken along, or of a guard.
    static func except(
        _ kind: PatrolException.Kind,
        _ event: RecordedEvent,
        on round: String? = nil,
        at point: String? = nil,
        of guardID: UserID? = nil,
        reason: String? = nil,
        distance: Sealed<Double>? = nil,
        note: Sealed<String>? = nil,
        in rows: RowWriter
    ) {
        rows.run(
            """
            INSERT OR REPLACE INTO patrol_exception VALUES (?1, ?2, ?3, ?4, coalesce(
            (SELECT site FROM point WHERE id = ?6),
            (SELECT site FROM tour WHERE id = (SELECT tour FROM round WHERE id = ?5))), ?5,
            (SELECT tour FROM round WHERE id = ?5), ?6,
            coalesce(?7, (SELECT guard FROM round WHERE id = ?5)), ?8, ?9, ?10)
            """,
            event.position,
            event.envelope.organisation,
            event.time,
            kind.rawValue,
            round,
            point,
            guardID,
            reason,
            distance,
            note
        )
    }

    /// Notes that no round of a tour began when it was to.
    static func exceptStart(of missed: TourNotBegun, _ event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            """
            INSERT OR REPLACE INTO patrol_exception VALUES (?1, ?2, ?3, ?4,
            (SELECT site FROM tour WHERE id = ?5), NULL, ?5, NULL, NULL, NULL, NULL, NULL)
            """,
            event.position,
            event.envelope.organisation,
            missed.scheduledFor,
            PatrolException.Kind.notBegun.rawValue,
            event.subjectName
        )
    }
}

extension CheckIns {
    /// Which exceptions are wanted; what is `nil` does not filter.
    public struct ExceptionFilter: Hashable, Sendable {
        public var kind: PatrolException.Kind?
        public var site: String?
        public var from: Timestamp?
        public var until: Timestamp?
        /// Only what was recorded before this position: the cursor, newest first.
        public var before: LogPosition?
        /// At most ``ProjectionLimits/listRowsMax``.
        public var limit = 100

        public init() {}
    }

    /// What did not go as planned in the scope's organisation, what was recorded last first.
    ///
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func exceptions(
        _ filter: ExceptionFilter = ExceptionFilter(),
        in scope: Scope
    ) async throws -> [PatrolException] {
        try await database.read { view in
            var query = Query(PatrolException.selection)
            query.filter(scope)
            query.filter("kind = ?", filter.kind?.rawValue)
            query.filter("site = ?", filter.site)
            query.filter("at >= ?", filter.from)
            query.filter("at < ?", filter.until)
            query.filter("position < ?", filter.before)
            query.order(by: "position DESC", limit: bounded(filter.limit))
            return try view.all(query, read: PatrolException.init)
        }
    }
}

/// Something on a tour that did not go as planned.
public struct PatrolException: Hashable, Sendable {
    public let position: LogPosition
    /// When it was recorded; for a round that did not begin, when it was to.
    public let at: Timestamp
    public let kind: Kind
    /// The point's, or the tour's; `nil` where the guard was at none.
    public let site: String?
    /// `nil` where the guard was on no round.
    public let round: RoundID?
    public let tour: TourID?
    public let point: PatrolPointID?
    public let guardID: UserID?
    /// Why a scan was refused, or how late a point was reached.
    public let reason: String?
    public let distanceMetres: Sealed<Double>?
    public let note: Sealed<String>?

    /// What it is.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// A round was to begin, and no guard set out.
        case notBegun = "not_begun"
        /// Nobody was at a point in its window.
        case late
        /// Nor in the grace behind it.
        case missed
        /// A guard came to a point after its window.
        case reached
        /// A supervisor did something about a late or missed point.
        case handled
        /// A round was ended before it was done.
        case stopped
        /// A scan did not count.
        case refused
        /// A guard called for help.
        case alarm
    }

    static let selection = """
        SELECT position, at, kind, site, round, tour, point, guard, reason, distance, note
        FROM patrol_exception
        """

    init(_ row: inout RowReader) throws {
        position = try row.position()
        at = try row.time()
        kind = try row.word()
        site = try row.optionalText()
        round = try row.optional()
        tour = try row.optional()
        point = try row.optional()
        guardID = try row.optional()
        reason = try row.optionalText()
        distanceMetres = try row.optionalSealed()
        note = try row.optionalSealed()
    }
}
