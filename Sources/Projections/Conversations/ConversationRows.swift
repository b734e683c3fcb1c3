// SPDX-License-Identifier: Apache-2.0
public import Events

/// How far a message has come.
public enum DeliveryState: String, Codable, Hashable, Sendable, CaseIterable {
    /// In the log, and not yet with the other side.
    case queued
    case delivered
    case seen
}

/// One message of a conversation.
public struct ConversationMessage: Hashable, Sendable {
    public let session: SessionID
    public let position: LogPosition
    public let id: MessageID
    /// The sender's own id for it.
    public let temporaryID: String
    public let from: Party
    public let actor: Actor
    public let content: Content
    /// As the client wrote it.
    public let clientTimestamp: String
    public let channel: ChatMessageSent.Channel
    public let sentAt: Timestamp
    public let deliveredAt: Timestamp?
    public let seenAt: Timestamp?
    /// The quick response that the caller pressed, whose words the text has.
    public let quickResponse: ChatQuickResponseChosen.Service?

    /// What was sent.
    public enum Content: Hashable, Sendable {
        /// Still sealed; open it with the keys of whoever may read.
        case text(Sealed<String>)
        case picture(ConversationPicture)
    }

    /// The text, unless it is a picture.
    public var text: Sealed<String>? {
        if case .text(let text) = content { text } else { nil }
    }

    /// The picture, unless it is a text.
    public var picture: ConversationPicture? {
        if case .picture(let picture) = content { picture } else { nil }
    }

    /// The state that follows from the times; a message can be seen without a report of delivery.
    public var state: DeliveryState {
        if seenAt != nil { return .seen }
        return deliveredAt == nil ? .queued : .delivered
    }

    static let selection = """
        SELECT session, position, id, temporary_id, sender, actor, text, client_timestamp, channel,
        sent_at, delivered_at, seen_at, quick_response,
        person, blob, bytes, media_type, width, height FROM message
        """

    init(_ row: inout RowReader) throws {
        session = try row.value()
        position = try row.position()
        id = try row.value()
        temporaryID = try row.text()
        from = try row.word()
        actor = try row.value()
        let text: Sealed<String>? = try row.optionalSealed()
        clientTimestamp = try row.text()
        channel = try row.word()
        sentAt = try row.time()
        deliveredAt = try row.optionalTime()
        seenAt = try row.optionalTime()
        quickResponse = try row.optionalWord()
        if let text {
            content = .text(text)
        } else {
            content = .picture(try ConversationPicture(&row))
        }
    }
}

/// A picture of a conversation; its bytes lie in the blob folder.
public struct ConversationPicture: Hashable, Sendable {
    /// Whose key seals it.
    public let person: PersonID
    /// The digest of the sealed blob.
    public let blob: SHA256Digest
    /// The length of the sealed blob.
    public let bytes: Int
    public let mediaType: ChatAttachmentAdded.MediaType
    public let width: Int
    public let height: Int

    init(_ row: inout RowReader) throws {
        person = try row.value()
        blob = try row.value()
        bytes = try row.integer()
        mediaType = try row.word()
        width = try row.integer()
        height = try row.integer()
    }
}

/// A message that was not accepted.
public struct RejectedMessage: Hashable, Sendable {
    public let session: SessionID
    public let position: LogPosition
    public let temporaryID: String
    public let from: Party
    public let reason: String
    public let at: Timestamp

    init(_ row: inout RowReader) throws {
        session = try row.value()
        position = try row.position()
        temporaryID = try row.text()
        from = try row.word()
        reason = try row.text()
        at = try row.time()
    }
}

/// One session's conversation, without its messages.
public struct Conversation: Hashable, Sendable {
    public let session: SessionID
    public let incident: IncidentID
    public let caller: PersonID
    public let organisation: OrganisationID
    public let channel: SessionCreated.Channel
    public let openedAt: Timestamp
    public let endedAt: Timestamp?
    /// Who claimed it last.
    public let owner: UserID?
    public let messages: Int

    static let selection = """
        SELECT session, incident, caller, org, channel, opened_at, ended_at, owner,
        (SELECT count(*) FROM message m WHERE m.session = c.session) FROM conversation c
        """

    init(_ row: inout RowReader) throws {
        session = try row.value()
        incident = try row.value()
        caller = try row.value()
        organisation = try row.value()
        channel = try row.word()
        openedAt = try row.time()
        endedAt = try row.optionalTime()
        owner = try row.optional()
        messages = try row.integer()
    }
}
