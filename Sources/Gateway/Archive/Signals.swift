// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

/// Tells whoever waits for a stream, or a camera, that there is more of it than before.
///
/// A signal carries nothing: the waiter looks for itself, so that one signal may stand for many.
final class Signals<ID: Hashable & Sendable>: Sendable {
    private struct State {
        var next = 0
        var listeners: [ID: [Int: AsyncStream<Void>.Continuation]] = [:]
        var ofAll: [Int: AsyncStream<ID>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// Wakes the waiters of one.
    func raise(_ id: ID) {
        let (own, all) = state.withLock { state in
            (Array((state.listeners[id] ?? [:]).values), Array(state.ofAll.values))
        }
        for listener in own { listener.yield() }
        for listener in all { listener.yield(id) }
    }

    /// A signal at once, then one or more whenever it went on; at most one waits to be read.
    func changes(of source: ID) -> AsyncStream<Void> {
        let (signals, listener) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let id = state.withLock { state in
            state.next += 1
            state.listeners[source, default: [:]][state.next] = listener
            return state.next
        }
        listener.onTermination = { [weak self] _ in self?.forget(id, of: source) }
        listener.yield()
        return signals
    }

    /// Those that went on; when nobody reads, the oldest 4,096 signals are forgotten.
    func changesOfAll() -> AsyncStream<ID> {
        let (signals, listener) = AsyncStream.makeStream(
            of: ID.self,
            bufferingPolicy: .bufferingNewest(4_096)
        )
        let id = state.withLock { state in
            state.next += 1
            state.ofAll[state.next] = listener
            return state.next
        }
        listener.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.ofAll.removeValue(forKey: id) }
        }
        return signals
    }

    private func forget(_ id: Int, of source: ID) {
        state.withLock { state in
            _ = state.listeners[source]?.removeValue(forKey: id)
            if state.listeners[source]?.isEmpty == true { state.listeners[source] = nil }
        }
    }
}

/// Of streams, whenever the log says more of one.
typealias StreamSignals = Signals<StreamID>
