// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Hummingbird

/// What is changed about accounts: the accounts first, so that what is forbidden ends at once, then the ledger.
///
/// What a crash keeps from the ledger is told at the next start; see ``ensureFirstAdmin()``.
extension Ledger {
    /// Forbids a user to sign in: every token ends, and open sessions become free.
    func disable(
        _ user: UserAccount,
        reason: String,
        _ context: CommandContext
    ) async throws {
        try await accounts.setDisabled(true, user: user.id)
        try await record(.disabled(reason: reason), of: user, context)
        try await signOut(user, context)
    }

    /// Lets a user sign in again.
    func enable(_ user: UserAccount, reason: String, _ context: CommandContext) async throws {
        try await accounts.setDisabled(false, user: user.id)
        try await record(.enabled(reason: reason), of: user, context)
    }

    /// Forbids a user to sign in, or lets the user sign in again.
    func setDisabled(
        _ isDisabled: Bool,
        _ user: UserAccount,
        reason: String,
        _ context: CommandContext
    ) async throws {
        if isDisabled {
            try await disable(user, reason: reason, context)
        } else {
            try await enable(user, reason: reason, context)
        }
    }

    /// Changes what a user may do, and signs the user out.
    func setRole(
        _ role: Role,
        of user: UserAccount,
        reason: String,
        _ context: CommandContext
    ) async throws {
        guard role != user.role else { return }
        try await accounts.setRole(role, ofUser: user.id)
        try await record(.role(role, reason: reason), of: user, context)
        try await signOut(user, context)
    }

    /// Sets a temporary password, which the user must change, and signs the user out.
    ///
    /// - Returns: The password, at the only moment when it can be read.
    func resetPassword(of user: UserAccount, _ context: CommandContext) async throws -> String {
        let password = TemporaryPassword.random()
        try await accounts.resetPassword(ofUser: user.id, to: password)
        try await record(.passwordChanged(.reset), of: user, context)
        try await signOut(user, context)
        return password
    }

    /// Issues a token of a user; no token is good of which the ledger does not know.
    func issueToken(
        of user: UserAccount,
        life: Duration?,
        provedBy proof: PasswordProof? = nil,
        _ context: CommandContext
    ) async throws -> IssuedToken {
        let issued = try await accounts.issueToken(
            forUser: user.id,
            life: life,
            provedBy: proof
        )
        do {
            let change = ChangeAccount.Change.tokenIssued(
                issued.id,
                until: Timestamp(issued.expires)
            )
            try await record(change, of: user, context)
        } catch {
            try await accounts.revoke(tokenID: issued.id)
            throw error
        }
        return issued
    }

    /// Ends a token of a user.
    func revokeToken(
        _ id: String,
        of user: UserAccount,
        _ context: CommandContext
    ) async throws {
        try await accounts.revoke(tokenID: id)
        try await record(.tokenRevoked(id), of: user, context)
    }

    /// Ends the sign-in whose cookie a new one takes the place of: no page has it any more, so nobody could end it.
    ///
    /// Who leaves the browser to somebody else, and is signed in nowhere else, has signed out.
    func endReplacedSignIn(
        _ request: Request,
        _ context: GatewayContext,
        by new: Principal
    ) async throws {
        guard let old = context.principal,
            Credential(of: request, to: context.endpointPath)?.place == .cookie
        else { return }
        if let user = old.user, old.user != new.user, try await !isSignedInElsewhere(old) {
            _ = try await handler.handle(
                LogOut(user, reason: .user),
                self.context(of: old, correlation: context.requestID)
            )
        }
        try await accounts.revoke(tokenID: old.tokenID)
    }

    private func isSignedInElsewhere(_ principal: Principal) async throws -> Bool {
        guard let id = principal.userID else { return false }
        let time = Date(milliseconds: now.microseconds / 1_000)
        return try await accounts.tokens(ofUser: id).contains {
            $0.id != principal.tokenID && $0.revoked == nil && $0.expires > time
        }
    }

    /// Ends a registered phone, its tokens and its pushes.
    func revokeDevice(
        _ device: DeviceID,
        reason: String,
        _ context: CommandContext
    ) async throws {
        try await accounts.revokeDevice(id: "\(device)")
        _ = try await handler.handle(RevokeDevice(device, reason: reason), context)
    }

    /// Tells the ledger what the accounts have of a user and it has not, after a crash between the two.
    func tellChanges(of user: UserAccount) async throws {
        let known = try handler.current(User.self, UserID(unchecked: user.id))
        let reason = "found in the accounts at the start"
        var changes: [ChangeAccount.Change] = []
        if known.role != user.role { changes.append(.role(user.role, reason: reason)) }
        if known.isDisabled != user.isDisabled {
            changes.append(user.isDisabled ? .disabled(reason: reason) : .enabled(reason: reason))
        }
        for change in changes {
            let organisation = OrganisationID(unchecked: user.org)
            try await record(change, of: user, context(actor: .ledger, organisation: organisation))
        }
    }

    func record(
        _ change: ChangeAccount.Change,
        of user: UserAccount,
        _ context: CommandContext
    ) async throws {
        let command = ChangeAccount(UserID(unchecked: user.id), change)
        _ = try await handler.handle(command, context)
    }

    /// Records that a user whose tokens have ended is gone, and frees what they had open.
    private func signOut(_ user: UserAccount, _ context: CommandContext) async throws {
        let command = LogOut(UserID(unchecked: user.id), reason: .revoked)
        let own = self.context(actor: context.stamp.actor, organisation: context.organisation)
        _ = try await handler.handle(command, own)
    }
}
