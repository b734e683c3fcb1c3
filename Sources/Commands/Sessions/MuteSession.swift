// SPDX-License-Identifier: Apache-2.0
public import Events

/// What the caller of a session sends no longer rings at the desk, or does again; all of it is recorded as before.
public struct MuteSession: SessionCommand {
    public let session: SessionID
    public let by: Staff
    public let isMuted: Bool

    public init(_ session: SessionID, by: Staff, isMuted: Bool) {
        self.session = session
        self.by = by
        self.isMuted = isMuted
    }

    /// Why nothing changed.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case notOwner(NotOwner)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "muting")
            case .notOwner(let why): why.problem(of: "muting")
            }
        }
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        _ = try state.contact(at: context.now, else: Refusal.unavailable)
        guard by.mayAct(on: state) else { throw .notOwner(NotOwner(state)) }
        guard state.isMuted != isMuted else { return .already(()) }
        return .record([.session(session, .muteSet(SessionMuteSet(by: by.user, isMuted: isMuted)))])
    }
}
