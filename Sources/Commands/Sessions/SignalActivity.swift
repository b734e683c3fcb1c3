// SPDX-License-Identifier: Apache-2.0
public import Events

/// A side types, or opened the chat; said at most once in five seconds.
public struct SignalActivity: SessionCommand {
    public let session: SessionID
    public let by: Sender
    public let activity: Activity

    public init(_ session: SessionID, by: Sender, activity: Activity) {
        self.session = session
        self.by = by
        self.activity = activity
    }

    /// What a side may signal by itself; `streaming` comes with a stream alone.
    public enum Activity: Hashable, Sendable, CaseIterable {
        case typing
        case opened

        var recorded: SessionActivitySignalled.Activity {
            switch self {
            case .typing: .typing
            case .opened: .opened
            }
        }
    }

    /// Why the signal was not taken.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case notYours(SenderMismatch)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "signalling activity")
            case .notYours(let why): why.problem(of: "signalling activity")
            }
        }
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        _ = try state.contact(at: context.now, else: Refusal.unavailable)
        try by.check(on: state, else: Refusal.notYours)
        let signal = Session.Signal(by: by.party, activity: activity.recorded)
        if let last = state.signals[signal],
            context.now.isLess(than: CommandLimits.signalInterval, after: last)
        {
            return .already(())
        }
        let signalled = SessionActivitySignalled(by: signal.by, activity: signal.activity)
        return .record([.session(session, .activitySignalled(signalled))])
    }
}
