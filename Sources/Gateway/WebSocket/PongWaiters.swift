// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Those who wait for the answer to a ping of theirs.
final class PongWaiters: Sendable {
    private struct State {
        var next: UInt64 = 1
        var waiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]
        var isOver = false
    }

    private let state = Mutex(State())

    /// A number for a new ping.
    func number() -> UInt64 {
        state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
    }

    /// Waits for the answer.
    ///
    /// - Parameters:
    ///   - number: Of the ping.
    ///   - send: Sends it; called once the waiting has begun.
    /// - Returns: `false` when the connection ended first.
    func wait(for number: UInt64, sending send: @escaping @Sendable () async -> Void) async -> Bool
    {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiters[number] = continuation }
                return state.isOver
            }
            guard !isOver else { return continuation.resume(returning: false) }
            // Awaited by the pong, or ended by the end of the connection, which frees the outbox.
            Task { await send() }
        }
    }

    /// The peer answered a ping.
    func answered(_ number: UInt64) {
        state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(returning: true)
    }

    /// The connection has ended: nobody waits any more.
    func end() {
        let waiters = state.withLock { state in
            state.isOver = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(returning: false) }
    }
}
