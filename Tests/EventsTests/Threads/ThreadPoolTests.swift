// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import TestSupport
import Testing
import Threads

@Suite(.timeLimit(.minutes(10))) struct `A pool of threads` {
    private static let threads = 2

    @Test func `gives one holder one thread, and the next turn to another`() async throws {
        let walks = ThreadPool(
            name: "test",
            FairQueue.Limits(places: Self.threads, placesOfHolder: 1)
        )
        let order = Order()
        let isBlocked = DispatchSemaphore(value: 0)
        let begun = Latch()
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await walks.run(for: "caller/1") {
                    begun.raise()
                    isBlocked.wait()
                }
            }
            await begun.wait()
            for _ in 0..<40 {
                group.addTask {
                    try await walks.run(for: "caller/1") { order.add("1") }
                }
            }
            try await eventually("forty pages wait") { walks.counts.waiting == 40 }
            // The one holder's thread is taken, and nobody waits for it but that holder.
            try await walks.run(for: "caller/2") { order.add("2") }
            #expect(order.holders == ["2"])
            isBlocked.signal()
            try await group.waitForAll()
        }
        #expect(order.holders.count == 41 && walks.counts.waiting == 0)
    }

    @Test func `lets others go on while all threads read`() async throws {
        let walks = ThreadPool(
            name: "test",
            FairQueue.Limits(places: Self.threads, placesOfHolder: 1)
        )
        let isBlocked = DispatchSemaphore(value: 0)
        let begun = (0..<Self.threads).map { _ in Latch() }
        try await withThrowingTaskGroup { group in
            for (number, signal) in begun.enumerated() {
                group.addTask {
                    try await walks.run(for: "caller/\(number)") {
                        signal.raise()
                        isBlocked.wait()
                    }
                }
            }
            for signal in begun { await signal.wait() }
            // Whatever runs where everybody runs.
            let others = await withTaskGroup { group in
                for number in 0..<100 { group.addTask { number } }
                return await group.reduce(0, +)
            }
            #expect(others == 4_950)
            for _ in begun { isBlocked.signal() }
            try await group.waitForAll()
        }
    }
}

/// Whose pages were read, in their order.
private final class Order: Sendable {
    private let names = Mutex<[String]>([])

    var holders: [String] { names.withLock { $0 } }

    func add(_ name: String) { names.withLock { $0.append(name) } }
}
