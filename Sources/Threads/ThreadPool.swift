// SPDX-License-Identifier: Apache-2.0

/// A few threads of its own for work that blocks, shared in turn by all who have some.
public final class ThreadPool: Sendable {
    private actor Seat {
        private let thread: DedicatedThread

        init(name: String) {
            thread = DedicatedThread(name: name)
        }

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            thread.asUnownedSerialExecutor()
        }

        func run<Value: Sendable>(_ work: @Sendable () throws -> Value) throws -> Value {
            try work()
        }
    }

    private let seats: [Seat]
    private let queue: FairQueue

    /// Starts as many threads as there are places.
    ///
    /// - Parameters:
    ///   - name: What debuggers show of each; see ``DedicatedThread``.
    ///   - limits: How many threads, and who may wait for them.
    public init(name: String, _ limits: FairQueue.Limits) {
        seats = (0..<limits.places).map { _ in Seat(name: name) }
        queue = FairQueue(limits)
    }

    /// How many threads work, and how many pieces of work wait for one.
    public var counts: (taken: Int, waiting: Int) { queue.counts }

    /// Does work on one of the threads, when it is its holder's turn.
    ///
    /// - Parameters:
    ///   - holder: In whose share it counts.
    ///   - work: May block.
    /// - Returns: What the work returns.
    /// - Throws: ``FairQueue/Full``; `CancellationError` when cancelled before it began; what the work throws.
    public func run<Value: Sendable>(
        for holder: String,
        _ work: @Sendable () throws -> Value
    ) async throws -> Value {
        try await queue.withPlace(for: holder) { place in
            try Task.checkCancellation()
            return try await seats[place].run(work)
        }
    }
}
