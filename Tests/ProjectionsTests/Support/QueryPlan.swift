// SPDX-License-Identifier: Apache-2.0
import Events
import GRDB
import ProjectionsTesting
import Synchronization

@testable import Projections

/// SQLite's plan of one query, and what of it grows with the ledger.
///
/// A query grows if it reads, or sorts, what an organisation or the ledger has. It does not if indexes lead to what one case,
/// person or thing has, or if it walks an index in the order that is wanted and ends at its limit.
struct QueryPlan: Hashable {
    let work: StatementWork
    let tables: [Projections.Table]

    /// Columns of which a value stands on few rows, however long the ledger is: what has one is one case, person or thing.
    private static let few: Set<String> = [
        "alert", "caller", "cause", "contact", "deduplication_key", "device", "event", "guard",
        "hold", "id",
        "incident", "last_owner", "message", "name", "owner", "parent", "person", "phone", "point",
        "reader", "report", "reporter", "request", "resource", "root", "scope", "session", "stream",
        "subject", "temporary_id", "user", "who",
    ]
    /// Columns that are asked by their beginning, of which the same is true.
    private static let fewByBeginning: Set<String> = ["name", "phone"]

    /// What grows; empty for a query that does not.
    var faults: [String] {
        var found = work.plan.filter { $0.contains("AUTOMATIC") }
        let sorts = work.plan.filter { $0.contains("TEMP B-TREE") }
        let scans = work.plan.filter { table(of: $0, "SCAN") != nil }
        let isLed = scans.isEmpty && searches.allSatisfy(Self.isNarrow)
        if isLed { return found }
        if work.sql.contains("LIMIT") {
            found += sorts
        } else {
            found += scans + searches.filter { !Self.isNarrow($0) }
        }
        if namesFew { found.append("no index leads by the condition that few rows meet") }
        return found
    }

    private var searches: [String] { work.plan.filter { table(of: $0, "SEARCH") != nil } }

    /// Which of the declared tables a line goes through in a way; `nil` for parts of the query itself.
    private func table(of line: String, _ way: String) -> Projections.Table? {
        let words = line.split(separator: " ")
        guard words.count > 1, words[0] == way else { return nil }
        return tables.first { StatementWork.names($0.name, as: words[1], in: work.sql) }
    }

    /// Whether the outermost query has a condition that few rows meet.
    private var namesFew: Bool {
        var depth = 0
        let outer = work.sql.filter { character in
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            return depth == 0
        }
        guard let conditions = outer.split(separator: "WHERE").last else { return false }
        let words = conditions.split { $0.isWhitespace }
        return words.indices.dropLast().contains { index in
            guard words[index + 1] == "=" else { return false }
            return Self.few.contains(String(words[index].split(separator: ".").last ?? ""))
        }
    }

    private static func isNarrow(_ search: String) -> Bool {
        guard let start = search.lastIndex(of: "(") else { return false }
        let terms = search[search.index(after: start)...].dropLast().split(separator: " AND ")
        return terms.contains { term in
            let column = String(term.prefix { $0.isLetter || $0 == "_" })
            return few.contains(column) && term.hasSuffix("=?")
                || fewByBeginning.contains(column) && !term.hasSuffix("=?")
        }
    }
}

/// What a read model's queries ask SQLite.
func queryPlans(
    of projector: any Projector,
    _ events: [RecordedEvent],
    asking ask: (ReadDatabase) async throws -> Void
) async throws -> Set<QueryPlan> {
    let database = try await rows(of: projector, events)
    let asked = AskedStatements()
    let reader = try database.reader()
    try await reader.read { connection in connection.trace { asked.note($0) } }
    try await ask(database)
    return try await reader.read { connection in
        connection.trace(options: [])
        let plans = try asked.all.map { sql in
            QueryPlan(
                work: StatementWork(
                    sql: sql,
                    plan: try StatementWork.plan(of: sql, in: connection),
                    steps: 0
                ),
                tables: projector.tables
            )
        }
        return Set(plans)
    }
}

/// The queries that a connection ran, each once.
private final class AskedStatements: Sendable {
    private let found = Mutex<Set<String>>([])

    var all: Set<String> { found.withLock { $0 } }

    func note(_ event: Database.TraceEvent) {
        guard case .statement(let statement) = event else { return }
        let sql = statement.sql
        guard sql.hasPrefix("SELECT") || sql.hasPrefix("WITH") else { return }
        found.withLock { _ = $0.insert(sql) }
    }
}
