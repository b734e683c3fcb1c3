// SPDX-License-Identifier: Apache-2.0
import Events
import GRDB
import Projections

/// Rows that somebody wrote who has no key open nothing (decision 0059).
extension AccountStore {
    /// The file, with its steps taken, and of its rows those alone that carry their code.
    static func opened(
        _ path: String,
        _ rowKey: DerivedKey,
        adoptsRows: Bool
    ) throws -> DatabasePool {
        try takeSteps(path, rowKey, adoptsRows: adoptsRows)
        var configuration = plain(rowKey)
        configuration.prepareDatabase { try SealedRows.shadow($0) }
        return try DatabasePool(path: path, configuration: configuration)
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
    ) throws {
        let pool = try DatabasePool(path: path, configuration: plain(rowKey))
        defer { _ = try? pool.close() }
        if let fault = try pool.read({ try AccountSchema.fault(in: $0) }) {
            throw StartError.accountsUnusable(path, reason: fault)
        }
        let areMissing = try pool.read { try SealedRows.areMissing($0) }
        guard adoptsRows || !areMissing else { throw StartError.accountsUncoded(path) }
        try AccountSchema.migrator.migrate(pool)
        guard areMissing else { return }
        try pool.write { database in
            for table in SealedRows.tables { try SealedRows.adopt(table, in: database) }
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
