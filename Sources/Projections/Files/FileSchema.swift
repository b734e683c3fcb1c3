// SPDX-License-Identifier: Apache-2.0
import Events
import GRDB

/// The tables of one projector as a file must have them.
struct FileSchema {
    private let projector: any Projector
    private let origin: String

    init(_ projector: any Projector, origin: String) {
        self.projector = projector
        self.origin = origin
    }

    /// Creates what is missing in an empty file, or checks that a file is this projector's.
    ///
    /// - Returns: How far the rows have come.
    func prepare(_ database: Database, mode: ProjectionFile.Mode) throws -> ProjectionProgress {
        let isNew = try !database.tableExists("progress")
        if isNew { try create(in: database, isFinished: mode == .serving) }
        let progress = try check(database, mode: mode)
        // A file of an earlier program may lack an index that is wanted now.
        try makeIndexes(in: database, forQueries: mode == .serving)
        return progress
    }

    /// Makes the indexes for queries and marks the file as finished.
    func finish(_ database: Database) throws {
        try makeIndexes(in: database, forQueries: true)
        try database.execute(sql: "UPDATE progress SET built = 1")
    }

    private func create(in database: Database, isFinished: Bool) throws {
        try database.inTransaction {
            for statement in tableCreations { try database.execute(sql: statement) }
            try database.execute(sql: ProjectionProgress.creation)
            try database.execute(
                sql: "INSERT INTO progress VALUES (?, 0, NULL, ?, ?)",
                arguments: [projector.identity.description, origin, isFinished]
            )
            return .commit
        }
    }

    private func makeIndexes(in database: Database, forQueries: Bool) throws {
        let tables = projector.tables
        let wanted =
            tables.flatMap(\.lookupCreations) + (forQueries ? tables.flatMap(\.indexCreations) : [])
        for statement in wanted { try database.execute(sql: statement) }
    }

    private func check(
        _ database: Database,
        mode: ProjectionFile.Mode
    ) throws -> ProjectionProgress {
        let name = try String.fetchOne(database, sql: "SELECT projector FROM progress")
        guard name == projector.identity.description else {
            throw refusal(
                database,
                "it belongs to \(name ?? "nobody"), not to \(projector.identity)"
            )
        }
        let built = try Bool.fetchOne(database, sql: "SELECT built FROM progress")
        guard mode == .building || built == true else {
            throw refusal(database, "it was never finished")
        }
        let existing = try String.fetchSet(database, sql: "SELECT sql FROM sqlite_master")
        if let missing = tableCreations.first(where: { !existing.contains($0) }) {
            throw refusal(database, "its tables are not those of \(projector.identity): \(missing)")
        }
        guard let progress = try ProjectionProgress.read(from: ReadTransaction(database)),
            progress.origin == origin
        else { throw refusal(database, "it is of another ledger than \(origin)") }
        return progress
    }

    private var tableCreations: [String] {
        projector.tables.map(\.creation) + projector.searchTables.map(\.creation)
    }

    private func refusal(_ database: Database, _ reason: String) -> ProjectionError {
        .cannotOpen(path: projector.identity.fileStem, reason: reason)
    }
}
