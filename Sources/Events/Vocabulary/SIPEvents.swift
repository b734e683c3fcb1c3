// SPDX-License-Identifier: Apache-2.0

/// What can happen on the telephone side of a session: messages by SIP, answers to them, and the trunks they come by.
public enum SIPEvent: EventFamily {
    case messageReceived(SIPMessageReceived)
    case replyQueued(SIPReplyQueued)
    case replySent(SIPReplySent)
    case replyAnswered(SIPReplyAnswered)
    case replyTimedOut(SIPReplyTimedOut)
    case malformedReceived(SIPMalformedReceived)
    case trunkSet(SIPTrunkSet)

    public static let kinds: [any EventPayload.Type] = [
        SIPMessageReceived.self, SIPReplyQueued.self, SIPReplySent.self, SIPReplyAnswered.self,
        SIPReplyTimedOut.self, SIPMalformedReceived.self, SIPTrunkSet.self,
    ]

    public var fact: Fact { .sip(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .messageReceived(let payload): payload
        case .replyQueued(let payload): payload
        case .replySent(let payload): payload
        case .replyAnswered(let payload): payload
        case .replyTimedOut(let payload): payload
        case .malformedReceived(let payload): payload
        case .trunkSet(let payload): payload
        }
    }
}

/// A request of a telephone arrived and was accepted; the text and the pictures in it are messages of the chat beside it.
public struct SIPMessageReceived: EventPayload {
    public static let row = EventKind(
        "sip.message_received/1",
        SIPEvent.messageReceived,
        audience: .centre,
        timeline: true,
        summary: [
            .init("method", \.method), .init("transport", \.transport), .init("trunk", \.trunk),
            .init("message", \.message), .init("blob", \.raw),
        ]
    )

    public let person: PersonID
    public let sender: Sealed<SIPSender>
    /// Whether the number is certain: a registered phone sent it, or a trunk asserted it.
    public let isVerified: Bool
    /// The trunk that it came by, if it is a named one.
    public let trunk: String?
    public let transport: Transport
    public let method: Method
    /// The number of its CSeq field.
    public let sequence: Int
    /// The first message of the chat that it became; `nil` where it brought a place alone.
    public let message: MessageID?
    /// The digest of the encrypted request in the blob folder: its first 64 KiB, with stars for a token in it.
    public let raw: SHA256Digest
    /// The length of what is there.
    public let rawBytes: Int

    public init(
        person: PersonID,
        sender: Sealed<SIPSender>,
        isVerified: Bool,
        trunk: String?,
        transport: Transport,
        method: Method,
        sequence: Int,
        message: MessageID?,
        raw: SHA256Digest,
        rawBytes: Int
    ) {
        self.person = person
        self.sender = sender
        self.isVerified = isVerified
        self.trunk = trunk
        self.transport = transport
        self.method = method
        self.sequence = sequence
        self.message = message
        self.raw = raw
        self.rawBytes = rawBytes
    }

    public var links: [SubjectLink] { [] }

    /// How it was carried.
    public enum Transport: String, Codable, Hashable, Sendable, CaseIterable {
        case udp
        case tcp
        case tls
    }

    /// The request.
    public enum Method: String, Codable, Hashable, Sendable, CaseIterable {
        case message
        case invite
    }
}

/// Who sent a request, and where an answer goes.
public struct SIPSender: Codable, Hashable, Sendable {
    /// The URI of its From field.
    public let uri: String
    /// The number in that URI, or the one that a trunk asserts; `nil` where neither is one.
    public let number: String?
    /// The display name of its From field.
    public let name: String?
    /// The address that it came from, without brackets.
    public let host: String
    public let port: Int
    /// The Request-URI of answers.
    public let answersTo: String

    public init(
        uri: String,
        number: String?,
        name: String?,
        host: String,
        port: Int,
        answersTo: String
    ) {
        self.uri = uri
        self.number = number
        self.name = name
        self.host = host
        self.port = port
        self.answersTo = answersTo
    }
}

/// A message of the centre is to be sent to the caller's telephone.
public struct SIPReplyQueued: EventPayload {
    public static let row = EventKind(
        "sip.reply_queued/1",
        SIPEvent.replyQueued,
        audience: .centre,
        timeline: true,
        summary: [.init("message", \.message), .init("attempt", \.attempt)]
    )

    public let message: MessageID
    /// From 1.
    public let attempt: Int

    public init(message: MessageID, attempt: Int) {
        (self.message, self.attempt) = (message, attempt)
    }

    public var links: [SubjectLink] { [] }
}

/// A request to the caller's telephone is about to be sent.
public struct SIPReplySent: EventPayload {
    public static let row = EventKind(
        "sip.reply_sent/1",
        SIPEvent.replySent,
        audience: .centre,
        timeline: true,
        summary: [
            .init("message", \.message), .init("attempt", \.attempt),
            .init("transport", \.transport), .init("blob", \.raw),
        ]
    )

    public let message: MessageID
    public let attempt: Int
    public let person: PersonID
    public let transport: SIPMessageReceived.Transport
    /// The digest of the encrypted request in the blob folder.
    public let raw: SHA256Digest
    /// The length of the encrypted request.
    public let rawBytes: Int

    public init(
        message: MessageID,
        attempt: Int,
        person: PersonID,
        transport: SIPMessageReceived.Transport,
        raw: SHA256Digest,
        rawBytes: Int
    ) {
        self.message = message
        self.attempt = attempt
        self.person = person
        self.transport = transport
        self.raw = raw
        self.rawBytes = rawBytes
    }

    public var links: [SubjectLink] { [] }
}

/// The caller's telephone gave its final answer, or a fault stands for one.
public struct SIPReplyAnswered: EventPayload {
    public static let row = EventKind(
        "sip.reply_answered/1",
        SIPEvent.replyAnswered,
        audience: .centre,
        timeline: true,
        summary: [
            .init("message", \.message), .init("attempt", \.attempt), .init("status", \.status),
        ]
    )

    public let message: MessageID
    public let attempt: Int
    /// 200 to 699 (RFC 3261 §21); 0 where no request could be sent.
    public let status: Int

    public init(message: MessageID, attempt: Int, status: Int) {
        (self.message, self.attempt, self.status) = (message, attempt, status)
    }

    public var links: [SubjectLink] { [] }

    /// Whether the telephone took it.
    public var isDelivered: Bool { (200..<300).contains(status) }
}

/// The caller's telephone gave no final answer in time.
public struct SIPReplyTimedOut: EventPayload {
    public static let row = EventKind(
        "sip.reply_timed_out/1",
        SIPEvent.replyTimedOut,
        audience: .centre,
        timeline: true,
        summary: [
            .init("message", \.message), .init("attempt", \.attempt),
            .init("timeoutMilliseconds", \.timeoutMilliseconds),
        ]
    )

    public let message: MessageID
    public let attempt: Int
    public let timeoutMilliseconds: Int

    public init(message: MessageID, attempt: Int, timeoutMilliseconds: Int) {
        self.message = message
        self.attempt = attempt
        self.timeoutMilliseconds = timeoutMilliseconds
    }

    public var links: [SubjectLink] { [] }
}

/// Somebody sent what is no SIP: the first from an address block and minute, with its bytes.
public struct SIPMalformedReceived: EventPayload {
    public static let row = EventKind(
        "sip.malformed_received/1",
        SIPEvent.malformedReceived,
        audience: .supervision
    )

    /// Whose key encrypts the bytes: nobody is known, so each has a key of its own.
    public let person: PersonID
    /// Address and port.
    public let sender: Sealed<String>
    public let transport: SIPMessageReceived.Transport
    /// What is wrong, such as `CSeq badNumber`.
    public let fault: String
    /// Malformed messages of everybody since the last such event, this one among them.
    public let count: Int
    /// The digest of the encrypted bytes in the blob folder.
    public let raw: SHA256Digest
    /// The length of the encrypted bytes.
    public let rawBytes: Int

    public init(
        person: PersonID,
        sender: Sealed<String>,
        transport: SIPMessageReceived.Transport,
        fault: String,
        count: Int,
        raw: SHA256Digest,
        rawBytes: Int
    ) {
        self.person = person
        self.sender = sender
        self.transport = transport
        self.fault = fault
        self.count = count
        self.raw = raw
        self.rawBytes = rawBytes
    }

    public var links: [SubjectLink] { [] }
}

/// An administrator named a trunk, whose word on a caller's number is believed, or changed it.
public struct SIPTrunkSet: EventPayload {
    public static let row = EventKind("sip.trunk_set/1", SIPEvent.trunkSet, audience: .supervision)

    public let name: String
    /// The IP address that its requests come from.
    public let host: String
    /// Whether it is believed now.
    public let isOn: Bool

    public init(name: String, host: String, isOn: Bool) {
        (self.name, self.host, self.isOn) = (name, host, isOn)
    }

    public var links: [SubjectLink] { [] }
}
