// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Gateway

@Suite struct `A rate` {
    private let begin = ContinuousClock.now

    @Test func `lets a burst pass, then one by one`() {
        var bucket = TokenBucket(RequestRate(burst: 2, perSecond: 4), at: begin)
        #expect(bucket.take(at: begin) == nil)
        #expect(bucket.take(at: begin) == nil)
        #expect(bucket.take(at: begin) == .milliseconds(250))
        #expect(bucket.take(at: begin + .milliseconds(250)) == nil)
        #expect(bucket.take(at: begin + .milliseconds(260)) != nil)
    }

    @Test func `never lets more than a burst gather`() {
        var bucket = TokenBucket(RequestRate(burst: 2, perSecond: 1000), at: begin)
        let later = begin + .seconds(3600)
        #expect(bucket.take(at: later) == nil)
        #expect(bucket.take(at: later) == nil)
        #expect(bucket.take(at: later) != nil)
    }

    @Test func `is each client's own, and of the busy ones when memory is short`() {
        let rates = ClientRates(RequestRate(burst: 1, perSecond: 0.001), capacity: 4)
        for client in ["a", "b", "c", "busy"] {
            #expect(rates.admit(client, at: begin) == nil)
        }
        #expect(rates.admit("busy", at: begin + .seconds(1)) != nil)
        #expect(rates.admit("new", at: begin + .seconds(2)) == nil)
        #expect(rates.admit("busy", at: begin + .seconds(3)) != nil)
    }
}
