// SPDX-License-Identifier: Apache-2.0
public import Events

/// A caller wants to show video where nobody asked for it: it goes into the operators' queue (ruling 35).
public struct WishVideo: Command {
    public let session: SessionID
    /// Who asks: the session's caller.
    public let caller: PersonID

    public init(in session: SessionID, by caller: PersonID) {
        self.session = session
        self.caller = caller
    }

    /// What the caller is told.
    public struct Outcome: Hashable, Sendable {
        /// Until when somebody has to take the session; `nil` where video may begin now.
        public let waitsUntil: Timestamp?
    }

    /// What the decision depends on.
    public struct State {
        let session: Session
        let isAnytime: Bool
        let limitSeconds: Int
    }

    /// Why it is no wish.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case notYours(SenderMismatch)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "asking for video")
            case .notYours(let why): why.problem(of: "asking for video")
            }
        }
    }

    public var subject: Subject { .session(session) }

    public func read(_ ledger: inout LedgerView) throws -> State {
        State(
            session: try ledger.read(Session.self, session),
            isAnytime: try Policy.callerFilmsAnytime(&ledger),
            limitSeconds: try ledger.read(Policy.self, Policy.startLimit)
                .settings["limitSeconds"] ?? CommandLimits.startLimitSeconds
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        _ = try state.session.contact(at: context.now, else: Refusal.unavailable)
        try Sender.caller(caller).check(on: state.session, else: Refusal.notYours)
        guard !state.session.takesVideo, !state.isAnytime else {
            return .already(Outcome(waitsUntil: nil))
        }
        if let until = state.session.wishesVideoUntil, context.now < until {
            return .already(Outcome(waitsUntil: until))
        }
        let until = context.now + .seconds(state.limitSeconds)
        let wished = SessionVideoWished(caller: caller, expiresAt: until)
        return .record([.session(session, .videoWished(wished))])
    }

    public func outcome(of recorded: [Write]) -> Outcome? {
        recorded.first(SessionVideoWished.self).map { Outcome(waitsUntil: $0.payload.expiresAt) }
    }
}
