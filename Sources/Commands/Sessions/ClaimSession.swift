// SPDX-License-Identifier: Apache-2.0
public import Events

/// An operator takes a session; from then on it is private to that operator (ruling 18).
public struct ClaimSession: Command {
    public let session: SessionID
    public let by: UserID

    public init(_ session: SessionID, by: UserID) {
        self.session = session
        self.by = by
    }

    /// Why the session was not given.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        /// Another was first.
        case taken(SessionID, owner: UserID)
        case operatorBusy(OperatorBusy)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "claiming")
            case .taken(let session, let owner):
                Problem(
                    .conflict,
                    "session-claimed-by-other",
                    "claiming refused: operator \(owner) has session \(session); "
                        + "take another, or ask for its release",
                    facts: ["session": "\(session)", "owner": "\(owner)"]
                )
            case .operatorBusy(let busy): busy.problem(of: "claiming")
            }
        }
    }

    public var subject: Subject { .session(session) }

    public func read(
        _ ledger: inout LedgerView
    ) throws -> (session: Session, workload: Workload) {
        (try ledger.read(Session.self, session), try Workload.read(by, &ledger))
    }

    public func decide(
        _ state: (session: Session, workload: Workload),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        _ = try state.session.contact(at: context.now, else: Refusal.unavailable)
        if let owner = state.session.owner {
            guard owner == by else { throw .taken(session, owner: owner) }
            return .already(())
        }
        try state.workload.check(
            addingText: state.session.isTextOnly,
            at: context.now,
            else: Refusal.operatorBusy
        )
        let overdue = state.workload.open.compactMap { $0.overdueExpiry(at: context.now) }
        return .record(overdue + [.session(session, .claimed(SessionClaimed(owner: by)))])
    }
}
