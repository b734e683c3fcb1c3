// SPDX-License-Identifier: Apache-2.0
import Events
import GRDB

/// One consistent view of a read model, for the time of one query.
public struct ReadTransaction {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Reads all rows that a query gives.
    ///
    /// - Parameters:
    ///   - sql: The text with `?1`, `?2` … where values go.
    ///   - values: The values in that order; `nil` is NULL.
    ///   - read: Reads one row from left to right.
    /// - Returns: What `read` made of each row, in order.
    /// - Throws: What SQLite says of the query, or what `read` throws.
    public func all<Value>(
        _ sql: String,
        _ values: (any ColumnValue)?...,
        read: (inout RowReader) throws -> Value
    ) throws -> [Value] {
        try rows(sql, values, limit: .max, read: read)
    }

    /// Reads the first row that a query gives, or `nil` without one.
    public func first<Value>(
        _ sql: String,
        _ values: (any ColumnValue)?...,
        read: (inout RowReader) throws -> Value
    ) throws -> Value? {
        try rows(sql, values, limit: 1, read: read).first
    }

    /// Reads all rows of a query whose values were collected one by one.
    func all<Value>(
        _ query: Query,
        read: (inout RowReader) throws -> Value
    ) throws -> [Value] {
        try rows(query.sql, query.values, limit: .max, read: read)
    }

    /// How many events the rows stand for: the progress that was committed with them.
    public func progress() throws -> ProjectionProgress {
        guard let progress = try ProjectionProgress.read(from: self) else {
            throw ReadModelError.damaged("the progress row is missing")
        }
        return progress
    }

    private func rows<Value>(
        _ sql: String,
        _ values: [(any ColumnValue)?],
        limit: Int,
        read: (inout RowReader) throws -> Value
    ) throws -> [Value] {
        let statement = SQLStatement(try database.cachedStatement(sql: sql))
        defer { statement.end() }
        var found: [Value] = []
        do {
            var more = try statement.begin(values)
            while more {
                var row = statement.row
                found.append(try read(&row))
                guard found.count < limit else { break }
                more = try statement.step()
            }
        } catch let failure as SQLFailure {
            throw SQLFailure.isDamage(failure.code)
                ? ReadModelError.damaged(failure.text) : ReadModelError.unreadable(failure.text)
        }
        return found
    }
}

/// A query that is put together from the filters a caller gave.
///
/// SQLite keeps no statistics of these files, so it cannot tell that a caller has a few sessions and an organisation most of
/// them: which condition leads to the rows is said here. A test looks at the plan of every query.
struct Query {
    /// A condition, and whether an index that it leads by gives many rows.
    private struct Condition {
        enum Kind { case leading, broad, other }

        let text: String
        let kind: Kind

        /// As SQL; behind a `+` no index is looked for.
        func sql(isLed: Bool) -> String { isLed && kind == .broad ? "+" + text : text }
    }

    private(set) var values: [(any ColumnValue)?] = []
    private var conditions: [Condition] = []
    private let head: String
    private var groups = ""
    private var tail = ""

    /// - Parameter head: The text up to, but without, `WHERE`.
    init(_ head: String) {
        self.head = head
    }

    /// Adds a condition when its value is given; `?` in the text stands for the value.
    mutating func filter(_ condition: String, _ value: (any ColumnValue)?) {
        add(condition, .other, value)
    }

    /// Adds a condition that few rows meet however long the ledger is: these are found by it.
    mutating func filter(leading condition: String, _ value: (any ColumnValue)?) {
        add(condition, .leading, value)
    }

    /// Adds a condition that many rows meet, to begin with the column: it leads to the rows only where no other does.
    mutating func filter(broad condition: String, _ value: (any ColumnValue)?) {
        add(condition, .broad, value)
    }

    /// Adds a condition without a value.
    mutating func filter(_ condition: String) {
        conditions.append(Condition(text: condition, kind: .other))
    }

    private mutating func add(
        _ condition: String,
        _ kind: Condition.Kind,
        _ value: (any ColumnValue)?
    ) {
        guard let value else { return }
        values.append(value)
        let text = condition.replacing("?", with: "?\(values.count)")
        conditions.append(Condition(text: text, kind: kind))
    }

    /// Makes one row of those that are alike in these columns.
    mutating func group(by columns: String) {
        groups = " GROUP BY \(columns)"
    }

    /// Ends the query with its order, and the most rows wanted unless all are.
    mutating func order(by order: String, limit: Int? = nil) {
        tail = " ORDER BY \(order)"
        guard let limit else { return }
        values.append(limit)
        tail += " LIMIT ?\(values.count)"
    }

    var sql: String {
        let isLed = conditions.contains { $0.kind == .leading }
        let texts = conditions.map { $0.sql(isLed: isLed) }
        return head + (texts.isEmpty ? "" : " WHERE " + texts.joined(separator: " AND "))
            + groups + tail
    }
}
