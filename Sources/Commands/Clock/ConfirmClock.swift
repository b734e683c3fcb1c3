// SPDX-License-Identifier: Apache-2.0
public import Events

/// The wall clock that was too far ahead to be believed is right: it is followed from here on.
///
/// What waits for a deadline meets it at once if the clock passes it by that.
public struct ConfirmClock: Command {
    /// How far the wall clock is ahead and not followed; zero if it is followed.
    public let heldBack: Duration

    public init(heldBack: Duration) {
        self.heldBack = heldBack
    }

    /// Why it was not confirmed.
    public enum Refusal: CommandRefusal {
        /// So far, which is nothing.
        case notHeldBack(Duration)

        public var problem: Problem {
            switch self {
            case .notHeldBack:
                Problem(
                    .conflict,
                    "clock-not-held-back",
                    "confirming the clock refused: it is followed; there is nothing to confirm"
                )
            }
        }
    }

    public var subject: Subject { .clock }

    public func read(_ ledger: inout LedgerView) throws {}

    public func decide(
        _ state: Void,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard heldBack > .zero else { throw .notHeldBack(heldBack) }
        let confirmed = ClockConfirmed(heldBackMicroseconds: Int(heldBack / .microseconds(1)))
        return .record([Write(.clock, .clock(.confirmed(confirmed)))])
    }
}
