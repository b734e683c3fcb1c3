// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Projections

/// What `accounts.db` says that events say, too.
struct AccountsFile: Sendable {
    struct User: Sendable {
        let id: String
        let organisation: String
        let role: String
        let isDisabled: Bool
        /// Whether it has a password; not asked of a file that does not say where that was set.
        let hasPassword: Bool
        /// Where the ledger tells of it.
        let passwordAt: UInt64?
        let created: Timestamp
    }

    struct Device: Sendable {
        let id: String
        let organisation: String
        let role: String
        let person: String
        let phone: String
        let isRevoked: Bool
    }

    struct Token: Sendable {
        let id: String
        /// Whose it is; a phone's has none.
        let user: String?
        /// In milliseconds since 1970.
        let expires: Int64
        let isRevoked: Bool
    }

    /// The file has other tables than this program makes.
    struct ForeignSchema: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    private(set) var users: [User] = []
    private(set) var devices: [Device] = []
    /// Those that the log names, of all that there are.
    private(set) var tokens: [Token] = []
    /// How many others there are, of sign-ins and of phones.
    private(set) var otherTokens = 0
    /// Whether an earlier program wrote it, which gave rows no codes.
    private(set) var isUncoded = false
    /// By table: how many rows nobody made who has the key; empty where none is given.
    private(set) var foreign: [String: Int] = [:]

    /// Reads a copy of the file, so that looking leaves nothing beside it.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - rowKey: What its rows carry codes under; `nil` to look at none.
    ///   - named: The tokens that the log names.
    /// - Throws: ``ForeignSchema``, what SQLite says of a file that is none of accounts, or what copying it throws.
    init(_ file: URL, rowKey: DerivedKey?, tokens named: (String) -> Bool) throws {
        let copy = try DatabaseCopy(file)
        var configuration = Configuration()
        configuration.readonly = copy.isInPlace
        let queue = try DatabaseQueue(path: copy.path, configuration: configuration)
        defer { _ = try? queue.close() }
        try queue.read { database in
            // Before a view is read.
            if let fault = try AccountSchema.fault(in: database) { throw ForeignSchema(fault) }
            // With the indexes: whoever serves finds people by them.
            let pages = try String.fetchAll(database, sql: "PRAGMA integrity_check(1)")
            guard pages == ["ok"] else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: pages.first)
            }
            isUncoded = try !SealedRows.areIn(database)
            if let rowKey, !isUncoded {
                SealedRows.teach(database, rowKey)
                foreign = try SealedRows.foreign(in: database)
            }
            users = try Self.users(database, isUncoded: isUncoded)
            devices = try Self.devices(database)
            try readTokens(database, named)
        }
    }

    private static func users(_ database: Database, isUncoded: Bool) throws -> [User] {
        let password =
            isUncoded ? "0 AS has, NULL AS at" : "password <> '' AS has, password_at AS at"
        let sql = "SELECT id, org, role, disabled, created, \(password) FROM users ORDER BY id"
        return try Row.fetchAll(database, sql: sql).map { row in
            User(
                id: row["id"],
                organisation: row["org"],
                role: row["role"],
                isDisabled: row["disabled"],
                hasPassword: row["has"],
                passwordAt: (row["at"] as Int64?).map(UInt64.init(clamping:)),
                created: Self.time(row["created"])
            )
        }
    }

    /// A time of the tables, which may say anything, between 1970 and the year 9999.
    private static func time(_ milliseconds: Int64) -> Timestamp {
        Timestamp(microseconds: min(max(milliseconds, 0), 253_402_300_799_000) * 1_000)
    }

    private static func devices(_ database: Database) throws -> [Device] {
        let sql =
            "SELECT id, org, role, person, phone, revoked IS NOT NULL AS ended FROM devices ORDER BY id"
        return try Row.fetchAll(database, sql: sql).map { row in
            Device(
                id: row["id"],
                organisation: row["org"],
                role: row["role"],
                person: row["person"],
                phone: row["phone"],
                isRevoked: row["ended"]
            )
        }
    }

    private mutating func readTokens(
        _ database: Database,
        _ named: (String) -> Bool
    ) throws {
        let sql = "SELECT id, user, expires, revoked IS NOT NULL AS ended FROM tokens ORDER BY id"
        let rows = try Row.fetchCursor(database, sql: sql)
        while let row = try rows.next() {
            guard named(row["id"]) else {
                otherTokens += 1
                continue
            }
            tokens.append(
                Token(
                    id: row["id"],
                    user: row["user"],
                    expires: row["expires"],
                    isRevoked: row["ended"]
                )
            )
        }
    }
}
