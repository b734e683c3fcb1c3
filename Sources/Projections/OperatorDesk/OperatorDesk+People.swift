// SPDX-License-Identifier: Apache-2.0
public import Events

extension OperatorDesk {
    /// Callers whose number begins so, by number, with the sessions that the scope shows; blanks and punctuation are dropped.
    ///
    /// Whoever has sessions, and none of these, is not found: a number is as private as what was said under it. Whose phone is
    /// registered and who never had a session is found by the organisation, which can call.
    ///
    /// - Parameters:
    ///   - prefix: At least `+` and one digit; a prefix without `+` finds nothing.
    ///   - scope: Whose sessions count.
    ///   - limit: At most ``ProjectionLimits/listRowsMax``.
    ///   - isOpened: Whether a claimed session of an incident in which the reader has an open one was opened to the reader; that
    ///     a link joins them does not say so, and only the log knows who made it when (decision 0031).
    /// - Returns: The callers; empty if the prefix says too little.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now; what the question throws.
    public func callers(
        phonePrefix prefix: String,
        in scope: Scope,
        limit: Int = 20,
        admitting isOpened: (SessionID) throws -> Bool = { _ in false }
    ) async throws -> [DeskCaller] {
        let digits = prefix.filter { $0 == "+" || $0.isASCII && $0.isNumber }
        guard digits.count > 1, digits.hasPrefix("+") else { return [] }
        let (known, registered, joined) = try await database.read { view in
            (
                try Self.callers(digits, withSessionsIn: scope, limit, view),
                try Self.callers(digits, registeredIn: scope, limit, view),
                try Self.callers(digits, withSessionsJoinedIn: scope, view)
            )
        }
        var found = Dictionary((known + registered).map { ($0.person, $0) }) { one, _ in one }
        for one in joined {
            guard let session = one.lastSession, try isOpened(session) else { continue }
            found[one.person] = found[one.person]?.adding(one) ?? one
        }
        return Array(
            found.values.sorted {
                ($0.phone ?? "", $0.person.description) < ($1.phone ?? "", $1.person.description)
            }
            .prefix(bounded(limit))
        )
    }

    /// Those of whom the scope shows a session.
    private static func callers(
        _ digits: String,
        withSessionsIn scope: Scope,
        _ limit: Int,
        _ view: ReadTransaction
    ) throws -> [DeskCaller] {
        // The bare columns of a max() are those of its row: the last session.
        var query = Query(
            """
            SELECT c.person, c.phone, count(*), s.id, s.created_at, \(hasPhone), max(s.created_position)
            FROM caller c JOIN session s ON s.who = c.person
            """
        )
        query.filter(leading: "c.phone >= ?", digits)
        // ":" stands behind "9", so the range holds every number with that prefix.
        query.filter("c.phone < ?", digits + ":")
        query.filter(scope, contentsOf: "s")
        // In the order of the index, so that it ends when there are enough.
        query.group(by: "c.phone, c.person")
        query.order(by: "c.phone, c.person", limit: bounded(limit))
        return try view.all(query, read: DeskCaller.init(_:))
    }

    /// A row for each session of somebody else that belongs to an incident in which a reader at the desk has an open one.
    private static func callers(
        _ digits: String,
        withSessionsJoinedIn scope: Scope,
        _ view: ReadTransaction
    ) throws -> [DeskCaller] {
        guard case .desk(let user?) = scope.reader else { return [] }
        // Begun with the reader's own sessions, of which few are open, whatever the number.
        var query = Query(
            """
            SELECT c.person, c.phone, 1, s.id, s.created_at, \(hasPhone)
            FROM session own JOIN session s ON s.incident = own.incident JOIN caller c ON c.person = s.who
            """
        )
        query.filter(leading: "own.owner = ?", user)
        query.filter("own.ended_at IS NULL AND s.ended_at IS NULL AND s.owner <> own.owner")
        query.filter("c.phone >= ?", digits)
        query.filter("c.phone < ?", digits + ":")
        query.filter(scope, organisation: "s.org")
        query.group(by: "s.id")
        query.order(by: "s.id", limit: ProjectionLimits.listRowsMax)
        return try view.all(query, read: DeskCaller.init(_:))
    }

    /// Those whose phone is registered and who never had a session.
    private static func callers(
        _ digits: String,
        registeredIn scope: Scope,
        _ limit: Int,
        _ view: ReadTransaction
    ) throws -> [DeskCaller] {
        var query = Query(
            """
            SELECT c.person, c.phone, 0, NULL, max(d.registered_at), 1
            FROM caller c JOIN device d ON d.person = c.person
            """
        )
        query.filter(leading: "c.phone >= ?", digits)
        query.filter("c.phone < ?", digits + ":")
        query.filter(scope, organisation: "c.org")
        query.filter("c.sessions = 0 AND c.who = c.person AND d.revoked_at IS NULL")
        query.group(by: "c.phone, c.person")
        query.order(by: "c.phone, c.person", limit: bounded(limit))
        return try view.all(query, read: DeskCaller.init(_:))
    }

    /// The people with exactly this number, whoever asks: for naming the owner of a phone, who is another in each
    /// organisation.
    public func persons(phone: PhoneNumber) async throws -> [PersonID] {
        try await database.read { view in
            try view.all(
                "SELECT person FROM caller WHERE phone = ?1 ORDER BY person",
                phone.text
            ) { try $0.value() }
        }
    }

    /// The people with exactly this number, each with the organisation; see ``numbers(after:limit:)``.
    public func numbers(phone: PhoneNumber) async throws -> [DeskNumber] {
        try await database.read { view in
            try view.all(
                "SELECT person, phone, org FROM caller WHERE phone = ?1 ORDER BY person",
                phone.text,
                read: DeskNumber.init
            )
        }
    }

    /// The numbers of all who are not erased, by person.
    ///
    /// - Parameters:
    ///   - person: Only people behind this one: the cursor.
    ///   - limit: At most ``ProjectionLimits/listRowsMax``.
    /// - Returns: The numbers; fewer than the limit at the end.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func numbers(after person: PersonID?, limit: Int = 1_000) async throws -> [DeskNumber] {
        try await database.read { view in
            try view.all(
                """
                SELECT person, phone, org FROM caller WHERE person > ?1 AND phone IS NOT NULL
                ORDER BY person LIMIT ?2
                """,
                person?.description ?? "",
                bounded(limit),
                read: DeskNumber.init
            )
        }
    }

    /// A caller by person.
    public func caller(_ person: PersonID) async throws -> DeskCaller? {
        try await database.read { view in
            try view.first(
                "SELECT c.person, c.phone, c.sessions, c.last_session, c.last_at, \(hasPhone) FROM caller c WHERE c.person = ?1",
                person,
                read: DeskCaller.init(_:)
            )
        }
    }

    /// A device, also a revoked one.
    public func device(_ id: DeviceID) async throws -> DeskDevice? {
        try await database.read { view in
            try view.first(deviceSelection + " WHERE id = ?1", id, read: DeskDevice.init)
        }
    }

    /// The devices of a person, newest first.
    public func devices(of person: PersonID) async throws -> [DeskDevice] {
        try await database.read { view in
            try view.all(
                deviceSelection + " WHERE person = ?1 ORDER BY registered_at DESC, id",
                person,
                read: DeskDevice.init
            )
        }
    }

    /// The devices registered for exactly this number and not revoked, newest first.
    public func devices(phone: PhoneNumber) async throws -> [DeskDevice] {
        try await database.read { view in
            try view.all(
                deviceSelection
                    + " WHERE phone = ?1 AND revoked_at IS NULL ORDER BY registered_at DESC, id",
                phone.text,
                read: DeskDevice.init
            )
        }
    }

    /// Somebody with an account; `nil` for an id that nobody has.
    public func staff(_ id: UserID) async throws -> DeskOperator? {
        try await database.read { view in
            try view.first(operatorSelection + " WHERE id = ?1", id, read: DeskOperator.init)
        }
    }

    /// The people with accounts, by id.
    public func operators(
        in scope: Scope,
        signedIn: Bool? = nil
    ) async throws -> [DeskOperator] {
        try await database.read { view in
            var query = Query(operatorSelection)
            query.filter(scope)
            query.filter("signed_in = ?", signedIn)
            query.order(by: "id", limit: ProjectionLimits.listRowsMax)
            return try view.all(query, read: DeskOperator.init)
        }
    }
}

extension OperatorDesk {
    /// The requests of a session, oldest first.
    public func requests(of session: SessionID) async throws -> [DeskRequest] {
        try await database.read { view in
            try view.all(
                requestSelection + " WHERE session = ?1 ORDER BY sent_at, id",
                session,
                read: DeskRequest.init
            )
        }
    }

    /// One request.
    public func request(_ id: RequestID) async throws -> DeskRequest? {
        try await database.read { view in
            try view.first(requestSelection + " WHERE id = ?1", id, read: DeskRequest.init)
        }
    }

    /// What the caller agreed to, the last decision of each scope.
    public func consents(of session: SessionID) async throws -> [DeskConsent] {
        try await database.read { view in
            try view.all(
                "SELECT scope, decision, text_version, at FROM consent WHERE session = ?1 ORDER BY scope",
                session,
                read: DeskConsent.init
            )
        }
    }

    /// The places that the caller's device told, newest first.
    public func locations(of session: SessionID, limit: Int = 100) async throws -> [DeskLocation] {
        try await database.read { view in
            try view.all(
                """
                SELECT position, at, fix, method, unavailable, request FROM location
                WHERE session = ?1 ORDER BY position DESC LIMIT ?2
                """,
                session,
                bounded(limit),
                read: DeskLocation.init
            )
        }
    }

    /// The streams of a session, oldest first.
    public func streams(of session: SessionID) async throws -> [StreamID] {
        try await database.read { view in
            try view.all(
                "SELECT id FROM stream WHERE session = ?1 ORDER BY started_at, id",
                session
            ) { try $0.value() }
        }
    }
}

/// Whether a phone is registered, under any of the names of the person.
private let hasPhone = """
    EXISTS (SELECT 1 FROM caller k JOIN device d ON d.person = k.person
    WHERE k.who = c.who AND d.revoked_at IS NULL)
    """
private let deviceSelection =
    "SELECT id, person, phone, verification, public_key, registered_at, revoked_at FROM device"
private let requestSelection =
    "SELECT id, session, ask, sent_at, expires_at, opened_at, answer, answered_at FROM request"
private let operatorSelection = """
    SELECT id, org, role, name, signed_in, (SELECT count(*) FROM session WHERE owner = user.id)
    FROM user
    """
