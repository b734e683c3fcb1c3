// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Threads

/// Keeps the index up with the log, behind it by at most a batch or a second, on a thread of its own.
actor LogIndexer {
    private let thread = DedicatedThread(name: "log-indexer")
    private unowned let log: EventLog
    private var tree: TileBuilder

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(log: EventLog, tree: TileBuilder) {
        self.log = log
        self.tree = tree
    }

    /// Indexes what is committed so far; what comes meanwhile waits for the next turn.
    ///
    /// A full disk only delays it: what is not indexed stays in memory and the next turn tries again.
    func flush() {
        let goal = log.size
        while tree.size < goal, let items = log.state.withLock({ $0.unindexed.take() }) {
            do {
                try log.index.add(items, to: &tree)
            } catch {
                return fail(because: error)
            }
            finish()
        }
        if log.state.withLock({ $0.unindexed.count >= LogLimits.eventsPerIndexCommit }) {
            log.scheduleIndexer()
        }
    }

    /// Frees the places of readers that died.
    func dropDeadReaders() {
        log.index.environment.dropDeadReaders()
    }

    /// Ends the environment here, where nobody else can be writing to it.
    func closeEnvironment() {
        log.index.environment.close()
    }

    /// The tree over everything that is indexed.
    func head() -> MerkleFrontier {
        tree.frontier
    }

    /// Keeps a stored checkpoint where readers look for it, unless a newer one lies there.
    ///
    /// Here, because checkpoints may be made at the same time and only one may write the file. The head is remembered
    /// before anybody can see the checkpoint, so that none that was seen is ever contradicted.
    func serve(_ checkpoint: SignedCheckpoint, _ head: SignedHead) throws {
        guard checkpoint.size > log.state.withLock({ $0.checkpoint?.size ?? 0 }) else { return }
        try log.held.check()
        try log.configuration.memory?.keep(head)
        try log.held.check()
        try writeDurably(Data(checkpoint.note.utf8), to: log.folder.appending(path: "checkpoint"))
        log.state.withLock { state in
            state.checkpoint = checkpoint
            state.checkpointFault = nil
            state.checkpointedAt = log.configuration.clock.monotonic()
        }
    }

    /// Whoever waits for the index to catch up is told that it cannot.
    private func fail(because error: LMDBError) {
        let fault =
            "the index cannot be written: "
            + (error.isMapFull ? log.index.environment.fullMapReason : "\(error)")
        let waiting = log.state.withLock { state in
            state.indexFault = fault
            return state.writerStalled ? state.takeWaiting(eventsMax: .max) : []
        }
        for waiting in waiting {
            waiting.answer.resume(returning: .failure(.full(detail: fault)))
        }
    }

    private func finish() {
        let (wake, indexed) = log.state.withLock { state in
            let indexed = state.unindexed.dropIndexed()
            state.indexFault = nil
            let wake = state.writerStalled && !state.waiting.isEmpty
            state.writerStalled = false
            if wake { state.writerScheduled = true }
            return (wake, indexed)
        }
        // Freed here, outside the lock: it may be many small pieces of memory.
        _ = consume indexed
        if wake { log.scheduleWriter() }
    }
}

extension EventLog {
    /// Gives the indexer a turn.
    func scheduleIndexer() {
        guard let indexer = parts.withLock({ $0 })?.indexer else { return }
        // Awaited by nobody: what it does not finish, the next turn or the next opening does. It keeps the log alive.
        Task { [self] in
            await indexer.flush()
            _ = self
        }
    }
}
