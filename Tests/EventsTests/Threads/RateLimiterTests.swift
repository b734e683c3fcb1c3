// SPDX-License-Identifier: Apache-2.0
import Testing
import Threads

@Suite struct `A rate` {
    private let begin = ContinuousClock.now

    @Test func `lets a burst pass, then one by one`() {
        var limiter = RateLimiter(Rate(burst: 2, perSecond: 4), at: begin)
        #expect(limiter.takeOne(at: begin) == nil)
        #expect(limiter.takeOne(at: begin) == nil)
        #expect(limiter.takeOne(at: begin) == .milliseconds(250))
        #expect(limiter.takeOne(at: begin + .milliseconds(250)) == nil)
        #expect(limiter.takeOne(at: begin + .milliseconds(260)) != nil)
    }

    @Test func `never lets more than a burst gather, and loses nothing to a clock that goes back`()
    {
        var limiter = RateLimiter(Rate(burst: 2, perSecond: 1000), at: begin)
        let later = begin + .seconds(3600)
        #expect(limiter.takeOne(at: later) == nil)
        #expect(limiter.takeOne(at: begin) == nil)
        #expect(limiter.takeOne(at: begin) != nil)
    }

    @Test func `takes what came, and says how long until that is earned`() {
        var limiter = RateLimiter(Rate(burst: 100, perSecond: 10), at: begin)
        #expect(limiter.take(100, at: begin) == .zero)
        #expect(limiter.take(50, at: begin) == .seconds(5))
        #expect(limiter.amount(at: begin + .seconds(5)) == 0)
        limiter.rate = Rate(burst: 100, perSecond: 100)
        #expect(limiter.take(0, at: begin) == .milliseconds(500))
    }
}
