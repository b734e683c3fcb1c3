// SPDX-License-Identifier: Apache-2.0
package import Events
import Foundation
package import GRDB

/// The rows of `accounts.db` that say who may do what: each carries a code that is made under a key of the gateway's (decision 0059).
///
/// Whoever has the file, and not the master key, can take rows away or put earlier ones back, and make none. The triggers of the
/// file write the codes; whoever reads by ``shadow(_:)`` sees no row without its own.
package enum SealedRows {
    /// What the rows of a ledger carry codes under.
    ///
    /// Rows of another ledger fit none of its own, also where both have one master key: each has its name, which stands in
    /// every entry, and which no new key of the ledger's changes.
    package static func key(of masterKey: MasterKey, ledger origin: String) -> DerivedKey {
        DerivedKey(of: masterKey, for: "daybook account rows of \(origin)")
    }

    /// The policy by which rows without a code are believed no more; the log says from where on, and never unsays it.
    package static let policy = "row-codes"

    package struct Table: Sendable {
        package let name: String
        let key: [String]
        let others: [String]

        package var columns: [String] { key + others }

        /// The code of a row, in SQL; `row` is `NEW.`, `OLD.` or empty.
        ///
        /// Of each value its kind and its bytes, for a text may go on behind a NUL.
        package func code(of row: String = "") -> String {
            let values = columns.map { "typeof(\(row)\($0)), CAST(\(row)\($0) AS BLOB)" }
            return "row_code('\(name)', \(values.joined(separator: ", ")))"
        }

        /// What chooses the rows that nobody made who has the key.
        package var isForeign: String { "code IS NOT \(code())" }
    }

    /// All but what is kept of requests.
    ///
    /// What codes stand over by now; how one of them gets a column, `AccountSchema+RowCodes.swift` says.
    package static let tables = [
        Table(
            name: "users",
            key: ["id"],
            others: [
                "login", "org", "role", "password", "temporary", "disabled", "created",
                "password_at",
            ]
        ),
        Table(
            name: "devices",
            key: ["id"],
            others: [
                "person", "phone", "org", "role", "created", "revoked", "since", "admitted_by",
            ]
        ),
        Table(name: "device_sessions", key: ["device", "session"], others: ["through"]),
        Table(
            name: "device_codes",
            key: ["id"],
            others: [
                "phone", "person", "org", "role", "hash", "expires", "tries", "used", "session",
                "giver",
            ]
        ),
        Table(
            name: "tokens",
            key: ["id"],
            others: [
                "hash", "user", "device", "scopes", "created", "expires", "idle", "used", "revoked",
                "outlived",
            ]
        ),
        Table(
            name: "links",
            key: ["id"],
            others: [
                "digest", "hash", "session", "person", "phone", "org", "expires", "tries", "used",
            ]
        ),
        Table(name: "places", key: ["user", "digest"], others: ["used"]),
        Table(
            name: "push_subscriptions",
            key: ["device"],
            others: ["id", "endpoint", "p256dh", "auth", "created"]
        ),
    ]

    /// The code of a row of a table, in SQL.
    package static func code(of name: String) -> String {
        guard let table = tables.first(where: { $0.name == name }) else {
            preconditionFailure("\(name) is no table of rows with codes")
        }
        return table.code()
    }

    /// Lets a connection make codes.
    package static func teach(_ database: Database, _ key: DerivedKey) {
        database.add(
            function: DatabaseFunction("row_code", argumentCount: nil, pure: true) { values in
                Data(key.code(of: message(values)))
            }
        )
    }

    /// Shows a connection, under each table's name, its sealed rows alone; what it writes it writes into `main.` and the name.
    package static func shadow(_ database: Database) throws {
        for table in tables {
            try database.execute(
                sql: """
                    CREATE TEMP VIEW \(table.name) AS
                    SELECT * FROM main.\(table.name) WHERE code IS \(table.code())
                    """
            )
        }
    }

    /// Whether a file took the step; an earlier program's did not.
    package static func areIn(_ database: Database) throws -> Bool {
        guard try database.tableExists("users", in: "main") else { return false }
        return try database.columns(in: "users", in: "main").contains { $0.name == "code" }
    }

    /// Whether a file has accounts, and did not take the step.
    package static func areMissing(_ database: Database) throws -> Bool {
        guard try database.tableExists("users", in: "main"), try !areIn(database) else {
            return false
        }
        return try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM main.users)") ?? false
    }

    /// How many rows nobody made who has the key, by table; empty for none.
    package static func foreign(in database: Database) throws -> [String: Int] {
        try counts(in: database) { $0.isForeign }
    }

    /// How many rows there are, by table; tables without any are left out.
    package static func counts(in database: Database) throws -> [String: Int] {
        try counts(in: database) { _ in "1" }
    }

    private static func counts(
        in database: Database,
        where condition: (Table) -> String
    ) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in tables {
            let rows = "main.\(table.name) NOT INDEXED WHERE \(condition(table))"
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(rows)") ?? 0
            if count > 0 { counts[table.name] = count }
        }
        return counts
    }

    /// Gives a code to every row that a condition chooses: from then on they are believed.
    package static func adopt(
        _ table: Table,
        where condition: String = "1",
        in database: Database
    ) throws {
        try database.execute(
            sql: "UPDATE main.\(table.name) SET code = \(table.code()) WHERE \(condition)"
        )
    }

    /// What a code is made of: of each value its kind, how long it is, and its bytes, so that no two rows have the same.
    private static func message(_ values: [DatabaseValue]) -> [UInt8] {
        var message: [UInt8] = []
        func add(_ kind: UInt8, _ bytes: some Collection<UInt8>) {
            message.append(kind)
            withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { message.append(contentsOf: $0) }
            message.append(contentsOf: bytes)
        }
        for value in values {
            switch value.storage {
            case .null: add(0, [])
            case .int64(let number): withUnsafeBytes(of: number.bigEndian) { add(1, Array($0)) }
            case .double(let number):
                withUnsafeBytes(of: number.bitPattern.bigEndian) { add(2, Array($0)) }
            case .string(let text): add(3, text.utf8)
            case .blob(let data): add(4, data)
            }
        }
        return message
    }
}
