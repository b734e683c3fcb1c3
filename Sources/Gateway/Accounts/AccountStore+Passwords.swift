// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Synchronization

/// A user whose password was right a moment ago.
struct PasswordProof: Sendable {
    let user: UserAccount
    fileprivate let hash: PasswordHash
    /// The same password at the present cost, where it was kept at another.
    fileprivate var renewed: PasswordHash?

    /// Whether it still is, and the user may still sign in: asked in the transaction that rests on it.
    ///
    /// A password is known by its salt, which stays when only its cost changes.
    func holds(in database: Database) throws -> Bool {
        let text = try String.fetchOne(
            database,
            sql: """
                SELECT password FROM main.users NOT INDEXED
                WHERE id = ? AND disabled = 0 AND \(AccountStore.isOurs)
                """,
            arguments: [user.id]
        )
        return text.flatMap(PasswordHash.init)?.salt == hash.salt
    }

    /// Keeps the password at the present cost: as long as one is kept at another, the time of a refusal may tell that there is
    /// such a login.
    func renew(in database: Database) throws {
        guard let renewed else { return }
        try AccountRows(.users, id: user.id)
            .update(set: "password = :password", ["password": renewed.text], in: database)
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
    /// - Parameters:
    ///   - login: Whose.
    ///   - password: As it was typed.
    ///   - origin: Where the attempt comes from.
    ///   - instant: When, for the throttle.
    ///   - renews: Whether the proof is to bring the password along at the present cost, where it is kept at another.
    /// - Returns: The user, and that the password was right.
    /// - Throws: ``AccountError/signInRefused``, ``AccountError/signInThrottled(wait:)``,
    ///   ``AccountError/tooManySignIns``.
    func provePassword(
        login: String,
        password: String,
        from origin: SignInOrigin,
        at instant: ContinuousClock.Instant = .now,
        renews: Bool = false
    ) async throws -> PasswordProof {
        guard (1...limits.loginBytes).contains(login.utf8.count),
            password.utf8.count <= limits.passwordBytes
        else {
            counts.count(.refused)
            throw AccountError.signInRefused
        }
        let (known, costs) = try await read { database in
            let row = try Row.fetchOne(
                database,
                // An index that somebody edited leads to a planted row first.
                sql: "SELECT * FROM main.users NOT INDEXED WHERE login = ? AND \(Self.isOurs)",
                arguments: [login]
            )
            // Asked for known logins, too: it takes its time.
            let hashes = try String.fetchAll(
                database,
                sql: "SELECT password FROM \(AccountRows.Table.users.unhidden())"
            )
            return (
                row.map { (user: UserAccount(row: $0), hash: PasswordHash($0["password"])) },
                hashes.compactMap { PasswordHash($0)?.cost }
            )
        }
        let place = try await place(of: origin, for: known?.user)
        do {
            try throttle.begin(login: login, from: place, at: instant)
        } catch {
            counts.count(.throttled)
            throw error
        }
        let check = PasswordCheck(
            hash: known?.hash,
            costOfNone: cost(ofUnknown: login, among: costs),
            renewedAt: renews && known?.user.isDisabled == false ? limits.passwordCost : nil
        )
        let result = try await self.check(password, against: check, isKnown: place.isKnown)
        guard let known, let hash = known.hash, result.isRight,
            let user = try await admitted(known.user)
        else {
            counts.count(.refused)
            throw AccountError.signInRefused
        }
        throttle.succeeded(login: login, from: place, at: instant)
        return PasswordProof(user: user, hash: hash, renewed: result.renewed)
    }

    /// An account whose password was right, with the rights that the ledger gives it; `nil` for one that may not sign in.
    private func admitted(_ user: UserAccount) async throws -> UserAccount? {
        guard try await isPasswordTold(of: user) else { return nil }
        let told = try await asTold(user)
        return told.isDisabled ? nil : told
    }

    /// What checking a password costs for a login that does not exist: what it does for one of those that do, and for the same
    /// login always the same one's, so that the time tells nothing where some are kept at an earlier cost.
    func cost(ofUnknown login: String, among costs: [PasswordCost]) -> PasswordCost {
        guard !costs.isEmpty else { return limits.passwordCost }
        let digest = fingerprintKey.code(of: Array("login \(login.lowercased())".utf8))
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let place = number.multipliedFullWidth(by: UInt64(costs.count)).high
        return costs.sorted { $0.isLess(than: $1) }[Int(place)]
    }

    /// Signs a user in: checks the password and issues a token that ends by itself.
    ///
    /// A password that was changed while it was checked gives no token. One that is kept at another cost than the present one is
    /// kept at that from then on.
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
            at: instant,
            renews: true
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

        var user: UserAccount { proof.user }
    }

    /// Whether the password that was shown for a change is still the one.
    func holds(_ change: PasswordChange) async throws -> Bool {
        try await read { try change.proof.holds(in: $0) }
    }

    /// Changes a user's own password; see ``passwordChange(of:from:to:from:)`` and ``make(_:toldAt:keeping:)``.
    func changePassword(
        of principal: Principal,
        from old: String,
        to new: String,
        from origin: SignInOrigin
    ) async throws {
        try await make(
            try await passwordChange(of: principal, from: old, to: new, from: origin),
            keeping: StandingSignIns(.one(principal.tokenID), since: nil)
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
    /// - Parameters:
    ///   - change: What was judged.
    ///   - position: Where the ledger tells of it; `nil` where it does not.
    ///   - kept: The one that stays.
    /// - Throws: ``AccountError/signInRefused`` when the password was changed meanwhile.
    func make(
        _ change: PasswordChange,
        toldAt position: UInt64? = nil,
        keeping kept: StandingSignIns?
    ) async throws {
        try await store(
            change.hash,
            toldAt: position,
            ofUser: change.proof.user.id,
            isTemporary: false,
            keeping: kept,
            provedBy: change.proof
        )
    }

    /// Sets a temporary password for somebody who forgot theirs; signs them out.
    ///
    /// - Parameters:
    ///   - id: The user.
    ///   - password: The new one.
    ///   - position: Where the ledger tells of it; `nil` where it does not.
    /// - Throws: ``AccountError`` for no such user; when the accounts cannot be written.
    func resetPassword(
        ofUser id: String,
        to password: String,
        toldAt position: UInt64? = nil
    ) async throws {
        let user = try await user(id: id)
        try accept(password: password, login: user.login)
        try await store(
            try await hash(password),
            toldAt: position,
            ofUser: id,
            isTemporary: true,
            keeping: nil,
            provedBy: nil
        )
    }

    private func store(
        _ hash: PasswordHash,
        toldAt position: UInt64?,
        ofUser id: String,
        isTemporary: Bool,
        keeping kept: StandingSignIns?,
        provedBy proof: PasswordProof?
    ) async throws {
        let time = now().milliseconds
        try await durably { database in
            guard try proof?.holds(in: database) ?? true else { throw AccountError.signInRefused }
            let count = try AccountRows(.users, id: id).update(
                set: """
                    password = :password, temporary = :temporary,
                    password_at = coalesce(:position, password_at)
                    """,
                [
                    "password": hash.text, "temporary": isTemporary,
                    "position": position.map(Int64.init(clamping:)),
                ],
                in: database
            )
            guard count == 1 else { throw AccountError.accountUnknown(id) }
            try Self.end(
                tokens: AccountRows(.tokens, "user", in: [id]),
                but: kept?.tokenID,
                at: time,
                in: database
            )
            try kept?.outlive(until: time, in: database)
        }
    }

    /// Judges a new password: length, and not the login in disguise.
    ///
    /// No rules of composition: they make passwords worse.
    func accept(password: String, login: String) throws(AccountError) {
        guard password.utf8.count <= limits.passwordBytes else {
            throw .passwordOfTooManyBytes(max: limits.passwordBytes)
        }
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

    /// Hashes a password on the threads for it; with a fresh salt unless one is given.
    func hash(_ password: String, salt: Data? = nil) async throws -> PasswordHash {
        let cost = limits.passwordCost
        return try await checks.run { try PasswordHash(of: password, cost: cost, salt: salt) }
    }

    /// What a password is held against.
    private struct PasswordCheck: Sendable {
        /// `nil` where there is no such login, or it has no password.
        let hash: PasswordHash?
        /// What the check costs then.
        let costOfNone: PasswordCost
        /// At which cost a right one is wanted, too; `nil` for as it is.
        let renewedAt: PasswordCost?
    }

    private func check(
        _ password: String,
        against check: PasswordCheck,
        isKnown: Bool
    ) async throws -> (isRight: Bool, renewed: PasswordHash?) {
        let longest = limits.passwordCharacters.upperBound
        return try await checks.run(isKnown: isKnown) {
            guard password.count <= longest else { return (false, nil) }
            guard let hash = check.hash else {
                // The same work, so that the time does not tell which logins exist.
                _ = try PasswordHash(of: password, cost: check.costOfNone)
                return (false, nil)
            }
            guard try hash.matches(password) else { return (false, nil) }
            guard let cost = check.renewedAt, cost != hash.cost else { return (true, nil) }
            return (true, try PasswordHash(of: password, cost: cost, salt: hash.salt))
        }
    }
}
