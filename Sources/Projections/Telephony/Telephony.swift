// SPDX-License-Identifier: Apache-2.0
public import Events

/// Who texts by telephone, and which answers are on their way there.
///
/// The rows only say what to look at: the decisions look at the log.
public struct Telephony: Sendable {
    /// The rows.
    public let database: ReadDatabase

    public init(_ database: ReadDatabase) {
        self.database = database
    }

    /// The person who last texted from an address whose number nobody asserts.
    ///
    /// - Parameters:
    ///   - address: The URI of the From field, as ``SIPSender/uri``.
    ///   - origin: The trunk that it came by, or the sender's own address on the network: From alone anybody can write.
    ///   - organisation: The same address is another person elsewhere.
    /// - Returns: `nil` where nobody did, or that one was erased.
    /// - Throws: ``ReadModelError`` while the rows cannot be read.
    public func person(
        from address: String,
        at origin: String,
        in organisation: OrganisationID
    ) async throws -> PersonID? {
        try await database.read { view in
            try view.first(
                "SELECT person FROM address WHERE uri = ?1 AND origin = ?2 AND org = ?3 ORDER BY person DESC LIMIT 1",
                address,
                origin,
                organisation
            ) { try $0.value() }
        }
    }

    /// How many sessions are open in which an unverified telephone texted, and no operator has come.
    public func waitingStrangers() async throws -> Int {
        try await database.read { view in
            try view.first("SELECT count(*) FROM stranger WHERE is_waiting = 1") {
                try $0.integer()
            } ?? 0
        }
    }

    /// Answers whose latest attempt has no end, the oldest first: a thousand at most.
    public func openReplies() async throws -> [TelephoneReply] {
        try await database.read { view in
            try view.all(
                "SELECT message, session, attempt, is_sent FROM reply ORDER BY position LIMIT 1000",
                read: TelephoneReply.init
            )
        }
    }

    /// The trunks that were named, by their ids.
    public func trunks() async throws -> [String] {
        try await database.read { view in
            try view.all("SELECT id FROM trunk ORDER BY id") { try $0.text() }
        }
    }
}

/// An answer to a telephone, whose end is not recorded.
public struct TelephoneReply: Hashable, Sendable {
    public let message: MessageID
    public let session: SessionID
    public let attempt: Int
    /// Whether the request was about to be sent.
    public let isSent: Bool

    init(_ row: inout RowReader) throws {
        message = try row.value()
        session = try row.value()
        attempt = try row.integer()
        isSent = try row.flag()
    }
}

/// Builds ``Telephony``.
public struct TelephonyProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("telephony", version: 2)
    public var tables: [Table] { [Self.address, Self.stranger, Self.reply, Self.trunk] }
    public var handlers: Handlers { Self.handlers }

    private static let address = Table(
        "address",
        key: ["person"],
        columns: ["person TEXT NOT NULL", "org TEXT NOT NULL", "uri TEXT", "origin TEXT"],
        opened: ["uri", "origin"],
        lookups: [["uri", "origin", "org"]]
    )

    /// Open sessions of unverified telephones, waiting until an operator comes.
    private static let stranger = Table(
        "stranger",
        key: ["session"],
        columns: ["session TEXT NOT NULL", "is_waiting INTEGER NOT NULL"],
        indexes: [["is_waiting"]]
    )

    private static let reply = Table(
        "reply",
        key: ["message"],
        columns: [
            "message TEXT NOT NULL", "session TEXT NOT NULL", "attempt INTEGER NOT NULL",
            "is_sent INTEGER NOT NULL", "position INTEGER NOT NULL",
        ],
        indexes: [["position"]]
    )

    private static let trunk = Table("trunk", key: ["id"], columns: ["id TEXT NOT NULL"])

    private static let handlers = Handlers {
        On(SIPMessageReceived.self) { received, event, rows in
            guard !received.isVerified else { return }
            rows.run("INSERT OR IGNORE INTO stranger VALUES (?1, 1)", event.subjectName)
            let sender = rows.open(received.sender)
            rows.run(
                "INSERT OR REPLACE INTO address VALUES (?1, ?2, ?3, ?4)",
                received.person,
                event.envelope.organisation,
                sender?.uri,
                sender.map { received.trunk ?? $0.host }
            )
        }
        On(SIPReplyQueued.self) { queued, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO reply VALUES (?1, ?2, ?3, 0, ?4)",
                queued.message,
                event.subjectName,
                queued.attempt,
                event.position
            )
        }
        On(SIPReplySent.self) { sent, _, rows in
            rows.run(
                "UPDATE reply SET is_sent = 1 WHERE message = ?1 AND attempt = ?2",
                sent.message,
                sent.attempt
            )
        }
        On(SIPReplyAnswered.self) { end($0.message, $0.attempt, in: $2) }
        On(SIPReplyTimedOut.self) { end($0.message, $0.attempt, in: $2) }
        On(SIPTrunkSet.self) { $2.run("INSERT OR IGNORE INTO trunk VALUES (?1)", $1.subjectName) }
        On(SessionClaimed.self) { _, event, rows in
            rows.run("UPDATE stranger SET is_waiting = 0 WHERE session = ?1", event.subjectName)
        }
        On(SessionExpired.self) { leave($1, in: $2) }
        On(SessionClosed.self) { leave($1, in: $2) }
        On(PersonErased.self) { $2.run("DELETE FROM address WHERE person = ?1", $0.person) }
    }

    private static func end(_ message: MessageID, _ attempt: Int, in rows: RowWriter) {
        rows.run("DELETE FROM reply WHERE message = ?1 AND attempt = ?2", message, attempt)
    }

    private static func leave(_ event: RecordedEvent, in rows: RowWriter) {
        rows.run("DELETE FROM stranger WHERE session = ?1", event.subjectName)
    }
}
