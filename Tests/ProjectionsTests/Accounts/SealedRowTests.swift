// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Testing

@testable import Projections

/// What a file of accounts was released as: `fixtures/accounts/schema.sql`, written once and only ever added to.
@Suite struct `Codes of rows` {
    private let database: DatabaseQueue
    private static let schema = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "fixtures/accounts/schema.sql")

    init() throws {
        database = try DatabaseQueue()
    }

    private func words(_ sql: String) -> String {
        sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// A file of today is opened by later programs, which hold it against what they make.
    @Test func `come with tables that never change`() throws {
        try AccountSchema.migrator.migrate(database)
        let made = try database.read { database in
            try String.fetchAll(
                database,
                sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name"
            )
        }
        let golden = try String(contentsOf: Self.schema, encoding: .utf8)
        #expect(made.joined(separator: ";\n") + ";\n" == golden)
    }

    /// The triggers are text that was released; the tables say what they stand over by now.
    @Test func `stand over what the tables say`() throws {
        try AccountSchema.migrator.migrate(database)
        for table in SealedRows.tables {
            let triggers = try database.read { database in
                try String.fetchAll(
                    database,
                    sql: "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?",
                    arguments: [table.name]
                )
            }
            #expect(triggers.count == 2)
            for trigger in triggers {
                #expect(words(trigger).contains("SET code = \(table.code(of: "NEW."))"))
                let columns = table.columns.joined(separator: ", ")
                guard trigger.contains("\(table.name)_changed") else { continue }
                #expect(words(trigger).contains("AFTER UPDATE OF \(columns) ON \(table.name)"))
                #expect(words(trigger).contains("WHEN OLD.code IS \(table.code(of: "OLD."))"))
            }
            let adoption = "UPDATE \(table.name) SET code = \(table.code());"
            #expect(words(AccountSchema.adoption).contains(adoption))
        }
    }

    /// Made by another program, so that what is on disk stays readable.
    @Test func `are those of a row that was written before`() throws {
        let text = String(repeating: "00", count: 31) + "01"
        let key = SealedRows.key(of: try #require(MasterKey(text: text)), ledger: "a.example/main")
        try AccountSchema.migrator.migrate(database)
        let code = try database.write { database in
            SealedRows.teach(database, key)
            try database.execute(
                sql: "INSERT INTO users VALUES ('1', 'é', 'main', 'admin', '', 0, 0, -1, 0, NULL)"
            )
            return try Data.fetchOne(database, sql: "SELECT code FROM users")
        }
        #expect(
            try #require(code).map { String(format: "%02x", $0) }.joined()
                == "81a1c87d8ec5dd1f206ffc79a27195679daaa4dcb9ebe3344df5660f5fa5daca"
        )
        #expect(try database.read { try SealedRows.foreign(in: $0) }.isEmpty)
    }
}
