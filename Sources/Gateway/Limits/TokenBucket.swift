// SPDX-License-Identifier: Apache-2.0

/// Counts what a client may still send: a bucket that refills at a steady rate.
///
/// A value without a clock: the caller passes the time, so a decision can be repeated.
struct TokenBucket: Sendable, Hashable {
    private let rate: RequestRate
    private var tokens: Double
    private(set) var lastUse: ContinuousClock.Instant

    /// Begins with a full bucket.
    init(_ rate: RequestRate, at now: ContinuousClock.Instant) {
        self.rate = rate
        tokens = rate.burst
        lastUse = now
    }

    /// Takes one token.
    ///
    /// - Parameter now: The time of the request; a time before the last one counts as the last.
    /// - Returns: `nil` when the request may pass, else how long to wait before the next try.
    mutating func take(at now: ContinuousClock.Instant) -> Duration? {
        let elapsed = max(.zero, now - lastUse)
        lastUse = max(lastUse, now)
        tokens = min(rate.burst, tokens + elapsed / .seconds(1) * rate.perSecond)
        guard tokens < 1 else {
            tokens -= 1
            return nil
        }
        return .seconds((1 - tokens) / rate.perSecond)
    }
}
