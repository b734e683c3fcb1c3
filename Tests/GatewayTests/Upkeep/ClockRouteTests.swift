// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise2), .timeLimit(.minutes(10))) struct `A clock that is not followed` {
    private let clock = TestClock()

    private func adjust(_ configuration: inout GatewayConfiguration) {
        configuration.clock = clock.ledgerClock
    }

    private func standing(_ gateway: TestGateway) async throws -> [String: Any] {
        try #require(try await gateway.readiness()["clock"] as? [String: Any])
    }

    @Test func `is told by readyz, confirmed by an admin alone, and followed then`() async throws {
        try await TestGateway.run(adjust: adjust) { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let chief = try await gateway.user(.organisationAdmin, login: "otto")
            let right = clock.now
            #expect(try await standing(gateway)["isFollowed"] as? Bool == true)
            #expect(try await admin.post("/v1/clock/confirm").problem == "clock-not-held-back")

            clock.step(by: .seconds(7_200))
            let held = try await standing(gateway)
            #expect(held["isFollowed"] as? Bool == false && held["leadSeconds"] as? Int == 7_200)
            #expect(gateway.ledger.now == right)
            let answer = try await chief.get("/v1/me")
            let told = answer.headers[.ledgerTime].flatMap { Timestamp($0) }
            #expect(told == right, "pages count by the ledger's time: \(answer)")
            #expect(try await chief.post("/v1/clock/confirm").status == 403)

            let confirmed = try await admin.post("/v1/clock/confirm", key: "right")
            #expect(confirmed.status == 200)
            #expect(gateway.ledger.now == clock.now)
            let event = try #require(try gateway.events(ClockConfirmed.kind).first)
            #expect(event.envelope.actor.text == "admin/\(admin.id)")
            #expect(event.envelope.time == right)
            #expect(
                event.fact
                    == .clock(.confirmed(ClockConfirmed(heldBackMicroseconds: 7_200_000_000)))
            )
            #expect(try await standing(gateway)["isFollowed"] as? Bool == true)
            let again = try await admin.post("/v1/clock/confirm", key: "right")
            #expect(again.status == 200)
            #expect(try gateway.events(ClockConfirmed.kind).count == 1)
        }
    }

    @Test func `ends neither sign-ins nor sessions, nor does its confirmation sign anybody out`()
        async throws
    {
        try await TestGateway.run(adjust: adjust) { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let made = try await gateway.user(.operator, login: "amina")
            let signedIn = try await gateway.send(
                .post,
                "/v1/auth/login",
                body: TestGateway.json(["login": "amina", "password": "correct horse battery"])
            )
            let token = try signedIn.text("token")
            let amina = TestGateway.Client(gateway: gateway, token: token, id: made.id)
            let opened = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            let session = try opened.text("session")
            clock.step(by: .seconds(3_456_000))
            #expect(try await amina.get("/v1/me").status == 200)
            try await IdleLogoutService(ledger: gateway.ledger).look()
            let state = try await amina.get("/v1/sessions/\(session)")
            let row = try state.object["session"] as? [String: Any]
            #expect(row?["state"] as? String == "waiting")
            #expect(try await admin.post("/v1/clock/confirm").status == 200)
            try await IdleLogoutService(ledger: gateway.ledger).look()
            #expect(try await amina.get("/v1/me").status == 200)
            #expect(try await admin.get("/v1/me").status == 200)
            clock.advance(by: .seconds(301))
            #expect(try await amina.get("/v1/me").status == 401)
        }
    }

    @Test func `set by less than an hour signs nobody out who is there`() async throws {
        try await TestGateway.run(adjust: adjust) { gateway in
            let made = try await gateway.user(.operator, login: "amina")
            let signedIn = try await gateway.send(
                .post,
                "/v1/auth/login",
                body: TestGateway.json(["login": "amina", "password": "correct horse battery"])
            )
            let token = try signedIn.text("token")
            let amina = TestGateway.Client(gateway: gateway, token: token, id: made.id)
            clock.advance(by: .seconds(200))
            clock.step(by: .seconds(400))
            try await IdleLogoutService(ledger: gateway.ledger).look()
            #expect(try gateway.events(UserLoggedOut.kind).isEmpty)
            clock.advance(by: .seconds(99))
            #expect(try await amina.get("/v1/me").status == 200)
            clock.advance(by: .seconds(301))
            #expect(try await amina.get("/v1/me").status == 401)
        }
    }

    @Test func `makes no token that outlives its mistake`() async throws {
        try await TestGateway.run(adjust: adjust) { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            clock.step(by: .seconds(315_360_000))
            let body: [String: any Sendable] = [
                "lifeSeconds": 60, "password": "correct horse battery",
            ]
            let made = try await admin.post("/v1/users/\(admin.id)/tokens", body)
            clock.step(by: .seconds(-315_360_000))
            let token = TestGateway.Client(
                gateway: gateway,
                token: try made.text("token"),
                id: admin.id
            )
            #expect(try await token.get("/v1/me").status == 200)
            clock.advance(by: .seconds(61))
            #expect(try await token.get("/v1/me").status == 401)
        }
    }
}
