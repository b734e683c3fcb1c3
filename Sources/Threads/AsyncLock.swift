// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Lets one task at a time do something that awaits, in the order of asking.
///
/// No thread is blocked meanwhile. Whoever is cancelled while it waits gets its turn all the same.
public final class AsyncLock: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    public init() {}

    /// Whether somebody has it.
    public var isTaken: Bool { state.withLock(\.isTaken) }

    /// Runs the body when it is this task's turn, where it asked from.
    public func withLock<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        await begin(isolation: isolation)
        defer { end() }
        return try await body()
    }

    private func begin(isolation: isolated (any Actor)?) async {
        await withCheckedContinuation(isolation: isolation) { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func end() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return CheckedContinuation<Void, Never>?.none
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
