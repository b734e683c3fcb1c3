// SPDX-License-Identifier: Apache-2.0
import GRDB
import GRDBSQLite

/// How SQLite goes about one statement, and what it has cost so far.
package struct StatementWork: Hashable, Sendable {
    /// The text.
    package let sql: String
    /// The lines of `EXPLAIN QUERY PLAN`.
    package let plan: [String]
    /// Steps of SQLite's virtual machine in all runs so far; they depend on the rows alone, not on the machine's load.
    package let steps: Int

    /// The lines of the plan that read one of these tables from end to end, or make an index for one run.
    package func scans(of tables: [Table], _ searchTables: [SearchTable]) -> [String] {
        plan.filter { line in
            if line.contains("AUTOMATIC") { return true }
            let words = line.split(separator: " ")
            guard words.count > 1, words[0] == "SCAN" else { return false }
            if searchTables.contains(where: { $0.name == words[1] }) {
                // A full-text table is asked for a match or a row number, or else it is read whole.
                return line.hasSuffix(":")
            }
            return tables.contains { Self.names($0.name, as: words[1], in: sql) }
        }
    }

    /// Whether a word of the plan stands for a table: its name, or another that the statement gives it.
    static func names(_ table: String, as word: Substring, in sql: String) -> Bool {
        if table == word { return true }
        let words = sql.split { $0.isWhitespace || "(),".contains($0) }
        return words.indices.dropLast().contains { index in
            guard words[index] == table[...] else { return false }
            let next = index + (words[index + 1] == "AS" ? 2 : 1)
            return next < words.count && words[next] == word
        }
    }

    /// What the plan of a text is, in a database that has its tables.
    static func plan(of sql: String, in database: Database) throws -> [String] {
        let statement = SQLStatement(
            try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
        )
        defer { statement.end() }
        var lines: [String] = []
        var more = try statement.begin([])
        while more {
            var row = statement.row
            // Number, number of the line above, nothing, text.
            for _ in 0..<3 { _ = try row.integer() }
            lines.append(try row.text())
            more = try statement.step()
        }
        return lines
    }
}

extension SQLStatement {
    /// What the statement has cost since it was prepared.
    func work(in database: Database) throws -> StatementWork {
        StatementWork(
            sql: text,
            plan: try StatementWork.plan(of: text, in: database),
            steps: steps
        )
    }
}
