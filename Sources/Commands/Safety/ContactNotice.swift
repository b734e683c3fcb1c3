// SPDX-License-Identifier: Apache-2.0
public import Events

/// Which contacts were told of something, and by which alerts: of a call for help, or that they are a citizen's contact.
public struct ContactAlerts: Fold {
    /// Oldest first.
    public private(set) var alerts: [Told] = []

    /// One alert for one contact.
    public struct Told: Hashable, Sendable {
        public let alert: AlertID
        /// The contact.
        public let person: PersonID
        /// Of its wording.
        public let template: String
        public let queuedAt: Timestamp
    }

    public init(_ cause: Subject) {}

    public static func source(of cause: Subject) -> FoldSource { .links(to: .about(cause)) }

    /// Takes in an event that is about the cause.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .alert(.queued(let queued)) = event.fact,
            let alert = AlertID(String(event.envelope.subject.name))
        else { return }
        let told = Told(
            alert: alert,
            person: queued.contact,
            template: queued.template,
            queuedAt: event.envelope.time
        )
        alerts.append(told)
    }
}

/// What one contact is told of a call for help.
public struct ContactNotice: Sendable {
    public let person: PersonID
    public let mobile: PhoneNumber?
    public let email: String?
    public let message: AlertMessage

    public init(
        to person: PersonID,
        mobile: PhoneNumber?,
        email: String?,
        message: AlertMessage
    ) {
        (self.person, self.mobile, self.email, self.message) = (person, mobile, email, message)
    }

    /// Queues it on the channels on which the contact takes messages; `nil` where there is none.
    func queued(
        _ template: String,
        about id: SOSID,
        _ severity: AlertQueued.Severity,
        unless stopped: Set<AlertChannel>,
        as alert: AlertID
    ) -> Write? {
        let mobile = stopped.contains(.sms) ? nil : mobile
        let email = stopped.contains(.email) ? nil : email
        guard mobile != nil || email != nil else { return nil }
        let queued = AlertQueued(
            cause: .sos(id),
            severity: severity,
            template: template,
            contact: person,
            sms: mobile.map { .open($0, of: person) },
            email: email.map { .open($0, of: person) },
            message: .open(message, of: person),
            deduplicationKey: template,
            timeToLiveSeconds: Int(CommandLimits.sosLife / .seconds(1))
        )
        return .alert(alert, .queued(queued))
    }
}

extension LedgerView {
    /// On which channels each contact takes no messages.
    mutating func stopped(
        _ notices: [ContactNotice]
    ) throws -> [PersonID: Set<AlertChannel>] {
        var stopped: [PersonID: Set<AlertChannel>] = [:]
        for notice in notices {
            stopped[notice.person] = try read(Contact.self, notice.person).stopped
        }
        return stopped
    }
}
