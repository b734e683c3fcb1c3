// SPDX-License-Identifier: Apache-2.0

/// What can happen in the chat of a session.
public enum ChatEvent: EventFamily {
    case messageSent(ChatMessageSent)
    case attachmentAdded(ChatAttachmentAdded)
    case messageRejected(ChatMessageRejected)
    case messageDelivered(ChatMessageDelivered)
    case messageSeen(ChatMessageSeen)
    case quickResponseChosen(ChatQuickResponseChosen)

    public static let kinds: [any EventPayload.Type] = [
        ChatMessageSent.self, ChatAttachmentAdded.self, ChatMessageRejected.self,
        ChatMessageDelivered.self, ChatMessageSeen.self, ChatQuickResponseChosen.self,
    ]

    public var fact: Fact { .chat(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .messageSent(let payload): payload
        case .attachmentAdded(let payload): payload
        case .messageRejected(let payload): payload
        case .messageDelivered(let payload): payload
        case .messageSeen(let payload): payload
        case .quickResponseChosen(let payload): payload
        }
    }

    /// The message that was said; `nil` where nothing new was.
    public var message: MessageID? {
        switch self {
        case .messageSent(let sent): sent.message
        case .attachmentAdded(let added): added.message
        case .messageRejected, .messageDelivered, .messageSeen, .quickResponseChosen: nil
        }
    }

    /// Who wrote, or sent a picture; `nil` where nothing new was said.
    public var author: Party? {
        switch self {
        case .messageSent(let sent): sent.from
        case .attachmentAdded(let added): added.from
        case .messageRejected, .messageDelivered, .messageSeen, .quickResponseChosen: nil
        }
    }
}

/// A side sent a picture; it counts as a message of the chat.
///
/// The picture lies in the blob folder, sealed for the person, as it came: what the camera wrote into it,
/// such as the place, is evidence, too.
public struct ChatAttachmentAdded: EventPayload {
    public static let row = EventKind(
        "chat.attachment_added/1",
        ChatEvent.attachmentAdded,
        audience: .conversation,
        timeline: true,
        summary: [
            .init("from", \.from), .init("mediaType", \.mediaType), .init("width", \.width),
            .init("height", \.height), .init("message", \.message),
            .init("temporaryID", \.temporaryID), .init("blob", \.blob),
        ]
    )

    public let message: MessageID
    /// The sender's own id for it, unique per sender.
    public let temporaryID: String
    public let from: Party
    /// Whose key seals the blob: the caller of the session.
    public let person: PersonID
    /// The digest of the sealed blob, which is its name; it tells nothing of the picture.
    public let blob: SHA256Digest
    /// The length of the sealed blob.
    public let bytes: Int
    public let mediaType: MediaType
    /// In pixels, as the file says.
    public let width: Int
    public let height: Int

    public init(
        message: MessageID,
        temporaryID: String,
        from: Party,
        person: PersonID,
        blob: SHA256Digest,
        bytes: Int,
        mediaType: MediaType,
        width: Int,
        height: Int
    ) {
        self.message = message
        self.temporaryID = temporaryID
        self.from = from
        self.person = person
        self.blob = blob
        self.bytes = bytes
        self.mediaType = mediaType
        self.width = width
        self.height = height
    }

    public var links: [SubjectLink] { [] }

    /// What the bytes themselves say that they are.
    public enum MediaType: String, Codable, Hashable, Sendable, CaseIterable {
        case jpeg = "image/jpeg"
        case png = "image/png"
        case webP = "image/webp"
    }
}

/// A message reached the other side.
public struct ChatMessageDelivered: EventPayload {
    public static let row = EventKind(
        "chat.message_delivered/1",
        ChatEvent.messageDelivered,
        audience: .conversation,
        timeline: true,
        summary: [.init("message", \.message), .init("to", \.to)]
    )

    public let message: MessageID
    public let to: Party

    public init(message: MessageID, to: Party) {
        self.message = message
        self.to = to
    }

    public var links: [SubjectLink] { [] }
}

/// A message was not accepted.
public struct ChatMessageRejected: EventPayload {
    public static let row = EventKind(
        "chat.message_rejected/1",
        ChatEvent.messageRejected,
        audience: .conversation,
        timeline: true,
        summary: [
            .init("from", \.from), .init("temporaryID", \.temporaryID), .init("reason", \.reason),
        ]
    )

    public let temporaryID: String
    public let from: Party
    public let reason: String

    public init(temporaryID: String, from: Party, reason: String) {
        self.temporaryID = temporaryID
        self.from = from
        self.reason = reason
    }

    public var links: [SubjectLink] { [] }
}

/// A side saw all messages up to this one.
public struct ChatMessageSeen: EventPayload {
    public static let row = EventKind(
        "chat.message_seen/1",
        ChatEvent.messageSeen,
        audience: .conversation,
        timeline: true,
        summary: [.init("upTo", \.upTo), .init("by", \.by)]
    )

    public let upTo: MessageID
    public let by: Party

    public init(upTo: MessageID, by: Party) {
        self.upTo = upTo
        self.by = by
    }

    public var links: [SubjectLink] { [] }
}

/// A message was accepted.
public struct ChatMessageSent: EventPayload {
    public static let row = EventKind(
        "chat.message_sent/1",
        ChatEvent.messageSent,
        audience: .conversation,
        timeline: true,
        summary: [
            .init("from", \.from), .init("text", \.text), .init("message", \.message),
            .init("temporaryID", \.temporaryID),
        ]
    )

    public let message: MessageID
    /// The sender's own id for it, unique per sender.
    public let temporaryID: String
    public let from: Party
    public let text: Sealed<String>
    /// As the client wrote it; never ordered by (ruling 16).
    public let clientTimestamp: String
    public let channel: Channel

    public init(
        message: MessageID,
        temporaryID: String,
        from: Party,
        text: Sealed<String>,
        clientTimestamp: String,
        channel: Channel
    ) {
        self.message = message
        self.temporaryID = temporaryID
        self.from = from
        self.text = text
        self.clientTimestamp = clientTimestamp
        self.channel = channel
    }

    public var links: [SubjectLink] { [] }

    /// How it arrived.
    public enum Channel: String, Codable, Hashable, Sendable, CaseIterable {
        case webSocket = "websocket"
        case http
        /// By telephone, as text.
        case sip
    }
}

/// The caller pressed one of the three quick responses; the message beside it has the words.
public struct ChatQuickResponseChosen: EventPayload {
    public static let row = EventKind(
        "chat.quick_response_chosen/1",
        ChatEvent.quickResponseChosen,
        audience: .conversation,
        timeline: true,
        summary: [.init("service", \.service), .init("message", \.message)]
    )

    public let message: MessageID
    public let service: Service

    public init(message: MessageID, service: Service) {
        (self.message, self.service) = (message, service)
    }

    public var links: [SubjectLink] { [] }

    /// Who is to come.
    public enum Service: String, Codable, Hashable, Sendable, CaseIterable {
        case police
        case fire
        case ambulance
    }
}
