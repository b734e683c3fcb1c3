// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import Threads

@Suite(.timeLimit(.minutes(10))) struct `A thread of its own` {
    private actor Worker {
        nonisolated let thread: DedicatedThread
        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
        private var count = 0

        init(_ thread: DedicatedThread) { self.thread = thread }

        func add() -> Int {
            count += 1
            return count
        }
    }

    @Test func `that the machine did not give at once does its jobs when it is there`() async {
        let refusals = Mutex(3)
        let thread = DedicatedThread(name: "late") { name, run in
            let isRefused = refusals.withLock { left in
                left -= 1
                return left >= 0
            }
            return isRefused ? false : POSIXThread.start(name, run)
        }
        let worker = Worker(thread)
        #expect(await worker.add() == 1)
        #expect(await worker.add() == 2)
        #expect(refusals.withLock(\.self) == -1, "it was asked for until it came")
    }
}
