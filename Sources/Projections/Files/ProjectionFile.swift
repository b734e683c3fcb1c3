// SPDX-License-Identifier: Apache-2.0
package import Events
package import Foundation
import GRDB

/// One projector's tables in one SQLite file, with their progress.
///
/// Rows and progress commit together, so the file always stands for exactly the events below its progress. Only what no row
/// tells of may be passed before the file says so: then it stands for these events, too, and whoever opens it reads them again.
package final class ProjectionFile: Sendable {
    package let projector: any Projector
    /// The connections; reads go beside the one writer.
    let connections: any DatabaseWriter
    let path: String
    let tables: OpenTables
    /// Hears of what could not be erased; must return soon.
    let faults: @Sendable (ProjectionError) -> Void
    let origin: String
    let keys: RemainingKeys
    private let names: FileNames
    private let held: HeldFolder?

    /// What only the writing connection touches.
    final class OpenTables: @unchecked Sendable {
        // Every access is inside a closure that `connections` runs on its one serial writing queue.
        var rows: RowWriter?
        var progress: ProjectionProgress
        var entriesUncommitted = 0
        /// Entries behind the progress on disk of which no row tells.
        var entriesUnwritten = 0
        /// Whether a rollback failed, so that what it left must not be committed.
        var owesRollback = false
        /// What was erased and may still lie in unused space.
        var debt: ErasingDebt
        /// When paying the debt may be tried again.
        var nextErasing = ContinuousClock.now

        init(progress: ProjectionProgress, debt: ErasingDebt) {
            self.progress = progress
            self.debt = debt
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
    /// What it owes to erased people is paid by ``eraseOwed()``.
    /// No connection is opened by its name while another folder has that of the ledger's, `held`.
    ///
    /// - Throws: ``ProjectionError/cannotOpen(path:reason:)`` also when the file belongs to another projector, version
    ///   or ledger, or was not finished.
    package init(
        _ projector: any Projector,
        at url: URL,
        mode: Mode,
        origin: String,
        keys: any PersonKeys,
        in held: HeldFolder? = nil,
        faults: @escaping @Sendable (ProjectionError) -> Void = { _ in }
    ) throws {
        self.projector = projector
        self.origin = origin
        self.keys = .watching(keys)
        self.faults = faults
        self.held = held
        path = url.path
        do {
            connections = try Self.connect(to: url.path, mode, in: held)
            names = FileNames(ofDatabase: url.path)
            tables = try connections.writeWithoutTransaction { database in
                OpenTables(
                    progress: try FileSchema(projector, origin: origin)
                        .prepare(database, mode: mode),
                    debt: try .read(database)
                )
            }
            openRows()
        } catch let error as DatabaseError {
            throw ProjectionError.cannotOpen(path: url.path, reason: "\(error)")
        } catch let error as ReadModelError {
            // Progress that is no progress: somebody else wrote into the file.
            throw ProjectionError.cannotOpen(path: url.path, reason: "\(error)")
        }
    }

    /// Makes empty tables in memory, for one as-of view or one check.
    package init(inMemory projector: any Projector, origin: String, keys: any PersonKeys) throws {
        self.projector = projector
        self.origin = origin
        self.keys = .watching(keys)
        faults = { _ in }
        held = nil
        path = ":memory:"
        names = FileNames(ofDatabase: path)
        connections = try DatabaseQueue(configuration: Self.configuration(.building, in: nil))
        let progress = try connections.writeWithoutTransaction { database in
            try FileSchema(projector, origin: origin).prepare(database, mode: .building)
        }
        tables = OpenTables(progress: progress, debt: .none)
        openRows()
    }

    deinit {
        endBuild()
        // The last connection that closes removes journals by their names, which are another's then: they stay open.
        if let held, !held.isInPlace { _ = Unmanaged.passRetained(connections as AnyObject) }
    }

    /// A build that is given up has a transaction open: it ends, and its statements go, while their connection is there.
    private func endBuild() {
        connections.unsafeReentrantWrite { database in
            guard tables.rows != nil else { return }
            tables.rows = nil
            guard database.isInsideTransaction else { return }
            do { try database.rollback() } catch {
                faults(.notStored(projector.identity, path: path, reason: "giving up: \(error)"))
            }
        }
    }

    private func openRows() {
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

    /// How SQLite goes about each statement that the projector has run on this file since it was opened.
    package func work() throws -> [StatementWork] {
        try connections.writeWithoutTransaction { _ in try tables.rows?.work() ?? [] }
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

    /// Like ``apply(_:)``, without blocking the caller's executor, and without a transaction where the page changes no row.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - passing: How many entries of no kind of the projector's own may be passed in memory alone; as many are read again
    ///     by whoever opens the file after a crash.
    /// - Returns: The progress, which a file that passed the page is behind.
    /// - Throws: As ``apply(_:)``.
    func applyLater(
        _ page: EventPage,
        passing: Int = ProjectionLimits.entriesUnwrittenMax
    ) async throws -> ProjectionProgress {
        try await connections.writeWithoutTransaction { database in
            if let progress = self.pass(page, atMost: passing) { return progress }
            return try self.apply(page, in: database, commitAfter: 1)
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
    ///
    /// - Throws: ``ProjectionError/notStored(_:path:reason:)``; then the rows stand where the last commit ended.
    func finishBuilding() async throws {
        try await connections.writeWithoutTransaction { database in try self.finish(database) }
    }

    /// Like ``finishBuilding()``, on this thread.
    func finish() throws {
        try connections.writeWithoutTransaction { database in try finish(database) }
    }

    private func finish(_ database: Database) throws {
        do {
            if database.isInsideTransaction { try commit(database) }
            try FileSchema(projector, origin: origin).finish(database)
        } catch {
            throw undone(error, in: database)
        }
        eraseIfDue(database)
    }

    /// Whether SQLite finds the pages in order; reads all of them.
    func isSound() throws -> Bool {
        try connections.writeWithoutTransaction { database in
            do {
                return try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok"
            } catch let fault as DatabaseError
                where SQLFailure.isDamage(fault.resultCode.rawValue)
            {
                return false
            }
        }
    }

    /// Whether the files that SQLite has open still have their names.
    var hasItsNames: Bool { names.hold }

    /// Ends all connections; statements must be gone before.
    package func close() throws {
        try connections.writeWithoutTransaction { database in
            try settle(database)
            tables.rows = nil
        }
        try connections.close()
    }
}

extension ProjectionFile {
    func write(_ progress: ProjectionProgress, with rows: RowWriter) {
        rows.run("UPDATE progress SET next = ?1, leaf = ?2", progress.next, progress.leaf)
    }

    private func apply(
        _ page: EventPage,
        in database: Database,
        commitAfter entries: Int
    ) throws -> ProjectionProgress {
        guard let rows = tables.rows else {
            throw ProjectionError.cannotOpen(path: path, reason: "it was closed")
        }
        if tables.owesRollback { try repeatRollback(before: page, in: database) }
        let before = tables.progress
        guard page.next > before.next else { return before }
        guard page.first <= before.next else {
            throw ProjectionError.notStored(
                projector.identity,
                path: path,
                reason: "it stands at \(before.next) and must not skip to \(page.first)"
            )
        }
        let after = ProjectionProgress(next: page.next, leaf: page.leaf, origin: origin)
        do {
            try write(page, from: before.next, to: after, with: rows, in: database)
            tables.entriesUncommitted += page.count
            if tables.entriesUncommitted >= entries { try commit(database) }
        } catch {
            throw undone(error, in: database)
        }
        tables.progress = after
        if forgets(page, from: before.next) { tables.debt = .rewriting }
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
        for event in page.events where event.envelope.position >= start {
            if case .person(.erased(let erased)) = event.fact { keys.forget(erased.person) }
            guard projector.kinds.contains(event.envelope.kind) else { continue }
            projector.apply(event, to: rows)
        }
        write(progress, with: rows)
        if let failure = rows.failure { throw failure }
        if forgets(page, from: start) { try ErasingDebt.rewriting.write(database) }
    }

    func commit(_ database: Database) throws {
        try database.commit()
        tables.entriesUncommitted = 0
        tables.entriesUnwritten = 0
    }

    /// Rolls back after a fault and gives the error that tells of it.
    func undone(_ fault: any Error, in database: Database) -> ProjectionError {
        var reason = "\(fault)"
        do {
            try rollBack(in: database)
        } catch {
            reason += "; rolling back failed, too: \(error)"
        }
        let code =
            (fault as? SQLFailure)?.code ?? (fault as? DatabaseError)?.resultCode.rawValue
        return code.map(SQLFailure.isForeign) ?? (fault is ReadModelError)
            ? .damaged(projector.identity, path: path, reason: reason)
            : .notStored(projector.identity, path: path, reason: reason)
    }

    private func rollBack(in database: Database) throws {
        tables.owesRollback = true
        tables.rows?.clearFailure()
        tables.entriesUncommitted = 0
        if database.isInsideTransaction { try database.rollback() }
        tables.entriesUnwritten = 0
        // A bulk build loses its whole transaction, not only this page; one that serves reads again what it passed.
        if let committed = try ProjectionProgress.read(from: ReadTransaction(database)) {
            tables.progress = committed
        }
        tables.debt = try .read(database)
        tables.owesRollback = false
    }

    /// Ends what a failed rollback left; a page that no longer follows has to be read again from the progress.
    private func repeatRollback(before page: EventPage, in database: Database) throws {
        do {
            try rollBack(in: database)
        } catch {
            throw ProjectionError.notStored(projector.identity, path: path, reason: "\(error)")
        }
        guard page.first <= tables.progress.next else {
            throw ProjectionError.notStored(
                projector.identity,
                path: path,
                reason: "what was not committed was rolled back to \(tables.progress.next)"
            )
        }
    }

    private func forgets(_ page: EventPage, from start: LogPosition) -> Bool {
        projector.holdsOpened && projector.kinds.contains(PersonErased.kind)
            && page.events.contains {
                $0.envelope.kind == PersonErased.kind && $0.envelope.position >= start
            }
    }
}

extension ProjectionFile {
    private static func connect(
        to path: String,
        _ mode: Mode,
        in held: HeldFolder?
    ) throws -> any DatabaseWriter {
        if let held, !held.isInPlace {
            throw ProjectionError.cannotOpen(
                path: path,
                reason: "\(EventLogError.elsewhere(path: held.path))"
            )
        }
        let configuration = configuration(mode, in: held)
        return switch mode {
        case .serving: try DatabasePool(path: path, configuration: configuration)
        case .building: try DatabaseQueue(path: path, configuration: configuration)
        }
    }

    private static func configuration(_ mode: Mode, in held: HeldFolder?) -> Configuration {
        var configuration = Configuration()
        configuration.maximumReaderCount = ProjectionLimits.readersMax
        configuration.foreignKeysEnabled = false
        let patience =
            mode == .serving
            ? ProjectionLimits.servingBusyMilliseconds : ProjectionLimits.busyMilliseconds
        configuration.busyMode = .timeout(Double(patience) / 1_000)
        // A bulk build keeps one transaction open over many pages.
        configuration.allowsUnsafeTransactions = mode == .building
        configuration.prepareDatabase { database in
            // A reader is opened when it is needed, by the name.
            try held?.check()
            try database.execute(sql: "PRAGMA secure_delete = ON")
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            // What a reader from elsewhere let it grow to goes back once that one has ended.
            try database.execute(
                sql: "PRAGMA journal_size_limit = \(ProjectionLimits.journalBytes)"
            )
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
