// SPDX-License-Identifier: Apache-2.0
import Testing
import Threads

@testable import Gateway

@Suite struct `A client's rate` {
    private let begin = ContinuousClock.now

    @Test func `is each client's own, and of the busy ones when memory is short`() {
        let rates = ClientRates(Rate(burst: 1, perSecond: 0.001), capacity: 4)
        for client in ["a", "b", "c", "busy"] {
            #expect(rates.admit(client, at: begin) == nil)
        }
        #expect(rates.admit("busy", at: begin + .seconds(1)) != nil)
        #expect(rates.admit("new", at: begin + .seconds(2)) == nil)
        #expect(rates.admit("busy", at: begin + .seconds(3)) != nil)
    }
}
