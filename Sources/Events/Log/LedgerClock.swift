// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The clocks of a machine: what it believes the time is, and what only ever goes forward.
public struct LedgerClock: Sendable {
    /// The wall clock, in UTC; anybody may set it.
    public let now: @Sendable () -> Timestamp
    /// Time since the machine started, asleep or not; not touched by whoever sets the wall clock.
    public let monotonic: @Sendable () -> Duration
    /// Which start of the machine ``monotonic`` counts from; `nil` if that is not known.
    public let boot: @Sendable () -> String?

    public init(
        now: @escaping @Sendable () -> Timestamp,
        monotonic: @escaping @Sendable () -> Duration,
        boot: @escaping @Sendable () -> String? = { nil }
    ) {
        self.now = now
        self.monotonic = monotonic
        self.boot = boot
    }

    /// The clocks of this machine.
    public static let system = LedgerClock(
        now: { wall(read(CLOCK_REALTIME)) },
        monotonic: {
            let time = read(CLOCK_BOOTTIME)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        },
        boot: { bootID }
    )

    /// Both clocks at one moment.
    ///
    /// Whoever is stopped between the two would otherwise see a step; then they are read again.
    func reading() -> ClockReading {
        var before = monotonic()
        for _ in 0..<8 {
            let wall = now()
            let after = monotonic()
            if after - before < .milliseconds(100) {
                return ClockReading(wall: wall, monotonic: after)
            }
            before = after
        }
        return ClockReading(wall: now(), monotonic: before)
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }

    /// The moment that the wall clock shows.
    ///
    /// It can be set to moments that no entry can say. Such a clock is wrong; it is read as the nearest moment from which
    /// every deadline can be said as well.
    static func wall(_ time: timespec) -> Timestamp {
        let seconds = min(max(Int64(time.tv_sec), year1), year9000)
        return Timestamp(microseconds: seconds * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }

    private static let year1: Int64 = -62_135_596_800
    private static let year9000: Int64 = 221_845_392_000

    /// Linux names each start of the kernel.
    private static let bootID: String? = {
        let file = URL(filePath: "/proc/sys/kernel/random/boot_id")
        do {
            let text = try String(contentsOf: file, encoding: .utf8)
            return text.trimmingCharacters(in: .whitespacesAndNewlines)
        } catch {
            // Without it every start counts as the first one of a new boot, which believes less.
            return nil
        }
    }()
}

/// What both clocks showed at one moment.
struct ClockReading: Hashable, Sendable {
    let wall: Timestamp
    let monotonic: Duration
}
