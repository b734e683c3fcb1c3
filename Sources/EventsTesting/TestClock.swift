// SPDX-License-Identifier: Apache-2.0
public import Events
import Synchronization

/// A clock that moves only when it is told to.
public final class TestClock: Sendable {
    private struct Hands {
        var wall: Timestamp
        var monotonic: Duration = .zero
    }

    private let hands: Mutex<Hands>

    /// A machine of its own, which never restarts.
    private let boot = UInt64.random(in: 0 ... .max)

    /// Stops the clock at a moment.
    public init(_ start: Timestamp = Timestamp(microseconds: 1_795_266_660_000_000)) {
        hands = Mutex(Hands(wall: start))
    }

    /// What the wall clock shows.
    public var now: Timestamp { hands.withLock { $0.wall } }

    /// Lets time pass, on both clocks.
    public func advance(by duration: Duration) {
        hands.withLock {
            $0.wall = $0.wall + duration
            $0.monotonic += duration
        }
    }

    /// Lets time pass until a moment; a moment that has passed changes nothing.
    public func advance(to moment: Timestamp) {
        hands.withLock {
            guard moment > $0.wall else { return }
            $0.monotonic += moment - $0.wall
            $0.wall = moment
        }
    }

    /// Sets the wall clock as an administrator does: no time passes.
    public func step(by duration: Duration) {
        hands.withLock { $0.wall = $0.wall + duration }
    }

    /// The clock as the log takes it.
    public var ledgerClock: LedgerClock {
        LedgerClock(
            now: { self.now },
            monotonic: { self.hands.withLock { $0.monotonic } },
            boot: { "\(self.boot)" }
        )
    }
}
