// SPDX-License-Identifier: Apache-2.0

/// How many chunks a recording may make: some at once, then one more each time that an interval has passed.
///
/// Each chunk is an event that is kept for ever and can be had for a frame of a few bytes, so it is the clock that
/// bounds them. Their times do not: a file may be sent faster than it was recorded, and what was kept while the
/// connection was gone comes all at once.
struct ChunkAllowance {
    private static let interval = Duration.milliseconds(MediaLimits.chunkIntervalMilliseconds)

    /// The clock as it was told last; `nil` before that.
    private var now: ContinuousClock.Instant?
    /// How long the chunks made so far keep the clock busy.
    private var debt = Duration.zero

    /// Lets the clock go on; a time before the last one does nothing.
    mutating func advance(to time: ContinuousClock.Instant) {
        let passed = now.map { $0.duration(to: time) } ?? .zero
        guard passed >= .zero else { return }
        debt = max(.zero, debt - passed)
        now = time
    }

    /// How long chunks have to wait; `nil` when they may be made now.
    ///
    /// For more than may ever be made at once: how long until as many as that may be made.
    func wait(for count: Int) -> Duration? {
        let room = Self.interval * MediaLimits.chunksAtOnceMax - debt
        guard Self.interval * count > room else { return nil }
        return max(.zero, Self.interval * min(count, MediaLimits.chunksAtOnceMax) - room)
    }

    /// Notes chunks that were made.
    mutating func spend(_ count: Int) { debt += Self.interval * count }
}
