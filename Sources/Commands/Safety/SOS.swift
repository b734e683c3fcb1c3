// SPDX-License-Identifier: Apache-2.0
public import Events

/// One call for help of a citizen.
public struct SOS: Fold {
    public let id: SOSID
    /// `nil` before it was raised, and so is the next one.
    public private(set) var raised: SOSRaised?
    public private(set) var cause: Cause?
    /// The phone by which it was raised.
    public private(set) var device: DeviceID?
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
            (occurredAt, device) = (event.envelope.occurredAt, event.envelope.actor.device)
            if let fix = raised.fix { (self.fix, fixAt) = (fix, time) }
        case .moved(let moved): (fix, fixAt) = (moved.fix, time)
        case .ended(let ended): (self.ended, endedAt) = (ended.reason, time)
        case .citizenSet, .contactSet, .contactRemoved, .contentSet: break
        }
    }

    /// From when on nothing of it is shown, where the citizen does not end it before.
    public var expiresAt: Timestamp? { cause.map { $0.time + CommandLimits.sosLife } }

    /// Whether it was ended, or forgotten.
    public func isOver(at now: Timestamp) -> Bool {
        ended != nil || (expiresAt.map { $0 <= now } ?? true)
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
    /// What the operators' queue gets; `nil` on a site that keeps calls for help out of it, and for practice.
    public let desk: DeskNotice?

    public init(
        _ id: SOSID,
        of person: PersonID,
        by trigger: SOSRaised.Trigger,
        at fix: Fix?,
        isDrill: Bool,
        telling notices: [ContactNotice],
        and desk: DeskNotice? = nil
    ) {
        self.desk = desk
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
        let opening: Opening?
    }

    public var subject: Subject { .sos(id) }
    public var lane: Subject? { .person(person) }
    public var owned: Subject? { nil }

    public func read(_ ledger: inout LedgerView) throws -> State {
        State(
            sos: try ledger.read(SOS.self, id),
            citizen: try ledger.read(Citizen.self, person),
            isErased: try ledger.read(Person.self, person).isErased,
            stopped: try ledger.stopped(notices),
            opening: try desk.map { _ in try Opening.read(of: person, by: nil, &ledger) }
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
        if let desk, let opening = state.opening {
            writes += desk.writes(
                about: id,
                of: person,
                opening,
                at: fix,
                opensSession: true,
                &context
            )
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
    /// Whether the centre sees it, in the citizen's open session.
    public let tellsDesk: Bool

    public init(_ id: SOSID, of person: PersonID, to fix: Fix, tellingDesk tellsDesk: Bool = false)
    {
        (self.id, self.person, self.fix, self.tellsDesk) = (id, person, fix, tellsDesk)
    }

    public typealias Refusal = SOSRefusal

    public var subject: Subject { .sos(id) }
    public var owned: Subject? { nil }

    public func read(_ ledger: inout LedgerView) throws -> (sos: SOS, session: Session?) {
        let sos = try ledger.read(SOS.self, id)
        guard tellsDesk, sos.raised?.isDrill == false else { return (sos, nil) }
        return (sos, try Opening.read(of: person, by: nil, &ledger).openSession)
    }

    public func decide(
        _ state: (sos: SOS, session: Session?),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(fix, else: Refusal.unacceptable)
        guard state.sos.raised?.person == person else { throw .unknown(id) }
        guard !state.sos.isOver(at: context.now) else { throw .over(id) }
        let moved = SOSMoved(person: person, fix: .open(fix, of: person))
        var writes = [Write.sos(id, .moved(moved))]
        if let session = state.session, session.isOpen(at: context.now) {
            writes += DeskNotice.place(fix, of: person, in: session.id)
        }
        return .record(writes)
    }
}

/// A citizen says that a call for help is over; who was told of it is told.
public struct EndSOS: Command {
    public let id: SOSID
    public let person: PersonID
    public let reason: SOSEnded.Reason
    public let notices: [ContactNotice]
    /// What the citizen's open session gets, if there is one.
    public let desk: DeskNotice?

    public init(
        _ id: SOSID,
        of person: PersonID,
        _ reason: SOSEnded.Reason,
        telling notices: [ContactNotice],
        and desk: DeskNotice? = nil
    ) {
        (self.id, self.person, self.reason, self.notices) = (id, person, reason, notices)
        self.desk = desk
    }

    public typealias Refusal = SOSRefusal

    /// What the decision goes by.
    public struct State {
        let sos: SOS
        let stopped: [PersonID: Set<AlertChannel>]
        let told: Set<PersonID>
        let opening: Opening?
    }

    public var subject: Subject { .sos(id) }
    public var owned: Subject? { nil }

    public func read(_ ledger: inout LedgerView) throws -> State {
        State(
            sos: try ledger.read(SOS.self, id),
            stopped: try ledger.stopped(notices),
            told: Set(try ledger.read(ContactAlerts.self, .sos(id)).alerts.map(\.person)),
            opening: try desk.map { _ in try Opening.read(of: person, by: nil, &ledger) }
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
                Self.template(reason, of: state.sos),
                about: id,
                // Who was told that somebody is in danger is told as soon that it is over.
                state.sos.raised?.isDrill == true ? .warning : .critical,
                unless: state.stopped[notice.person] ?? [],
                as: context.newID()
            )
            if let queued { writes.append(queued) }
        }
        if let desk, let opening = state.opening, state.sos.raised?.isDrill == false {
            writes += desk.writes(
                about: id,
                of: person,
                opening,
                at: nil,
                opensSession: false,
                &context
            )
        }
        return .record(writes)
    }
}

extension EndSOS {
    /// The wording by which contacts hear of the end of a call.
    public static func template(_ reason: SOSEnded.Reason, of sos: SOS) -> String {
        guard sos.raised?.isDrill != true else { return "sos-drill-over" }
        return reason == .safe ? "sos-safe" : "sos-false-alarm"
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
