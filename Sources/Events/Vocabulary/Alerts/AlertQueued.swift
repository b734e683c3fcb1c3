// SPDX-License-Identifier: Apache-2.0
/// An alert is to be delivered to one contact; nothing is sent by the command.
public struct AlertQueued: EventPayload {
    public static let kind: Kind = "alert.queued/1"

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
        [.about(cause), .caller(.person(contact))] + (push.map { [.about(.device($0))] } ?? [])
    }

    /// How urgent.
    public enum Severity: String, Codable, Hashable, Sendable, CaseIterable {
        case info
        case warning
        case critical
    }
}
