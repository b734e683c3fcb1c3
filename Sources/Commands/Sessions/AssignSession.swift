// SPDX-License-Identifier: Apache-2.0
public import Events

/// The policy gives a caller who waits to one operator, who is asked for a while; meanwhile nobody else is.
public struct AssignSession: Command {
    /// The policy's name.
    public static let policy = "text-assignment"
    /// How many operators one session is given to at most; after them it waits in the queue.
    public static let assignmentsMax = 64

    public let session: SessionID
    /// The operator.
    public let to: UserID
    /// How long the operator is asked.
    public let seconds: Int

    public init(_ session: SessionID, to: UserID, for seconds: Int) {
        self.session = session
        self.to = to
        self.seconds = seconds
    }

    /// Why nobody was asked.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        /// It has an owner, or somebody is being asked.
        case notWaiting(SessionID)
        /// No operator of the organisation who may sign in, or one with as many sessions as allowed.
        case cannotTake(UserID)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "assigning")
            case .notWaiting(let session):
                Problem(
                    .conflict,
                    "session-not-waiting",
                    "assigning refused: session \(session) has an owner, or somebody is being asked; read it again",
                    facts: ["session": "\(session)"]
                )
            case .cannotTake(let user):
                Problem(
                    .conflict,
                    "operator-cannot-take",
                    "assigning refused: operator \(user) cannot take one more session; ask another",
                    facts: ["user": "\(user)"]
                )
            }
        }
    }

    public var subject: Subject { .session(session) }

    public func read(
        _ ledger: inout LedgerView
    ) throws -> (taking: Taking, colleague: User) {
        (
            Taking(
                session: try ledger.read(Session.self, session),
                workload: try Workload.read(to, &ledger)
            ),
            try ledger.read(User.self, to)
        )
    }

    public func decide(
        _ state: (taking: Taking, colleague: User),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        let session = state.taking.session
        let contact = try session.contact(at: context.now, else: Refusal.unavailable)
        guard session.owner == nil, session.offer.map({ $0.expiresAt <= context.now }) ?? true,
            session.assignedTo.count < Self.assignmentsMax
        else { throw .notWaiting(session.id) }
        guard state.colleague.mayHold(of: contact.organisation),
            state.taking.workload.admits(addingText: session.isTextOnly, at: context.now)
        else { throw .cannotTake(to) }
        let assigned = SessionAssigned(to: to, expiresAt: context.now + .seconds(seconds))
        return .record([.session(session.id, .assigned(assigned))])
    }
}
