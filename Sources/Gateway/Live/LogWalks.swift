// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Threads

/// Walks the log for those who read much of it, on threads of its own: a page a turn, and the holders in turn.
///
/// A page asks the rights of each of its entries, which takes long and suspends nowhere: on the threads that everybody shares,
/// two readers would stop the rest. One holder has one thread at a time, and the next page is that of whoever waits longest
/// of all holders, however many feeds the others have open.
final class LogWalks: Sendable {
    /// One thread.
    private actor Bench {
        private let thread = DedicatedThread(name: "log-walk")

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            thread.asUnownedSerialExecutor()
        }

        func read<Page: Sendable>(_ page: @Sendable () throws -> Page) throws -> Page {
            try page()
        }
    }

    fileprivate struct State {
        var free = Array(0..<GatewayLimits.logWalksAtOnce)
        /// Holders who have a thread.
        var walking: Set<String> = []
        /// Who waits, by holder, oldest first.
        var waiting: [String: [CheckedContinuation<Int, Never>]] = [:]
        /// Holders who wait and have no thread, in the order of their turns.
        var turns: [String] = []
    }

    private let benches = (0..<GatewayLimits.logWalksAtOnce).map { _ in Bench() }
    private let state = Mutex(State())

    /// Reads a page when it is the holder's turn.
    ///
    /// - Parameters:
    ///   - holder: In whose share it counts; see ``Principal/holder``.
    ///   - read: Reads so little that others wait for it.
    /// - Returns: What was read.
    /// - Throws: `CancellationError`; what reading throws.
    func page<Page: Sendable>(
        for holder: String,
        _ read: @escaping @Sendable () throws -> Page
    ) async throws -> Page {
        let number = await withCheckedContinuation { continuation in
            state.withLock { $0.enter(holder, continuation) }?.resume()
        }
        defer { state.withLock { $0.leave(number, of: holder) }?.resume() }
        try Task.checkCancellation()
        return try await benches[number].read(read)
    }

    /// How many pages wait for a thread.
    var waiting: Int { state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

    /// Somebody whose turn it is, and on which thread.
    fileprivate struct Turn {
        let number: Int
        let continuation: CheckedContinuation<Int, Never>

        func resume() { continuation.resume(returning: number) }
    }
}

extension LogWalks.State {
    fileprivate mutating func enter(
        _ holder: String,
        _ continuation: CheckedContinuation<Int, Never>
    ) -> LogWalks.Turn? {
        if waiting[holder] == nil, !walking.contains(holder) { turns.append(holder) }
        waiting[holder, default: []].append(continuation)
        return next()
    }

    fileprivate mutating func leave(_ number: Int, of holder: String) -> LogWalks.Turn? {
        free.append(number)
        walking.remove(holder)
        if waiting[holder] != nil { turns.append(holder) }
        return next()
    }

    /// Gives a free thread to whose turn it is.
    private mutating func next() -> LogWalks.Turn? {
        guard !turns.isEmpty, let number = free.popLast() else { return nil }
        let holder = turns.removeFirst()
        guard let continuation = waiting[holder]?.removeFirst() else { return nil }
        if waiting[holder]?.isEmpty == true { waiting[holder] = nil }
        walking.insert(holder)
        return LogWalks.Turn(number: number, continuation: continuation)
    }
}
