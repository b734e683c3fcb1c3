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

    /// Indexes what is committed so far.
    ///
    /// A full disk only delays it: what is not indexed stays in memory and the next turn tries again.
    func flush() {
        while let items = take() {
            do {
                try log.index.add(items, to: &tree)
            } catch {
                log.state.withLock { $0.indexFault = "\(error)" }
                return
            }
            finish()
        }
    }

    /// The tree over everything that is indexed.
    func head() -> MerkleFrontier {
        tree.frontier
    }

    /// Keeps a stored checkpoint where readers look for it, unless a newer one lies there.
    ///
    /// Here, because checkpoints may be made at the same time and only one may write the file.
    func serve(_ checkpoint: SignedCheckpoint) throws {
        guard checkpoint.size > log.state.withLock({ $0.checkpoint?.size ?? 0 }) else { return }
        try writeDurably(Data(checkpoint.note.utf8), to: log.folder.appending(path: "checkpoint"))
        log.state.withLock { state in
            state.checkpoint = checkpoint
            state.checkpointFault = nil
            state.checkpointedAt = log.configuration.clock.monotonic()
        }
    }

    private func take() -> [UnindexedTail.Item]? {
        log.state.withLock { state in
            // What an earlier turn could not write goes first.
            if state.flushing.items.isEmpty {
                swap(&state.flushing, &state.fresh)
            }
            return state.flushing.items.isEmpty ? nil : state.flushing.items
        }
    }

    private func finish() {
        let wake = log.state.withLock { state in
            state.flushing = UnindexedTail()
            state.indexFault = nil
            defer { state.writerStalled = false }
            guard state.writerStalled, !state.waiting.isEmpty else { return false }
            state.writerScheduled = true
            return true
        }
        if wake { log.scheduleWriter() }
    }
}

extension EventLog {
    /// Gives the indexer a turn.
    func scheduleIndexer() {
        guard let indexer = parts.withLock({ $0 })?.indexer else { return }
        // Awaited by nobody: what it does not finish, the next turn or the next opening does.
        Task { await indexer.flush() }
    }
}
