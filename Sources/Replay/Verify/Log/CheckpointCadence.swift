// SPDX-License-Identifier: Apache-2.0
/// Finds stretches of a log over which a checkpoint had to be signed and none was.
///
/// While events arrive there is one a minute, and another at each start. So whatever was recorded minutes later shows that
/// a gateway ran, and what it recorded minutes after that shows that it signed nothing: three entries that no checkpoint
/// tells apart, each further than ``ReplayLimits/checkpointGapMax`` from the one before, are a gap. A gateway that was away
/// leaves none, nor does one that was killed before it could sign, unless it was killed twice in a row like that. Nor does
/// a clock that was moved, which the log tells.
struct CheckpointCadence {
    /// The stretches found: from the first entry that nothing covers to the last seen.
    private(set) var gaps: [ClosedRange<UInt64>] = []
    private let sizes: [UInt64]
    private let begun: UInt64
    private var next = 0
    private var first: (position: UInt64, time: UInt64)?
    private var middle: UInt64?
    private var isInGap = false

    /// - Parameters:
    ///   - sizes: The sizes that checkpoints cover, ascending.
    ///   - begun: Where the key began; what stood there before has no cadence.
    init(sizes: [UInt64], begun: UInt64) {
        self.sizes = sizes
        self.begun = begun
    }

    /// Takes an entry in its order.
    ///
    /// - Parameters:
    ///   - position: Its position.
    ///   - time: Its time as ``EntryLayout/timeOrder`` has it.
    mutating func add(_ position: UInt64, _ time: UInt64) {
        while next < sizes.count, sizes[next] <= position {
            next += 1
            forget()
        }
        guard position >= begun else { return }
        guard let first else {
            first = (position, time)
            return
        }
        guard let middle else {
            if isLong(first.time, time) { middle = time }
            return
        }
        guard isLong(middle, time) else { return }
        if isInGap { gaps.removeLast() }
        gaps.append(first.position...position)
        isInGap = true
    }

    /// Begins anew behind a step of the clock: what lies across it tells no time.
    mutating func forget() {
        (first, middle, isInGap) = (nil, nil, false)
    }

    private func isLong(_ from: UInt64, _ to: UInt64) -> Bool {
        // The order of two times is never closer than the times themselves.
        let limit = UInt64(ReplayLimits.checkpointGapMax / .microseconds(1))
        guard to > from, to - from > limit else { return false }
        return Self.microseconds(to) - Self.microseconds(from) > limit
    }

    /// Microseconds since some day long ago, of a time as ``EntryText/timeOrder(_:)`` packs it.
    private static func microseconds(_ order: UInt64) -> UInt64 {
        let (minutes, rest) = order.quotientAndRemainder(dividingBy: 60_000_000)
        let (hours, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        let (packed, hour) = hours.quotientAndRemainder(dividingBy: 24)
        let (months, day) = packed.quotientAndRemainder(dividingBy: 32)
        let (years, month) = months.quotientAndRemainder(dividingBy: 13)
        // The year begins in March, so that the odd day stands at its end.
        let year = month > 2 ? years : years - 1
        let days =
            year * 365 + year / 4 - year / 100 + year / 400
            + (153 * ((month + 9) % 12) + 2) / 5 + day
        return ((days * 24 + hour) * 60 + minute) * 60_000_000 + rest
    }
}
