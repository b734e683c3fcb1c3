// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// When a peer was last heard, and since when it refuses to take bytes.
final class SignsOfLife: Sendable {
    private struct State {
        var heardAt: ContinuousClock.Instant
        var writingSince: ContinuousClock.Instant?
        var handlerIsBusy = false
    }

    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>

    /// - Parameter now: The clock that silence is measured by.
    init(now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.now = now
        state = Mutex(State(heardAt: now()))
    }

    func heard() { state.withLock { $0.heardAt = now() } }

    /// Notes that bytes are being handed to the peer, or that it has taken them.
    func writing(_ isWriting: Bool) {
        state.withLock { $0.writingSince = isWriting ? now() : nil }
    }

    /// While the handler keeps us from reading, silence is no sign of death.
    func handlerBusy(_ isBusy: Bool) {
        state.withLock { state in
            state.handlerIsBusy = isBusy
            state.heardAt = now()
        }
    }

    /// How long the peer has given no sign, by being silent or by taking nothing.
    var silence: Duration {
        state.withLock { state in
            let now = now()
            let deaf = state.writingSince.map { now - $0 } ?? .zero
            return max(deaf, state.handlerIsBusy ? .zero : now - state.heardAt)
        }
    }
}
