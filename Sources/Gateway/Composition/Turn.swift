// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Lets in one at a time, in the order of coming.
final class Turn: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Does work when it is its turn; whoever was cancelled meanwhile gets the turn all the same.
    func take<Value>(_ work: () async throws -> Value) async rethrows -> Value {
        await withCheckedContinuation { turn in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(turn)
                return false
            }
            if isFree { turn.resume() }
        }
        defer { leave() }
        return try await work()
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
