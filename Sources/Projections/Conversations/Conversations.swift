// SPDX-License-Identifier: Apache-2.0
public import Events

/// Who wrote what to whom, and whether it arrived and was seen.
public struct Conversations: Sendable {
    /// The rows.
    public let database: ReadDatabase

    public init(_ database: ReadDatabase) {
        self.database = database
    }

    /// The conversations behind an id: of the one session, or of all sessions of the incident, oldest first.
    public func conversations(of reference: CaseReference) async throws -> [Conversation] {
        try await database.read { view in
            try view.all(
                Conversation.selection
                    + " WHERE session = ?1 OR incident = ?1 ORDER BY opened_at, session",
                reference.description,
                read: Conversation.init
            )
        }
    }

    /// The messages of one session, or of all sessions of an incident, in the order of the log.
    ///
    /// - Parameters:
    ///   - reference: A session or an incident.
    ///   - position: Only messages behind this one: the cursor.
    ///   - limit: At most ``ProjectionLimits/listRowsMax``.
    /// - Returns: The messages; empty if there is no such session or incident.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func messages(
        of reference: CaseReference,
        after position: LogPosition? = nil,
        limit: Int = ProjectionLimits.listRowsMax
    ) async throws -> [ConversationMessage] {
        try await database.read { view in
            try view.all(
                ConversationMessage.selection + """
                     WHERE session IN (SELECT session FROM conversation WHERE session = ?1 OR incident = ?1)
                     AND position >= ?2 ORDER BY position LIMIT ?3
                    """,
                reference.description,
                position?.next ?? LogPosition(0),
                bounded(limit),
                read: ConversationMessage.init
            )
        }
    }

    /// The pictures of a session, in the order of the log.
    public func pictures(in session: SessionID) async throws -> [ConversationPicture] {
        try await database.read { view in
            try view.all(
                """
                SELECT person, blob, bytes, media_type, width, height FROM message
                WHERE session = ?1 AND text IS NULL ORDER BY position
                """,
                session,
                read: ConversationPicture.init
            )
        }
    }

    /// One message.
    public func message(_ id: MessageID) async throws -> ConversationMessage? {
        try await database.read { view in
            try view.first(
                ConversationMessage.selection + " WHERE id = ?1",
                id,
                read: ConversationMessage.init
            )
        }
    }

    /// The message that a sender's own id names in a session.
    public func message(
        temporaryID: String,
        from side: Party,
        in session: SessionID
    ) async throws -> ConversationMessage? {
        try await database.read { view in
            try view.first(
                ConversationMessage.selection
                    + " WHERE session = ?1 AND temporary_id = ?2 AND sender = ?3 ORDER BY position",
                session,
                temporaryID,
                side.rawValue,
                read: ConversationMessage.init
            )
        }
    }

    /// The messages that were not accepted, in the order of the log.
    ///
    /// - Parameters:
    ///   - session: Whose.
    ///   - position: Only those behind it; `nil` for all.
    ///   - limit: At most ``ProjectionLimits/listRowsMax``.
    /// - Returns: Those behind the position, or the first.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func rejections(
        in session: SessionID,
        after position: LogPosition? = nil,
        limit: Int = ProjectionLimits.listRowsMax
    ) async throws -> [RejectedMessage] {
        try await database.read { view in
            try view.all(
                """
                SELECT session, position, temporary_id, sender, reason, at FROM rejection
                WHERE session = ?1 AND position >= ?2 ORDER BY position LIMIT ?3
                """,
                session,
                position?.next ?? LogPosition(0),
                bounded(limit),
                read: RejectedMessage.init
            )
        }
    }

    /// A caller's own conversations, newest first.
    public func history(of caller: PersonID, limit: Int = 100) async throws -> [Conversation] {
        try await database.read { view in
            try view.all(
                Conversation.selection
                    + " WHERE caller = ?1 ORDER BY opened_at DESC, session DESC LIMIT ?2",
                caller,
                bounded(limit),
                read: Conversation.init
            )
        }
    }
}
