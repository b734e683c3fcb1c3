// SPDX-License-Identifier: Apache-2.0
import GRDB
import Projections

/// A row that is to be made in a table of `accounts.db` whose rows carry codes.
///
/// Whoever can write the file, and has no key, can plant a row under an id or a name that another is about to get, or say in an
/// index that there is one: SQLite would refuse ours. Such a row counts as none, and is taken out of the way.
struct NewAccountRow {
    private let table: AccountRows.Table
    private let values: [(column: String, value: DatabaseValue)]

    /// - Parameters:
    ///   - table: Where.
    ///   - values: By column; what is left out is `NULL`, or what the table says.
    init(
        _ table: AccountRows.Table,
        _ values: KeyValuePairs<String, (any DatabaseValueConvertible)?>
    ) {
        self.table = table
        self.values = values.map { ($0.key, $0.value?.databaseValue ?? .null) }
    }

    /// Makes it.
    ///
    /// - Parameter database: A connection in a transaction, which is not committed when this throws.
    /// - Throws: `SQLITE_CONSTRAINT` where a row of ours is in the way.
    func insert(in database: Database) throws {
        do {
            return try write(database)
        } catch let error as DatabaseError where error.isOfKeys {
            guard try !isThere(database) else { throw error }
        }
        try clear(database)
        do {
            try write(database)
        } catch let error as DatabaseError where error.isOfKeys {
            // No row is in the way: an index says so that somebody edited.
            try database.execute(sql: "REINDEX main.\(table.rawValue)")
            try write(database)
        }
    }

    /// Makes it unless there is one.
    ///
    /// - Returns: Whether there was none.
    /// - Throws: As ``insert(in:)``.
    func insertIfMissing(in database: Database) throws -> Bool {
        if try isThere(database) { return false }
        try insert(in: database)
        return true
    }

    /// Takes the forged rows away that have one of its keys.
    private func clear(_ database: Database) throws {
        // What belonged to a row that goes belongs to the one that comes.
        try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
        for case ("login", let value) in values {
            guard let login = String.fromDatabaseValue(value) else { continue }
            try AccountRows(table, "login", in: [login]).strip(in: database)
        }
        try AccountRows.withoutIndexes(database) {
            try database.execute(
                sql: """
                    DELETE FROM main.\(table.rawValue) NOT INDEXED
                    WHERE (\(isInTheWay)) AND \(table.isForeign)
                    """,
                arguments: arguments
            )
        }
    }

    private func write(_ database: Database) throws {
        let columns = values.map(\.column)
        try database.execute(
            sql: """
                INSERT INTO main.\(table.rawValue) (\(columns.joined(separator: ", ")))
                VALUES (\(columns.map { ":\($0)" }.joined(separator: ", ")))
                """,
            arguments: arguments
        )
    }

    /// Whether a row of ours has one of its keys.
    private func isThere(_ database: Database) throws -> Bool {
        let sql = """
            SELECT 1 FROM main.\(table.rawValue) NOT INDEXED
            WHERE (\(isInTheWay)) AND code IS \(SealedRows.code(of: table.rawValue))
            """
        return try Row.fetchOne(database, sql: sql, arguments: arguments) != nil
    }

    private var arguments: StatementArguments {
        StatementArguments(values.map { ($0.column, $0.value) })
    }

    /// What chooses the rows that have one of its keys.
    private var isInTheWay: String {
        table.keys.map { key in
            "(" + key.map { "\($0) = :\($0)" }.joined(separator: " AND ") + ")"
        }.joined(separator: " OR ")
    }
}

extension AccountRows {
    /// Takes rows away of which two have a key that only one can have: the forged ones, and where two of ours do, both, for nobody
    /// can tell which of them was put back.
    ///
    /// - Parameter database: A connection in a transaction, without foreign keys: what belongs to one of ours stays.
    /// - Returns: How many there were.
    /// - Throws: What SQLite says.
    static func clearDuplicates(in database: Database) throws -> Int {
        try withoutIndexes(database) {
            var count = 0
            for table in Table.allCases {
                for key in table.keys.map({ $0.joined(separator: ", ") }) {
                    for condition in [table.isForeign, "1"] {
                        try database.execute(
                            sql: """
                                DELETE FROM main.\(table.rawValue) NOT INDEXED
                                WHERE \(condition) AND (\(key)) IN (
                                    SELECT \(key) FROM main.\(table.rawValue) NOT INDEXED
                                    GROUP BY \(key) HAVING count(*) > 1)
                                """
                        )
                        count += database.changesCount
                    }
                }
            }
            return count
        }
    }

    /// Does something with rows that an index may not name, which SQLite otherwise calls damage.
    static func withoutIndexes<Value>(
        _ database: Database,
        _ work: () throws -> Value
    ) throws -> Value {
        try database.execute(sql: "PRAGMA writable_schema = ON")
        let result = Result { try work() }
        try database.execute(sql: "PRAGMA writable_schema = OFF")
        return try result.get()
    }
}

extension DatabaseError {
    /// Whether another row, or an index, has a key already that no two rows may have.
    fileprivate var isOfKeys: Bool {
        [.SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_UNIQUE].contains(extendedResultCode)
    }
}
