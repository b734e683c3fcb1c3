// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB

/// A token with whom it belongs to, as the tables say.
struct TokenRow: Sendable {
    let id: String
    let expires: Date
    let used: Date
    /// The phone was told several, and nobody knows yet which of them it has.
    let isInDoubt: Bool
    let idle: Duration?
    let revoked: Date?
    /// The account is disabled or the device revoked, or the role is unknown to this version.
    let isSubjectBarred: Bool
    let principal: Principal

    /// `nil` for one whose user or phone is gone, does not carry its code, or is not who an edited index leads to.
    init?(_ row: Row) {
        guard let name = row["role"] as String?, row["user"] as String? == row["user_id"],
            row["device"] as String? == row["device_id"]
        else { return nil }
        let role = Role(rawValue: name)
        id = row["id"]
        expires = Date(milliseconds: row["expires"])
        let lastUse = row["used"] as Int64
        used = Date(milliseconds: abs(lastUse))
        isInDoubt = lastUse <= 0
        idle = (row["idle"] as Int64?).map { .milliseconds($0) }
        revoked = (row["revoked"] as Int64?).map(Date.init(milliseconds:))
        let isDisabled = (row["disabled"] as Bool?) ?? false
        isSubjectBarred = isDisabled || row["device_revoked"] as Int64? != nil || role == nil
        principal = Principal(
            identity: Self.identity(in: row),
            role: role ?? .caller,
            org: row["org"],
            scopes: TokenSummary.scopes(row["scopes"]),
            tokenID: id,
            past: Self.past(in: row),
            isJudged: (row["device_judged"] as Bool?) ?? false,
            // A service has nobody who could change it; its tokens are issued by whoever manages it.
            mustChangePassword: role != .service && (row["temporary"] as Bool?) ?? false
        )
    }

    /// What a phone sees of the time before it was registered; one that came by a link is held to that link's session.
    private static func past(in row: Row) -> Principal.Past {
        guard let since = row["device_since"] as Int64?, (row["scopes"] as String).isEmpty else {
            return .all
        }
        return .since(since, and: TokenSummary.scopes((row["device_sessions"] as String?) ?? ""))
    }

    private static func identity(in row: Row) -> Principal.Identity {
        if let user = row["user"] as String? { return .user(id: user, login: row["login"]) }
        return .device(id: row["device"], person: row["person"], phoneNumber: row["phone"])
    }
}

extension TokenSummary {
    init(row: Row) {
        id = row["id"]
        created = Date(milliseconds: row["created"])
        expires = Date(milliseconds: row["expires"])
        lastUsed = Date(milliseconds: abs(row["used"] as Int64))
        revoked = (row["revoked"] as Int64?).map(Date.init(milliseconds:))
        scopes = Self.scopes(row["scopes"])
    }

    /// Scopes stand in one column, parted by spaces, as in OAuth.
    static func scopes(_ text: String) -> Set<String> {
        Set(text.split(separator: " ").map(String.init))
    }
}

/// A token before it is stored.
struct NewToken: Sendable {
    var user: String?
    var device: String?
    var scopes: Set<String> = []
    var life: Duration
    var idle: Duration?
    /// Whether it is one of several of a phone, of which nobody knows yet which it has.
    var isInDoubt = false

    /// Stores a token under a fresh secret.
    ///
    /// - Parameters:
    ///   - database: Within a transaction.
    ///   - time: When it begins.
    ///   - id: What it is called; `nil` for a name that nobody can make again.
    /// - Returns: The token, which cannot be read again.
    /// - Throws: When it cannot be written.
    func insert(
        into database: Database,
        at time: Date,
        called id: String? = nil
    ) throws -> IssuedToken {
        let issued = IssuedToken(
            token: IssuedToken.fresh(),
            id: id ?? UUID().uuidString.lowercased(),
            expires: Date(milliseconds: (time + life).milliseconds)
        )
        let used = isInDoubt ? 0 : time.milliseconds
        let row = NewAccountRow(
            .tokens,
            [
                "id": issued.id, "hash": IssuedToken.digest(of: issued.token), "user": user,
                "device": device, "scopes": scopes.sorted().joined(separator: " "),
                "created": time.milliseconds, "expires": issued.expires.milliseconds,
                "idle": idle.map { Int64($0 / .milliseconds(1)) }, "used": used,
            ]
        )
        try row.insert(in: database)
        return issued
    }
}

extension AccountStore {
    /// Stores a token and hands it out, once.
    func issue(
        _ token: NewToken,
        provedBy proof: PasswordProof? = nil
    ) async throws -> IssuedToken {
        let time = now()
        let forgotten = time - limits.endedTokenMemory
        let batch = limits.endedTokensAtOnce
        return try await durably { database in
            guard try proof?.holds(in: database) ?? true else { throw AccountError.signInRefused }
            try proof?.renew(in: database)
            try Self.forgetTokens(expiredBefore: forgotten, batch, in: database)
            return try token.insert(into: database, at: time)
        }
    }

    /// Forgets sign-ins and issued tokens that ended long ago, so many at once or none: whoever listens for changes of rights is
    /// rung for it.
    ///
    /// Those of phones stay: by them it is told how a phone came. What is to be signed out for its silence stays until that is
    /// recorded.
    private static func forgetTokens(
        expiredBefore time: Date,
        _ batch: Int,
        in database: Database
    ) throws {
        let ids = try String.fetchSet(
            database,
            sql: """
                SELECT id FROM main.tokens NOT INDEXED
                WHERE user IS NOT NULL AND expires < ? AND (revoked IS NOT NULL OR idle IS NULL)
                    AND id IS NOT NULL
                LIMIT ?
                """,
            arguments: [time.milliseconds, batch]
        )
        guard ids.count == batch else { return }
        do {
            try database.inSavepoint {
                try AccountRows(.tokens, "id", in: ids).delete(in: database)
                return .commit
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            // An index that somebody edited does not lead to them. Nobody is kept out for it: a start makes it anew.
        }
    }
}
