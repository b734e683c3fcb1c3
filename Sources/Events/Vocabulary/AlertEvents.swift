// SPDX-License-Identifier: Apache-2.0

/// What can happen to an alert for one contact.
public enum AlertEvent: EventFamily {
    case queued(AlertQueued)
    case deliveryAttempted(AlertDeliveryAttempted)
    case sent(AlertSent)
    case failed(AlertFailed)
    case reported(AlertReported)
    case answered(AlertAnswered)
    case senderSet(SenderSet)
    case templateDefined(TemplateDefined)

    public static let kinds: [any EventPayload.Type] = [
        AlertQueued.self, AlertDeliveryAttempted.self, AlertSent.self, AlertFailed.self,
        AlertReported.self, AlertAnswered.self, SenderSet.self, TemplateDefined.self,
    ]

    public var fact: Fact { .alert(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .queued(let payload): payload
        case .deliveryAttempted(let payload): payload
        case .sent(let payload): payload
        case .failed(let payload): payload
        case .reported(let payload): payload
        case .answered(let payload): payload
        case .senderSet(let payload): payload
        case .templateDefined(let payload): payload
        }
    }
}

/// By which way one part of an alert goes.
public enum AlertChannel: String, Codable, Hashable, Sendable, CaseIterable {
    case sms, email
    /// To a caller's registered phone.
    case push
    /// To the browsers of a member of staff.
    case browser
    /// Of answers alone: the link of a message, whichever way that went.
    case link
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
            .init("browser", \.browser),
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
    /// The member of staff to whose browsers a part goes.
    public let browser: UserID?
    /// What the SMS and e-mail parts say; `nil` in an alert of an earlier version, and where there is only a push.
    public let message: Sealed<AlertMessage>?
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
        browser: UserID? = nil,
        message: Sealed<AlertMessage>? = nil,
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
        self.browser = browser
        self.message = message
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

/// What an alert says to its contact.
public struct AlertMessage: Codable, Hashable, Sendable {
    /// Of the e-mail.
    public let subject: String
    public let text: String

    public init(subject: String, text: String) {
        self.subject = subject
        self.text = text
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

/// The outside reported what became of a part that it had taken.
public struct AlertReported: EventPayload {
    public static let row = EventKind(
        "alert.reported/1",
        AlertEvent.reported,
        audience: .desk,
        timeline: true,
        summary: [
            .init("channel", \.channel), .init("attempt", \.attempt), .init("outcome", \.outcome),
        ]
    )

    public let channel: AlertChannel
    /// Which attempt's message it is about.
    public let attempt: Int
    public let outcome: Outcome

    public init(channel: AlertChannel, attempt: Int, outcome: Outcome) {
        self.channel = channel
        self.attempt = attempt
        self.outcome = outcome
    }

    public var links: [SubjectLink] { [] }

    /// What became of it; a later one in this order replaces an earlier one, never the other way round.
    public enum Outcome: String, Codable, Hashable, Sendable, CaseIterable {
        /// The message centre has it.
        case accepted
        /// The message centre refused it, or gave up.
        case undeliverable
        /// The contact's device has it.
        case delivered
    }
}

/// The contact of an alert answered it.
public struct AlertAnswered: EventPayload {
    public static let row = EventKind(
        "alert.answered/1",
        AlertEvent.answered,
        audience: .desk,
        timeline: true,
        linksDigest: 0x0E30_D0A3,
        summary: [.init("channel", \.channel), .init("answer", \.answer), .init("text", \.text)]
    )

    public let contact: PersonID
    public let channel: AlertChannel
    public let answer: Answer
    /// In the contact's own words.
    public let text: Sealed<String>?

    public init(contact: PersonID, channel: AlertChannel, answer: Answer, text: Sealed<String>?) {
        self.contact = contact
        self.channel = channel
        self.answer = answer
        self.text = text
    }

    public var links: [SubjectLink] { [.caller(.person(contact)), .owner(.person(contact))] }

    /// What the answer means.
    public enum Answer: String, Codable, Hashable, Sendable, CaseIterable {
        /// The contact knows of it.
        case acknowledged
        /// The contact wants no more messages on this channel.
        case stopped
        /// The contact takes messages on this channel again.
        case resumed
        /// Something else, in words.
        case other
    }
}

/// How the messages of a channel leave was set up, or changed; the subject is the sender.
public struct SenderSet: EventPayload {
    public static let row = EventKind("sender.set/1", AlertEvent.senderSet, audience: .supervision)

    public let channel: AlertChannel
    public let settings: SenderSettings

    public init(channel: AlertChannel, settings: SenderSettings) {
        self.channel = channel
        self.settings = settings
    }

    public var links: [SubjectLink] { [] }
}

/// Where a mail server or a message centre is, and how much it is given.
public struct SenderSettings: Codable, Hashable, Sendable {
    public let isOn: Bool
    public let host: String
    public let port: Int
    public let security: Security
    public let user: String?
    /// The password, encrypted under the ledger's master key: base64url.
    public let secret: String?
    /// Who the contact sees as the sender: an address of e-mail, or a number or word of an SMS.
    public let from: String
    /// At most so many messages a minute.
    public let perMinute: Int
    /// Where a message centre reaches the gateway with its reports: `https://daybook.example`; `nil` for no reports.
    public let reportsTo: String?

    public init(
        isOn: Bool,
        host: String,
        port: Int,
        security: Security,
        user: String? = nil,
        secret: String? = nil,
        from: String,
        perMinute: Int,
        reportsTo: String? = nil
    ) {
        self.isOn = isOn
        self.host = host
        self.port = port
        self.security = security
        self.user = user
        self.secret = secret
        self.from = from
        self.perMinute = perMinute
        self.reportsTo = reportsTo
    }

    /// How the connection is protected.
    public enum Security: String, Codable, Hashable, Sendable, CaseIterable {
        case none
        /// SMTP alone.
        case startTLS = "starttls"
        case tls
    }
}

/// What messages of one purpose say in one language was written, or goes back to what the program says.
public struct TemplateDefined: EventPayload {
    public static let row = EventKind(
        "template.defined/1",
        AlertEvent.templateDefined,
        audience: .desk
    )

    public let name: String
    /// Two letters (ISO 639-1).
    public let language: String
    /// The subject line of e-mails.
    public let subject: String?
    /// With variables in braces: `{link}`.
    public let text: String
    /// Whether it is used no more.
    public let isRetired: Bool

    public init(name: String, language: String, subject: String?, text: String, isRetired: Bool) {
        self.name = name
        self.language = language
        self.subject = subject
        self.text = text
        self.isRetired = isRetired
    }

    public var links: [SubjectLink] { [] }
}
