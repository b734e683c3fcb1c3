// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Threads

/// A fixed number of threads, handed out in turn to actors that block.
final class ArchiveThreads: Sendable {
    private let threads: [DedicatedThread]
    private let next = Mutex(0)

    /// - Parameters:
    ///   - count: How many, at least one.
    ///   - name: What debuggers call them.
    init(count: Int, name: String) {
        threads = (0..<max(1, count)).map { DedicatedThread(name: "\(name)-\($0)") }
    }

    /// The thread whose turn it is.
    func take() -> DedicatedThread {
        let turn = next.withLock { next in
            next = (next + 1) % threads.count
            return next
        }
        return threads[turn]
    }
}
