// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import GRDB
import Logging
import Threads

/// What is changed about accounts: the ledger first, then the accounts follow it (decision 0034).
///
/// What cannot be recorded changes nothing. What a crash, or a full disk, keeps from the accounts they are brought to at the next
/// start, or as soon as they can be written again.
extension Ledger {
    /// Forbids a user to sign in: every token ends, and open sessions become free.
    func disable(
        _ user: UserAccount,
        reason: String,
        by changer: AccountChanger,
        _ context: CommandContext
    ) async throws {
        try await change(user, .disabled(reason: reason), leaving: nil, by: changer, context)
        try await signOut(UserID(unchecked: user.id), context)
    }

    /// Lets a user sign in again.
    func enable(
        _ user: UserAccount,
        reason: String,
        by changer: AccountChanger,
        _ context: CommandContext
    ) async throws {
        try await change(user, .enabled(reason: reason), leaving: user.role, by: changer, context)
    }

    /// Forbids a user to sign in, or lets the user sign in again.
    func setDisabled(
        _ isDisabled: Bool,
        _ user: UserAccount,
        reason: String,
        by changer: AccountChanger,
        _ context: CommandContext
    ) async throws {
        if isDisabled {
            try await disable(user, reason: reason, by: changer, context)
        } else {
            try await enable(user, reason: reason, by: changer, context)
        }
    }

    /// Changes what a user may do, and signs the user out.
    func setRole(
        _ role: Role,
        of user: UserAccount,
        reason: String,
        by changer: AccountChanger,
        _ context: CommandContext
    ) async throws {
        guard role != user.role else { return }
        try await change(user, .role(role, reason: reason), leaving: role, by: changer, context)
        try await signOut(UserID(unchecked: user.id), context)
    }

    /// Records what is to be so of an account, then makes it so; one after another, so that no two end the last admin together,
    /// and nobody changes what is not theirs any more.
    private func change(
        _ user: UserAccount,
        _ change: ChangeAccount.Change,
        leaving role: Role?,
        by changer: AccountChanger,
        _ context: CommandContext
    ) async throws {
        try await accounts.changing.withLock {
            try await requireStill(changer, toChange: user.id)
            if role != .admin { try await accounts.refuseLastAdmin(user.id) }
            try await accounts.probe()
            try await accounts.following.change {
                try await record(change, of: user, context)
            } making: {
                try await follow(user.id)
            }
        }
    }

    /// Brings an account to what the ledger says of it.
    ///
    /// One whose person was erased has ended: nothing opens it again, be it the last admin's, or one that an earlier version
    /// did not call disabled.
    func follow(_ id: String) async throws {
        let known = try handler.current(User.self, UserID(unchecked: id))
        let user = try await accounts.user(id: id)
        guard known.account != nil else { return }
        guard try !isErased(user) else { return try await accounts.bar([id]) }
        if let role = known.role, role != user.role { try await accounts.setRole(role, ofUser: id) }
        if known.isDisabled != user.isDisabled {
            try await accounts.setDisabled(known.isDisabled, user: id)
        }
    }

    /// The same when the accounts may be an earlier day's, or changed by hand: the ledger counts, also of the last admin.
    ///
    /// Nothing is recorded because the file says so, but for the end of an account whose person was erased, which the ledger
    /// itself tells.
    func settle(_ user: UserAccount) async throws {
        let known = try handler.current(User.self, UserID(unchecked: user.id))
        guard let account = known.account, let role = known.role else { return }
        guard try !isErased(user) else {
            try await accounts.bar([user.id])
            guard !known.isDisabled else { return }
            try await record(
                .disabled(reason: "the person was erased"),
                of: user,
                context(actor: .ledger, organisation: account.organisation)
            )
            return
        }
        guard
            role != user.role || known.isDisabled != user.isDisabled
                || account.organisation.text != user.org
        else { return }
        try await accounts.changing.withLock {
            try await accounts.bring(
                user.id,
                to: role,
                of: account.organisation.text,
                isDisabled: known.isDisabled
            )
        }
        logger.warning(
            "an account was brought to what the ledger says of it",
            metadata: ["category": "security", "user": "\(user.id)"]
        )
    }

    /// What a request asks that was recorded already, and perhaps no more than that: the account follows, and its user has left.
    func settle(_ user: UserAccount, asked context: CommandContext) async throws {
        try await settle(user)
        try await signOut(UserID(unchecked: user.id), context)
    }

    /// Issues a token of a user; no token is good of which the ledger does not know, nor one of an account that became another's
    /// meanwhile.
    func issueToken(
        of user: UserAccount,
        life: Duration?,
        provedBy proof: PasswordProof? = nil,
        by changer: AccountChanger,
        _ context: CommandContext
    ) async throws -> IssuedToken {
        try await accounts.changing.withLock {
            try await requireStill(changer, toIssueTokenOf: user.id)
            return try await issue(user, life, proof, context)
        }
    }

    private func issue(
        _ user: UserAccount,
        _ life: Duration?,
        _ proof: PasswordProof?,
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

    /// Ends a token of a user, who has left if it was the last.
    func revokeToken(
        _ id: String,
        of user: UserAccount,
        _ context: CommandContext
    ) async throws {
        try await accounts.probe()
        try await accounts.following.change {
            try await record(.tokenRevoked(id), of: user, context)
        } making: {
            try await accounts.revoke(tokenID: id)
        }
        try await signOut(UserID(unchecked: user.id), context)
    }

    /// Records a change of an account.
    ///
    /// - Returns: Where its event stands; `nil` if it was so already.
    @discardableResult
    func record(
        _ change: ChangeAccount.Change,
        of user: UserAccount,
        _ context: CommandContext
    ) async throws -> LogPosition? {
        let command = ChangeAccount(UserID(unchecked: user.id), change)
        return try await handler.handle(command, context).receipt?.last
    }
}
