// SPDX-License-Identifier: Apache-2.0

/// What can happen to an alert for one contact.
public enum AlertEvent: EventFamily {
    case queued(AlertQueued)
    case deliveryAttempted(AlertDeliveryAttempted)
    case sent(AlertSent)
    case failed(AlertFailed)

    public static let kinds: [any EventPayload.Type] = [
        AlertQueued.self, AlertDeliveryAttempted.self, AlertSent.self, AlertFailed.self,
    ]

    public var fact: Fact { .alert(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .queued(let payload): payload
        case .deliveryAttempted(let payload): payload
        case .sent(let payload): payload
        case .failed(let payload): payload
        }
    }
}

/// By which way one part of an alert goes.
public enum AlertChannel: String, Codable, Hashable, Sendable, CaseIterable {
    case sms, email, push
}

/// One attempt to deliver begins; on disk before anybody outside is asked.
public struct AlertDeliveryAttempted: EventPayload {
    public static let row = EventKind(
        "alert.delivery_attempted/1",
        AlertEvent.deliveryAttempted,
        audience: .desk,
        timeline: true,
        summary: [.init("channel", \.channel), .init("attempt", \.attempt)]
    )

    public let channel: AlertChannel
    public let attempt: Int

    public init(channel: AlertChannel, attempt: Int) {
        self.channel = channel
        self.attempt = attempt
    }

    public var links: [SubjectLink] { [] }
}

/// One attempt to deliver failed.
public struct AlertFailed: EventPayload {
    public static let row = EventKind(
        "alert.failed/1",
        AlertEvent.failed,
        audience: .desk,
        timeline: true,
        summary: [
            .init("channel", \.channel), .init("attempt", \.attempt),
            .init("permanence", \.permanence), .init("error", \.error),
        ]
    )

    public let channel: AlertChannel
    public let attempt: Int
    public let permanence: Permanence
    public let error: String
    /// How long to wait before the next attempt, where there is to be one.
    public let retryAfterSeconds: Int?

    public init(
        channel: AlertChannel,
        attempt: Int,
        permanence: Permanence,
        error: String,
        retryAfterSeconds: Int? = nil
    ) {
        self.channel = channel
        self.attempt = attempt
        self.permanence = permanence
        self.error = error
        self.retryAfterSeconds = retryAfterSeconds
    }

    public var links: [SubjectLink] { [] }

    /// Whether another attempt may help.
    public enum Permanence: String, Codable, Hashable, Sendable, CaseIterable {
        case temporary
        case permanent
        case unknown
    }
}

/// An alert is to be delivered to one contact; nothing is sent by the command.
public struct AlertQueued: EventPayload {
    public static let row = EventKind(
        "alert.queued/1",
        AlertEvent.queued,
        audience: .desk,
        timeline: true,
        linksDigest: 0xBA6C_9C12,
        summary: [
            .init("cause", \.cause), .init("severity", \.severity), .init("template", \.template),
            .init("sms", \.sms), .init("email", \.email), .init("push", \.push),
        ]
    )

    /// What it is about.
    public let cause: Subject
    public let severity: Severity
    /// Which wording.
    public let template: String
    public let contact: PersonID
    /// Where the SMS part goes.
    public let sms: Sealed<PhoneNumber>?
    /// Where the e-mail part goes.
    public let email: Sealed<String>?
    /// The device to which the push part goes.
    public let push: DeviceID?
    public let deduplicationKey: String
    public let timeToLiveSeconds: Int

    public init(
        cause: Subject,
        severity: Severity,
        template: String,
        contact: PersonID,
        sms: Sealed<PhoneNumber>? = nil,
        email: Sealed<String>? = nil,
        push: DeviceID? = nil,
        deduplicationKey: String,
        timeToLiveSeconds: Int
    ) {
        self.cause = cause
        self.severity = severity
        self.template = template
        self.contact = contact
        self.sms = sms
        self.email = email
        self.push = push
        self.deduplicationKey = deduplicationKey
        self.timeToLiveSeconds = timeToLiveSeconds
    }

    public var links: [SubjectLink] {
        [.about(cause), .caller(.person(contact)), .owner(.person(contact))]
            + (push.map { [.about(.device($0))] } ?? [])
    }

    /// How urgent.
    public enum Severity: String, Codable, Hashable, Sendable, CaseIterable {
        case info
        case warning
        case critical
    }
}

/// A real server took one part of the alert.
public struct AlertSent: EventPayload {
    public static let row = EventKind(
        "alert.sent/1",
        AlertEvent.sent,
        audience: .desk,
        timeline: true,
        summary: [.init("channel", \.channel), .init("attempt", \.attempt)]
    )

    public let channel: AlertChannel
    public let attempt: Int
    /// The server's own id for it.
    public let providerID: String

    public init(channel: AlertChannel, attempt: Int, providerID: String) {
        self.channel = channel
        self.attempt = attempt
        self.providerID = providerID
    }

    public var links: [SubjectLink] { [] }
}
