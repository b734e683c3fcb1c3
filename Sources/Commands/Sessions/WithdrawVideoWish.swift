// SPDX-License-Identifier: Apache-2.0
public import Events

/// The caller does not want to show video any more, which nobody took: it leaves the operators' queue.
///
/// The session goes on, with whatever else is in it, and no longer ends with the wish.
public struct WithdrawVideoWish: Command {
    public let session: SessionID
    /// Who withdraws: the session's caller.
    public let caller: PersonID

    public init(in session: SessionID, by caller: PersonID) {
        self.session = session
        self.caller = caller
    }

    /// Why it is not withdrawn.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case notYours(SenderMismatch)
        /// An operator took the session because of it.
        case taken(SessionID)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "withdrawing the wish for video")
            case .notYours(let why): why.problem(of: "withdrawing the wish for video")
            case .taken(let session):
                Problem(
                    .conflict,
                    "video-wish-taken",
                    "withdrawing the wish for video refused: an operator has taken session \(session); "
                        + "stop the video, or begin none and write to the operator",
                    facts: ["session": "\(session)"]
                )
            }
        }
    }

    public var subject: Subject { .session(session) }

    public func read(_ ledger: inout LedgerView) throws -> Session {
        try ledger.read(Session.self, session)
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        _ = try state.contact(at: context.now, else: Refusal.unavailable)
        try Sender.caller(caller).check(on: state, else: Refusal.notYours)
        guard !state.isWishTaken else { throw .taken(session) }
        guard let until = state.wishesVideoUntil, context.now < until else { return .already(()) }
        let withdrawn = SessionVideoWishWithdrawn(caller: caller)
        return .record([.session(session, .videoWishWithdrawn(withdrawn))])
    }
}
