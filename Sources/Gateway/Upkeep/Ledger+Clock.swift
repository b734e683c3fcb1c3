// SPDX-License-Identifier: Apache-2.0
import Commands
import Events

extension Ledger {
    /// What confirms the clock as it stands now.
    var clockConfirmation: ConfirmClock {
        let standing = log.clock.standing
        return ConfirmClock(heldBack: standing.heldSince == nil ? .zero : standing.lead)
    }

    /// Records that somebody confirmed the clock, by which the log follows it.
    ///
    /// Whoever is signed in stays so: the ledger's time jumps, and nobody was silent for that long.
    func withSignInsPostponed<Value>(
        for confirmation: ConfirmClock,
        _ confirm: () async throws -> Value
    ) async throws -> Value {
        guard confirmation.heldBack > .zero else { return try await confirm() }
        // Before the jump, or a sign-out could come in between.
        try await accounts.postponeSignIns(by: confirmation.heldBack)
        do {
            return try await confirm()
        } catch {
            try await accounts.postponeSignIns(by: .zero - confirmation.heldBack)
            throw error
        }
    }
}
