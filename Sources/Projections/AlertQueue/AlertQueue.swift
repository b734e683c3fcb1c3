// SPDX-License-Identifier: Apache-2.0
public import Events

/// The alerts that are to be delivered, each for one contact.
public struct AlertQueue: Sendable {
    /// The rows.
    public let database: ReadDatabase

    public init(_ database: ReadDatabase) {
        self.database = database
    }

    /// The alerts with an open part, first in the queue first.
    public func queue(
        in organisation: OrganisationID? = nil,
        limit: Int = 100
    ) async throws -> [QueuedAlert] {
        try await database.read { view in
            var query = Query(QueuedAlert.selection)
            query.filter("state IN ('queued', 'partly_sent')")
            // The queue of all is short, and in its order by place.
            query.filter("+org = ?", organisation)
            query.order(by: "place", limit: bounded(limit))
            return try view.all(query, read: QueuedAlert.init)
        }
    }

    /// All alerts, newest first; `before` is the cursor.
    public func alerts(
        in scope: Scope,
        state: AlertState? = nil,
        cause: Subject? = nil,
        before: LogPosition? = nil,
        limit: Int = 100
    ) async throws -> [QueuedAlert] {
        try await database.read { view in
            var query = Query(QueuedAlert.selection)
            query.filter(scope)
            query.filter(broad: "state = ?", state?.rawValue)
            query.filter(leading: "cause = ?", cause)
            query.filter("number < ?", before)
            query.order(by: "number DESC", limit: bounded(limit))
            return try view.all(query, read: QueuedAlert.init)
        }
    }

    /// One alert.
    public func alert(_ id: AlertID) async throws -> QueuedAlert? {
        try await database.read { view in
            try view.first(QueuedAlert.selection + " WHERE id = ?1", id, read: QueuedAlert.init)
        }
    }

    /// The newest alert with a deduplication key that was queued at or after a time.
    public func alert(
        deduplicationKey key: String,
        since time: Timestamp
    ) async throws -> QueuedAlert? {
        try await database.read { view in
            try view.first(
                QueuedAlert.selection + """
                     WHERE deduplication_key = ?1 AND queued_at >= ?2 ORDER BY number DESC
                    """,
                key,
                time,
                read: QueuedAlert.init
            )
        }
    }

    /// The parts of an alert, by channel.
    public func parts(of alert: AlertID) async throws -> [AlertPart] {
        try await database.read { view in
            try view.all(
                """
                SELECT channel, state, attempts, error, provider_id, changed_at FROM alert_part
                WHERE alert = ?1 ORDER BY channel
                """,
                alert,
                read: AlertPart.init
            )
        }
    }

    /// How many alerts wait, and since when the oldest does.
    public func depth() async throws -> (alerts: Int, oldest: Timestamp?) {
        try await database.read { view in
            try view.first(
                """
                SELECT count(*), min(queued_at) FROM alert WHERE state IN ('queued', 'partly_sent')
                """
            ) { (try $0.integer(), try $0.optionalTime()) } ?? (0, nil)
        }
    }
}

/// How far an alert has come.
public enum AlertState: String, Codable, Hashable, Sendable, CaseIterable {
    case queued
    /// One part went out, the other is still to go.
    case partlySent = "partly_sent"
    case sent
    /// No part went out and none will.
    case failed
}

/// One alert for one contact.
public struct QueuedAlert: Hashable, Sendable {
    public let id: AlertID
    public let queuedPosition: LogPosition
    /// Its place in the queue; smaller is earlier.
    public let place: LogPosition
    public let organisation: OrganisationID
    public let cause: Subject
    public let severity: AlertQueued.Severity
    public let template: String
    public let contact: PersonID
    public let sms: Sealed<PhoneNumber>?
    public let email: Sealed<String>?
    /// The device to which the push part goes.
    public let push: DeviceID?
    public let deduplicationKey: String
    public let queuedAt: Timestamp
    public let expiresAt: Timestamp
    public let state: AlertState
    /// The event that queued it, for what a policy causes.
    public let event: EventID

    static let selection = """
        SELECT id, number, place, org, cause, severity, template, contact, sms, email, push,
        deduplication_key, queued_at, expires_at, state, event FROM alert
        """

    init(_ row: inout RowReader) throws {
        id = try row.value()
        queuedPosition = try row.position()
        place = try row.position()
        organisation = try row.value()
        cause = try row.value()
        severity = try row.word()
        template = try row.text()
        contact = try row.value()
        sms = try row.optionalSealed()
        email = try row.optionalSealed()
        push = try row.optional()
        deduplicationKey = try row.text()
        queuedAt = try row.time()
        expiresAt = try row.time()
        state = try row.word()
        event = try row.value()
    }
}

/// The part of an alert that goes by one channel.
public struct AlertPart: Hashable, Sendable {
    public let channel: AlertChannel
    public let state: AlertState
    public let attempts: Int
    public let error: String?
    public let providerID: String?
    public let changedAt: Timestamp

    init(_ row: inout RowReader) throws {
        channel = try row.word()
        state = try row.word()
        attempts = try row.integer()
        error = try row.optionalText()
        providerID = try row.optionalText()
        changedAt = try row.time()
    }
}
