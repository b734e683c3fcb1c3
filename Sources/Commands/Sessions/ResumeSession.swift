// SPDX-License-Identifier: Apache-2.0
public import Events

/// A side comes back to an open session after its page or app was gone.
public struct ResumeSession: Command {
    public let session: SessionID
    public let by: Sender
    /// How long that side was away, if known.
    public let gapMilliseconds: Int?

    public init(_ session: SessionID, by: Sender, gapMilliseconds: Int? = nil) {
        self.session = session
        self.by = by
        self.gapMilliseconds = gapMilliseconds
    }

    /// Why it was not resumed.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case notYours(SenderMismatch)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "resuming")
            case .notYours(let why): why.problem(of: "resuming")
            case .unacceptable(let fault): fault.problem
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
        if let gap = gapMilliseconds {
            try InputFault.check(
                gap >= 0,
                "gapMilliseconds",
                gap,
                allowed: "0 or more",
                else: Refusal.unacceptable
            )
        }
        _ = try state.contact(at: context.now, else: Refusal.unavailable)
        try by.check(on: state, else: Refusal.notYours)
        guard !state.wasResumed(by: by.party, at: context.now) else { return .already(()) }
        let resumed = SessionResumed(by: by.party, gapMilliseconds: gapMilliseconds)
        return .record([.session(session, .resumed(resumed))])
    }
}
