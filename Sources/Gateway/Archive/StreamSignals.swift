// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

/// Tells whoever waits for a stream that the log says more of it than before.
///
/// A signal carries nothing: the waiter looks for itself, so that one signal may stand for many.
final class StreamSignals: Sendable {
    private struct State {
        var next = 0
        var listeners: [StreamID: [Int: AsyncStream<Void>.Continuation]] = [:]
        var ofAll: [Int: AsyncStream<StreamID>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// Wakes the waiters of a stream.
    func raise(_ stream: StreamID) {
        let (own, all) = state.withLock { state in
            (Array((state.listeners[stream] ?? [:]).values), Array(state.ofAll.values))
        }
        for listener in own { listener.yield() }
        for listener in all { listener.yield(stream) }
    }

    /// A signal at once, then one or more whenever the stream went on; at most one waits to be read.
    func changes(of stream: StreamID) -> AsyncStream<Void> {
        let (signals, listener) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let id = state.withLock { state in
            state.next += 1
            state.listeners[stream, default: [:]][state.next] = listener
            return state.next
        }
        listener.onTermination = { [weak self] _ in self?.forget(id, of: stream) }
        listener.yield()
        return signals
    }

    /// The streams that went on; when nobody reads, the oldest 4,096 signals are forgotten.
    func changesOfAll() -> AsyncStream<StreamID> {
        let (signals, listener) = AsyncStream.makeStream(
            of: StreamID.self,
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

    private func forget(_ id: Int, of stream: StreamID) {
        state.withLock { state in
            _ = state.listeners[stream]?.removeValue(forKey: id)
            if state.listeners[stream]?.isEmpty == true { state.listeners[stream] = nil }
        }
    }
}
