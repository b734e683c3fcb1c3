// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Synchronization
import Threads

/// The log: every event once, in one order, on disk before anyone hears that it was taken.
///
/// One process writes a folder; `log/` holds the truth, `index/` what is derived from it.
/// Appends wait on the writer's own thread, never on the cooperative pool. Reads are short transactions on the
/// caller's thread: they cost page faults at worst.
public final class EventLog: Sendable {
    /// The ledger's name: `source` of every entry, origin of every checkpoint.
    public let origin: String
    let folder: URL
    /// The folder, whatever has its name now.
    public let held: HeldFolder
    let configuration: LogConfiguration
    let store: EntryStore
    let index: LogIndex
    private let isIndexBeside: Bool
    let encoder: EventEncoder
    /// Makes and checks the hashes of commands; `nil` without a signer.
    let hasher: CommandHasher?
    /// The time that events are recorded with, and that decisions go by.
    public let clock: GuardedClock
    let state: Mutex<LogState>
    let lock: FolderLock
    // Set once, before `open` returns.
    let parts = Mutex<Parts?>(nil)

    /// The two threads that write, and the task that ticks for them.
    struct Parts: Sendable {
        let writer: LogWriter
        let indexer: LogIndexer
        let ticking: Task<Void, Never>
    }

    /// Opens or creates the log in a ledger's folder.
    ///
    /// Scans only what the index does not have yet; an index that is missing, damaged, or of another log or format is
    /// made again first, beside the old one. A log that is shorter than a signed checkpoint, or inconsistent with it, or
    /// whose end nobody vouches for, opens for reading only (``readOnlyReason``).
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder; made if missing.
    ///   - configuration: Origin, keys, clock and limits.
    /// - Returns: The log, which holds the folder's lock until it is closed.
    /// - Throws: ``EventLogError/cannotOpen(path:reason:)``, `damaged`, `unreadable`.
    public static func open(
        _ folder: URL,
        configuration: LogConfiguration
    ) throws(EventLogError) -> EventLog {
        do throws(EventLogError) {
            let log = try EventLog(folder, configuration)
            try log.start()
            return log
        } catch {
            throw error.named(onDiskOf: folder)
        }
    }

    init(_ folder: URL, _ configuration: LogConfiguration) throws(EventLogError) {
        guard isOrigin(configuration.origin) else {
            throw .unacceptable(
                reason:
                    "the origin \"\(configuration.origin)\" is no schemeless URL of at most \(EventLimits.originBytesMax) bytes"
            )
        }
        origin = configuration.origin
        self.folder = folder
        self.configuration = configuration
        encoder = EventEncoder(keys: configuration.keys)
        hasher = CommandHasher(configuration.signer)
        lock = try FolderLock(folder)
        held = try HeldFolder(folder)
        try makeFolder(folder.appending(path: "log"))
        store = try EntryStore(
            path: folder.appending(path: "log").path,
            access: .readWrite,
            map: configuration.map
        )
        let matching = try LogIndex.matching(
            store,
            in: folder,
            map: configuration.map,
            sealer: configuration.memory?.sealer
        )
        index = matching.index
        isIndexBeside = matching.isBeside
        clock = GuardedClock(
            folder: folder,
            clock: configuration.clock,
            lastRecorded: try store.lastTime(),
            sealer: configuration.memory?.sealer
        )
        state = Mutex(LogState(size: 0))
    }

    /// How many events are committed; the position that the next one will get.
    public var size: UInt64 { state.withLock { $0.size } }

    /// Why nothing can be appended, if the log opened for reading only or a commit failed.
    public var readOnlyReason: EventLogError? { state.withLock { $0.refusal } }

    /// Whether the log opened for reading only: nobody acts on what it says until somebody decided what it is.
    public var isDoubted: Bool {
        if case .readOnly = readOnlyReason { true } else { false }
    }

    /// What was committed since the log was opened; group commit shows as events per commit.
    public var statistics: LogStatistics { state.withLock { $0.statistics } }

    /// Stops taking appends, finishes those that wait, writes the index and a last checkpoint, and ends.
    ///
    /// Those who follow see their sequences end. Nothing is lost without it: the next opening catches up.
    public func close() async {
        guard let parts = parts.withLock({ $0.take() }) else { return }
        parts.ticking.cancel()
        await parts.ticking.value
        await parts.writer.finish()
        await parts.indexer.flush()
        await checkpoint(parts, evenIfRecent: true)
        let followers = state.withLock { state in
            state.refusal = .closed
            state.isOver = true
            return state.arrivals.arrived(at: .max)
        }
        for follower in followers { follower.resume() }
        await parts.writer.closeEnvironment()
        await parts.indexer.closeEnvironment()
        lock.release()
    }
}

extension EventLog {
    /// Brings the index up to the log and holds what was signed against both.
    ///
    /// - Returns: The tree over everything.
    func prepare() throws(EventLogError) -> TileBuilder {
        store.environment.dropDeadReaders()
        index.environment.dropDeadReaders()
        try recordOrigin()
        let tree = try catchUp()
        if isIndexBeside { try LogIndex.takePlace(in: folder) }
        try syncNames()
        let newest = try confirmSignatures(tree.frontier)
        if !isDoubted, let unknown = state.withLock({ $0.unknownKind }) { throw unknown }
        state.withLock { $0.checkpoint = newest }
        return tree
    }

    private func start() throws(EventLogError) {
        let tree = try prepare()
        let writer = LogWriter(log: self, tree: tree.frontier)
        let indexer = LogIndexer(log: self, tree: tree)
        // Awaited by nobody, cancelled by `close`; holds the log weakly so that forgetting it ends the ticking.
        let ticking = Task { [weak self] in
            while (try? await Task.sleep(for: LogLimits.indexDelayMax)) != nil {
                guard let self else { return }
                await self.tick()
            }
        }
        parts.withLock { $0 = Parts(writer: writer, indexer: indexer, ticking: ticking) }
    }

    /// Makes the names of what was made durable: liblmdb syncs its files, but not the folders that they stand in.
    private func syncNames() throws(EventLogError) {
        do {
            for path in ["log", "index"] { try syncFolder(folder.appending(path: path)) }
            try syncFolder(folder)
        } catch {
            throw .cannotOpen(path: folder.path, reason: "its folders cannot be synced: \(error)")
        }
    }

    private func recordOrigin() throws(EventLogError) {
        if let known = try store.origin() {
            guard known == origin else {
                throw .cannotOpen(
                    path: folder.path,
                    reason: "it is the ledger \(known), not \(origin); open it by its own origin"
                )
            }
            guard try store.fact("format") == EntryStore.format else {
                throw .cannotOpen(
                    path: folder.path,
                    reason: "its format is not \(EntryStore.format); use the program that wrote it"
                )
            }
            return
        }
        do {
            let transaction = try store.environment.beginWrite()
            do throws(LMDBError) {
                try store.put(fact: origin, named: "origin", in: transaction)
                try store.put(fact: EntryStore.format, named: "format", in: transaction)
            } catch {
                transaction.abort()
                throw error
            }
            try transaction.commit()
        } catch {
            throw .cannotOpen(path: folder.path, reason: "\(error)")
        }
    }

    private func tick() async {
        guard let parts = parts.withLock({ $0 }) else { return }
        await parts.writer.dropDeadReaders()
        await parts.writer.tendClock()
        await parts.indexer.dropDeadReaders()
        await parts.indexer.flush()
        await checkpoint(parts, evenIfRecent: false)
    }
}

private func makeFolder(_ folder: URL) throws(EventLogError) {
    do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
        throw .cannotOpen(path: folder.path, reason: "\(error.localizedDescription)")
    }
}
