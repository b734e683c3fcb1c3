// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Logging
import Projections

/// Signs out operators who were silent for 300 s, and records it; their sessions stand unattended from then on (ruling 34).
///
/// So do the sessions of whoever is gone and was not signed out: the request, the accounts or the process failed in between,
/// or the tab was closed (decision 0058). It records also who is back at theirs.
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

    /// Signs out whoever is due: recorded first, then the token ends; then notes of everybody who has a session
    /// whether they are here.
    func look() async throws {
        var refusal: (any Error)?
        for principal in try await ledger.accounts.idleTokens() {
            await keep(&refusal) {
                try await recordSignOut(of: principal)
                try await ledger.accounts.revoke(tokenID: principal.tokenID)
            }
        }
        // A log that is doubted may say what somebody put there, and takes nothing.
        guard !ledger.log.isDoubted else { return }
        for owner in try await owners() {
            await keep(&refusal) {
                try await recorded { try await ledger.notePresence(of: owner) }
            }
        }
        if let refusal { throw refusal }
    }

    /// What cannot be done for one keeps nobody else waiting; the first is told behind all of them.
    private func keep(_ first: inout (any Error)?, _ act: () async throws -> Void) async {
        do { try await act() } catch { first = first ?? error }
    }

    /// Everybody who has a session; nobody while the desk cannot be read, which shows that itself.
    private func owners() async throws -> [UserID] {
        do {
            return try await ledger.readModels.desk.owners()
        } catch let error as ReadModelError {
            ledger.logger.debug("nobody looked for", metadata: ["reason": "\(error)"])
            return []
        }
    }

    private func recordSignOut(of principal: Principal) async throws {
        guard let user = principal.user else { return }
        let context = ledger.context(
            actor: .policy("idle-logout"),
            organisation: principal.organisation,
            command: CommandID(unchecked: "idle-logout~\(principal.tokenID)")
        )
        try await recorded {
            guard try await !ledger.isSignedIn(user, besides: principal.tokenID) else { return }
            _ = try await ledger.handler.handle(LogOut(user, reason: .idle), context)
        }
    }

    private func recorded(_ act: () async throws -> Void) async throws {
        do {
            try await act()
        } catch let refusal as any CommandRefusal {
            ledger.logger.debug("idle logout refused", metadata: ["reason": "\(refusal)"])
        } catch let error where error.isOfDamage {
            // Whose entries cannot be read may do nothing; the others are looked at all the same.
            ledger.logger.debug("idle logout not recorded", metadata: ["reason": "\(error)"])
        }
    }
}
