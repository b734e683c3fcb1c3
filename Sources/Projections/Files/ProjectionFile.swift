// SPDX-License-Identifier: Apache-2.0
package import Events
package import Foundation
import GRDB

/// One projector's tables in one SQLite file, with their progress.
///
/// Rows and progress commit together, so the file always stands for exactly the events below its progress.
package final class ProjectionFile: Sendable {
    package let projector: any Projector
    /// The connections; reads go beside the one writer.
    let connections: any DatabaseWriter
    let path: String
    private let origin: String
    private let tables: OpenTables

    /// What only the writing connection touches.
    private final class OpenTables: @unchecked Sendable {
        // Every access is inside a closure that `connections` runs on its one serial writing queue.
        var rows: RowWriter?
        var progress: ProjectionProgress
        var entriesUncommitted = 0
        /// Whether something that was erased since may still lie in unused space.
        var owesErasing = false

        init(progress: ProjectionProgress) {
            self.progress = progress
        }
    }

    /// How the file is used.
    package enum Mode: Hashable {
        /// Readers beside one writer, a commit for each page.
        case serving
        /// No readers, large transactions, indexes at the end.
        case building
    }

    /// Opens or creates a file.
    ///
    /// - Throws: ``ProjectionError/cannotOpen(path:reason:)`` also when the file belongs to another projector, version
    ///   or ledger, or was not finished.
    package init(
        _ projector: any Projector,
        at url: URL,
        mode: Mode,
        origin: String,
        keys: any PersonKeys
    ) throws {
        self.projector = projector
        self.origin = origin
        path = url.path
        do {
            connections = try Self.connect(to: url.path, mode)
            let progress = try connections.writeWithoutTransaction { database in
                try FileSchema(projector, origin: origin).prepare(database, mode: mode)
            }
            tables = OpenTables(progress: progress)
            // What a build erased before it was interrupted is not known any more.
            tables.owesErasing = mode == .building && progress.next > LogPosition(0)
            openRows(keys)
        } catch let error as DatabaseError {
            throw ProjectionError.cannotOpen(path: url.path, reason: "\(error)")
        } catch let error as ReadModelError {
            // Progress that is no progress: somebody else wrote into the file.
            throw ProjectionError.cannotOpen(path: url.path, reason: "\(error)")
        }
    }

    /// Makes empty tables in memory, for one as-of view or one check.
    init(inMemory projector: any Projector, origin: String, keys: any PersonKeys) throws {
        self.projector = projector
        self.origin = origin
        path = ":memory:"
        connections = try DatabaseQueue(configuration: Self.configuration(.building))
        let progress = try connections.writeWithoutTransaction { database in
            try FileSchema(projector, origin: origin).prepare(database, mode: .building)
        }
        tables = OpenTables(progress: progress)
        openRows(keys)
    }

    private func openRows(_ keys: any PersonKeys) {
        connections.writeWithoutTransaction { database in
            tables.rows = RowWriter(database, keys: keys)
        }
    }

    /// How far the committed rows have come.
    package func progress() -> ProjectionProgress {
        connections.writeWithoutTransaction { _ in tables.progress }
    }

    /// What the tables hold, as the writing connection sees them.
    package func digest() throws -> ReadModelDigest {
        try connections.writeWithoutTransaction { database in
            try ReadTransaction(database).digest(of: projector)
        }
    }

    /// Applies a page in one transaction, without what the rows already stand for.
    ///
    /// - Returns: The progress that is committed with the rows.
    /// - Throws: ``ProjectionError/notStored(_:path:reason:)``; then nothing of the page is in the rows.
    package func apply(_ page: EventPage) throws -> ProjectionProgress {
        try connections.writeWithoutTransaction { database in
            try apply(page, in: database, commitAfter: 1)
        }
    }

    /// Like ``apply(_:)``, without blocking the caller's executor.
    func applyLater(_ page: EventPage) async throws -> ProjectionProgress {
        try await connections.writeWithoutTransaction { database in
            try self.apply(page, in: database, commitAfter: 1)
        }
    }

    /// Applies a page of a bulk build, which commits only every so many entries.
    func applyInBulk(_ page: EventPage) async throws {
        try await connections.writeWithoutTransaction { database in
            _ = try self.apply(
                page,
                in: database,
                commitAfter: ProjectionLimits.bulkTransactionEntries
            )
        }
    }

    /// Commits what a bulk build still holds and makes the indexes.
    func finishBuilding() async throws {
        try await connections.writeWithoutTransaction { database in
            if database.isInsideTransaction { try self.commit(database) }
            try FileSchema(self.projector, origin: self.origin).finish(database)
            if self.tables.owesErasing { try self.eraseRemains(database) }
        }
    }

    /// Ends all connections; statements must be gone before.
    package func close() throws {
        connections.writeWithoutTransaction { _ in tables.rows = nil }
        try connections.close()
    }
}

extension ProjectionFile {
    private func apply(
        _ page: EventPage,
        in database: Database,
        commitAfter entries: Int
    ) throws -> ProjectionProgress {
        guard let rows = tables.rows else {
            throw ProjectionError.cannotOpen(path: path, reason: "it was closed")
        }
        let before = tables.progress
        guard page.next > before.next else { return before }
        precondition(
            page.first <= before.next,
            "\(projector.identity) stands at \(before.next) and must not skip to \(page.first)"
        )
        let after = ProjectionProgress(next: page.next, leaf: page.leaf, origin: origin)
        do {
            try write(page, from: before.next, to: after, with: rows, in: database)
            tables.entriesUncommitted += page.count
            if tables.entriesUncommitted >= entries { try commit(database) }
        } catch {
            try rollBack(rows, in: database)
            throw ProjectionError.notStored(projector.identity, path: path, reason: "\(error)")
        }
        tables.progress = after
        if forgets(page) { tables.owesErasing = true }
        if entries == 1, tables.owesErasing { try eraseRemains(database) }
        return after
    }

    private func write(
        _ page: EventPage,
        from start: LogPosition,
        to progress: ProjectionProgress,
        with rows: RowWriter,
        in database: Database
    ) throws {
        if !database.isInsideTransaction { try database.beginTransaction(.immediate) }
        for event in page.events
        where event.envelope.position >= start && projector.kinds.contains(event.envelope.kind) {
            projector.apply(event, to: rows)
        }
        rows.run(
            "UPDATE progress SET next = ?1, leaf = ?2",
            progress.next,
            progress.leaf
        )
        if let failure = rows.failure { throw failure }
    }

    private func commit(_ database: Database) throws {
        try database.commit()
        tables.entriesUncommitted = 0
    }

    private func rollBack(_ rows: RowWriter, in database: Database) throws {
        rows.clearFailure()
        tables.entriesUncommitted = 0
        if database.isInsideTransaction { try database.rollback() }
        // A bulk build loses its whole transaction, not only this page.
        if let committed = try ProjectionProgress.read(from: ReadTransaction(database)) {
            tables.progress = committed
        }
    }

    private func forgets(_ page: EventPage) -> Bool {
        projector.kinds.contains(PersonErased.kind)
            && page.events.contains { $0.envelope.kind == PersonErased.kind }
    }

    /// Takes what was rewritten out of the full-text tables, the free pages and the write-ahead log, too.
    private func eraseRemains(_ database: Database) throws {
        for table in projector.searchTables {
            try database.execute(
                sql: "INSERT INTO \(table.name) (\(table.name)) VALUES ('rebuild')"
            )
        }
        // Rows that moved between pages leave copies in unused space, which `secure_delete` does not reach.
        try database.execute(sql: "VACUUM")
        let busy = try Int.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        // A long reader may keep the write-ahead log; then the next page tries again.
        tables.owesErasing = busy == 1
    }
}

extension ProjectionFile {
    private static func connect(to path: String, _ mode: Mode) throws -> any DatabaseWriter {
        switch mode {
        case .serving: try DatabasePool(path: path, configuration: configuration(mode))
        case .building: try DatabaseQueue(path: path, configuration: configuration(mode))
        }
    }

    private static func configuration(_ mode: Mode) -> Configuration {
        var configuration = Configuration()
        configuration.maximumReaderCount = ProjectionLimits.readersMax
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        // A bulk build keeps one transaction open over many pages.
        configuration.allowsUnsafeTransactions = mode == .building
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA secure_delete = ON")
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            guard mode == .building else { return }
            try database.execute(sql: "PRAGMA journal_mode = TRUNCATE")
            try database.execute(
                sql: "PRAGMA cache_size = -\(ProjectionLimits.bulkCacheKibibytes)"
            )
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        return configuration
    }
}
