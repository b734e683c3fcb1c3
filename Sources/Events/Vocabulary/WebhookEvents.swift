// SPDX-License-Identifier: Apache-2.0

/// What can happen to a webhook: another system that is told of what the log takes in.
public enum WebhookEvent: EventFamily {
    case set(WebhookSet)
    case delivered(WebhookDelivered)
    case failed(WebhookFailed)

    public static let kinds: [any EventPayload.Type] = [
        WebhookSet.self, WebhookDelivered.self, WebhookFailed.self,
    ]

    public var fact: Fact { .webhook(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .set(let payload): payload
        case .delivered(let payload): payload
        case .failed(let payload): payload
        }
    }
}

/// A webhook was set up, changed or given up.
public struct WebhookSet: EventPayload {
    public static let row = EventKind("webhook.set/1", WebhookEvent.set, audience: .supervision)

    public let url: String
    /// Of which kinds of events it is told, without their versions: `session.created`.
    public let kinds: [String]
    public let isOn: Bool
    /// The secret that signs what it is told, encrypted under the ledger's master key: base64url.
    public let secret: String
    /// The one before, which signs along for a while.
    public let oldSecret: String?
    public let oldSecretUntil: Timestamp?
    /// Whether it was given up.
    public let isRetired: Bool

    public init(
        url: String,
        kinds: [String],
        isOn: Bool,
        secret: String,
        oldSecret: String? = nil,
        oldSecretUntil: Timestamp? = nil,
        isRetired: Bool = false
    ) {
        self.url = url
        self.kinds = kinds
        self.isOn = isOn
        self.secret = secret
        self.oldSecret = oldSecret
        self.oldSecretUntil = oldSecretUntil
        self.isRetired = isRetired
    }

    public var links: [SubjectLink] { [] }
}

/// A webhook took an event.
public struct WebhookDelivered: EventPayload {
    public static let row = EventKind(
        "webhook.delivered/1",
        WebhookEvent.delivered,
        audience: .supervision
    )

    /// Where the event stands in the log.
    public let position: Int
    public let attempt: Int

    public init(position: Int, attempt: Int) {
        self.position = position
        self.attempt = attempt
    }

    public var links: [SubjectLink] { [] }
}

/// A webhook did not take an event.
public struct WebhookFailed: EventPayload {
    public static let row = EventKind(
        "webhook.failed/1",
        WebhookEvent.failed,
        audience: .supervision
    )

    /// Where the event stands in the log.
    public let position: Int
    public let attempt: Int
    public let error: String
    /// How long to wait before the next attempt; `nil` where there is none, and the next event comes.
    public let retryAfterSeconds: Int?

    public init(position: Int, attempt: Int, error: String, retryAfterSeconds: Int?) {
        self.position = position
        self.attempt = attempt
        self.error = error
        self.retryAfterSeconds = retryAfterSeconds
    }

    public var links: [SubjectLink] { [] }
}
