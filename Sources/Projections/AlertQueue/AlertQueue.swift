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

    /// All alerts, newest first, with their parts; `before` is the cursor.
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
            return try view.all(query, read: QueuedAlert.init).map { alert in
                var alert = alert
                alert.parts = try view.all(AlertPart.ofAlert, alert.id, read: AlertPart.init)
                return alert
            }
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
            try view.all(AlertPart.ofAlert, alert, read: AlertPart.init)
        }
    }

    /// The parts of a channel that may go now, the longest waiting first.
    ///
    /// A contact gets one message of a channel at a time, in the order of the alerts: an earlier one that is still to go holds the later
    /// ones back, and so does an SMS of which the message centre has not said for a while that it took it.
    ///
    /// - Parameters:
    ///   - channel: By which way.
    ///   - now: The moment.
    ///   - start: Only alerts that were queued after this; those before it hold nothing back.
    ///   - setAt: When the sender was set up last: what failed before that is tried again at once.
    ///   - awaitingReportSince: An SMS that went out later than this, and has no report, holds its contact's next one back.
    ///   - perContact: So many may go to one contact in a while; critical alerts go all the same.
    ///   - since: When that while began.
    ///   - limit: At most so many.
    /// - Returns: Their alerts.
    /// - Throws: When the rows cannot be read.
    public func due(
        by channel: AlertChannel,
        at now: Timestamp,
        after start: LogPosition,
        setAt: Timestamp,
        awaitingReportSince: Timestamp,
        perContact: Int,
        since: Timestamp,
        limit: Int = 100
    ) async throws -> [AlertID] {
        try await database.read { view in
            try view.all(
                """
                SELECT part.alert FROM alert_part part JOIN alert ON alert.id = part.alert
                WHERE part.state = 'queued' AND part.channel = ?1 AND (part.retry_at <= ?2 OR part.changed_at < ?8)
                AND (part.channel <> 'push' OR alert.cause >= 'sos/' AND alert.cause < 'sos0')
                AND part.number > ?5 AND (alert.severity = 'critical' OR (SELECT count(*) FROM alert_part recent
                WHERE recent.contact = part.contact AND recent.channel = part.channel AND recent.state = 'sent'
                AND recent.changed_at > ?7) < ?6)
                AND NOT EXISTS (SELECT 1 FROM alert_part earlier WHERE earlier.contact = part.contact
                AND earlier.channel = part.channel AND earlier.number > ?5 AND earlier.number < part.number AND (earlier.state = 'queued'
                AND (alert.severity <> 'critical' OR EXISTS (SELECT 1 FROM alert urgent WHERE urgent.id = earlier.alert
                AND urgent.severity = 'critical')) OR (earlier.state = 'sent' AND earlier.report IS NULL AND earlier.changed_at > ?3)))
                ORDER BY alert.place LIMIT ?4
                """,
                channel.rawValue,
                now,
                awaitingReportSince,
                limit,
                start,
                perContact,
                since,
                setAt
            ) { try $0.value() }
        }
    }

    /// The alerts whose time is over while a part of theirs is still to go.
    public func expired(
        at now: Timestamp,
        after start: LogPosition,
        limit: Int = 100
    ) async throws -> [AlertID] {
        try await database.read { view in
            try view.all(
                """
                SELECT id FROM alert WHERE state IN ('queued', 'partly_sent') AND expires_at <= ?1
                AND number > ?3 AND push IS NULL ORDER BY place LIMIT ?2
                """,
                now,
                limit,
                start
            ) { try $0.value() }
        }
    }

    /// The parts of a channel that changed last, newest first.
    public func lastParts(by channel: AlertChannel, limit: Int = 20) async throws -> [AlertPart] {
        try await database.read { view in
            try view.all(
                """
                SELECT alert, channel, state, attempts, error, provider_id, changed_at, report
                FROM alert_part WHERE channel = ?1 AND (attempts > 0 OR state <> 'queued')
                ORDER BY changed_at DESC LIMIT ?2
                """,
                channel.rawValue,
                limit,
                read: AlertPart.init
            )
        }
    }

    /// The newest alert that goes, or went, to a number by SMS, and its contact.
    public func newest(
        to phone: PhoneNumber,
        in organisation: OrganisationID
    ) async throws -> (alert: AlertID, contact: PersonID)? {
        try await database.read { view in
            try view.first(
                """
                SELECT alert.id, alert.contact FROM alert_part JOIN alert ON alert.id = alert_part.alert
                WHERE alert_part.phone = ?1 AND alert.org = ?2 ORDER BY alert_part.number DESC LIMIT 1
                """,
                phone.text,
                organisation
            ) { (try $0.value(), try $0.value()) }
        }
    }

    /// What was written for messages, by name and language.
    public func templates() async throws -> [WrittenTemplate] {
        try await database.read { view in
            try view.all(
                "SELECT name, language, subject, text FROM template ORDER BY name, language"
            ) { row in
                WrittenTemplate(
                    name: try row.text(),
                    language: try row.text(),
                    subject: try row.optionalText(),
                    text: try row.text()
                )
            }
        }
    }

    /// How many alerts have a part that waits for a channel.
    public func waiting(for channel: AlertChannel) async throws -> Int {
        try await database.read { view in
            try view.first(
                "SELECT count(*) FROM alert_part WHERE state = 'queued' AND channel = ?1",
                channel.rawValue
            ) { try $0.integer() } ?? 0
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
    /// One part went out, the other failed for good.
    case sentInPart = "sent_in_part"
    /// No part went out and none will.
    case failed
    /// Nothing went out before somebody answered, or it was over.
    case cancelled
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
    public let acknowledgedAt: Timestamp?
    /// What its contact answered last.
    public let answer: AlertAnswered.Answer?
    /// Its parts, by channel; read with a list alone.
    public internal(set) var parts: [AlertPart] = []

    static let selection = """
        SELECT id, number, place, org, cause, severity, template, contact, sms, email, push,
        deduplication_key, queued_at, expires_at, state, event, acknowledged_at, answer FROM alert
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
        acknowledgedAt = try row.optionalTime()
        answer = try row.optionalWord()
    }
}

/// The part of an alert that goes by one channel.
public struct AlertPart: Hashable, Sendable {
    public let alert: AlertID
    public let channel: AlertChannel
    public let state: AlertState
    public let attempts: Int
    public let error: String?
    public let providerID: String?
    public let changedAt: Timestamp
    /// What the outside reported last.
    public let report: AlertReported.Outcome?

    static let ofAlert = """
        SELECT alert, channel, state, attempts, error, provider_id, changed_at, report
        FROM alert_part WHERE alert = ?1 ORDER BY channel
        """

    init(_ row: inout RowReader) throws {
        alert = try row.value()
        channel = try row.word()
        state = try row.word()
        attempts = try row.integer()
        error = try row.optionalText()
        providerID = try row.optionalText()
        changedAt = try row.time()
        report = try row.optionalWord()
    }
}

/// What somebody wrote for messages of one purpose, in one language.
public struct WrittenTemplate: Hashable, Sendable {
    public let name: String
    public let language: String
    public let subject: String?
    public let text: String

    public init(name: String, language: String, subject: String?, text: String) {
        self.name = name
        self.language = language
        self.subject = subject
        self.text = text
    }
}
