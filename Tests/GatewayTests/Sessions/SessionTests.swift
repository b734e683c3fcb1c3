// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `Opening a session by telephone number` {
    @Test func `answers its receipt, and a query shows it at once`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let opened = try await amina.post("/v1/sessions", ["phone": "+44 7712 345678"])
            #expect(opened.status == 201)
            let position = try #require(opened.headers[.ledgerPosition])
            #expect(try opened.text("position") == position)
            let id = try opened.text("session")
            let shown = try await amina.get("/v1/sessions/\(id)", after: position)
            #expect(shown.status == 200)
            let session = try #require(try shown.object["session"] as? [String: Any])
            #expect(session["phone"] as? String == "+447712345678")
            #expect(session["owner"] as? String == amina.id)
            #expect(session["state"] as? String == "waiting")
            let found = try await amina.get("/v1/callers?prefix=%2B4477", after: position)
            #expect(try found.items.map { $0["phone"] as? String } == ["+447712345678"])
            #expect(try gateway.events("access.read/1").count >= 2)
        }
    }

    @Test func `with the same key is one session, with other content is refused`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let body = ["phone": "+447712345678"]
            let first = try await amina.post("/v1/sessions", body, key: "key-1")
            let again = try await amina.post("/v1/sessions", body, key: "key-1")
            #expect(first.status == 201)
            #expect(again.status == 200)
            #expect(try again.text("session") == first.text("session"))
            #expect(try again.text("position") == first.text("position"))
            let other = try await amina.post(
                "/v1/sessions",
                ["phone": "+447712345754"],
                key: "key-1"
            )
            #expect(other.status == 422)
            #expect(try other.problem == "idempotency-key-reused")
            #expect(try gateway.events("session.created/1").count == 1)
        }
    }

    @Test func `keeps its key to its content when the gateway has long forgotten the request`()
        async throws
    {
        let clock = TestClock()
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.clock = clock.ledgerClock
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let made = try await gateway.user(.operator, login: "amina")
            let issued = try await gateway.ledger.accounts.issueToken(
                forUser: made.id,
                life: .seconds(3_456_000)
            )
            let amina = TestGateway.Client(gateway: gateway, token: issued.token, id: made.id)
            let body = ["phone": "+447712345678"]
            let first = try await amina.post("/v1/sessions", body, key: "key-1")
            clock.advance(by: .seconds(864_000))
            let other = try await amina.post(
                "/v1/sessions",
                ["phone": "+447712345754"],
                key: "key-1"
            )
            #expect(try other.problem == "idempotency-key-reused")
            // What forgot the request took the other one for the first; the ledger did not.
            clock.advance(by: .seconds(864_000))
            let again = try await amina.post("/v1/sessions", body, key: "key-1")
            #expect(again.status == 200)
            #expect(try again.text("session") == first.text("session"))
            #expect(try gateway.events("session.created/1").count == 1)
        }
    }

    @Test func `is not heard from who was signed out while the body came`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let text = Array(#"{"phone":"+447712345678"}"#.utf8)
            let accounts = gateway.ledger.accounts
            let body = RequestBody.pieces([Array(text[..<9]), Array(text[9...])]) {
                try await accounts.setDisabled(true, user: amina.id)
            }
            let answer = try await gateway.send(
                .post,
                "/v1/sessions",
                headers: [
                    .authorization: "Bearer \(amina.token)", .contentType: "application/json",
                ],
                body
            )
            #expect(answer.status == 401)
            #expect(try gateway.events("session.created/1").isEmpty)
        }
    }

    @Test func `is refused while the operator has one open`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            _ = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            let second = try await amina.post("/v1/sessions", ["phone": "+447712345754"])
            #expect(second.status == 409)
            #expect(try second.problem == "operator-has-open-session")
        }
    }

    @Test func `lasts 120.000 s, and not a microsecond longer`() async throws {
        let clock = TestClock()
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.clock = clock.ledgerClock
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let opened = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            let id = try #require(SessionID(try opened.text("session")))
            let created = try #require(try gateway.events("session.created/1").first)
            let limit = try #require(created.fact.payload as? SessionCreated).expiresAt
            #expect(limit == clock.now + .seconds(120))
            clock.advance(by: .seconds(120) - .microseconds(1))
            let session = try gateway.ledger.handler.current(Session.self, id)
            #expect(session.isOpen(at: gateway.ledger.now))
            let expired = try await gateway.firstEntry(of: "session.expired/1") {
                clock.advance(by: .microseconds(1))
            }
            #expect(expired.envelope.actor.text == "policy/start-limit")
            #expect(expired.envelope.causation == created.envelope.id)
            let claim = try await amina.post(
                "/v1/sessions/\(id)/requests",
                ["ask": "send_location"]
            )
            #expect(claim.status == 410)
            #expect(try claim.problem == "session-expired")
        }
    }
}

extension TestGateway {
    /// Waits for the first entry of a kind, after doing what brings it about.
    func firstEntry(of kind: Kind, after cause: () async throws -> Void) async throws -> Entry {
        try await cause()
        for try await page in ledger.log.follow(from: LogPosition(0)) {
            if let entry = page.first(where: { $0.envelope.kind == kind }) { return entry }
        }
        throw CancellationError()
    }

    /// A session that a caller opened by chat, and nobody has claimed.
    func openChat(_ phone: String, codeBy client: Client) async throws -> (
        caller: Client, session: SessionID
    ) {
        let caller = try await caller(phone, codeBy: client)
        let principal = try await ledger.accounts.authenticate(caller.token)
        let person = try #require(principal.person)
        let answer = try await ledger.handler.handle(
            StartChat(caller: person, phone: PhoneNumber(phone)),
            ledger.context(of: principal)
        )
        return (caller, answer.outcome.session)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A session as of a point` {
    @Test func `is shown as it was, without a tag for commands`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let claim = try await amina.post("/v1/sessions/\(session)/claim")
            let position = try claim.text("position")
            let before = (UInt64(position) ?? 0) - 1
            let then = try await amina.get("/v1/sessions/\(session)?asOf=\(before)")
            let now = try await amina.get("/v1/sessions/\(session)", after: position)
            #expect(try then.owner == nil)
            #expect(then.headers[.eTag] == nil)
            #expect(try now.owner == amina.id)
            #expect(now.headers[.eTag] != nil)
        }
    }
}

extension TestAnswer {
    /// Who owns the session that is shown.
    fileprivate var owner: String? {
        get throws { (try object["session"] as? [String: Any])?["owner"] as? String }
    }
}
