// SPDX-License-Identifier: Apache-2.0
public import Events

/// An alert for one contact goes into the queue; nothing is sent by the command.
///
/// Within the window it is the same alert when the same one tells the same contact the same of the same cause, at the same
/// addresses and under the same key, unless the known one has expired or is of lesser severity: whatever else was queued, by
/// whomever, may not swallow what is urgent now.
public struct QueueAlert: Command {
    public let cause: Subject
    public let severity: AlertQueued.Severity
    public let template: String
    public let contact: PersonID
    public let sms: PhoneNumber?
    public let email: String?
    /// The member of staff to whose browsers a part goes.
    public let browser: UserID?
    /// What the SMS and the e-mail say.
    public let message: AlertMessage?
    public let deduplicationKey: String
    public let deduplicationWindow: Duration
    public let timeToLiveSeconds: Int
    /// Opens the addresses of what is known; without them nothing is known to go to the same.
    private let keys: any PersonKeys

    public init(
        about cause: Subject,
        severity: AlertQueued.Severity,
        template: String,
        to contact: PersonID,
        sms: PhoneNumber? = nil,
        email: String? = nil,
        browser: UserID? = nil,
        message: AlertMessage? = nil,
        deduplicationKey: String,
        deduplicationWindow: Duration = .seconds(600),
        timeToLiveSeconds: Int = 86_400,
        openedWith keys: any PersonKeys = NoKeys()
    ) {
        self.keys = keys
        self.cause = cause
        self.severity = severity
        self.template = template
        self.contact = contact
        self.sms = sms
        self.email = email
        self.browser = browser
        self.message = message
        self.deduplicationKey = deduplicationKey
        self.deduplicationWindow = deduplicationWindow
        self.timeToLiveSeconds = timeToLiveSeconds
    }

    /// The alert's id, be it new or the one that says the same.
    public typealias Outcome = AlertID

    /// Why nothing was queued.
    public enum Refusal: CommandRefusal {
        case nowhereToSend(PersonID)
        case personErased(PersonID)
        /// The contact wants no messages on the channels that were named.
        case contactStopped(PersonID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .nowhereToSend(let person):
                Problem(
                    .unprocessable,
                    "alert-without-address",
                    "queueing an alert refused: contact \(person) has neither a number nor an "
                        + "e-mail address; give one",
                    facts: ["person": "\(person)"]
                )
            case .personErased(let person): .personErased(person, attempt: "queueing an alert")
            case .contactStopped(let person):
                Problem(
                    .conflict,
                    "alert-contact-stopped",
                    "queueing an alert refused: contact \(person) answered STOP and gets no more "
                        + "messages there until they answer START; reach them another way",
                    facts: ["person": "\(person)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .person(contact) }

    /// Whose the cause is, whoever tells of it.
    public var owned: Subject? { cause }

    /// What the decision goes by.
    public struct State {
        /// The last alerts that said the same at the same addresses, newest first.
        let known: [Contact.Queued]
        /// On which channels the contact wants no messages.
        let stopped: Set<AlertChannel>
        let person: Person
    }

    public func read(_ ledger: inout LedgerView) throws -> State {
        let key = Contact.Key(
            organisation: ledger.organisation,
            cause: cause,
            template: template,
            push: nil,
            text: deduplicationKey
        )
        let contact = try ledger.read(Contact.self, contact)
        return State(
            known: try contact.alerts(saying: key).filter { try $0.goes(to: sms, email, keys) },
            stopped: contact.stopped,
            person: try ledger.read(Person.self, self.contact)
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        try checkInput()
        guard sms != nil || email != nil || browser != nil else { throw .nowhereToSend(contact) }
        guard !state.person.isErased else { throw .personErased(contact) }
        let own = state.known.first { $0.actor == context.stamp.actor }
        if let known = own, known.covers(severity, at: context.now),
            context.now.isLess(than: deduplicationWindow, after: known.place.time)
        {
            return .already(known.alert, known.place)
        }
        let sms = state.stopped.contains(.sms) ? nil : self.sms
        let email = state.stopped.contains(.email) ? nil : self.email
        guard sms != nil || email != nil || browser != nil else {
            throw .contactStopped(contact)
        }
        let queued = AlertQueued(
            cause: cause,
            severity: severity,
            template: template,
            contact: contact,
            sms: sms.map { .open($0, of: contact) },
            email: email.map { .open($0, of: contact) },
            browser: browser,
            message: message.map { .open($0, of: contact) },
            deduplicationKey: deduplicationKey,
            timeToLiveSeconds: timeToLiveSeconds
        )
        return .record([.alert(context.newID(), .queued(queued))])
    }

    public func outcome(of recorded: [Write]) -> Outcome? {
        recorded.first(AlertQueued.self).flatMap { AlertID(String($0.subject.name)) }
    }

    private func checkInput() throws(Refusal) {
        for (field, text) in [("template", template), ("deduplicationKey", deduplicationKey)] {
            try InputFault.check(
                text,
                field,
                bytesMax: CommandLimits.wordBytesMax,
                else: Refusal.unacceptable
            )
        }
        try InputFault.check(
            optional: email,
            "email",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        try InputFault.check(
            optional: message?.subject,
            "subject",
            bytesMax: CommandLimits.alertSubjectBytesMax,
            else: Refusal.unacceptable
        )
        try InputFault.check(
            optional: message?.text,
            "text",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        try InputFault.check(
            (1...CommandLimits.alertTimeToLiveSecondsMax).contains(timeToLiveSeconds),
            "timeToLiveSeconds",
            timeToLiveSeconds,
            allowed: "1 to \(CommandLimits.alertTimeToLiveSecondsMax)",
            else: Refusal.unacceptable
        )
    }
}
