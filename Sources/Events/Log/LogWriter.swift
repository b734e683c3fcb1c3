// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Threads

/// The only one who appends: drains what waits into one transaction and one fsync, on a thread of its own.
actor LogWriter {
    private let thread = DedicatedThread(name: "log-writer")
    private unowned let log: EventLog
    private var freeSpace: FreeSpace
    /// The tree over everything that is committed; `nil` where nothing is sealed.
    private var tree: MerkleFrontier?

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(log: EventLog, tree: MerkleFrontier) {
        self.log = log
        self.tree = log.configuration.memory?.sealer == nil ? nil : tree
        freeSpace = FreeSpace(folder: log.folder, bytesMin: log.configuration.freeBytesMin)
    }

    /// Commits what waits, batch after batch, until nothing does.
    ///
    /// Between batches others have their turn on this actor: checkpoints, dead readers, closing.
    func drain() {
        while let waiting = take(backlogMax: LogLimits.eventsUnindexedMax) {
            commit(waiting[...])
            if thread.hasWaitingJobs { return log.scheduleWriter() }
        }
    }

    /// Refuses new appends and commits those that wait.
    func finish() {
        log.state.withLock { state in
            if state.refusal == nil { state.refusal = .closed }
            state.writerStalled = false
        }
        while let waiting = take(backlogMax: .max) {
            commit(waiting[...])
        }
        leaveMark()
    }

    /// Records a step of the clock although nothing is appended, and leaves a mark now and then.
    func tendClock() {
        if log.clock.hasStepped, log.state.withLock({ $0.refusal == nil }) { commit([]) }
        if log.clock.isMarkDue { leaveMark() }
    }

    /// Leaves word for the next process of this ledger, not for that of a folder in its place.
    private func leaveMark() {
        if log.held.isInPlace { log.clock.writeMark() }
    }

    /// Stores a signed checkpoint in the log.
    func store(_ checkpoint: SignedCheckpoint) throws(LMDBError) {
        log.store.environment.keepRoom()
        let transaction = try log.store.environment.beginWrite()
        do throws(LMDBError) {
            try log.store.put(checkpoint: checkpoint.note, size: checkpoint.size, in: transaction)
        } catch {
            transaction.abort()
            throw error
        }
        do throws(LMDBError) {
            try transaction.commit()
        } catch {
            if !error.isFull { poison(because: error) }
            throw error
        }
    }

    /// Frees the places of readers that died.
    func dropDeadReaders() {
        log.store.environment.dropDeadReaders()
    }

    /// Ends the environment here, where nobody else can be writing to it.
    func closeEnvironment() {
        log.store.environment.close()
    }

    private func take(backlogMax: Int) -> [WaitingAppend]? {
        log.state.withLock { state in
            guard state.unindexed.count < backlogMax else {
                state.writerScheduled = false
                state.writerStalled = true
                return nil
            }
            guard !state.waiting.isEmpty else {
                state.writerScheduled = false
                return nil
            }
            return state.takeWaiting(eventsMax: LogLimits.eventsPerCommitMax)
        }
    }

    /// Commits appends together; what does not fit together is tried in halves, so that only what has no room by itself
    /// hears that there is none.
    private func commit(_ waiting: ArraySlice<WaitingAppend>) {
        // The first half was not confirmed; or what is taken here is lost to whoever opens the folder by its name.
        if let refusal = log.state.withLock({ $0.poison }) ?? elsewhere {
            for waiting in waiting { waiting.answer.resume(returning: .failure(refusal)) }
            return
        }
        let environment = log.store.environment
        environment.keepRoom()
        let shortage = freeSpace.shortage(mapBytes: environment.mapBytesLeft)
        let time = log.clock.now
        let steps = log.clock.takeSteps()
        var batch = LogBatch(log: log, time: time, shortage: shortage)
        let answers: [Result<Receipt, EventLogError>]
        do throws(LMDBError) {
            answers = try write(waiting, steps, &batch)
        } catch {
            log.clock.giveBack(steps)
            return tryInHalves(waiting, because: error)
        }
        publish(batch)
        // Once it is on disk who confirmed the clock, and before that person hears so.
        if batch.confirmsClock { log.clock.confirm() }
        if batch.confirmsClock || !steps.isEmpty { leaveMark() }
        for (waiting, answer) in zip(waiting, answers) { waiting.answer.resume(returning: answer) }
    }

    private var elsewhere: EventLogError? {
        log.held.isInPlace ? nil : .elsewhere(path: log.held.path)
    }

    private func tryInHalves(_ waiting: ArraySlice<WaitingAppend>, because error: LMDBError) {
        guard error.isFull, isUnchanged else { return fail(waiting, because: error) }
        if error.isMapFull, log.store.environment.makeRoom() { return commit(waiting) }
        guard waiting.count > 1 else { return refuse(waiting, because: error) }
        let middle = waiting.startIndex + waiting.count / 2
        commit(waiting[..<middle])
        commit(waiting[middle...])
    }

    private func write(
        _ waiting: ArraySlice<WaitingAppend>,
        _ steps: [ClockWatch.Step],
        _ batch: inout LogBatch
    ) throws(LMDBError) -> [Result<Receipt, EventLogError>] {
        let transaction = try log.store.environment.beginWrite()
        var answers: [Result<Receipt, EventLogError>] = []
        answers.reserveCapacity(waiting.count)
        let sealed: MerkleFrontier?
        do throws(LMDBError) {
            for step in steps { try batch.add(step, to: transaction) }
            for waiting in waiting {
                answers.append(try batch.add(waiting.append, to: transaction))
            }
            sealed = try seal(batch.items, in: transaction)
        } catch {
            transaction.abort()
            throw error
        }
        if batch.items.isEmpty { transaction.abort() } else { try transaction.commit() }
        tree = sealed
        return answers
    }

    /// Seals what a transaction adds.
    ///
    /// - Returns: The tree with it, for when it is committed.
    private func seal(
        _ items: [UnindexedTail.Item],
        in transaction: borrowing LMDBTransaction
    ) throws(LMDBError) -> MerkleFrontier? {
        guard let sealer = log.configuration.memory?.sealer, var longer = tree, !items.isEmpty
        else { return tree }
        for item in items { longer.append(item.leafHash) }
        try log.store.put(sealer.seal(longer), in: transaction)
        return longer
    }

    private func publish(_ batch: LogBatch) {
        guard !batch.items.isEmpty else { return }
        let (followers, indexDue) = log.state.withLock { state in
            state.unindexed.append(batch.items)
            state.size = batch.size
            state.statistics.commits += 1
            state.statistics.events += batch.items.count
            let due =
                state.unindexed.count >= LogLimits.eventsPerIndexCommit
                && !state.unindexed.isBeingIndexed
            return (state.arrivals.arrived(at: batch.size), due)
        }
        for follower in followers { follower.resume() }
        if indexDue { log.scheduleIndexer() }
    }

    /// Whether the log is as it was before the transaction that failed.
    private var isUnchanged: Bool {
        do {
            return try log.store.size() == log.size
        } catch {
            // Who cannot look does not know.
            return false
        }
    }

    private func refuse(_ waiting: ArraySlice<WaitingAppend>, because error: LMDBError) {
        let reason = error.isMapFull ? log.store.environment.fullMapReason : "\(error)"
        for waiting in waiting { waiting.answer.resume(returning: .failure(.full(detail: reason))) }
    }

    private func fail(_ waiting: ArraySlice<WaitingAppend>, because error: LMDBError) {
        poison(because: error)
        let unknown = EventLogError.outcomeUnknown(detail: "\(error)")
        for waiting in waiting { waiting.answer.resume(returning: .failure(unknown)) }
    }

    /// Appends no more: after a failed fsync the kernel may have dropped what was to be written, and says so only once.
    ///
    /// What waits already is refused here, because a next commit would seem to succeed.
    private func poison(because error: LMDBError) {
        let refusal = EventLogError.poisoned(detail: "\(error)")
        let waiting = log.state.withLock { state in
            state.refusal = refusal
            return state.takeWaiting(eventsMax: .max)
        }
        for waiting in waiting { waiting.answer.resume(returning: .failure(refusal)) }
    }
}
