// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Logging

/// Signs out operators who were silent for 300 s, and records it; their sessions become free.
///
/// Somebody who is signed in elsewhere, and busy there, has not left and keeps the sessions.
struct IdleLogoutService: Sendable {
    /// How exactly the silence is measured.
    static let lookInterval = Duration.seconds(5)

    let ledger: Ledger

    /// Looks until it is cancelled; a token that ended meanwhile is refused all the same.
    ///
    /// - Throws: What keeps it from signing anybody out, such as a full disk: the next look finds the same tokens.
    func run() async throws {
        while true {
            try await look()
            try await Task.sleep(for: Self.lookInterval)
        }
    }

    /// Signs out whoever is due: recorded first, then the token ends.
    func look() async throws {
        for token in try await ledger.accounts.idleTokens() {
            if token.isLast { try await recordSignOut(of: token.principal) }
            try await ledger.accounts.revoke(tokenID: token.principal.tokenID)
        }
    }

    private func recordSignOut(of principal: Principal) async throws {
        guard let user = principal.user else { return }
        let context = ledger.context(
            actor: .policy("idle-logout"),
            organisation: principal.organisation,
            command: CommandID(unchecked: "idle-logout~\(principal.tokenID)")
        )
        do {
            _ = try await ledger.handler.handle(LogOut(user, reason: .idle), context)
        } catch let refusal as any CommandRefusal {
            ledger.logger.debug("idle logout refused", metadata: ["reason": "\(refusal)"])
        }
    }
}
