// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import HTTPTypes
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `An operator who is silent for 300 s` {
    @Test
    func
        `keeps the sessions, and leaves them unattended with the last sign-in`()
        async throws
    {
        let clock = TestClock()
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.clock = clock.ledgerClock
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let made = try await gateway.user(.operator, login: "amina")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: made)
            let service = IdleLogoutService(ledger: gateway.ledger)
            #expect(try await made.post("/v1/auth/logout").status == 200)
            let left = try await Self.signIn(gateway)
            _ = try await left.post("/v1/sessions/\(session)/claim")
            clock.advance(by: .seconds(200))
            let busy = try await Self.signIn(gateway)
            clock.advance(by: .seconds(200))
            #expect(try await busy.get("/v1/me").status == 200)
            try await service.look()
            #expect(try gateway.events(UserLoggedOut.kind).isEmpty)
            #expect(try gateway.events(SessionReleased.kind).isEmpty)
            #expect(try await left.get("/v1/me").status == 401)

            clock.advance(by: .seconds(301))
            try await service.look()
            try await service.look()
            #expect(try gateway.events(UserLoggedOut.kind).count == 1)
            #expect(try gateway.events(SessionReleased.kind).isEmpty)
            #expect(try gateway.events(SessionUnattended.kind).count == 1)
            let position = try #require(gateway.ledger.log.size.checkedPrevious)
            let list = try await gateway.user(.operator, login: "ben").get(
                "/v1/sessions",
                after: "\(position)"
            )
            #expect(try list.items.first?["unattendedSince"] is String)

            _ = try await Self.signIn(gateway)
            let resumed = try gateway.events(SessionResumed.kind)
                .compactMap { $0.fact.payload as? SessionResumed }.filter { $0.by == .operator }
            #expect(resumed.count == 1)
            #expect(try gateway.ledger.handler.current(Session.self, session).absence == nil)
        }
    }

    private static func signIn(_ gateway: TestGateway) async throws -> TestGateway.Client {
        let body = ["login": "amina", "password": "correct horse battery"]
        let answer = try await gateway.send(
            .post,
            "/v1/auth/login",
            body: TestGateway.json(body)
        )
        return TestGateway.Client(gateway: gateway, token: try answer.text("token"), id: "")
    }
}
