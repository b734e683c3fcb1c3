// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Synchronization

extension AccountStore {
    /// Issues a token for a user.
    ///
    /// - Parameters:
    ///   - id: The user.
    ///   - scopes: What it is limited to; empty for all that the role may do.
    ///   - life: How long it lasts; `nil` for ``AccountLimits/tokenLife``.
    ///   - idle: After how much silence it ends; `nil` for never.
    ///   - proof: The password that was shown for it; changed meanwhile, it gives none.
    /// - Returns: The token, which cannot be read again.
    /// - Throws: ``AccountError/signInRefused``; when there is no such user, or the accounts cannot be written.
    func issueToken(
        forUser id: String,
        scopes: Set<String> = [],
        life: Duration? = nil,
        idle: Duration? = nil,
        provedBy proof: PasswordProof? = nil
    ) async throws -> IssuedToken {
        let token = NewToken(user: id, scopes: scopes, life: life ?? limits.tokenLife, idle: idle)
        return try await issue(token, provedBy: proof)
    }

    /// Issues a further token for a device.
    func issueToken(forDevice id: String, scopes: Set<String> = []) async throws -> IssuedToken {
        try await issue(NewToken(device: id, scopes: scopes, life: limits.deviceTokenLife))
    }

    /// Finds out who holds a token, and notes that it is in use.
    ///
    /// - Throws: ``AccountError`` when it is unknown, expired, revoked, idle for too long, or of
    ///   a disabled account.
    func authenticate(_ token: String) async throws -> Principal {
        try await confirm(.digest(IssuedToken.digest(of: token)))
    }

    /// Checks again that somebody is still signed in, and notes that they are active.
    ///
    /// For sockets, which outlive the request that opened them: call it for each message, and a
    /// revoked or disabled user is out at once.
    ///
    /// - Returns: Who it is now.
    /// - Throws: As ``authenticate(_:)``.
    @discardableResult
    func confirm(_ principal: Principal) async throws -> Principal {
        try await confirm(.id(principal.tokenID))
    }

    /// Checks again that somebody is still signed in, as who they were then, without taking that for activity.
    ///
    /// - Returns: Who it is now: somebody may have agreed to more.
    /// - Throws: As ``authenticate(_:)``; ``AccountError/tokenRevoked`` for another role, organisation or limit.
    @discardableResult
    func stillSignedIn(_ principal: Principal) async throws -> Principal {
        try await signedIn(principal).principal
    }

    /// Who somebody who is still signed in is now, and for how long the token lasts if they do nothing.
    ///
    /// - Throws: As ``stillSignedIn(_:)``.
    func signedIn(_ principal: Principal) async throws -> (principal: Principal, lasts: Duration) {
        let found = try await valid(.id(principal.tokenID))
        guard principal.goesOn(as: found.principal) else { throw AccountError.tokenRevoked }
        let silence = found.idle.map { lastUse(of: found) + $0 } ?? found.expires
        return (
            found.principal, .seconds(min(found.expires, silence).timeIntervalSince(now()))
        )
    }

    private enum TokenName: Sendable {
        case id(String)
        case digest(Data)

        var column: String {
            switch self {
            case .id: "id"
            case .digest: "hash"
            }
        }

        var value: DatabaseValue {
            switch self {
            case .id(let id): id.databaseValue
            case .digest(let digest): digest.databaseValue
            }
        }
    }

    private func confirm(_ name: TokenName) async throws -> Principal {
        let found = try await valid(name)
        try await hold(found.principal)
        if found.isInDoubt, let phone = found.principal.deviceID {
            try await settle(found.id, ofPhone: phone)
        } else {
            try await noteUse(of: found.id, at: now(), stored: found.used)
        }
        return found.principal
    }

    /// A token, if it may be used now.
    private func valid(_ name: TokenName) async throws -> TokenRow {
        let found = try await read { database in
            // Every request asks this, and to prepare it costs ten times what it takes to answer.
            let condition = " WHERE tokens.\(name.column) = ?"
            let statement = try database.cachedStatement(sql: Self.lookupAll + condition)
            let row = try Row.fetchOne(statement, arguments: [name.value])
            // An index that somebody edited leads to another row.
            return row?[name.column] == name.value ? row.flatMap(TokenRow.init) : nil
        }
        guard let found else { throw AccountError.tokenUnknown }
        if let reason = refusal(of: found) { throw reason }
        return found
    }

    /// Why a token may not be used now.
    private func refusal(of token: TokenRow) -> AccountError? {
        let time = now()
        if token.revoked != nil { return .tokenRevoked }
        if time >= token.expires { return .tokenExpired }
        if token.isSubjectBarred { return .accountDisabled }
        guard let idle = token.idle, time >= lastUse(of: token) + idle else { return nil }
        return .tokenIdle(limit: idle)
    }

    /// When a token was used last, exactly, by a clock that nobody set meanwhile; the table knows it to a grain.
    private func lastUse(of token: TokenRow) -> Date {
        let use = max(lastUses.withLock { $0[token.id] } ?? token.used, token.used)
        guard let idle = token.idle else { return use }
        let jumps = jumps()
        guard !jumps.isEmpty else { return use }
        let moment = jumps.reduce(Timestamp(use)) { $1.excused($0, silentFor: idle) }
        return Date(timeIntervalSince1970: Double(moment.microseconds) / 1_000_000)
    }

    /// A user's tokens that would be let in now, with when each was used last.
    func goodTokens(ofUser id: String) async throws -> [(id: String, lastUse: Date)] {
        let open = try await read { database in
            try Row.fetchAll(
                database,
                sql: Self.lookup(in: .tokens, where: "user = ? AND revoked IS NULL"),
                arguments: [id]
            ).compactMap(TokenRow.init)
        }
        return open.filter { refusal(of: $0) == nil }.map { ($0.id, lastUse(of: $0)) }
    }

    /// Ends a token.
    ///
    /// It is refused from the next request on. What ended by the ledger, and could not end here, they are behind with.
    ///
    /// - Parameters:
    ///   - tokenID: The token.
    ///   - others: The sign-ins that outlive its end, of which the ledger tells.
    /// - Throws: When the accounts cannot be written.
    func revoke(tokenID: String, besides others: StandingSignIns? = nil) async throws {
        let time = now().milliseconds
        do {
            _ = try await durably { database in
                try Self.end(
                    tokens: AccountRows(.tokens, id: tokenID),
                    at: time,
                    in: database
                )
                try others?.outlive(until: time, in: database)
            }
        } catch {
            following.fallBehind(error)
            throw error
        }
        lastUses.withLock { $0[tokenID] = nil }
    }

    /// The tokens of a user, newest first.
    func tokens(ofUser id: String) async throws -> [TokenSummary] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM \(AccountRows.Table.tokens.unhidden(where: "user = ?"))
                    ORDER BY created DESC, id
                    """,
                arguments: [id]
            ).map(TokenSummary.init(row:))
        }
    }

    /// The tokens that have been idle for too long and are not ended yet.
    ///
    /// For the service that records `user.logged_out`: it records first and ends them then, so that
    /// what could not be recorded is told again. Whoever holds one is refused meanwhile.
    func idleTokens() async throws -> [Principal] {
        let time = now()
        let oldest = time - limits.tokenLife
        // The table knows the others well enough.
        lastUses.withLock { uses in uses = uses.filter { $0.value > oldest } }
        let open = try await read { database in
            try Row.fetchAll(
                database,
                sql: Self.lookup(in: .tokens, where: "idle IS NOT NULL AND revoked IS NULL")
            ).compactMap(TokenRow.init)
        }
        return open.filter { token in
            token.idle.map { time >= lastUse(of: token) + $0 } ?? false
        }.map(\.principal)
    }

    private func noteUse(of id: String, at time: Date, stored: Date) async throws {
        lastUses.withLock { $0[id] = time }
        guard time >= stored + limits.lastUseGrain else { return }
        do {
            try await quickly { database in
                try Self.noteUse(of: id, at: time.milliseconds, in: database)
            }
        } catch let error as DatabaseError where error.isOfDisk {
            // It is known here, and lost with the process alone: nobody is turned away for it. The fault is shown.
        }
    }

    static func noteUse(of id: String, at time: Int64, in database: Database) throws {
        // One that came into doubt meanwhile stays so until it is settled.
        try AccountRows(.tokens, id: id).update(
            set: "used = max(used, :time)",
            ["time": time],
            where: "used > 0",
            .byIndex,
            in: database
        )
    }

    private static let lookupAll = lookup(in: "tokens")

    /// Those of which it matters that there is none.
    private static func lookup(in table: AccountRows.Table, where condition: String) -> String {
        lookup(in: table.unhidden(where: condition))
    }

    private static func lookup(in tokens: String) -> String {
        """
        SELECT tokens.*, users.id AS user_id, devices.id AS device_id,
            users.login, users.temporary, users.disabled,
            devices.person, devices.phone, devices.revoked AS device_revoked,
            devices.since AS device_since, \(isJudged("devices", .byIndex)) AS device_judged,
            (SELECT group_concat(session, ' ') FROM device_sessions
                WHERE device_sessions.device = tokens.device) AS device_sessions,
            coalesce(users.role, devices.role) AS role, coalesce(users.org, devices.org) AS org
        FROM \(tokens) AS tokens LEFT JOIN users ON users.id = tokens.user
            LEFT JOIN devices ON devices.id = tokens.device
        """
    }
}
