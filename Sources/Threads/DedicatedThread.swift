// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A thread of its own that runs the jobs of the actors pinned to it, one after another.
///
/// Whatever blocks (LMDB, libvpx, fsync) runs on an actor whose `unownedExecutor` is one of these, so the
/// cooperative pool never waits. The thread lives as long as the object and ends after the jobs it holds.
public final class DedicatedThread: SerialExecutor {
    private let inbox: Inbox

    /// Starts a thread.
    ///
    /// - Parameter name: What debuggers and `top -H` show; at most 15 bytes are kept by Linux.
    public init(name: String) {
        let inbox = Inbox()
        self.inbox = inbox
        let isStarted = DispatchSemaphore(value: 0)
        let thread = Thread {
            // A thread can only name itself, and Foundation names none whose start has not returned.
            isStarted.wait()
            Thread.current.name = name
            inbox.drain()
        }
        thread.stackSize = 1 << 20
        inbox.executor.withLock { $0 = asUnownedSerialExecutor() }
        thread.start()
        isStarted.signal()
    }

    deinit {
        inbox.close()
    }

    /// Hands one job to the thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        inbox.add(UnownedJob(job))
    }

    /// Whether jobs wait for the one that runs now.
    public var hasWaitingJobs: Bool { inbox.unfinished.load(ordering: .relaxed) > 1 }

    /// The executor as actors name it.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }
}

/// The jobs that wait, and the loop that runs them.
private final class Inbox: @unchecked Sendable {
    // `jobs` and `closed` are touched under `condition` only.
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var closed = false
    /// Jobs that wait, with the one that runs.
    let unfinished = Atomic(0)
    let executor = Mutex<UnownedSerialExecutor?>(nil)

    func add(_ job: UnownedJob) {
        unfinished.add(1, ordering: .relaxed)
        condition.lock()
        jobs.append(job)
        condition.signal()
        condition.unlock()
    }

    func close() {
        condition.lock()
        closed = true
        condition.signal()
        condition.unlock()
    }

    func drain() {
        guard let executor = executor.withLock({ $0 }) else { return }
        while let batch = next() {
            for job in batch {
                job.runSynchronously(on: executor)
                unfinished.subtract(1, ordering: .relaxed)
            }
        }
    }

    private func next() -> [UnownedJob]? {
        condition.lock()
        defer { condition.unlock() }
        while jobs.isEmpty && !closed { condition.wait() }
        guard !jobs.isEmpty else { return nil }
        defer { jobs = [] }
        return jobs
    }
}
