// SPDX-License-Identifier: Apache-2.0
import Events
import GRDB
import Projections
import Synchronization

/// Rows that somebody wrote who has no key open nothing (decision 0059).
extension AccountStore {
    /// The file, with its steps taken, and of its rows those alone that carry their code.
    ///
    /// - Returns: The file, and the number of the tables that were looked at.
    static func opened(
        _ path: String,
        _ rowKey: DerivedKey,
        adoptsRows: Bool
    ) throws -> (pool: DatabasePool, schema: Int) {
        let schema = try takeSteps(path, rowKey, adoptsRows: adoptsRows)
        var configuration = plain(rowKey)
        configuration.prepareDatabase { database in
            try lookAtTables(database, path)
            try SealedRows.shadow(database)
            // Nobody but our own triggers has codes made.
            if database.configuration.readonly {
                try database.execute(sql: "PRAGMA trusted_schema = OFF")
            }
        }
        return (try DatabasePool(path: path, configuration: configuration), schema)
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
            foreign = foreign || found != schema
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
        adoptsRows: Bool
    ) throws -> Int {
        let pool = try DatabasePool(path: path, configuration: plain(rowKey))
        defer { _ = try? pool.close() }
        if let fault = try pool.read({ try AccountSchema.fault(in: $0) }) {
            throw StartError.accountsUnusable(path, reason: fault)
        }
        let areMissing = try pool.read { try SealedRows.areMissing($0) }
        guard adoptsRows == areMissing else {
            throw adoptsRows ? StartError.nothingToAdopt(path) : .accountsUncoded(path)
        }
        try AccountSchema.migrator(adoptsRows: adoptsRows).migrate(pool)
        return try pool.write { database in
            try mendIndexes(database, path)
            return try schema(database)
        }
    }

    /// Makes the indexes anew, for somebody may have taken out of one what is to end; and looks whether the rest is whole.
    private static func mendIndexes(_ database: Database, _ path: String) throws {
        try database.execute(sql: "REINDEX")
        let words = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)")
        guard words == "ok" else {
            throw StartError.accountsUnusable(path, reason: words ?? "it cannot be checked")
        }
    }

    /// Takes away what rows without their code would open, so that what the ledger says can be made of the rest.
    ///
    /// A user keeps the account, which is brought to the ledger's word, with another name and no password. A phone goes with all
    /// that it may do: whose it was is not known any more.
    ///
    /// - Returns: How many there were, by table; empty for none.
    func disarmForeignRows() throws -> [String: Int] {
        let time = now().milliseconds
        return try pool.write { database in
            try checkTables(database)
            var found: [String: Int] = [:]
            for table in SealedRows.tables {
                let count = try SealedRows.foreign(table, in: database)
                guard count > 0 else { continue }
                found[table.name] = count
                try Self.disarm(table, at: time, in: database)
            }
            return found
        }
    }

    private static func disarm(
        _ table: SealedRows.Table,
        at time: Int64,
        in database: Database
    ) throws {
        let isForeign = "code IS NOT \(table.code())"
        switch table.name {
        case "users":
            try database.execute(
                sql: """
                    UPDATE main.users SET login = 'found ' || id, org = '', role = '', password = '',
                        temporary = temporary = 1, disabled = 1, created = ?
                    WHERE \(isForeign)
                    """,
                arguments: [time]
            )
            try SealedRows.adopt(table, where: isForeign, in: database)
        case "devices":
            for own in ["tokens", "device_sessions", "push_subscriptions"] {
                try database.execute(
                    sql: """
                        DELETE FROM main.\(own)
                        WHERE device IN (SELECT id FROM main.devices WHERE \(isForeign))
                        """
                )
            }
            try database.execute(sql: "DELETE FROM main.devices WHERE \(isForeign)")
        default:
            try database.execute(sql: "DELETE FROM main.\(table.name) WHERE \(isForeign)")
        }
    }
}
