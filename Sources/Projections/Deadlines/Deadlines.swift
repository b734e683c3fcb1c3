// SPDX-License-Identifier: Apache-2.0
public import Events

/// What is due: the read model of the policies, so that a restart loses no timer.
///
/// Each row names the event that set the time, from which a policy makes its command id; what is done already is not
/// in the rows any more.
public struct Deadlines: Sendable {
    /// The rows.
    public let database: ReadDatabase

    public init(_ database: ReadDatabase) {
        self.database = database
    }

    /// Sessions that were not started by their limit, the earliest first.
    public func expiredStarts(at now: Timestamp) async throws -> [DueSession] {
        try await database.read { view in
            try view.all(
                DueSession.selection + " WHERE expires_at <= ?1 ORDER BY expires_at, position",
                now,
                read: DueSession.init
            )
        }
    }

    /// Requests that were not answered by their limit, the earliest first.
    public func expiredRequests(at now: Timestamp) async throws -> [DueRequest] {
        try await database.read { view in
            try view.all(
                DueRequest.selection + " WHERE expires_at <= ?1 ORDER BY expires_at, position",
                now,
                read: DueRequest.init
            )
        }
    }

    /// Streams in a state for which nothing has arrived since a time, the longest silent first.
    public func streams(
        _ state: RecordingState,
        silentSince time: Timestamp
    ) async throws -> [SilentStream] {
        try await database.read { view in
            try view.all(
                SilentStream.selection
                    + " WHERE state = ?1 AND last_at <= ?2 ORDER BY last_at, position",
                state.rawValue,
                time,
                read: SilentStream.init
            )
        }
    }

    /// The next moment at which something may be due.
    ///
    /// - Parameters:
    ///   - silence: How long a live stream may be silent.
    ///   - end: How long an interrupted stream may be silent.
    /// - Returns: That moment, which may have passed already; `nil` if nothing waits.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func next(silence: Duration, end: Duration) async throws -> Timestamp? {
        try await database.read { view in
            let limits = try view.all(
                """
                SELECT min(expires_at) FROM start_limit UNION ALL
                SELECT min(expires_at) FROM request_limit
                """
            ) { try $0.optionalTime() }
            let live = try earliest("live", in: view).map { $0 + silence }
            let interrupted = try earliest("interrupted", in: view).map { $0 + end }
            return (limits + [live, interrupted]).compactMap(\.self).min()
        }
    }

    private func earliest(_ state: String, in view: ReadTransaction) throws -> Timestamp? {
        try view.first("SELECT min(last_at) FROM stream WHERE state = ?1", state) {
            try $0.optionalTime()
        } ?? nil
    }

    /// The policies that are enabled, by name.
    public func policies() async throws -> [EnabledPolicy] {
        try await database.read { view in
            try view.all(EnabledPolicy.selection + " ORDER BY name", read: EnabledPolicy.init)
        }
    }

    /// One policy; `nil` until it is enabled.
    public func policy(_ name: String) async throws -> EnabledPolicy? {
        try await database.read { view in
            try view.first(
                EnabledPolicy.selection + " WHERE name = ?1",
                name,
                read: EnabledPolicy.init
            )
        }
    }
}

/// A session that is to expire.
public struct DueSession: Hashable, Sendable {
    public let session: SessionID
    public let caller: PersonID
    public let organisation: OrganisationID
    public let expiresAt: Timestamp
    public let position: LogPosition
    /// The event that set the limit.
    public let event: EventID

    static let selection =
        "SELECT session, caller, org, expires_at, position, event FROM start_limit"

    init(_ row: inout RowReader) throws {
        session = try row.value()
        caller = try row.value()
        organisation = try row.value()
        expiresAt = try row.time()
        position = try row.position()
        event = try row.value()
    }
}

/// A request that is to become stale.
public struct DueRequest: Hashable, Sendable {
    public let request: RequestID
    public let session: SessionID
    public let organisation: OrganisationID
    public let expiresAt: Timestamp
    public let position: LogPosition
    /// The event that set the limit.
    public let event: EventID

    static let selection =
        "SELECT request, session, org, expires_at, position, event FROM request_limit"

    init(_ row: inout RowReader) throws {
        request = try row.value()
        session = try row.value()
        organisation = try row.value()
        expiresAt = try row.time()
        position = try row.position()
        event = try row.value()
    }
}

/// A stream for which nothing arrives.
public struct SilentStream: Hashable, Sendable {
    public let stream: StreamID
    public let session: SessionID
    public let organisation: OrganisationID
    public let state: RecordingState
    /// When something arrived last, or when it stopped.
    public let lastAt: Timestamp
    public let position: LogPosition
    /// The event of that arrival.
    public let event: EventID

    static let selection = "SELECT id, session, org, state, last_at, position, event FROM stream"

    init(_ row: inout RowReader) throws {
        stream = try row.value()
        session = try row.value()
        organisation = try row.value()
        state = try row.word()
        lastAt = try row.time()
        position = try row.position()
        event = try row.value()
    }
}

/// A policy and from where on it acts.
public struct EnabledPolicy: Hashable, Sendable {
    public let name: String
    public let settings: [String: Int]
    /// It acts on events behind this position.
    public let position: LogPosition
    public let enabledAt: Timestamp

    static let selection = "SELECT name, settings, position, at FROM policy"

    init(_ row: inout RowReader) throws {
        name = try row.text()
        let text = try row.text()
        guard let numbers = PolicySettings.numbers(of: text) else {
            throw ReadModelError.damaged("the settings of policy \(name) have another form")
        }
        settings = numbers
        position = try row.position()
        enabledAt = try row.time()
    }
}
