// SPDX-License-Identifier: Apache-2.0
public import Events

/// The places of guards' tours and every scan of their codes, also the refused ones.
public struct CheckIns: Sendable {
    /// The rows.
    public let database: ReadDatabase

    public init(_ database: ReadDatabase) {
        self.database = database
    }

    /// Which scans are wanted; what is `nil` does not filter.
    public struct Filter: Hashable, Sendable {
        public var guardID: UserID?
        public var point: PatrolPointID?
        public var from: Timestamp?
        public var until: Timestamp?
        /// Only scans before this position: the cursor, newest first.
        public var before: LogPosition?
        /// At most ``ProjectionLimits/listRowsMax``.
        public var limit = 100

        public init() {}
    }

    /// Scans of the scope's organisation, newest first.
    public func checkIns(
        _ filter: Filter = Filter(),
        in scope: Scope
    ) async throws -> [CheckIn] {
        try await database.read { view in
            var query = Query(CheckIn.selection)
            query.filter(leading: "guard = ?", filter.guardID)
            query.filter(leading: "point = ?", filter.point)
            query.filter(scope)
            query.filter("at >= ?", filter.from)
            query.filter("at < ?", filter.until)
            query.filter("position < ?", filter.before)
            query.order(by: "position DESC", limit: bounded(filter.limit))
            return try view.all(query, read: CheckIn.init)
        }
    }

    /// The places of the scope's organisation, in the order in which they were last defined.
    ///
    /// - Parameters:
    ///   - position: Only places that were defined behind it: the cursor.
    ///   - limit: At most ``ProjectionLimits/listRowsMax``.
    ///   - scope: Whose.
    /// - Returns: The places.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func points(
        after position: LogPosition? = nil,
        limit: Int = 100,
        in scope: Scope
    ) async throws -> [PatrolPoint] {
        try await database.read { view in
            var query = Query(PatrolPoint.selection)
            query.filter(scope)
            query.filter("position > ?", position)
            query.order(by: "position", limit: bounded(limit))
            return try view.all(query, read: PatrolPoint.init)
        }
    }

    /// One place.
    public func point(_ id: PatrolPointID) async throws -> PatrolPoint? {
        try await database.read { view in
            try view.first(PatrolPoint.selection + " WHERE id = ?1", id, read: PatrolPoint.init)
        }
    }
}

/// One scan.
public struct CheckIn: Hashable, Sendable {
    public let position: LogPosition
    public let organisation: OrganisationID
    /// `nil` for a forged code.
    public let point: PatrolPointID?
    public let guardID: UserID
    /// `nil` if the scan was accepted.
    public let refusal: PatrolCheckInRefused.Reason?
    public let at: Timestamp
    public let occurredAt: Timestamp?
    /// Whether it was kept on the device and sent later.
    public let offline: Bool
    public let fix: Sealed<Fix>?
    public let distanceMetres: Sealed<Double>?
    public let note: Sealed<String>?

    static let selection = """
        SELECT position, org, point, guard, refusal, at, occurred_at, offline, fix, distance, note
        FROM check_in
        """

    init(_ row: inout RowReader) throws {
        position = try row.position()
        organisation = try row.value()
        point = try row.optional()
        guardID = try row.value()
        refusal = try row.optionalWord()
        at = try row.time()
        occurredAt = try row.optionalTime()
        offline = try row.flag()
        fix = try row.optionalSealed()
        distanceMetres = try row.optionalSealed()
        note = try row.optionalSealed()
    }
}

/// One place of a guard's tour.
public struct PatrolPoint: Hashable, Sendable {
    public let id: PatrolPointID
    public let organisation: OrganisationID
    public let site: String
    public let name: String
    public let latitude: Double
    public let longitude: Double
    public let radiusMetres: Double
    public let definedAt: Timestamp
    /// Where it was last defined.
    public let position: LogPosition

    static let selection =
        "SELECT id, org, site, name, latitude, longitude, radius, defined_at, position FROM point"

    init(_ row: inout RowReader) throws {
        id = try row.value()
        organisation = try row.value()
        site = try row.text()
        name = try row.text()
        latitude = try row.real()
        longitude = try row.real()
        radiusMetres = try row.real()
        definedAt = try row.time()
        position = try row.position()
    }
}
