// SPDX-License-Identifier: Apache-2.0
public import Events

/// The owner gives a session back to the queue: it stays open, and its caller waits for others to claim it.
public struct ReleaseSession: SessionCommand {
    public let session: SessionID
    public let by: Staff
    public let reason: SessionReleased.Reason

    public init(_ session: SessionID, by: Staff, reason: SessionReleased.Reason = .givenBack) {
        self.session = session
        self.by = by
        self.reason = reason
    }

    /// Why it was not released.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case notOwner(NotOwner)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "releasing")
            case .notOwner(let why): why.problem(of: "releasing")
            }
        }
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        _ = try state.contact(at: context.now, else: Refusal.unavailable)
        guard let owner = state.owner, by.mayAct(on: state) else {
            throw .notOwner(NotOwner(state))
        }
        return .record([
            .session(session, .released(SessionReleased(owner: owner, reason: reason)))
        ])
    }
}
