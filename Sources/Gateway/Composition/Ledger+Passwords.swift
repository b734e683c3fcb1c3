// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Logging
import Threads

/// Passwords are of the ledger's time: one of before the last change that it tells of opens nothing (decision 0055).
///
/// One of them at a time is between its event and the accounts, and meanwhile nobody holds the accounts against the ledger.
extension Ledger {
    /// Sets a temporary password, which the user must change, and signs the user out.
    ///
    /// - Returns: The password, at the only moment when it can be read.
    func resetPassword(
        of user: UserAccount,
        by changer: AccountChanger,
        _ context: CommandContext
    ) async throws -> String {
        let password = TemporaryPassword.random()
        try await accounts.changing.withLock {
            try await requireStill(changer, toChange: user.id)
            var position: LogPosition?
            try await accounts.probe()
            try await accounts.following.change {
                position = try await record(.passwordChanged(.reset), of: user, context)
            } making: {
                try await accounts.resetPassword(
                    ofUser: user.id,
                    to: password,
                    toldAt: position?.rawValue
                )
            }
        }
        try await signOut(UserID(unchecked: user.id), context)
        return password
    }

    /// Gives somebody the password that was found good; all their tokens end, but for the sign-in that asks.
    ///
    /// A token that was issued ends also when it asks: by the ledger none outlives a password.
    func changePassword(
        _ change: AccountStore.PasswordChange,
        of principal: Principal,
        _ context: CommandContext
    ) async throws {
        guard let user = principal.user else {
            throw AccountError.accountUnknown(principal.actor)
        }
        try await accounts.changing.withLock {
            // The old password was proved, which took its time.
            try await stillSignedIn(principal)
            // What somebody else changed meanwhile is not recorded as changed once more.
            guard try await accounts.holds(change) else {
                throw AccountError.signInRefused
            }
            try await accounts.probe()
            let kept = try keptSignIn(of: principal, user)
            var position: LogPosition?
            try await accounts.following.change {
                position = try await record(.passwordChanged(.own), of: change.user, context)
            } making: {
                try await accounts.make(change, toldAt: position?.rawValue, keeping: kept)
            }
        }
        try await signOut(user, context)
    }

    private func keptSignIn(of principal: Principal, _ user: UserID) throws -> StandingSignIns? {
        let issued = try handler.current(User.self, user).issuedTokens
        guard !issued.contains(principal.tokenID) else { return nil }
        return StandingSignIns(.one(principal.tokenID), since: try lastEnd(of: user))
    }

    /// Takes the password away that is not the one of which the ledger tells last, and ends what was opened with it.
    ///
    /// A row of before was put back, or a crash came between the event and the accounts; nobody knows the new one then.
    func followPassword(of found: UserAccount) async throws {
        guard try outdated(found) != nil else { return }
        let id = found.id
        try await accounts.changing.withLock {
            // It may have been changed meanwhile.
            let user = try await accounts.user(id: id)
            guard let known = try outdated(user) else { return }
            if user.passwordAt == nil, configuration.adoptsAccounts {
                return try await accounts.note(passwordAt: known.passwordAt, ofUser: id)
            }
            try await accounts.dropPassword(ofUser: id)
            logger.critical(
                "the password of an account is not the last one of which the ledger tells; it opens nothing now, and an admin gives another",
                metadata: ["category": "security", "user": "\(id)", "login": "\(user.login)"]
            )
        }
    }

    /// What the ledger says of an account that has another password than the last one of which it tells; otherwise `nil`.
    private func outdated(_ user: UserAccount) throws -> User? {
        let known = try handler.current(User.self, UserID(unchecked: user.id))
        guard known.account != nil, user.hasPassword, user.passwordAt != known.passwordAt else {
            return nil
        }
        return known
    }
}
