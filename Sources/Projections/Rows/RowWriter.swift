// SPDX-License-Identifier: Apache-2.0
public import Events
import GRDB

/// The tables of one read model while a projector writes them, inside one transaction.
///
/// No call fails: the first fault of SQLite is kept, what follows is skipped, and the whole batch is rolled back
/// and tried again, so a projector never has to think about it.
public final class RowWriter {
    private let database: Database
    private let keys: any PersonKeys
    /// By the address of the SQL text, which lies in the program and never moves.
    private var statements: [UnsafePointer<UInt8>: SQLStatement] = [:]
    /// What came first: of SQLite, of a row that cannot be read, or the end of the task.
    private(set) var failure: (any Error)?

    init(_ database: Database, keys: any PersonKeys) {
        self.database = database
        self.keys = keys
    }

    /// Runs a statement that gives no rows; it is prepared once per file.
    ///
    /// - Parameters:
    ///   - sql: The text with `?1`, `?2` … where values go.
    ///   - values: The values in that order; `nil` is NULL.
    public func run(_ sql: StaticString, _ values: (any ColumnValue)?...) {
        _ = query(sql, values) { _ in }
    }

    /// Reads the first row that a query gives.
    ///
    /// - Parameters:
    ///   - sql: The text with `?1`, `?2` … where values go.
    ///   - values: The values in that order; `nil` is NULL.
    ///   - read: Reads the row from left to right.
    /// - Returns: What `read` gave, or `nil` without a row.
    public func first<Value>(
        _ sql: StaticString,
        _ values: (any ColumnValue)?...,
        read: (inout RowReader) throws -> Value
    ) -> Value? {
        query(sql, values, read: read)
    }

    /// Opens a sealed value with the person keys that exist now, for a searched column.
    ///
    /// - Returns: The value, or `nil` if the person was erased.
    public func open<Value>(_ sealed: Sealed<Value>?) -> Value? {
        guard let sealed, failure == nil else { return nil }
        do {
            return try sealed.opened(with: keys).value
        } catch {
            // The field was sealed by somebody else's key or damaged; its sealed form stays for the auditor.
            return nil
        }
    }

    /// Forgets a fault after its transaction was rolled back.
    func clearFailure() {
        failure = nil
    }

    /// What SQLite did for each statement so far.
    func work() throws -> [StatementWork] {
        try statements.values.map { try $0.work(in: database) }
    }

    private func query<Value>(
        _ sql: StaticString,
        _ values: [(any ColumnValue)?],
        read: (inout RowReader) throws -> Value
    ) -> Value? {
        guard failure == nil else { return nil }
        do {
            let statement = try prepared(sql)
            defer { statement.end() }
            guard try statement.begin(values) else { return nil }
            var row = statement.row
            return try read(&row)
        } catch {
            failure = error
        }
        return nil
    }

    private func prepared(_ sql: StaticString) throws -> SQLStatement {
        if let statement = statements[sql.utf8Start] { return statement }
        let text = sql.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
        let statement = SQLStatement(try database.makeStatement(sql: text))
        statements[sql.utf8Start] = statement
        return statement
    }
}
