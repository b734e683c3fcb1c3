// SPDX-License-Identifier: Apache-2.0
public import Events

/// One call for help of a citizen.
public struct SOS: Fold {
    public let id: SOSID
    /// `nil` before it was raised, and so is the next one.
    public private(set) var raised: SOSRaised?
    public private(set) var cause: Cause?
    /// When the phone says that it was raised.
    public private(set) var occurredAt: Timestamp?
    /// The newest place, and when it came.
    public private(set) var fix: Sealed<Fix>?
    public private(set) var fixAt: Timestamp?
    public private(set) var ended: SOSEnded.Reason?
    public private(set) var endedAt: Timestamp?

    public init(_ id: SOSID) {
        self.id = id
    }

    public static func source(of id: SOSID) -> FoldSource { .subject(.sos(id)) }

    /// Takes in an event of the call's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .safety(let fact) = event.fact else { return }
        let time = event.envelope.time
        switch fact {
        case .raised(let raised):
            (self.raised, cause) = (raised, Cause(event.envelope))
            occurredAt = event.envelope.occurredAt
            if let fix = raised.fix { (self.fix, fixAt) = (fix, time) }
        case .moved(let moved): (fix, fixAt) = (moved.fix, time)
        case .ended(let ended): (self.ended, endedAt) = (ended.reason, time)
        case .citizenSet, .contactSet, .contactRemoved: break
        }
    }

    /// From when on nothing of it is shown, where the citizen does not end it before.
    public var expiresAt: Timestamp? { cause.map { $0.time + CommandLimits.sosLife } }

    /// Whether it was ended, or forgotten.
    public func isOver(at now: Timestamp) -> Bool {
        ended != nil || (expiresAt.map { $0 <= now } ?? true)
    }
}

/// Which contacts were told of a call for help, and by which alerts.
public struct SOSAlerts: Fold {
    /// Oldest first.
    public private(set) var alerts: [Told] = []

    /// One alert for one contact.
    public struct Told: Hashable, Sendable {
        public let alert: AlertID
        /// The contact.
        public let person: PersonID
        /// Of its wording.
        public let template: String
    }

    public init(_ id: SOSID) {}

    public static func source(of id: SOSID) -> FoldSource { .links(to: .about(.sos(id))) }

    /// Takes in an event that is about the call.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .alert(.queued(let queued)) = event.fact,
            let alert = AlertID(String(event.envelope.subject.name))
        else { return }
        alerts.append(Told(alert: alert, person: queued.contact, template: queued.template))
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
    fileprivate func queued(
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

/// A citizen calls for help: all contacts' alerts are queued with it, or nothing is recorded.
public struct RaiseSOS: Command {
    public let id: SOSID
    public let person: PersonID
    public let trigger: SOSRaised.Trigger
    public let fix: Fix?
    public let isDrill: Bool
    public let notices: [ContactNotice]

    public init(
        _ id: SOSID,
        of person: PersonID,
        by trigger: SOSRaised.Trigger,
        at fix: Fix?,
        isDrill: Bool,
        telling notices: [ContactNotice]
    ) {
        self.id = id
        self.person = person
        self.trigger = trigger
        self.fix = fix
        self.isDrill = isDrill
        self.notices = notices
    }

    public typealias Refusal = SOSRefusal

    /// What the decision goes by.
    public struct State {
        let sos: SOS
        let citizen: Citizen
        let isErased: Bool
        let stopped: [PersonID: Set<AlertChannel>]
    }

    public var subject: Subject { .sos(id) }
    public var lane: Subject? { .person(person) }
    public var owned: Subject? { nil }

    public func read(_ ledger: inout LedgerView) throws -> State {
        State(
            sos: try ledger.read(SOS.self, id),
            citizen: try ledger.read(Citizen.self, person),
            isErased: try ledger.read(Person.self, person).isErased,
            stopped: try ledger.stopped(notices)
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(fix, else: Refusal.unacceptable)
        if let known = state.sos.raised {
            guard known.person == person else { throw .unknown(id) }
            return .already(())
        }
        guard !state.isErased else { throw .personErased(person) }
        let day = context.now + .seconds(-86_400)
        guard state.citizen.calls.count(where: { $0.raisedAt > day }) < CommandLimits.sosPerDayMax
        else { throw .tooMany(person) }
        let template = isDrill ? "sos-drill" : "sos"
        var writes: [Write] = []
        for notice in notices
        where state.citizen.contacts.contains(where: { $0.facts.person == notice.person }) {
            let queued = notice.queued(
                template,
                about: id,
                isDrill ? .warning : .critical,
                unless: state.stopped[notice.person] ?? [],
                as: context.newID()
            )
            if let queued { writes.append(queued) }
        }
        guard !writes.isEmpty else { throw .noContacts(person) }
        let raised = SOSRaised(
            person: person,
            trigger: trigger,
            isDrill: isDrill,
            fix: fix.map { .open($0, of: person) }
        )
        return .record([.sos(id, .raised(raised))] + writes)
    }
}

/// The phone of who called for help is somewhere else.
public struct MoveSOS: Command {
    public let id: SOSID
    public let person: PersonID
    public let fix: Fix

    public init(_ id: SOSID, of person: PersonID, to fix: Fix) {
        (self.id, self.person, self.fix) = (id, person, fix)
    }

    public typealias Refusal = SOSRefusal

    public var subject: Subject { .sos(id) }
    public var owned: Subject? { nil }

    public func read(_ ledger: inout LedgerView) throws -> SOS { try ledger.read(SOS.self, id) }

    public func decide(
        _ state: SOS,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(fix, else: Refusal.unacceptable)
        guard state.raised?.person == person else { throw .unknown(id) }
        guard !state.isOver(at: context.now) else { throw .over(id) }
        let moved = SOSMoved(person: person, fix: .open(fix, of: person))
        return .record([.sos(id, .moved(moved))])
    }
}

/// A citizen says that a call for help is over; who was told of it is told.
public struct EndSOS: Command {
    public let id: SOSID
    public let person: PersonID
    public let reason: SOSEnded.Reason
    public let notices: [ContactNotice]

    public init(
        _ id: SOSID,
        of person: PersonID,
        _ reason: SOSEnded.Reason,
        telling notices: [ContactNotice]
    ) {
        (self.id, self.person, self.reason, self.notices) = (id, person, reason, notices)
    }

    public typealias Refusal = SOSRefusal

    /// What the decision goes by.
    public struct State {
        let sos: SOS
        let stopped: [PersonID: Set<AlertChannel>]
        let told: Set<PersonID>
    }

    public var subject: Subject { .sos(id) }
    public var owned: Subject? { nil }

    public func read(_ ledger: inout LedgerView) throws -> State {
        State(
            sos: try ledger.read(SOS.self, id),
            stopped: try ledger.stopped(notices),
            told: Set(try ledger.read(SOSAlerts.self, id).alerts.map(\.person))
        )
    }

    /// Ended once, whatever is said later.
    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.sos.raised?.person == person else { throw .unknown(id) }
        guard state.sos.ended == nil else { return .already(()) }
        var writes = [Write.sos(id, .ended(SOSEnded(person: person, reason: reason)))]
        for notice in notices where state.told.contains(notice.person) {
            let queued = notice.queued(
                reason == .safe ? "sos-safe" : "sos-false-alarm",
                about: id,
                // Who was told that somebody is in danger is told as soon that it is over.
                state.sos.raised?.isDrill == true ? .warning : .critical,
                unless: state.stopped[notice.person] ?? [],
                as: context.newID()
            )
            if let queued { writes.append(queued) }
        }
        return .record(writes)
    }
}

extension LedgerView {
    /// On which channels each contact takes no messages.
    fileprivate mutating func stopped(
        _ notices: [ContactNotice]
    ) throws -> [PersonID: Set<AlertChannel>] {
        var stopped: [PersonID: Set<AlertChannel>] = [:]
        for notice in notices {
            stopped[notice.person] = try read(Contact.self, notice.person).stopped
        }
        return stopped
    }
}

/// Why a call for help was not taken.
public enum SOSRefusal: CommandRefusal {
    /// There is no such call, or it is another citizen's.
    case unknown(SOSID)
    /// Nobody can be told.
    case noContacts(PersonID)
    /// Each may cost the centre an SMS for each contact.
    case tooMany(PersonID)
    case over(SOSID)
    case personErased(PersonID)
    case unacceptable(InputFault)

    public var problem: Problem {
        switch self {
        case .unknown(let id):
            Problem(
                .notFound,
                "sos-unknown",
                "going on refused: you have no call for help \(id); raise it first",
                facts: ["sos": "\(id)"]
            )
        case .noContacts(let person):
            Problem(
                .conflict,
                "sos-without-contacts",
                "calling for help refused: you have no contact who takes messages; add one, and "
                    + "call the emergency number now",
                facts: ["person": "\(person)"]
            )
        case .tooMany(let person):
            Problem(
                .conflict,
                "sos-too-many",
                "calling for help refused: you called \(CommandLimits.sosPerDayMax) times within a "
                    + "day; call the emergency number",
                facts: ["person": "\(person)", "max": "\(CommandLimits.sosPerDayMax)"]
            )
        case .over(let id):
            Problem(
                .conflict,
                "sos-over",
                "sharing the place refused: call for help \(id) is over; raise a new one",
                facts: ["sos": "\(id)"]
            )
        case .personErased(let person): .personErased(person, attempt: "calling for help")
        case .unacceptable(let fault): fault.problem
        }
    }
}
