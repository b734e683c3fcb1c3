// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// When a peer was last heard, and since when it refuses to take bytes.
final class SignsOfLife: Sendable {
    private struct State {
        var heardAt = ContinuousClock.now
        var writingSince: ContinuousClock.Instant?
        var handlerIsBusy = false
    }

    private let state = Mutex(State())

    func heard() { state.withLock { $0.heardAt = .now } }

    func writing(since instant: ContinuousClock.Instant?) {
        state.withLock { $0.writingSince = instant }
    }

    /// While the handler keeps us from reading, silence is no sign of death.
    func handlerBusy(_ isBusy: Bool) {
        state.withLock { state in
            state.handlerIsBusy = isBusy
            state.heardAt = .now
        }
    }

    /// How long the peer has given no sign, by being silent or by taking nothing.
    var silence: Duration {
        state.withLock { state in
            let now = ContinuousClock.now
            let deaf = state.writingSince.map { now - $0 } ?? .zero
            return max(deaf, state.handlerIsBusy ? .zero : now - state.heardAt)
        }
    }
}
