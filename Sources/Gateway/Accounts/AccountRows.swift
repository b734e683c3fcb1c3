// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import Projections

/// Rows of one table of `accounts.db`, named by what a column says, that are written without believing an index (decision 0059).
///
/// Whoever can write the file, and has no key, can edit an index so that it leads to another row; the triggers would seal what the
/// gateway writes there. So the table itself is searched, and a statement that wrote another row than was asked for is not
/// committed.
struct AccountRows: Sendable {
    enum Table: String, Sendable, CaseIterable {
        case users, devices, tokens, links, places
        case codes = "device_codes"
        case sessions = "device_sessions"
        case pushes = "push_subscriptions"

        /// What no two rows have alike.
        var keys: [[String]] {
            switch self {
            case .users: [["id"], ["login"]]
            case .tokens: [["id"], ["hash"]]
            case .links: [["id"], ["digest"]]
            case .devices, .codes: [["id"]]
            case .places: [["user", "digest"]]
            case .sessions: [["device", "session"]]
            case .pushes: [["device"]]
            }
        }

        /// What chooses the rows that nobody made who has the key.
        var isForeign: String { "code IS NOT \(SealedRows.code(of: rawValue))" }

        /// The rows that carry their codes and meet a condition, to select from: read in the table itself, so that none is hidden by
        /// an index that somebody edited.
        ///
        /// For every question in which it means something that there is no row: nobody is signed in, no phone is older, none is
        /// left to end. The condition comes first, for a code is dear; of the sessions of phones, a table without row numbers,
        /// SQLite takes an index all the same, unless a `+` stands before its column.
        func unhidden(where condition: String = "1") -> String {
            """
            (SELECT * FROM main.\(rawValue) NOT INDEXED
                WHERE (\(condition)) AND code IS \(SealedRows.code(of: rawValue)))
            """
        }
    }

    /// How rows are looked for.
    enum Search: Sendable {
        /// In the table: also those that no index leads to.
        case inTable
        /// By an index: for what is written so often that a search would be too dear, and may be missed.
        case byIndex
    }

    let table: Table
    let column: String
    let values: Set<String>

    /// One row.
    init(_ table: Table, id: String) {
        self.init(table, "id", in: [id])
    }

    init(_ table: Table, _ column: String, in values: Set<String>) {
        self.table = table
        self.column = column
        self.values = values
    }

    /// Changes those of them that carry their codes: a row that somebody planted beside one of ours counts as none.
    ///
    /// - Parameters:
    ///   - assignments: What is set, in SQL, with the names of arguments.
    ///   - arguments: Their values.
    ///   - condition: Of these rows, those alone for which it holds.
    ///   - search: How they are looked for.
    ///   - database: A connection in a transaction, which is not committed when this throws.
    /// - Returns: How many there were.
    /// - Throws: `SQLITE_CORRUPT` when other rows were found, or their codes went elsewhere.
    @discardableResult
    func update(
        set assignments: String,
        _ arguments: StatementArguments = StatementArguments(),
        where condition: String = "1",
        _ search: Search = .inTable,
        in database: Database
    ) throws -> Int {
        // A token without its code has ended, too; and its end waits for no start.
        let before = table == .tokens || values.isEmpty ? nil : try sealed(in: database)
        let written = try write(
            "UPDATE main.\(table.rawValue) \(search == .inTable ? "NOT INDEXED" : "") SET \(assignments)",
            arguments,
            where: "(\(condition)) AND code IS \(SealedRows.code(of: table.rawValue))",
            in: database
        )
        guard column != "id" || Set(written).count == written.count else { throw Self.misled }
        // The trigger, which writes the code, finds the row by an index.
        guard try before == nil || sealed(in: database) == before else { throw Self.misled }
        return written.count
    }

    /// Takes them away, codes or none.
    ///
    /// - Returns: How many there were.
    /// - Throws: As ``update(set:_:where:_:in:)``.
    @discardableResult
    func delete(
        where condition: String = "1",
        _ arguments: StatementArguments = StatementArguments(),
        in database: Database
    ) throws -> Int {
        try write(
            "DELETE FROM main.\(table.rawValue) NOT INDEXED",
            arguments,
            where: condition,
            in: database
        ).count
    }

    /// Takes those of them away that nobody made who has the key.
    func clear(in database: Database) throws {
        try delete(where: table.isForeign, in: database)
    }

    /// Leaves those users no name and no password whose rows nobody made who has the key: perhaps somebody's account whose row was
    /// changed, so that it keeps its id, for a start to make something of it.
    func strip(in database: Database) throws {
        let sql = """
            UPDATE main.users NOT INDEXED SET password = '', login = 'found ' || hex(randomblob(16))
            WHERE \(areAsked) AND \(table.isForeign)
            """
        try Self.withoutIndexes(database) {
            try database.execute(sql: sql, arguments: ["asked": try list])
        }
    }

    /// What a column says in them, codes or none.
    func texts(of other: String, in database: Database) throws -> Set<String> {
        try String.fetchSet(
            database,
            sql: """
                SELECT \(other) AS text FROM main.\(table.rawValue) NOT INDEXED
                WHERE \(areAsked) AND text IS NOT NULL
                """,
            arguments: ["asked": try list]
        )
    }

    private func write(
        _ statement: String,
        _ arguments: StatementArguments,
        where condition: String,
        in database: Database
    ) throws -> [String] {
        guard !values.isEmpty else { return [] }
        // Also a row that was taken out of an index ends.
        let written = try Self.withoutIndexes(database) {
            try String.fetchAll(
                database,
                sql: "\(statement) WHERE \(areAsked) AND (\(condition)) RETURNING \(column)",
                arguments: arguments + ["asked": try list]
            )
        }
        guard values.isSuperset(of: written) else { throw Self.misled }
        return written
    }

    /// How many of them carry their codes.
    private func sealed(in database: Database) throws -> Int {
        let sql = """
            SELECT count(*) FROM main.\(table.rawValue) NOT INDEXED
            WHERE \(areAsked) AND code IS \(SealedRows.code(of: table.rawValue))
            """
        return try Int.fetchOne(database, sql: sql, arguments: ["asked": try list]) ?? 0
    }

    private var areAsked: String { "\(column) IN (SELECT value FROM json_each(:asked))" }

    /// The values, as SQLite takes a list.
    private var list: String {
        get throws { String(decoding: try JSONEncoder().encode(values), as: UTF8.self) }
    }

    private static let misled = DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "accounts.db leads to another row than was asked for; nothing was written: restart"
    )
}

extension AccountStore {
    /// Ends tokens: they are refused from the next request on.
    ///
    /// - Parameters:
    ///   - tokens: Which, by id, by user.
    ///   - kept: One that stays, such as the one in use.
    ///   - time: When, in milliseconds since 1970.
    ///   - database: A connection in a transaction.
    /// - Returns: How many were good until now.
    /// - Throws: When the accounts cannot be written.
    @discardableResult
    static func end(
        tokens: AccountRows,
        but kept: String? = nil,
        at time: Int64,
        in database: Database
    ) throws -> Int {
        try tokens.update(
            set: "revoked = :time",
            ["time": time, "kept": kept],
            where: "revoked IS NULL AND id IS NOT :kept",
            in: database
        )
    }
}
