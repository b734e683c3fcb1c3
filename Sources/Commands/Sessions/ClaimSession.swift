// SPDX-License-Identifier: Apache-2.0
public import Events

/// An operator takes a session; from then on it is private to that operator (ruling 18).
public struct ClaimSession: TakingCommand {
    public let session: SessionID
    public let by: UserID

    public init(_ session: SessionID, by: UserID) {
        self.session = session
        self.by = by
    }

    /// Why the session was not given.
    public enum Refusal: TakingRefusal {
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

    public func decide(
        _ state: Taking,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try state.checkOpen(at: context.now, else: Refusal.self)
        if let owner = state.session.owner {
            guard owner == by else { throw .taken(session, owner: owner) }
            return .already(())
        }
        let claimed = SessionClaimed(owner: by)
        return try state.taken(by: .claimed(claimed), at: context.now, else: Refusal.self)
    }
}
