// SPDX-License-Identifier: Apache-2.0
/// One declared table of a read model.
public struct Table: Hashable, Sendable {
    /// The name, as readers of the file type it.
    public let name: String
    /// Each column as SQL defines it: `state TEXT NOT NULL`.
    public let columns: [String]
    /// The columns of the primary key, in whose order the digest walks the rows.
    public let key: [String]
    /// The columns that hold a personal value in the clear, because rows are searched by it.
    ///
    /// After an erasure the file is rewritten, so that no copy of such a value stays in unused space.
    public let opened: Set<String>
    /// The indexes that ``Projector/apply(_:to:)`` finds rows by, each a list of columns; there from the first event on.
    ///
    /// A statement of a projector that finds no row by the key or one of these walks the whole table for each event: the
    /// build of n events then takes n² steps.
    public let lookups: [[String]]
    /// Further indexes for queries, each a list of columns; made last in bulk mode.
    public let indexes: [[String]]

    public init(
        _ name: String,
        key: [String],
        columns: [String],
        opened: Set<String> = [],
        lookups: [[String]] = [],
        indexes: [[String]] = []
    ) {
        self.name = name
        self.columns = columns
        self.key = key
        self.opened = opened
        self.lookups = lookups
        self.indexes = indexes
    }

    /// The bare column names, in their declared order.
    var columnNames: [String] {
        columns.map { String($0.prefix { $0 != " " }) }
    }

    /// A single integer key is SQLite's own row number; all other tables are stored by their key.
    private var isKeyedByRow: Bool {
        key.count == 1 && columns.contains("\(key[0]) INTEGER NOT NULL")
    }

    var creation: String {
        let list = columns.joined(separator: ", ")
        let keys = key.joined(separator: ", ")
        return "CREATE TABLE \(name) (\(list), PRIMARY KEY (\(keys)))"
            + (isKeyedByRow ? "" : " WITHOUT ROWID")
    }

    /// The statements that make the lookups, where they are missing.
    var lookupCreations: [String] { creations(of: lookups) }
    /// The statements that make the indexes for queries, where they are missing.
    var indexCreations: [String] { creations(of: indexes) }

    private func creations(of lists: [[String]]) -> [String] {
        lists.map { columns in
            let label = columns.map { $0.filter { $0.isLetter || $0 == "_" } }.joined(
                separator: "_"
            )
            return "CREATE INDEX IF NOT EXISTS \(name)_by_\(label) ON \(name)"
                + " (\(columns.joined(separator: ", ")))"
        }
    }
}

/// A full-text table of SQLite's FTS5 beside the declared ones.
public struct SearchTable: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The searched columns.
    public let columns: [String]

    public init(_ name: String, columns: [String]) {
        self.name = name
        self.columns = columns
    }

    var creation: String {
        "CREATE VIRTUAL TABLE \(name) USING fts5(\(columns.joined(separator: ", ")),"
            + " tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')"
    }
}
