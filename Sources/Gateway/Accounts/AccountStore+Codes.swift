// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Projections
import Synchronization

/// Rows that somebody wrote who has no key open nothing (decision 0059).
extension AccountStore {
    /// What opening the file told.
    struct Opening: Sendable {
        /// The number that SQLite gave the tables when they were looked at.
        let schema: Int
        /// How the indexes led elsewhere than the rows, until they were made anew; `nil` if they did not.
        let indexFault: String?
        /// What became of the wish to believe rows without codes; `nil` without one.
        let adoption: Adoption?
    }

    /// What a start says of rows without codes, and what the log says of them (decision 0070).
    struct RowAdoption: Sendable {
        /// Whether the start was told to believe them.
        var isAsked = false
        /// Whether the log may lack what it said.
        var isDoubted = false
        /// Whether the log says that rows carry codes.
        var areSealed = false
        /// Since when, where that can be read.
        var sealedAt: Date?

        /// Refuses to believe rows without codes but once, and not where they had some before.
        fileprivate func check(_ path: String) throws(StartError) {
            guard !areSealed else {
                throw .accountsSealed(path, since: sealedAt.map { "\(Timestamp($0))" })
            }
            guard isAsked else { throw .accountsUncoded(path) }
            guard !isDoubted else { throw .adoptionDoubted(path) }
        }

        /// Whether a supervisor may start a gateway again by the command that adopted; later the option would be left there.
        fileprivate func isRepeatable(at time: Date) -> Bool {
            // A crash came between the accounts and the log.
            guard areSealed else { return true }
            return sealedAt.map { (0...86_400).contains(time.timeIntervalSince($0)) } ?? false
        }
    }

    enum Adoption: Hashable, Sendable {
        /// How many are believed from now on, by table.
        case done([String: Int])
        /// It was done a short time ago, by the same command: a start that ended since is no reason to refuse the next.
        case doneBefore
    }

    /// The file, with its steps taken, and of its rows those alone that carry their code.
    static func opened(
        _ path: String,
        _ rowKey: DerivedKey,
        _ wish: RowAdoption,
        at time: Date,
        in held: HeldFolder? = nil
    ) throws -> (pool: DatabasePool, opening: Opening) {
        let opening = try takeSteps(path, rowKey, wish, at: time)
        var configuration = plain(rowKey)
        configuration.prepareDatabase { database in
            // A reader is opened when it is needed, by the name.
            try held?.check()
            try lookAtTables(database, path)
            try SealedRows.shadow(database)
            // Nobody but our own triggers has codes made.
            if database.configuration.readonly {
                try database.execute(sql: "PRAGMA trusted_schema = OFF")
            }
        }
        return (try DatabasePool(path: path, configuration: configuration), opening)
    }

    /// Has a connection go by tables that were looked at: what it knows of them is read anew and held against the steps, both from
    /// one snapshot, and it reads them again only when their number changes.
    private static func lookAtTables(_ database: Database, _ path: String) throws {
        try database.inTransaction(.deferred) {
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master")
            try database.execute(sql: "PRAGMA writable_schema = RESET")
            if let fault = try AccountSchema.fault(in: database) {
                throw StartError.accountsUnusable(path, reason: fault)
            }
            return .commit
        }
    }

    static let foreignTables =
        "another program changed its tables; nothing is read or written until another start has looked at them"

    /// Refuses to go by tables that are not those which were looked at, until another start has: a trigger or a view that
    /// somebody adds beside a running gateway would have codes made for what it writes or shows.
    func checkTables(_ database: Database) throws {
        let found = try Self.schema(database)
        try foreignSchema.withLock { foreign in
            foreign = foreign || found != opening.schema
            guard foreign else { return }
            throw DatabaseError(resultCode: .SQLITE_READONLY, message: Self.foreignTables)
        }
    }

    private static func schema(_ database: Database) throws -> Int {
        let statement = try database.cachedStatement(sql: "PRAGMA main.schema_version")
        return try Int.fetchOne(statement) ?? 0
    }

    private static func plain(_ rowKey: DerivedKey) -> Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA secure_delete = ON")
            SealedRows.teach(database, rowKey)
        }
        return configuration
    }

    /// Over a connection that is shown the tables themselves, which the steps change.
    private static func takeSteps(
        _ path: String,
        _ rowKey: DerivedKey,
        _ wish: RowAdoption,
        at time: Date
    ) throws -> Opening {
        let pool = try DatabasePool(path: path, configuration: plain(rowKey))
        defer { _ = try? pool.close() }
        if let fault = try pool.read({ try AccountSchema.fault(in: $0) }) {
            throw StartError.accountsUnusable(path, reason: fault)
        }
        let areMissing = try pool.read { try SealedRows.areMissing($0) }
        if areMissing {
            try wish.check(path)
        } else if wish.isAsked, !wish.isRepeatable(at: time) {
            throw StartError.nothingToAdopt(path)
        }
        try AccountSchema.migrator(adopting: areMissing).migrate(pool)
        return Opening(
            schema: try pool.read { try schema($0) },
            indexFault: try mendIndexes(pool, path),
            adoption: try wish.isAsked ? adoption(in: pool, isNew: areMissing) : nil
        )
    }

    private static func adoption(in pool: DatabasePool, isNew: Bool) throws -> Adoption {
        guard isNew else { return .doneBefore }
        return .done(try pool.read { try SealedRows.counts(in: $0) })
    }

    /// Makes the indexes anew where one is not what its table says, for somebody may have taken out of it what is to end; and
    /// refuses a file that is not whole.
    ///
    /// Behind an index that was edited rows can be planted under the key of another, with which none could be made. Where the
    /// indexes are right nothing is written: a full disk keeps no gateway from starting.
    ///
    /// - Returns: What was wrong with them.
    private static func mendIndexes(_ pool: DatabasePool, _ path: String) throws -> String? {
        guard let fault = try pool.read({ try wholeness($0) }) else { return nil }
        let cleared = try pool.writeWithoutTransaction { database in
            var cleared = 0
            // What belongs to a row of ours is not to go with one that was planted beside it. The connection ends with the steps.
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            try database.inTransaction {
                cleared = try AccountRows.clearDuplicates(in: database)
                try database.execute(sql: "REINDEX")
                if let left = try wholeness(database) {
                    throw StartError.accountsUnusable(path, reason: left)
                }
                return .commit
            }
            return cleared
        }
        return cleared == 0 ? fault : "\(fault); \(cleared) rows stood in the way of another's key"
    }

    /// What speaks against the pages, the rows and the indexes; `nil` if nothing does.
    private static func wholeness(_ database: Database) throws -> String? {
        let words = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)")
        return words == "ok" ? nil : words ?? "it cannot be checked"
    }

    /// How many rows nobody made who has the key, by table; empty for none.
    func foreignRows() throws -> [String: Int] {
        try pool.read { database in
            try checkTables(database)
            return try SealedRows.foreign(in: database)
        }
    }

    /// Takes away what rows without their code would open, so that what the ledger says can be made of the rest.
    ///
    /// A user of whom an event tells keeps the account, which is brought to the ledger's word, with another name and no
    /// password. Any other goes, and so does a phone, with all that it may do: whose it was is not known any more.
    ///
    /// - Parameter isTold: Whether an event made an account.
    /// - Throws: What SQLite says, or what the log says when it is asked.
    func disarmForeignRows(isTold: (_ user: String) throws -> Bool) throws {
        let time = now().milliseconds
        try pool.write { database in
            try checkTables(database)
            for table in SealedRows.tables {
                try Self.disarm(table, at: time, in: database, isTold)
            }
        }
    }

    private static func disarm(
        _ table: SealedRows.Table,
        at time: Int64,
        in database: Database,
        _ isTold: (String) throws -> Bool
    ) throws {
        switch table.name {
        case "users":
            var told: [ForeignRow] = []
            for row in try foreignRows(of: table, database) {
                if let id = row.text, try isTold(id) {
                    told.append(row)
                } else {
                    try delete(row, of: table, with: ["tokens", "places"], by: "user", database)
                }
            }
            try disarm(users: told, at: time, table, database)
        case "devices":
            let owned = ["tokens", "device_sessions", "push_subscriptions"]
            for row in try foreignRows(of: table, database) {
                try delete(row, of: table, with: owned, by: "device", database)
            }
        default:
            try database.execute(
                sql: "DELETE FROM main.\(table.name) NOT INDEXED WHERE \(table.isForeign)"
            )
        }
    }

    /// A row by its place: its id may be any value, or another row's.
    private struct ForeignRow {
        let place: Int64
        let id: DatabaseValue

        /// Its id where that is one.
        var text: String? {
            if case .string(let text) = id.storage { text } else { nil }
        }
    }

    private static func foreignRows(
        of table: SealedRows.Table,
        _ database: Database
    ) throws -> [ForeignRow] {
        let sql = "SELECT rowid, id FROM main.\(table.name) NOT INDEXED WHERE \(table.isForeign)"
        return try Row.fetchAll(database, sql: sql).map { ForeignRow(place: $0[0], id: $0[1]) }
    }

    private static func delete(
        _ row: ForeignRow,
        of table: SealedRows.Table,
        with owned: [String],
        by owner: String,
        _ database: Database
    ) throws {
        for own in owned {
            try database.execute(
                sql: "DELETE FROM main.\(own) NOT INDEXED WHERE \(owner) = ?",
                arguments: [row.id]
            )
        }
        try database.execute(
            sql: "DELETE FROM main.\(table.name) WHERE rowid = ?",
            arguments: [row.place]
        )
    }

    /// Leaves users nothing to sign in by; first they all give their names up, which others are about to get.
    private static func disarm(
        users: [ForeignRow],
        at time: Int64,
        _ table: SealedRows.Table,
        _ database: Database
    ) throws {
        for user in users {
            try database.execute(
                sql: """
                    UPDATE main.users SET login = ?, org = '', role = '', password = '', temporary = 0,
                        disabled = 1, created = ? WHERE rowid = ?
                    """,
                arguments: ["found \(UUID())", time, user.place]
            )
        }
        for user in users {
            // Where somebody has that name, the account keeps its own.
            try database.execute(
                sql: """
                    UPDATE main.users SET login = 'found ' || id WHERE rowid = ?1 AND NOT EXISTS
                        (SELECT 1 FROM main.users AS other NOT INDEXED
                        WHERE other.login = 'found ' || main.users.id COLLATE NOCASE)
                    """,
                arguments: [user.place]
            )
            try SealedRows.adopt(table, where: "rowid = \(user.place)", in: database)
        }
    }
}
