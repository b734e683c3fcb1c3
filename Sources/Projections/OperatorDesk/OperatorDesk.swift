// SPDX-License-Identifier: Apache-2.0
public import Events

/// What operators have before them: sessions, waiting chats, requests, callers and who is signed in.
public struct OperatorDesk: Sendable {
    /// The rows.
    public let database: ReadDatabase

    public init(_ database: ReadDatabase) {
        self.database = database
    }

    /// Which sessions are wanted; what is `nil` does not filter.
    public struct Filter: Hashable, Sendable {
        public var state: SessionState?
        public var owner: UserID?
        public var channel: SessionCreated.Channel?
        /// Whose contacts; only those whose contents the scope shows, for the question names the caller.
        public var caller: PersonID?
        /// Only sessions created before this position: the cursor, newest first.
        public var before: LogPosition?
        /// At most ``ProjectionLimits/listRowsMax``.
        public var limit = 100

        public init() {}

        func limitReach(of query: inout Query, to scope: Scope) {
            guard let caller else { return query.filter(scope, outerFactsOf: "s") }
            query.filter(leading: "s.who = (SELECT who FROM caller WHERE person = ?)", caller)
            query.filter(scope, contentsOf: "s")
        }
    }

    /// Sessions whose outer facts the scope shows, newest first.
    public func sessions(
        _ filter: Filter = Filter(),
        in scope: Scope
    ) async throws -> [DeskSession] {
        try await database.read { view in
            var query = Query(DeskSession.selection)
            filter.limitReach(of: &query, to: scope)
            query.filter(broad: "state = ?", filter.state?.rawValue)
            query.filter(leading: "owner = ?", filter.owner)
            query.filter("channel = ?", filter.channel?.rawValue)
            query.filter("created_position < ?", filter.before)
            query.order(by: "created_position DESC", limit: bounded(filter.limit))
            return try view.all(query, read: DeskSession.init)
        }
    }

    /// The sessions that a list as of a point can show, newest first; what they were then, ``AsOf`` tells.
    ///
    /// - Parameters:
    ///   - filter: Channel, cursor and limit count as they are; the state as far as what has
    ///     ended stays so. The owner does not: that was another one then.
    ///   - scope: Whose sessions.
    ///   - point: Only what had been created by then.
    ///   - time: The time of the point; what had ended before it was not open then.
    /// - Returns: The sessions, each with the position of its creation.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func candidates(
        _ filter: Filter,
        in scope: Scope,
        at point: AsOf.Point,
        time: Timestamp
    ) async throws -> [(session: SessionID, created: LogPosition)] {
        try await database.read { view in
            var query = Query("SELECT id, created_position FROM session s")
            filter.limitReach(of: &query, to: scope)
            query.filter("channel = ?", filter.channel?.rawValue)
            query.filter("created_position < ?", filter.before)
            switch point {
            case .position(let position): query.filter("created_position <= ?", position)
            case .time(let time): query.filter("created_at <= ?", time)
            }
            switch filter.state {
            case .waiting, .open: query.filter("(ended_at IS NULL OR ended_at >= ?)", time)
            case .expired, .closed: query.filter(broad: "state = ?", filter.state?.rawValue)
            case nil: break
            }
            query.order(by: "created_position DESC", limit: bounded(filter.limit))
            return try view.all(query) { (try $0.value(), try $0.position()) }
        }
    }

    /// One session.
    public func session(_ id: SessionID) async throws -> DeskSession? {
        try await database.read { view in
            try view.first(DeskSession.selection + " WHERE id = ?1", id, read: DeskSession.init)
        }
    }

    /// The sessions behind an id: the one session, or all sessions of the incident, oldest first.
    public func sessions(of reference: CaseReference) async throws -> [DeskSession] {
        try await database.read { view in
            try view.all(
                DeskSession.selection + " WHERE id = ?1 OR incident = ?1 ORDER BY created_position",
                reference.description,
                read: DeskSession.init
            )
        }
    }

    /// What an incident itself is taken for; `nil` if there is none.
    public func incident(_ id: IncidentID) async throws -> DeskIncident? {
        try await database.read { view in
            try view.first(
                """
                SELECT id, type, priority, classified_by, classified_at FROM incident
                WHERE id = ?1
                """,
                id,
                read: DeskIncident.init
            )
        }
    }

    /// What was written down about incidents, oldest first.
    ///
    /// - Parameters:
    ///   - incidents: Which ones.
    ///   - position: Only notes behind this one: the cursor.
    ///   - limit: At most ``ProjectionLimits/listRowsMax``.
    /// - Returns: The notes.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func notes(
        of incidents: [IncidentID],
        after position: LogPosition? = nil,
        limit: Int = ProjectionLimits.listRowsMax
    ) async throws -> [DeskNote] {
        try await database.read { view in
            let names = incidents.map { "'\($0)'" }.joined(separator: ", ")
            var query = Query("SELECT id, position, session, author, at, text FROM note")
            query.filter("incident IN (\(names))")
            query.filter("position > ?", position)
            query.order(by: "position", limit: bounded(limit))
            return try view.all(query, read: DeskNote.init)
        }
    }

    /// Sessions whose caller waits for an owner, oldest first.
    public func pendingChats(in scope: Scope) async throws -> [DeskSession] {
        try await database.read { view in
            var query = Query(DeskSession.selection)
            // "IS NOT NULL" leads by no index.
            query.filter("pending_since > 0")
            query.filter(scope, outerFactsOf: "s")
            query.order(by: "pending_since, created_position", limit: ProjectionLimits.listRowsMax)
            return try view.all(query, read: DeskSession.init)
        }
    }

    /// Everybody who owns a session now.
    public func owners() async throws -> [UserID] {
        try await database.read { view in
            var found: [UserID] = []
            // From one to the next by the index, however many sessions each has.
            while let owner: UserID = try view.first(
                "SELECT owner FROM session WHERE owner > ?1 ORDER BY owner LIMIT 1",
                found.last ?? UserID(unchecked: ""),
                read: { try $0.value() }
            ) {
                found.append(owner)
            }
            return found
        }
    }

    /// The sessions that an operator owns now, oldest first.
    public func openSessions(of owner: UserID) async throws -> [DeskSession] {
        try await database.read { view in
            try view.all(
                DeskSession.selection + " WHERE owner = ?1 ORDER BY created_position",
                owner,
                read: DeskSession.init
            )
        }
    }

    /// The session that a caller can still use, for continuing after a crash.
    public func activeSession(of caller: PersonID) async throws -> DeskSession? {
        try await database.read { view in
            try view.first(
                DeskSession.selection
                    + " WHERE caller = ?1 AND state IN ('waiting', 'open') ORDER BY created_position DESC",
                caller,
                read: DeskSession.init
            )
        }
    }
}

/// A list's length within its limit.
func bounded(_ limit: Int) -> Int { min(max(limit, 1), ProjectionLimits.listRowsMax) }
