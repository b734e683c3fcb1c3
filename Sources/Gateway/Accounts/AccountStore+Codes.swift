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
            try SealedRows.shadow(database)
            // A view that somebody puts in a table's place would have codes made for what it shows.
            if database.configuration.readonly {
                try database.execute(sql: "PRAGMA trusted_schema = OFF")
            }
        }
        return (try DatabasePool(path: path, configuration: configuration), schema)
    }

    /// Refuses to write into tables that are not those which the start looked at, until another start has.
    ///
    /// A trigger that somebody adds beside a running gateway would have codes made for what it writes.
    func checkTables(_ database: Database) throws {
        let found = try Self.schema(database)
        try foreignSchema.withLock { foreign in
            foreign = foreign || found != schema
            guard foreign else { return }
            throw DatabaseError(
                resultCode: .SQLITE_READONLY,
                message:
                    "another program changed its tables; nothing is written until another start has looked at them"
            )
        }
    }

    private static func schema(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "PRAGMA main.schema_version") ?? 0
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
        guard adoptsRows || !areMissing else { throw StartError.accountsUncoded(path) }
        try AccountSchema.migrator.migrate(pool)
        return try pool.write { database in
            if let fault = try AccountSchema.fault(in: database) {
                throw StartError.accountsUnusable(path, reason: fault)
            }
            for table in SealedRows.tables where areMissing {
                try SealedRows.adopt(table, in: database)
            }
            return try schema(database)
        }
    }

    /// Takes away what rows without their code would open, so that what the ledger says can be made of the rest.
    ///
    /// A user keeps the account, which is brought to the ledger's word, and no password; a phone stays, revoked.
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
            try database.execute(sql: "UPDATE main.users SET password = '' WHERE \(isForeign)")
        case "devices":
            try database.execute(
                sql: "UPDATE main.devices SET revoked = ? WHERE \(isForeign)",
                arguments: [time]
            )
        default:
            try database.execute(sql: "DELETE FROM main.\(table.name) WHERE \(isForeign)")
            return
        }
        try SealedRows.adopt(table, where: isForeign, in: database)
    }
}
