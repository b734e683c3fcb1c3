// SPDX-License-Identifier: Apache-2.0
import Commands
public import Events

/// The clock, from the console.
extension Upkeep {
    /// How the wall clock stands to the ledger's time; `nil` before the ledger was opened for the first time.
    public func clockStanding() -> ClockStanding? {
        GuardedClock.standing(of: configuration.folder, clock: configuration.clock)
    }

    /// Says that the wall clock is right, so that the ledger follows it again.
    ///
    /// - Throws: `ConfirmClock.Refusal` if it is followed.
    public func confirmClock() async throws {
        try await work { ledger in
            let confirmation = ledger.clockConfirmation
            try await ledger.withSignInsPostponed(for: confirmation) {
                _ = try await ledger.handler.handle(confirmation, context(in: ledger))
            }
        }
    }
}
