// SPDX-License-Identifier: Apache-2.0
public import Events

/// What callers are to be told by Web Push: the read model of that policy, so that a restart loses no push and a rebuild
/// sends none twice.
///
/// What happened and may be worth a push is *due* until it is over; for each device of the caller that takes pushes it
/// becomes a *delivery* once the policy queued it. The rows only say what to look at: the decisions look at the log.
public struct Pushes: Sendable {
    /// The rows.
    public let database: ReadDatabase

    public init(_ database: ReadDatabase) {
        self.database = database
    }

    /// What is worth a push and not queued yet, for each device of the caller, the oldest first.
    ///
    /// A push of a message tells of all that stood before it.
    ///
    /// - Parameters:
    ///   - now: What is over by then is left out.
    ///   - messages: Messages of the centre count if sent in these times and not delivered by now.
    ///   - last: The last one of the page before; `nil` for the first page.
    /// - Returns: ``DuePush/pageRows`` at most.
    /// - Throws: ``ReadModelError`` while the rows cannot be read.
    public func due(
        at now: Timestamp,
        messages: ClosedRange<Timestamp>,
        behind last: DuePush? = nil
    ) async throws -> [DuePush] {
        try await database.read { view in
            try view.all(
                DuePush.selection,
                now,
                messages.lowerBound,
                messages.upperBound,
                last?.position ?? LogPosition(0),
                last?.device.description ?? "",
                read: DuePush.init
            )
        }
    }

    /// Deliveries without a final end: to be tried by now, or tried with an unknown end; the oldest first.
    ///
    /// - Parameter now: What waits for a time behind it is left out.
    /// - Returns: A thousand at most.
    /// - Throws: ``ReadModelError`` while the rows cannot be read.
    public func open(at now: Timestamp) async throws -> [PushDelivery] {
        try await database.read { view in
            try view.all(PushDelivery.selection, now, read: PushDelivery.init)
        }
    }
}

/// Something of which one device of the caller is to be told.
public struct DuePush: Hashable, Sendable {
    public let device: DeviceID
    public let session: SessionID
    public let organisation: OrganisationID
    public let cause: PushCause
    /// Where it happened in the log.
    public let position: LogPosition
    public let event: EventID

    static let selection = """
        SELECT device.id, due.session, due.org, due.cause, due.item, due.position, due.event
        FROM due JOIN device ON device.person = due.person
        WHERE (due.expires_at IS NULL OR due.expires_at > ?1)
        AND (due.cause <> 'message' OR due.at BETWEEN ?2 AND ?3)
        AND NOT EXISTS (SELECT 1 FROM delivery
        WHERE delivery.event = due.event AND delivery.device = device.id)
        AND (due.cause <> 'message' OR NOT EXISTS (SELECT 1 FROM delivery
        WHERE delivery.device = device.id AND delivery.session = due.session
        AND delivery.cause = 'message' AND delivery.position > due.position))
        AND (due.position, device.id) > (?4, ?5)
        ORDER BY due.position, device.id LIMIT \(pageRows)
        """
    /// How many there are on a page.
    public static let pageRows = 1_000

    init(_ row: inout RowReader) throws {
        device = try row.value()
        session = try row.value()
        organisation = try row.value()
        cause = try PushCause(&row)
        position = try row.position()
        event = try row.value()
    }
}

/// What a push is about.
public enum PushCause: Hashable, Sendable {
    /// An operator opened the session.
    case opening
    case request(RequestID)
    /// A message of the centre.
    case message(MessageID)

    enum Word: String {
        case opening, request, message
    }

    init(_ row: inout RowReader) throws {
        switch try row.word(Word.self) {
        case .opening:
            _ = try row.optionalText()
            self = .opening
        case .request: self = .request(try row.value())
        case .message: self = .message(try row.value())
        }
    }
}

/// One push to one device, on its way.
public struct PushDelivery: Hashable, Sendable {
    public let alert: AlertID
    public let device: DeviceID
    public let session: SessionID
    /// When that session was opened.
    public let sessionCreatedAt: Timestamp
    public let organisation: OrganisationID
    public let cause: PushCause
    /// Whether an attempt began whose end is not recorded.
    public let isUnderWay: Bool
    /// Attempts with an end.
    public let attempts: Int
    public let position: LogPosition
    /// The event that queued it.
    public let event: EventID

    static let selection = """
        SELECT alert, device, session, created_at, org, cause, item, state = 'under_way', attempts,
        position, queued_by FROM delivery WHERE state IN ('queued', 'under_way')
        AND (state = 'under_way' OR retry_at IS NULL OR retry_at <= ?1)
        ORDER BY position LIMIT 1000
        """

    init(_ row: inout RowReader) throws {
        alert = try row.value()
        device = try row.value()
        session = try row.value()
        sessionCreatedAt = try row.time()
        organisation = try row.value()
        cause = try PushCause(&row)
        isUnderWay = try row.flag()
        attempts = try row.integer()
        position = try row.position()
        event = try row.value()
    }
}
