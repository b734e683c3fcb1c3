// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Lets the listeners of a gateway wait for each other: nobody is told that it serves before all of them are bound.
final class ListenersBound: Sendable {
    private let state: Mutex<(missing: Int, bells: [AsyncStream<Void>.Continuation])>

    /// - Parameter count: How many listeners there are.
    init(_ count: Int) {
        state = Mutex((count, []))
    }

    /// One more is bound; returns once all are.
    ///
    /// - Throws: `CancellationError` when the gateway ends before, because another could not be bound.
    func arrive() async throws {
        let (all, bell) = AsyncStream.makeStream(of: Void.self)
        let bells = state.withLock { state in
            state.missing -= 1
            state.bells.append(bell)
            return state.missing == 0 ? state.bells : []
        }
        for bell in bells { bell.finish() }
        for await _ in all {}
        try Task.checkCancellation()
    }
}
