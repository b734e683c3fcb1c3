// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import Threads

@Suite(.timeLimit(.minutes(10))) struct `A fair queue` {
    /// One place is taken until the signal; whoever waits is told in the order of their turns.
    private func turns(
        _ queue: FairQueue,
        of holders: [String],
        cancelling left: Int? = nil
    ) async throws -> [String] {
        let order = Noted()
        let isOver = Latch()
        let first = Task { try await queue.withPlace(for: "first") { _ in await isOver.wait() } }
        try await eventually("the place is taken") { queue.counts.taken == 1 }
        var tasks: [Task<Void, any Error>] = []
        for (number, holder) in holders.enumerated() {
            tasks.append(
                Task {
                    try await queue.withPlace(for: holder) { _ in
                        order.add(holder)
                    }
                }
            )
            try await eventually("\(holder) waits") { queue.counts.waiting == number + 1 }
        }
        if let left {
            tasks[left].cancel()
            await #expect(throws: CancellationError.self) { try await tasks[left].value }
            tasks.remove(at: left)
        }
        isOver.raise()
        try await first.value
        for task in tasks { try await task.value }
        #expect(queue.counts == (0, 0))
        return order.all
    }

    @Test func `gives the next place to the next holder, however much one asks`() async throws {
        let queue = FairQueue(FairQueue.Limits(places: 1, placesOfHolder: 1))
        let order = try await turns(queue, of: ["a", "a", "a", "b", "c", "b"])
        #expect(order == ["a", "b", "c", "a", "b", "a"])
    }

    @Test func `forgets who left`() async throws {
        let queue = FairQueue(FairQueue.Limits(places: 1, placesOfHolder: 1))
        #expect(try await turns(queue, of: ["a", "b", "c"], cancelling: 1) == ["a", "c"])
    }

    @Test func `lets nobody in beyond a holder's share, nor beyond what may wait`() async throws {
        let queue = FairQueue(
            FairQueue.Limits(places: 2, placesOfHolder: 1, waiting: 1, ofHolder: 2)
        )
        let isOver = Latch()
        let stay = { (holder: String) in
            Task { try await queue.withPlace(for: holder) { _ in await isOver.wait() } }
        }
        let own = stay("a")
        try await eventually("a has a place") { queue.counts == (1, 0) }
        let second = stay("a")
        try await eventually("a waits, though a place is free") { queue.counts == (1, 1) }
        await #expect(throws: FairQueue.Full.ofHolder(2)) {
            try await queue.withPlace(for: "a") { _ in }
        }
        let other = stay("b")
        try await eventually("b has the other place") { queue.counts == (2, 1) }
        await #expect(throws: FairQueue.Full.ofAll(3)) {
            try await queue.withPlace(for: "c") { _ in }
        }
        isOver.raise()
        for task in [own, second, other] { try await task.value }
        #expect(queue.counts == (0, 0))
    }

    @Test func `gives back the place of work that failed`() async throws {
        struct Broken: Error {}
        let queue = FairQueue(FairQueue.Limits(places: 1, placesOfHolder: 1, waiting: 0))
        for _ in 0..<2 {
            await #expect(throws: Broken.self) {
                try await queue.withPlace(for: "a") { _ in throw Broken() }
            }
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A lock that awaits` {
    @Test func `lets one in at a time`() async throws {
        let lock = AsyncLock()
        let (order, isOver) = (Noted(), Latch())
        let first = Task { await lock.withLock { await isOver.wait() } }
        try await eventually("the lock is taken") { lock.isTaken }
        let tasks = (0..<5).map { number in
            Task {
                order.add("\(number) asks")
                await lock.withLock { order.add("\(number) has it") }
            }
        }
        try await eventually("all have asked") { order.all.count == 5 }
        isOver.raise()
        await first.value
        for task in tasks { await task.value }
        #expect(Set(order.all.suffix(5)) == Set((0..<5).map { "\($0) has it" }) && !lock.isTaken)
    }
}

/// What was noted, in its order.
private final class Noted: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ text: String) { texts.withLock { $0.append(text) } }
}
