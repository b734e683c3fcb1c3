// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The two clocks of a machine: what it believes the time is, and what only ever goes forward.
public struct LedgerClock: Sendable {
    /// The wall clock, in UTC.
    public let now: @Sendable () -> Timestamp
    /// Time since some fixed moment; not touched by whoever sets the wall clock.
    public let monotonic: @Sendable () -> Duration

    public init(
        now: @escaping @Sendable () -> Timestamp,
        monotonic: @escaping @Sendable () -> Duration
    ) {
        self.now = now
        self.monotonic = monotonic
    }

    /// The clocks of this machine.
    public static let system = LedgerClock(
        now: { Timestamp(microseconds: read(CLOCK_REALTIME) / 1_000) },
        monotonic: { .nanoseconds(read(CLOCK_BOOTTIME)) }
    )

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
