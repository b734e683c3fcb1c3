// SPDX-License-Identifier: Apache-2.0
package import GRDB

extension AccountSchema {
    /// What is in a file beside what the steps make, or missing: tables, indexes, views and triggers, in the words of SQLite.
    ///
    /// A trigger changes what somebody may do behind the back of whoever writes, and a view shows other rows than there are: a
    /// file with either is not ours. A file of an earlier program is held against the steps that it took.
    ///
    /// - Returns: `nil` for a file as the steps make it, also for an empty one.
    package static func fault(in database: Database) throws -> String? {
        let found = try objects(in: database)
        guard !found.isEmpty else { return nil }
        let wanted: Set<SchemaObject>
        switch try stepsTaken(found, database) {
        case .foreign(let name): return "it took the step \(name), which this program does not know"
        case .gap: return "its steps are not those that lead to its tables"
        case .through(let last): wanted = try made(through: last)
        }
        if let more = found.subtracting(wanted).min() {
            return "it has the \(more.type) \(more.name), which is not as this program makes it"
        }
        if let less = wanted.subtracting(found).min() {
            return "the \(less.type) \(less.name) is not in it"
        }
        return nil
    }

    private struct SchemaObject: Hashable, Comparable {
        let type: String
        let name: String
        let table: String
        let sql: String?

        static func < (one: Self, other: Self) -> Bool {
            (one.type, one.name) < (other.type, other.name)
        }
    }

    private enum Steps {
        /// The last one that was taken; `nil` before the first.
        case through(String?)
        case foreign(String)
        case gap
    }

    private static let stepTable = "grdb_migrations"

    private static func objects(in database: Database) throws -> Set<SchemaObject> {
        let sql = "SELECT type, name, tbl_name, sql FROM sqlite_master"
        return Set(
            try Row.fetchAll(database, sql: sql).map { row in
                // Whoever wrote into the table itself may have left gaps.
                SchemaObject(
                    type: row["type"] as String? ?? "",
                    name: row["name"] as String? ?? "",
                    table: row["tbl_name"] as String? ?? "",
                    sql: row["sql"]
                )
            }
        )
    }

    private static func stepsTaken(
        _ found: Set<SchemaObject>,
        _ database: Database
    ) throws -> Steps {
        // A view of that name could take for ever to read.
        guard found.contains(where: { $0.type == "table" && $0.name == stepTable }) else {
            return .gap
        }
        let taken = try String.fetchSet(database, sql: "SELECT identifier FROM \(stepTable)")
        let known = migrator.migrations
        if let foreign = taken.subtracting(known).min() { return .foreign(foreign) }
        let first = known.prefix(taken.count)
        return taken == Set(first) ? .through(first.last) : .gap
    }

    /// What the steps make, in memory.
    private static func made(through last: String?) throws -> Set<SchemaObject> {
        let model = try DatabaseQueue()
        if let last {
            try migrator.migrate(model, upTo: last)
        } else {
            // A crash leaves it behind which the first step would have been taken.
            try model.write { database in
                try database.execute(
                    sql: "CREATE TABLE \(stepTable) (identifier TEXT NOT NULL PRIMARY KEY)"
                )
            }
        }
        let made = try model.read { database in try Self.objects(in: database) }
        try model.close()
        return made
    }
}
