// SPDX-License-Identifier: Apache-2.0

/// So much at once, then so much a second.
public struct Rate: Sendable, Hashable {
    /// How much may come at once after a pause.
    public var burst: Double
    /// How much is earned a second; above 0.
    public var perSecond: Double

    public init(burst: Double, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
    }
}

/// A bucket that refills at a steady rate.
///
/// A value without a clock: the caller passes the time, so a decision can be repeated. A time before the last one counts as the last.
public struct RateLimiter<Instant: InstantProtocol>: Sendable, Hashable
where Instant.Duration == Duration, Instant: Sendable {
    /// May change; what is there stays.
    public var rate: Rate
    /// When it was asked last.
    public private(set) var lastUse: Instant
    private var left: Double

    /// Begins with a full bucket.
    public init(_ rate: Rate, at now: Instant) {
        self.rate = rate
        left = rate.burst
        lastUse = now
    }

    /// Takes one where one is there.
    ///
    /// - Returns: `nil` when it was taken, else how long until one is there; nothing is taken then.
    public mutating func takeOne(at now: Instant) -> Duration? {
        refill(at: now)
        guard left < 1 else {
            left -= 1
            return nil
        }
        return .seconds((1 - left) / rate.perSecond)
    }

    /// Takes what came, be it there or not: the bucket may be overdrawn.
    ///
    /// - Returns: How long until what was taken has been earned; zero where it was there.
    public mutating func take(_ amount: Double, at now: Instant) -> Duration {
        refill(at: now)
        left -= amount
        return left >= 0 ? .zero : .seconds(-left / rate.perSecond)
    }

    /// How much is there; below zero where it is overdrawn.
    public func amount(at now: Instant) -> Double {
        var then = self
        then.refill(at: now)
        return then.left
    }

    private mutating func refill(at now: Instant) {
        let elapsed = max(.zero, lastUse.duration(to: now))
        lastUse = max(lastUse, now)
        left = min(rate.burst, left + elapsed / .seconds(1) * rate.perSecond)
    }
}
