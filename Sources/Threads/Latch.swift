// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Something that happens once and that any number of tasks may wait for.
public final class Latch: Sendable {
    private struct State {
        var isRaised = false
        var nextWaiter = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    /// Whether it has happened.
    public var isRaised: Bool { state.withLock { $0.isRaised } }

    /// Lets every waiting task go on, now and from now on.
    ///
    /// Repeating it does nothing.
    public func raise() {
        let waiters = state.withLock { state in
            state.isRaised = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns once it has happened, or the waiting task is cancelled.
    public func wait() async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.isRaised, !Task.isCancelled else { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
