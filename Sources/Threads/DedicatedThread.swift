// SPDX-License-Identifier: Apache-2.0
import Dispatch
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
    /// A machine that gives no thread now is asked again until it does; the jobs wait meanwhile.
    ///
    /// - Parameter name: What debuggers and `top -H` show; at most 15 bytes are kept by Linux.
    public convenience init(name: String) {
        self.init(name: name, starting: POSIXThread.start)
    }

    init(name: String, starting: @escaping POSIXThread.Starter) {
        inbox = Inbox()
        inbox.executor.withLock { $0 = asUnownedSerialExecutor() }
        Self.start(String(name.utf8.prefix(15)) ?? "", inbox, starting)
    }

    /// How long until a machine that has no thread to give is asked again.
    static let pause = DispatchTimeInterval.milliseconds(200)

    private static func start(
        _ name: String,
        _ inbox: Inbox,
        _ starting: @escaping POSIXThread.Starter
    ) {
        guard !starting(name, { inbox.drain() }) else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + pause) {
            start(name, inbox, starting)
        }
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

/// Threads as the system makes them, which says when it cannot; Foundation's does not.
enum POSIXThread {
    /// Starts a thread that bears a name and runs something; `false` if there is none to be had.
    typealias Starter = @Sendable (String, @escaping @Sendable () -> Void) -> Bool

    private final class Work {
        let name: String
        let run: @Sendable () -> Void

        init(_ name: String, _ run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    static let start: Starter = { name, run in
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        guard pthread_attr_init(attributes) == 0 else { return false }
        defer { pthread_attr_destroy(attributes) }
        pthread_attr_setstacksize(attributes, 1 << 20)
        pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
        let work = Unmanaged.passRetained(Work(name, run))
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            attributes,
            { pointer in
                guard let pointer else { return nil }
                let work = Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
                Thread.current.name = work.name
                work.run()
                return nil
            },
            work.toOpaque()
        )
        if code != 0 { work.release() }
        return code == 0
    }
}
