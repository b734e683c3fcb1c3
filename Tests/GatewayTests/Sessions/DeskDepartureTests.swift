// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Testing

@testable import Gateway

@Suite struct `Leaving the desk` {
    private let sam = UserID(unchecked: "123456789")
    private let now = ContinuousClock.now

    @Test(arguments: [(9.9, false, false), (10, false, true), (10, true, false)])
    func `counts after ten seconds, where no page came back`(
        seconds: Double,
        hasPage: Bool,
        hasLeft: Bool
    ) {
        let departures = DeskDepartures()
        departures.note(sam, at: now) { hasPage }
        #expect(departures.hasLeft(sam, at: now + .seconds(seconds)) == hasLeft)
    }

    @Test func `is over with the first page that is back`() {
        let departures = DeskDepartures()
        departures.note(sam, at: now) { true }
        #expect(!departures.hasLeft(sam, at: now + .seconds(11)))
        departures.note(UserID(unchecked: "7"), at: now) { false }
        #expect(!departures.hasLeft(sam, at: now + .seconds(60)))
    }

    @Test func `leaves what one has unattended, and who is still signed in does not resume it`()
        async throws
    {
        try await TestGateway.run { gateway in
            let operatorClient = try await gateway.user(.operator, login: "amina")
            let opened = try await operatorClient.post(
                "/v1/sessions",
                ["phone": "+442079460000", "channel": "chat"]
            )
            let session = try #require(SessionID(try opened.text("session")))
            let user = try #require(UserID(operatorClient.id))
            gateway.ledger.departures.note(user, at: .now - DeskDepartures.grace) { false }
            for _ in 0..<2 { try await gateway.ledger.notePresence(of: user) }
            let left = try gateway.ledger.handler.current(Session.self, session)
            #expect(left.absence != nil && left.owner == user)
            gateway.ledger.departures.note(user, at: .now - DeskDepartures.grace) { true }
            try await gateway.ledger.notePresence(of: user)
            #expect(try gateway.ledger.handler.current(Session.self, session).absence == nil)
        }
    }
}
