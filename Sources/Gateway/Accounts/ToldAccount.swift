// SPDX-License-Identifier: Apache-2.0
import Events
import GRDB
import Synchronization
import Threads

/// What the ledger says of an account.
struct ToldAccount: Sendable, Hashable {
    let role: Role
    let org: String
    let isDisabled: Bool
    /// Where it tells of the last password.
    let passwordAt: UInt64

    /// Whether a row gives the same rights.
    func isSo(of user: UserAccount) -> Bool {
        user.role == role && user.org == org && user.isDisabled == isDisabled
    }
}

/// Whom the accounts ask about rights, for a good row of an earlier day can be put back beside a running gateway, code and all
/// (decision 0060).
struct AccountTeller: Sendable {
    /// What the ledger says of an account by its id; `nil` where it tells of none.
    let told: @Sendable (String) async throws -> ToldAccount?
    /// Reads what the ledger says of a phone by its id, to see whether it can; tells whether one was registered.
    let readPhone: @Sendable (String) async throws -> Bool
    /// Whether whom it does not know has no right: while nobody decided whether the log is the right one.
    ///
    /// Otherwise a start has ended what no event made, and what is not told yet was made a moment ago.
    let mustKnow: @Sendable () -> Bool
    /// Hears of an account that had other rights, and has the ledger's now.
    let hasFollowed: @Sendable (UserAccount) -> Void
}

extension AccountStore {
    /// Whether the password of an account is the last one of which the ledger tells; without a ledger every one is.
    func isPasswordTold(of user: UserAccount) async throws -> Bool {
        guard let teller = teller.withLock({ $0 }) else { return true }
        return user.passwordAt == (try await told(user.id, by: teller)?.passwordAt ?? 0)
    }

    /// What the ledger says of an account.
    ///
    /// - Throws: ``AccountError/accountUnreadable`` where its entries cannot be read: it has no rights then, for a row of an earlier
    ///   day may lie there, and the entry that ended it may be the one that somebody damaged.
    private func told(_ id: String, by teller: AccountTeller) async throws -> ToldAccount? {
        try await unlessUnread(UnreadEntries(users: [id])) { try await teller.told(id) }
    }

    private func unlessUnread<Value>(
        _ entries: UnreadEntries,
        _ read: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await read()
        } catch let error where error.isOfDamage {
            _ = following.note(entries)
            throw AccountError.accountUnreadable
        }
    }

    /// An account with the rights that the ledger gives it: where the row has others, it gets these, and is sealed anew.
    func asTold(_ user: UserAccount) async throws -> UserAccount {
        guard let teller = teller.withLock({ $0 }), try await isOutdated(user, teller) != nil else {
            return user
        }
        // Whoever changes it meanwhile is between its event and its row.
        return try await changing.withLock {
            let found = try await self.user(id: user.id)
            guard let told = try await isOutdated(found, teller) else { return found }
            try await bring(found.id, to: told.role, of: told.org, isDisabled: told.isDisabled)
            teller.hasFollowed(found)
            return try await self.user(id: user.id)
        }
    }

    /// What the ledger says of an account that has other rights.
    private func isOutdated(
        _ user: UserAccount,
        _ teller: AccountTeller
    ) async throws -> ToldAccount? {
        guard let told = try await told(user.id, by: teller), !told.isSo(of: user) else {
            return nil
        }
        return told
    }

    /// Holds a user who shows a token to the ledger's word: other rights than that are brought to it, and end the token.
    ///
    /// Of a phone the entries must be such that they can be read.
    ///
    /// - Throws: ``AccountError/tokenRevoked``, ``AccountError/accountUnreadable``, ``AccountError/accountUntold``.
    func hold(_ principal: Principal) async throws {
        guard let teller = teller.withLock({ $0 }) else { return }
        if let phone = principal.deviceID {
            let isKnown = try await unlessUnread(UnreadEntries(phones: [phone])) {
                try await teller.readPhone(phone)
            }
            guard isKnown || !teller.mustKnow() else { throw AccountError.accountUntold }
            return
        }
        guard let id = principal.userID else { return }
        let told = try await told(id, by: teller)
        guard told != nil || !teller.mustKnow() else { throw AccountError.accountUntold }
        guard let told, told.role != principal.role || told.org != principal.org || told.isDisabled
        else { return }
        do {
            _ = try await asTold(try await user(id: id))
        } catch let error as DatabaseError where error.isOfDisk {
            following.fallBehind(error)
        }
        throw AccountError.tokenRevoked
    }
}
