// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Logging
import ServiceLifecycle

/// Signs out operators who were silent for 300 s, and records it; their sessions become free.
///
/// Somebody who is signed in elsewhere, and busy there, has not left and keeps the sessions.
struct IdleLogoutService: Service {
    /// How exactly the silence is measured.
    static let lookInterval = Duration.seconds(5)

    let ledger: Ledger

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await self.watch() }
        } catch is CancellationError {
            // A token that ended meanwhile is refused all the same.
        }
    }

    private func watch() async throws {
        while !Task.isCancelled {
            do {
                try await look()
            } catch let error as CancellationError {
                throw error
            } catch {
                // A full disk must not end the gateway: the next look finds the same tokens.
                if ledger.log.isClosed { return }
                ledger.logger.error("nobody was signed out", metadata: ["error": "\(error)"])
            }
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
