// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB

/// A user whose password was right a moment ago.
struct PasswordProof: Sendable {
    let user: UserAccount
    fileprivate let hash: String

    /// Whether it still is, and the user may still sign in: asked in the transaction that rests on it.
    func holds(in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: "SELECT 1 FROM users WHERE id = ? AND password = ? AND disabled = 0",
            arguments: [user.id, hash]
        ) ?? false
    }
}

extension AccountStore {
    /// Checks a login with its password; see ``provePassword(login:password:from:at:)``.
    func verifyPassword(
        login: String,
        password: String,
        from origin: SignInOrigin,
        at instant: ContinuousClock.Instant = .now
    ) async throws -> UserAccount {
        try await provePassword(login: login, password: password, from: origin, at: instant).user
    }

    /// Checks a login with its password.
    ///
    /// Takes as long for a login that does not exist. Throttled; see ``SignInThrottle``.
    ///
    /// - Throws: ``AccountError/signInRefused``, ``AccountError/signInThrottled(wait:)``,
    ///   ``AccountError/tooManySignIns``.
    func provePassword(
        login: String,
        password: String,
        from origin: SignInOrigin,
        at instant: ContinuousClock.Instant = .now
    ) async throws -> PasswordProof {
        guard (1...limits.loginBytes).contains(login.utf8.count) else {
            counts.count(.refused)
            throw AccountError.signInRefused
        }
        let row = try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM users WHERE login = ?",
                arguments: [login]
            )
            .map { (user: UserAccount(row: $0), hash: $0["password"] as String) }
        }
        let place = try await place(of: origin, for: row?.user)
        do {
            try throttle.begin(login: login, from: place, at: instant)
        } catch {
            counts.count(.throttled)
            throw error
        }
        let isRight = try await check(password, against: row?.hash, isKnown: place.isKnown)
        guard let row, isRight, !row.user.isDisabled else {
            counts.count(.refused)
            throw AccountError.signInRefused
        }
        throttle.succeeded(login: login, from: place, at: instant)
        return PasswordProof(user: row.user, hash: row.hash)
    }

    /// Signs a user in: checks the password and issues a token that ends by itself.
    ///
    /// A password that was changed while it was checked gives no token.
    func signIn(
        login: String,
        password: String,
        from origin: SignInOrigin,
        at instant: ContinuousClock.Instant = .now
    ) async throws -> (user: UserAccount, token: IssuedToken) {
        let proof = try await provePassword(
            login: login,
            password: password,
            from: origin,
            at: instant
        )
        let user = proof.user
        let idle = user.role.hasIdleLogout ? limits.operatorIdle : nil
        let token = try await issueToken(forUser: user.id, idle: idle, provedBy: proof)
        try await remember(origin, of: user)
        counts.count(.signedIn)
        return (user, token)
    }

    /// A new password that was found good, and whose old one was right.
    struct PasswordChange: Sendable {
        fileprivate let hash: PasswordHash
        fileprivate let proof: PasswordProof
    }

    /// Changes a user's own password; see ``passwordChange(of:from:to:from:)`` and ``make(_:keeping:)``.
    func changePassword(
        of principal: Principal,
        from old: String,
        to new: String,
        from origin: SignInOrigin
    ) async throws {
        try await make(
            try await passwordChange(of: principal, from: old, to: new, from: origin),
            keeping: principal.tokenID
        )
    }

    /// Judges the change of a user's own password; nothing is changed by it.
    ///
    /// - Throws: ``AccountError/signInRefused`` when the old one is wrong, and the refusals of
    ///   the new one.
    func passwordChange(
        of principal: Principal,
        from old: String,
        to new: String,
        from origin: SignInOrigin
    ) async throws -> PasswordChange {
        guard case .user(_, let login) = principal.identity else {
            throw AccountError.accountUnknown(principal.actor)
        }
        let proof = try await provePassword(login: login, password: old, from: origin)
        guard old != new else { throw AccountError.passwordUnchanged }
        try accept(password: new, login: login)
        return PasswordChange(hash: try await hash(new), proof: proof)
    }

    /// Makes a change that was judged; ends all of the user's tokens but one, such as the one in use.
    ///
    /// - Throws: ``AccountError/signInRefused`` when the password was changed meanwhile.
    func make(_ change: PasswordChange, keeping tokenID: String?) async throws {
        try await store(
            change.hash,
            ofUser: change.proof.user.id,
            isTemporary: false,
            keeping: tokenID,
            provedBy: change.proof
        )
    }

    /// Sets a temporary password for somebody who forgot theirs; signs them out.
    func resetPassword(ofUser id: String, to password: String) async throws {
        let user = try await user(id: id)
        try accept(password: password, login: user.login)
        try await store(
            try await hash(password),
            ofUser: id,
            isTemporary: true,
            keeping: nil,
            provedBy: nil
        )
    }

    private func store(
        _ hash: PasswordHash,
        ofUser id: String,
        isTemporary: Bool,
        keeping tokenID: String?,
        provedBy proof: PasswordProof?
    ) async throws {
        let time = now().milliseconds
        try await durably { database in
            guard try proof?.holds(in: database) ?? true else { throw AccountError.signInRefused }
            let count = try AccountRows(.users, id: id).update(
                set: "password = :password, temporary = :temporary",
                ["password": hash.text, "temporary": isTemporary],
                in: database
            )
            guard count == 1 else { throw AccountError.accountUnknown(id) }
            try Self.end(
                tokens: AccountRows(.tokens, "user", in: [id]),
                but: tokenID,
                at: time,
                in: database
            )
            // The one that stays was good after the change: a start that meets the change again lets it be.
            if let tokenID { try Self.noteUse(of: tokenID, at: time, in: database) }
        }
    }

    /// Judges a new password: length, and not the login in disguise.
    ///
    /// No rules of composition: they make passwords worse.
    func accept(password: String, login: String) throws(AccountError) {
        let allowed = limits.passwordCharacters
        guard password.count >= allowed.lowerBound else {
            throw .passwordTooShort(min: allowed.lowerBound)
        }
        guard password.count <= allowed.upperBound else {
            throw .passwordTooLong(max: allowed.upperBound)
        }
        guard login.count < 4 || !password.lowercased().contains(login.lowercased()) else {
            throw .passwordIsLogin
        }
    }

    /// Hashes a password on the threads for it.
    func hash(_ password: String) async throws -> PasswordHash {
        let cost = limits.passwordCost
        return try await checks.run { try PasswordHash(of: password, cost: cost) }
    }

    private func check(
        _ password: String,
        against text: String?,
        isKnown: Bool
    ) async throws -> Bool {
        let longest = limits.passwordCharacters.upperBound
        let cost = limits.passwordCost
        return try await checks.run(isKnown: isKnown) {
            guard password.count <= longest else { return false }
            guard let hash = text.flatMap(PasswordHash.init) else {
                // The same work, so that the time does not tell which logins exist.
                _ = try PasswordHash(of: password, cost: cost)
                return false
            }
            return try hash.matches(password)
        }
    }
}
