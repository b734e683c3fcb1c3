// SPDX-License-Identifier: Apache-2.0
public import Events

/// The owner is back at a session that was unattended.
public struct ResumeSession: SessionCommand {
    public let session: SessionID
    public let by: UserID

    public init(_ session: SessionID, by: UserID) {
        self.session = session
        self.by = by
    }

    /// Why it was not recorded.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case notOwner(NotOwner)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "resuming")
            case .notOwner(let why): why.problem(of: "resuming")
            }
        }
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        _ = try state.contact(at: context.now, else: Refusal.unavailable)
        guard state.owner == by else { throw .notOwner(NotOwner(state)) }
        guard let absence = state.absence else { return .already(()) }
        let gap = (context.now - absence.since) / .milliseconds(1)
        let resumed = SessionResumed(by: .operator, gapMilliseconds: max(0, Int(gap)))
        return .record([.session(session, .resumed(resumed))])
    }
}
