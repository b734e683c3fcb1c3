// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Logging
import ServiceLifecycle

/// Signs out operators who were silent for 300 s, and records it; their sessions become free.
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
            for principal in try await ledger.accounts.endIdleTokens() {
                try await signOut(principal)
            }
            try await Task.sleep(for: Self.lookInterval)
        }
    }

    private func signOut(_ principal: Principal) async throws {
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
