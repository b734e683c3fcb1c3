// SPDX-License-Identifier: Apache-2.0
public import Events

/// The owner, or a supervisor, asks a colleague to take a session over; until the answer nothing changes (ruling 34).
///
/// One offer waits at a time: another takes the place of the one before.
public struct OfferSession: Command {
    public let session: SessionID
    public let by: Staff
    /// The colleague.
    public let to: UserID
    public let reason: String

    /// Until when the colleague may answer.
    public typealias Outcome = Timestamp

    public init(_ session: SessionID, by: Staff, to: UserID, reason: String) {
        self.session = session
        self.by = by
        self.to = to
        self.reason = reason
    }

    /// Why nobody was asked.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case notOwner(NotOwner)
        /// No operator or supervisor of the organisation who may sign in, or the owner.
        case cannotHold(UserID)
        /// The colleague has as many sessions as allowed.
        case colleagueBusy(UserID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "handing over")
            case .notOwner(let why): why.problem(of: "handing over")
            case .cannotHold(let user):
                Problem(
                    .conflict,
                    "colleague-cannot-hold",
                    "handing over refused: \(user) is no other operator or supervisor of your "
                        + "organisation who may sign in; name one",
                    facts: ["user": "\(user)"]
                )
            case .colleagueBusy(let user):
                Problem(
                    .conflict,
                    "colleague-has-open-session",
                    "handing over refused: operator \(user) has as many sessions as allowed; "
                        + "name another, or give the session back",
                    facts: ["user": "\(user)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    /// What the decision goes by.
    public struct State {
        let session: Session
        let caller: Person?
        let colleague: User
        let workload: Workload
    }

    public var subject: Subject { .session(session) }

    public func read(
        _ ledger: inout LedgerView
    ) throws -> State {
        let known = try ledger.read(Session.self, session)
        return State(
            session: known,
            caller: try known.contact.map { try ledger.read(Person.self, $0.caller) },
            colleague: try ledger.read(User.self, to),
            workload: try Workload.read(to, &ledger)
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Timestamp> {
        try InputFault.check(
            reason,
            "reason",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        let contact = try state.session.contact(at: context.now, else: Refusal.unavailable)
        guard let owner = state.session.owner, by.mayAct(on: state.session) else {
            throw .notOwner(NotOwner(state.session))
        }
        guard to != owner, state.colleague.mayHold(of: contact.organisation) else {
            throw .cannotHold(to)
        }
        let isText = state.session.isTextOnly
        guard state.workload.admits(addingText: isText, at: context.now) else {
            throw .colleagueBusy(to)
        }
        let offered = SessionOffered(
            to: to,
            by: by.user,
            reason: state.caller?.sealed(reason),
            expiresAt: context.now + .seconds(CommandLimits.offerSeconds)
        )
        return .record([.session(session, .offered(offered))])
    }

    public func outcome(of recorded: [Write]) -> Timestamp? {
        recorded.first(SessionOffered.self)?.payload.expiresAt
    }
}

extension User {
    /// Whether sessions of an organisation may be this user's.
    public func mayHold(of organisation: OrganisationID) -> Bool {
        guard mayGo(in: organisation) else { return false }
        return role == .operator || role == .supervisor
    }
}
