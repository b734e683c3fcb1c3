// SPDX-License-Identifier: Apache-2.0
public import Events

/// An operator opens a session for a caller's number; it is the operator's from the start.
///
/// The caller's key must exist before, or the caller be a newcomer. The session expires unless something starts in it in time.
public struct CreateSession: Command {
    /// The operator.
    public let by: UserID
    /// Whose number it is.
    public let caller: PersonID
    public let phone: PhoneNumber
    /// The registered device with that number, if there is one.
    public let device: DeviceID?
    public let channel: SessionCreated.Channel

    public init(
        by: UserID,
        caller: PersonID,
        phone: PhoneNumber,
        device: DeviceID? = nil,
        channel: SessionCreated.Channel = .video
    ) {
        self.by = by
        self.caller = caller
        self.phone = phone
        self.device = device
        self.channel = channel
    }

    /// What the operator is told.
    public struct Outcome: Hashable, Sendable {
        public let session: SessionID
        public let incident: IncidentID
        public let expiresAt: Timestamp?
    }

    /// Why no session was opened.
    public enum Refusal: CommandRefusal {
        case callerInSession(SessionID)
        case operatorBusy(OperatorBusy)
        case personErased(PersonID)

        public var problem: Problem {
            switch self {
            case .callerInSession(let session): .callerInSession(session)
            case .operatorBusy(let busy): busy.problem(of: "opening a session")
            case .personErased(let person): .personErased(person, attempt: "opening a session")
            }
        }
    }

    public var subject: Subject { .person(caller) }

    public func read(_ ledger: inout LedgerView) throws -> Opening {
        try Opening.read(of: caller, by: by, &ledger)
    }

    public func decide(
        _ state: Opening,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        guard !state.person.isErased else { throw .personErased(caller) }
        if let open = state.openSession, open.isOpen(at: context.now) {
            throw .callerInSession(open.id)
        }
        try state.workload?.check(
            addingText: channel.isText,
            at: context.now,
            else: Refusal.operatorBusy
        )
        let session: SessionID = context.newID()
        let incident: IncidentID = context.newID()
        let created = SessionCreated(
            incident: incident,
            caller: caller,
            phone: .open(phone, of: caller),
            device: device,
            channel: channel,
            openedBy: .operator,
            openedByUser: by,
            startLimitSeconds: state.startLimitSeconds,
            expiresAt: context.now + .seconds(state.startLimitSeconds)
        )
        return .record(
            state.overdue(at: context.now)
                + Opening.writes(session, created)
                + [.session(session, .claimed(SessionClaimed(owner: by)))]
        )
    }

    public func outcome(of recorded: [Write]) -> Outcome? {
        guard let (subject, created) = recorded.first(SessionCreated.self),
            let session = subject.sessionID
        else { return nil }
        return Outcome(
            session: session,
            incident: created.incident,
            expiresAt: created.expiresAt
        )
    }
}

extension Problem {
    static func callerInSession(_ session: SessionID) -> Problem {
        Problem(
            .conflict,
            "caller-in-session",
            "opening a session refused: the caller is in session \(session); "
                + "go on in it, or close it first",
            facts: ["session": "\(session)"]
        )
    }

    static func personErased(_ person: PersonID, attempt: String) -> Problem {
        Problem(
            .gone,
            "person-erased",
            "\(attempt) refused: person \(person) was erased; begin with a new person",
            facts: ["person": "\(person)"]
        )
    }
}
