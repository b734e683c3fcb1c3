// SPDX-License-Identifier: Apache-2.0
internal import GRDB

/// Somebody who can write the folder of a ledger, and has no key.
public enum Intruder {
    /// Changes a file of accounts, also beside the gateway that serves it.
    public static func change(accounts path: String, _ statements: [String]) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        // The triggers ask for it; who has no key makes no codes.
        configuration.prepareDatabase { database in
            database.add(function: DatabaseFunction("row_code") { _ in nil })
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { database in
            for statement in statements { try database.execute(sql: statement) }
        }
        try queue.close()
    }

    /// Changes an index of a file of accounts, or a table, by another table that is said to lie in its pages.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - index: Whose pages.
    ///   - columns: What the other table is made of; of an index of one column, what it says and which row it leads to.
    ///   - statements: What is done with it, under the name `pages`.
    /// - Throws: What SQLite says.
    public static func change(
        accounts path: String,
        pagesOf index: String,
        as columns: String = "(name, place, PRIMARY KEY (name, place)) WITHOUT ROWID",
        _ statements: [String]
    ) throws {
        try change(
            accounts: path,
            [
                "PRAGMA writable_schema = ON",
                """
                INSERT INTO sqlite_master SELECT 'table', 'pages', 'pages', rootpage,
                    'CREATE TABLE pages \(columns)' FROM sqlite_master WHERE name = '\(index)'
                """,
            ]
        )
        try change(accounts: path, [statements.joined(separator: "; ")])
        try change(
            accounts: path,
            ["PRAGMA writable_schema = ON", "DELETE FROM sqlite_master WHERE name = 'pages'"]
        )
    }

    /// Makes a file of accounts what an earlier program wrote, which gave rows no codes.
    public static func takeCodesAway(accounts path: String) throws {
        let tables = [
            "users", "devices", "device_sessions", "device_codes", "tokens", "links", "places",
            "push_subscriptions",
        ]
        let codes = tables.map { table in
            "DROP TRIGGER \(table)_made; DROP TRIGGER \(table)_changed; ALTER TABLE \(table) DROP COLUMN code;"
        }
        let rest = """
            ALTER TABLE users DROP COLUMN password_at;
            ALTER TABLE tokens DROP COLUMN outlived;
            DELETE FROM grdb_migrations WHERE identifier = 'codes of rows';
            CREATE TABLE followed (
                one INTEGER PRIMARY KEY CHECK (one = 1), next INTEGER NOT NULL, code BLOB NOT NULL
            ) STRICT;
            """
        try change(accounts: path, [codes.joined() + rest])
    }
}
