// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// How many chunks some recordings may make together: some at once, then one more each time that an interval has passed.
///
/// Each chunk is an event that is kept for ever and can be had for a frame of a few bytes, so it is the clock that
/// bounds them. Their times do not: what was kept while the connection was gone comes all at once. Whoever may begin many
/// recordings shares one allowance among them.
public final class ChunkAllowance: Sendable {
    fileprivate struct State {
        /// The clock as it was told last; `nil` before that.
        var now: ContinuousClock.Instant?
        /// How long the chunks made so far keep the clock busy.
        var debt = Duration.zero
        /// Chunks that a recording took in and has not written yet.
        var held: [ObjectIdentifier: Int] = [:]
    }

    private static let interval = Duration.milliseconds(MediaLimits.chunkIntervalMilliseconds)
    private let state = Mutex(State())

    /// Makes one of which nothing is used.
    public init() {}

    /// Whether nothing of it is used or held.
    public func isFull(at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            state.advance(to: now)
            return state.debt == .zero && state.held.isEmpty
        }
    }

    /// Holds chunks for a recording, in place of those that it held.
    ///
    /// - Returns: How long they have to wait, and then nothing is changed; `nil` when they are held. For more than may ever be
    ///   made at once: how long until as many as that may be made.
    func hold(
        _ count: Int,
        for recording: ObjectIdentifier,
        at now: ContinuousClock.Instant
    ) -> Duration? {
        state.withLock { state in
            state.advance(to: now)
            let others = state.held.reduce(0) { $0 + ($1.key == recording ? 0 : $1.value) }
            let most = MediaLimits.chunksAtOnceMax
            let room = Self.interval * (most - others) - state.debt
            guard Self.interval * count <= room else {
                return max(.zero, Self.interval * min(count, most) - room)
            }
            state.held[recording] = count > 0 ? count : nil
            return nil
        }
    }

    /// Notes chunks that a recording made.
    func spend(_ count: Int, of recording: ObjectIdentifier) {
        state.withLock { state in
            state.debt += Self.interval * count
            let left = (state.held[recording] ?? 0) - count
            state.held[recording] = left > 0 ? left : nil
        }
    }

    /// Gives back what a recording holds that is no more.
    func letGo(_ recording: ObjectIdentifier) {
        state.withLock { $0.held[recording] = nil }
    }
}

extension ChunkAllowance.State {
    /// Lets the clock go on; a time before the last one does nothing.
    fileprivate mutating func advance(to time: ContinuousClock.Instant) {
        let passed = now.map { $0.duration(to: time) } ?? .zero
        guard passed >= .zero else { return }
        debt = max(.zero, debt - passed)
        now = time
    }
}
