// SPDX-License-Identifier: Apache-2.0
public import Events

/// An alert for one contact goes into the queue; nothing is sent by the command.
///
/// Within the window the same key of one organisation for the same contact is the same alert, unless the known one has
/// expired or is of lesser severity: neither may swallow what is urgent now.
public struct QueueAlert: Command {
    public let cause: Subject
    public let severity: AlertQueued.Severity
    public let template: String
    public let contact: PersonID
    public let sms: PhoneNumber?
    public let email: String?
    public let deduplicationKey: String
    public let deduplicationWindow: Duration
    public let timeToLiveSeconds: Int

    public init(
        about cause: Subject,
        severity: AlertQueued.Severity,
        template: String,
        to contact: PersonID,
        sms: PhoneNumber? = nil,
        email: String? = nil,
        deduplicationKey: String,
        deduplicationWindow: Duration = .seconds(600),
        timeToLiveSeconds: Int = 86_400
    ) {
        self.cause = cause
        self.severity = severity
        self.template = template
        self.contact = contact
        self.sms = sms
        self.email = email
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
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .person(contact) }

    public func read(_ ledger: inout LedgerView) throws -> (contact: Contact, person: Person) {
        (try ledger.read(Contact.self, contact), try ledger.read(Person.self, contact))
    }

    public func decide(
        _ state: (contact: Contact, person: Person),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        try checkInput()
        guard sms != nil || email != nil else { throw .nowhereToSend(contact) }
        guard !state.person.isErased else { throw .personErased(contact) }
        let key = Contact.Key(organisation: context.organisation, text: deduplicationKey)
        if let known = state.contact.alerts[key], known.covers(severity, at: context.now),
            context.now.isLess(than: deduplicationWindow, after: known.place.time)
        {
            return .already(known.alert, known.place)
        }
        let queued = AlertQueued(
            cause: cause,
            severity: severity,
            template: template,
            contact: contact,
            sms: sms.map { .open($0, of: contact) },
            email: email.map { .open($0, of: contact) },
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
            (1...CommandLimits.alertTimeToLiveSecondsMax).contains(timeToLiveSeconds),
            "timeToLiveSeconds",
            timeToLiveSeconds,
            allowed: "1 to \(CommandLimits.alertTimeToLiveSecondsMax)",
            else: Refusal.unacceptable
        )
    }
}
