// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB

extension AccountStore {
    /// How many of the ledger's events the accounts have followed; what comes after them, they may not know.
    ///
    /// - Returns: 0 where it is not said, or not by us: then they follow everything again.
    func followed() async throws -> UInt64 {
        let key = rowKey
        return try await read { database in
            let row = try Row.fetchOne(database, sql: "SELECT next, code FROM followed")
            // Somebody may have written other kinds of values than the table takes.
            guard let row,
                let next = Int64.fromDatabaseValue(row["next"]).flatMap({ UInt64(exactly: $0) }),
                let code = Data.fromDatabaseValue(row["code"]),
                code == Data(Self.code(ofFollowed: next, key))
            else { return 0 }
            return next
        }
    }

    /// Notes how far they have followed: with power lost, they follow some events again.
    func noteFollowed(_ next: UInt64) async throws {
        let code = Data(Self.code(ofFollowed: next, rowKey))
        try await quickly { database in
            try database.execute(
                sql: """
                    INSERT INTO followed VALUES (1, ?1, ?2)
                    ON CONFLICT (one) DO UPDATE SET next = ?1, code = ?2
                    """,
                arguments: [Int64(next), code]
            )
        }
    }

    private static func code(ofFollowed next: UInt64, _ key: DerivedKey) -> [UInt8] {
        key.code(of: Array("followed \(next)".utf8))
    }

    /// What the ledger says has ended.
    struct Ends: Sendable {
        var tokens: Set<String> = []
        var devices: Set<String> = []
        /// Whose sign-ins that were made, and last used, before a moment have ended.
        var signIns: [String: Date] = [:]
        /// The same of all their tokens, also those that were issued.
        var users: [String: Date] = [:]
        /// The tokens that were issued and are good, which no sign-out ends.
        var issued: Set<String> = []
        /// Why some of it could not be read.
        var unread: (any Error)?
    }

    /// Ends what the ledger says has ended, where it has not here.
    ///
    /// - Returns: How many tokens and phones were good until now.
    @discardableResult
    func make(_ ends: Ends) async throws -> Int {
        let time = now().milliseconds
        let (tokens, devices) = try await read { database in
            (try Self.tokens(of: ends, database), try Self.devices(of: ends, database))
        }
        guard !tokens.isEmpty || !devices.isEmpty else { return 0 }
        try await durably { database in
            let tokens = AccountRows(.tokens, "id", in: tokens)
            try Self.end(tokens: tokens, at: time, in: database)
            try Self.revoke(devices: devices, at: time, in: database)
        }
        return tokens.count + devices.count
    }

    private static func tokens(of ends: Ends, _ database: Database) throws -> Set<String> {
        let sql = "SELECT id, user, max(created, used) AS good FROM tokens WHERE revoked IS NULL"
        let rows = try Row.fetchAll(database, sql: sql)
        let ended = rows.compactMap { row -> String? in
            // To the millisecond, which may be rounded down.
            let (id, good) = (row["id"] as String, Date(milliseconds: (row["good"] as Int64) + 1))
            if ends.tokens.contains(id) { return id }
            guard let user = row["user"] as String? else { return nil }
            if let end = ends.users[user], good < end { return id }
            guard let end = ends.signIns[user], good < end, !ends.issued.contains(id) else {
                return nil
            }
            return id
        }
        return Set(ended)
    }

    private static func devices(of ends: Ends, _ database: Database) throws -> Set<String> {
        let sql = """
            SELECT id FROM devices WHERE revoked IS NULL UNION SELECT id FROM device_codes
            UNION SELECT device FROM push_subscriptions
            """
        return try String.fetchSet(database, sql: sql).intersection(ends.devices)
    }

    /// Makes an account what the ledger says, also the last admin's; other rights than it had sign the user out.
    func bring(
        _ id: String,
        to role: Role,
        of org: String,
        isDisabled: Bool
    ) async throws {
        let time = now().milliseconds
        try await durably { database in
            let count = try AccountRows(.users, id: id).update(
                set: "role = :role, org = :org, disabled = :disabled",
                ["role": role.rawValue, "org": org, "disabled": isDisabled],
                in: database
            )
            guard count == 1 else { throw AccountError.accountUnknown(id) }
            try Self.end(
                tokens: AccountRows(.tokens, "user", in: [id]),
                at: time,
                in: database
            )
        }
    }
}
