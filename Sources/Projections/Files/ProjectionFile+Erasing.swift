// SPDX-License-Identifier: Apache-2.0
import Events
import GRDB

/// What a file still has to do until nothing of erased people lies in its unused space.
///
/// It stands in the file itself, as SQLite's `user_version`, and is written in the transaction that forgets somebody: a crash
/// or a full disk leaves it to whoever opens the file next.
enum ErasingDebt: Int {
    case none = 0
    /// Full text, free pages and the write-ahead log may hold what was erased.
    case rewriting = 1
    /// Everything was rewritten; the write-ahead log may hold older pages.
    case truncation = 2

    /// Reads what a file owes; a number that nobody here wrote counts as everything.
    static func read(_ database: Database) throws -> ErasingDebt {
        let number = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        return ErasingDebt(rawValue: number) ?? .rewriting
    }

    /// Notes it in the file.
    func write(_ database: Database) throws {
        try database.execute(sql: "PRAGMA user_version = \(rawValue)")
    }
}

extension ProjectionFile {
    /// Whether paying what the file owes to erased people may be tried now.
    func owesErasing() async throws -> Bool {
        try await connections.writeWithoutTransaction { _ in
            self.tables.debt != .none && self.tables.nextErasing <= .now
        }
    }

    /// Pays what the file owes to erased people, if enough time passed since the last attempt.
    ///
    /// A fault is reported and the debt stays.
    ///
    /// - Throws: `CancellationError` only.
    func eraseOwed() async throws {
        try await connections.writeWithoutTransaction { database in
            self.eraseIfDue(database)
        }
    }

    func eraseIfDue(_ database: Database) {
        guard tables.debt != .none, tables.nextErasing <= .now else { return }
        tables.nextErasing = .now + ProjectionLimits.erasingPause
        do {
            if tables.debt == .rewriting {
                try rewrite(database)
                try owe(.truncation, database)
            }
            guard try truncateLog(database) else { return }
            try owe(.none, database)
            tables.nextErasing = .now
        } catch is CancellationError {
            // The runner stops; the next start goes on.
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            // As above, in the middle of a statement.
        } catch {
            faults(
                .notStored(
                    projector.identity,
                    path: path,
                    reason: "what was erased may still lie in unused space: \(error)"
                )
            )
        }
    }

    private func owe(_ debt: ErasingDebt, _ database: Database) throws {
        try debt.write(database)
        tables.debt = debt
    }

    /// Takes what was erased out of the full-text tables and the free pages.
    private func rewrite(_ database: Database) throws {
        for table in projector.searchTables {
            try database.execute(
                sql: "INSERT INTO \(table.name) (\(table.name)) VALUES ('rebuild')"
            )
        }
        // Rows that moved between pages leave copies in unused space, which `secure_delete` does not reach.
        try database.execute(sql: "VACUUM")
    }

    /// Empties the write-ahead log; false while a reader still needs it.
    private func truncateLog(_ database: Database) throws -> Bool {
        // Pages wait behind this, so a long reader is not waited for but asked again later.
        try wait(atMost: ProjectionLimits.erasingBusyMilliseconds, database)
        let busy = Result { try Int.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try wait(atMost: ProjectionLimits.servingBusyMilliseconds, database)
        return try busy.get() == 0
    }

    private func wait(atMost milliseconds: Int, _ database: Database) throws {
        try database.execute(sql: "PRAGMA busy_timeout = \(milliseconds)")
    }
}
