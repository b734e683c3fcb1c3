// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A one-use link` {
    @Test func `that one operator gave lets nobody in once another has the session`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let (session, link) = try await gateway.link(by: amina)
            #expect(try await amina.post("/v1/sessions/\(session)/release").status == 200)
            #expect(try await ben.post("/v1/sessions/\(session)/claim").status == 200)
            let late = try await gateway.use(try link.text("path"), code: try link.text("code"))
            #expect(late.status == 410)
            #expect(try late.problem == "link-over")
        }
    }

    @Test func `leaves its caller in when the owner changes, and shows the next one who is in`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let (session, link) = try await gateway.link(by: amina)
            let guest = try await gateway.guest(by: link)
            let path = "/v1/sessions/\(session)"
            let words = ["text": "I am at the bridge"]
            #expect(try await guest.post("\(path)/messages", words).status == 201)
            #expect(try await amina.post("\(path)/release").status == 200)
            #expect(try await ben.post("\(path)/claim").status == 200)
            #expect(try await guest.get("\(path)/transcript").status == 200)
            let shown = try await gateway.letIn(session, for: ben)
            #expect(shown.map { $0["device"] as? String } == [guest.id])
            #expect(shown.first?["by"] as? String == amina.id)
            #expect(shown.first?["isAdmitted"] as? Bool == true)
            let end = "/v1/devices/\(guest.id)?reason=nobody%20I%20know"
            #expect(try await amina.send(.delete, end).status == 403)
            #expect(try await ben.send(.delete, end).status == 204)
            #expect(try await guest.get("\(path)/transcript").status == 401)
            #expect(try await gateway.letIn(session, for: ben).isEmpty)
        }
    }

    @Test func `lets nobody listen to another's words beside the caller's own phone`() async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let path = "/v1/sessions/\(session)"
            #expect(
                try await caller.post("\(path)/messages", ["text": "somebody is here"]).status
                    == 201
            )
            #expect(try await amina.post("\(path)/claim").status == 200)
            let guest = try await gateway.guest(by: try await amina.post("\(path)/links"))
            #expect(try await guest.get("\(path)/transcript").status == 200)
            #expect(try await amina.post("\(path)/release").status == 200)
            #expect(try await ben.post("\(path)/claim").status == 200)
            #expect(try await guest.get("\(path)/transcript").status == 404)
            #expect(try await guest.post("\(path)/messages", ["text": "hm"]).status == 404)
            #expect(try await !guest.get("/v1/sessions").body.contains("\(session)"))
            #expect(try await caller.get("\(path)/transcript").status == 200)
            let shown = try await gateway.letIn("\(session)", for: ben)
            #expect(shown.map { $0["device"] as? String } == [caller.id, guest.id])
            #expect(shown.map { $0["isAdmitted"] as? Bool } == [true, false])
            let admit = "/v1/devices/\(guest.id)/admit"
            #expect(try await ben.post(admit, ["session": "\(session)"]).status == 200)
            #expect(try await guest.get("\(path)/transcript").status == 200)
        }
    }

    @Test func `gives a caller without the application a token for the session, once`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (session, link) = try await gateway.link(by: amina)
            let path = try link.text("path")
            let code = try link.text("code")
            let led = try await gateway.send(.get, path)
            #expect(led.status == 303)
            #expect(led.headers[.location] == "/call#link=\(path.dropFirst(3))")
            // As it is heard and typed.
            let spoken = "\(code.prefix(3).lowercased()) - \(code.suffix(3))"
            let joined = try await gateway.use(path.lowercased(), code: spoken)
            #expect(joined.status == 201)
            #expect(try joined.text("session") == session)
            let caller = TestGateway.Client(
                gateway: gateway,
                token: try joined.text("token"),
                id: try joined.text("device")
            )
            let shown = try await caller.get("/v1/sessions/\(session)")
            #expect(shown.status == 200)
            let sent = try await caller.post(
                "/v1/sessions/\(session)/messages",
                ["text": "need ambulance"]
            )
            #expect(sent.status == 201)
            let registered = try #require(try gateway.events("device.registered/1").first)
            let fact = try #require(registered.fact.payload as? DeviceRegistered)
            #expect(fact.verification == .link)
            #expect(fact.codeGivenBy?.text == amina.id)
            let opened = try #require(try gateway.events("session.link_opened/1").first)
            let issued = try #require(try gateway.events("session.link_issued/1").first)
            #expect(
                (opened.fact.payload as? SessionLinkOpened)?.link
                    == (issued.fact.payload as? SessionLinkIssued)?.link
            )

            let again = try await gateway.use(path, code: code)
            #expect(again.status == 401)
            #expect(try again.text("reason") == "used")
            let entry = try await gateway.firstEntry(of: AccessRefused.kind) {}
            let refused = try EventDecoder().decode(entry)
            let refusal = try #require(refused.fact.payload as? AccessRefused)
            #expect(refusal.attempt == "POST /v1/links/use")
            #expect(refusal.reason == .token)
        }
    }

    @Test func `ends with its time, with too many wrong codes, and with the next one`()
        async throws
    {
        let clock = TestClock()
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.clock = clock.ledgerClock
            // Only the link's own time is looked at here.
            configuration.limits.accounts.linkLife = .seconds(60)
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (session, first) = try await gateway.link(by: amina)
            let second = try await amina.post("/v1/sessions/\(session)/links")
            let replaced = try await gateway.use(
                try first.text("path"),
                code: try first.text("code")
            )
            #expect(replaced.status == 401)
            #expect(try replaced.text("reason") == "unknown")
            for left in (0..<5).reversed() {
                let wrong = try await gateway.use(try second.text("path"), code: "UUUUUU")
                #expect(wrong.status == 401)
                #expect(try wrong.text("reason") == (left > 0 ? "wrong-code" : "no-tries-left"))
                #expect(try wrong.object["triesLeft"] as? Int == (left > 0 ? left : nil))
            }
            let tooLate = try await gateway.use(
                try second.text("path"),
                code: try second.text("code")
            )
            #expect(try tooLate.text("reason") == "no-tries-left")
            let third = try await amina.post("/v1/sessions/\(session)/links")
            clock.advance(by: .seconds(61))
            let expired = try await gateway.use(
                try third.text("path"),
                code: try third.text("code")
            )
            #expect(expired.status == 401)
            #expect(try expired.text("reason") == "expired")
            #expect(try gateway.events("device.registered/1").isEmpty)
        }
    }

    @Test func `is good again for the request that used it, whose answer was lost`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (session, link) = try await gateway.link(by: amina)
            func ask(key: String, code: String? = nil) async throws -> TestAnswer {
                try await gateway.send(
                    .post,
                    "/v1/links/use",
                    headers: [.idempotencyKey: key],
                    body: TestGateway.json([
                        "link": try link.text("path"), "code": try code ?? link.text("code"),
                    ])
                )
            }
            let first = try await ask(key: "0199-lost")
            #expect(first.status == 201)
            let wrong = try await ask(key: "0199-lost", code: "UUUUUU")
            #expect(try wrong.text("reason") == "wrong-code")
            let again = try await ask(key: "0199-lost")
            #expect(again.status == 201)
            #expect(try again.text("device") == first.text("device"))
            #expect(try again.text("session") == session)
            let other = try await ask(key: "0199-another")
            #expect(try other.text("reason") == "used")
            for (answer, status) in [(again, 200), (first, 401)] {
                let client = TestGateway.Client(
                    gateway: gateway,
                    token: try answer.text("token"),
                    id: try answer.text("device")
                )
                #expect(try await client.get("/v1/sessions/\(session)").status == status)
            }
            #expect(try gateway.events("device.registered/1").count == 1)
            #expect(try gateway.events("session.link_opened/1").count == 1)
        }
    }

    @Test func `is not used up by a key that no browser has`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (_, link) = try await gateway.link(by: amina)
            let (path, code) = (try link.text("path"), try link.text("code"))
            let long = String(repeating: "A", count: 20_000)
            let refused = try await gateway.use(path, code: code, publicKey: long)
            #expect(refused.status == 422)
            #expect(try refused.problem == "field-too-long")
            #expect(try await gateway.use(path, code: code).status == 201)
        }
    }

    @Test func `that came too late is told so for a day, whatever links are made meanwhile`()
        async throws
    {
        let clock = TestClock()
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.clock = clock.ledgerClock
            configuration.limits.accounts.linkLife = .seconds(60)
            // Only the link's own time is looked at here.
            configuration.limits.accounts.operatorIdle = .seconds(7 * 86_400)
            configuration.limits.accounts.tokenLife = .seconds(7 * 86_400)
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let (_, first) = try await gateway.link(by: amina)
            for (wait, reason) in [(61, "expired"), (86_400, "unknown")] {
                clock.advance(by: .seconds(wait))
                _ = try await gateway.link(by: ben, to: "+447712345754")
                let late = try await gateway.use(
                    try first.text("path"),
                    code: try first.text("code")
                )
                #expect(try late.text("reason") == reason, "\(wait): \(late.body)")
            }
        }
    }

    @Test func `is good for its session only, not for what the number's owner said before`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (_, earlier) = try await gateway.openChat("+447712345678", codeBy: amina)
            let closed = try await gateway.close(earlier, by: amina)
            #expect(closed.status == 200)
            let (session, link) = try await gateway.link(by: amina)
            let joined = try await gateway.use(
                try link.text("path"),
                code: try link.text("code")
            )
            let guest = TestGateway.Client(
                gateway: gateway,
                token: try joined.text("token"),
                id: try joined.text("device")
            )
            #expect(try await guest.get("/v1/sessions/\(session)").status == 200)
            for path in ["", "/transcript"] {
                let shown = try await guest.get("/v1/sessions/\(earlier)\(path)")
                #expect(shown.status == 404)
            }
            let listed = try await guest.get("/v1/sessions")
            #expect(try listed.items.count == 1)
            let over = try await gateway.close(session, by: amina)
            #expect(over.status == 200)
            let me = try await guest.get("/v1/me", after: over.headers[.ledgerPosition])
            #expect(try me.object["openSessions"] as? [String] == [])
        }
    }

    @Test func `opens nothing but what is declared for guests, and ends with the session`()
        async throws
    {
        let clock = TestClock()
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.clock = clock.ledgerClock
            configuration.limits.accounts.operatorIdle = .seconds(7 * 86_400)
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (session, link) = try await gateway.link(by: amina)
            let joined = try await gateway.use(
                try link.text("path"),
                code: try link.text("code")
            )
            let guest = TestGateway.Client(
                gateway: gateway,
                token: try joined.text("token"),
                id: try joined.text("device")
            )
            for path in ["reports", "events", "incidents", "push/key", "streams", "alerts"] {
                #expect(try await guest.get("/v1/\(path)").status == 403, "\(path)")
            }
            let report = try await guest.post("/v1/reports", `Reports over HTTP`.dog())
            #expect(report.status == 403)
            #expect(try gateway.events("report.submitted/1").isEmpty)
            let attempts = try gateway.events(AccessRefused.kind)
                .compactMap { ($0.fact.payload as? AccessRefused)?.attempt }
            #expect(attempts.contains("POST /v1/reports"))
            #expect(try await gateway.close(session, by: amina).status == 200)
            clock.advance(by: .seconds(599))
            let reader = try await gateway.ledger.accounts.authenticate(guest.token)
            let lasts = try #require(try gateway.ledger.checkGuest(reader))
            #expect(lasts > .zero && lasts <= .seconds(1))
            #expect(try await guest.get("/v1/sessions/\(session)/transcript").status == 200)
            clock.advance(by: .seconds(2))
            #expect(try await guest.get("/v1/sessions/\(session)/transcript").status == 401)
            #expect(try await guest.get("/v1/me").status == 401)
        }
    }

    @Test func `is made by the session's operator, while it is open and has a number`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let (session, link) = try await gateway.link(by: amina)
            let path = "/v1/sessions/\(session)/links"
            #expect(try await ben.post(path).status == 403)
            let closed = try await amina.post(
                "/v1/sessions/\(session)/close",
                ["disposition": "handled"]
            )
            #expect(closed.status == 200)
            #expect(try await amina.post(path).status == 410)
            let (_, chat) = try await gateway.openChat("+447712345754", codeBy: amina)
            #expect(
                try await amina.post("/v1/sessions/\(chat)/links").problem == "session-not-owned"
            )
            let over = try await gateway.use(try link.text("path"), code: try link.text("code"))
            #expect(over.status == 410)
            #expect(try over.problem == "session-closed")
            #expect(try gateway.events("session.link_opened/1").isEmpty)
        }
    }

    @Test func `is kept as a digest, and goes with its person`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (_, link) = try await gateway.link(by: amina)
            let path = try link.text("path")
            let code = try link.text("code")
            let folder = gateway.folder.url.appending(path: "ledger")
            for name in ["accounts.db", "accounts.db-wal"] {
                let bytes = try Data(contentsOf: folder.appending(path: name))
                #expect(bytes.range(of: Data(path.dropFirst(3).utf8)) == nil)
                #expect(bytes.range(of: Data(code.utf8)) == nil)
            }
            let created = try #require(try gateway.events("session.created/1").first)
            let person = try #require(created.fact.payload as? SessionCreated).caller
            try await gateway.ledger.accounts.erase(person: "\(person)")
            #expect(try await gateway.use(path, code: code).status == 401)
        }
    }
}

extension TestGateway {
    /// Opens a session for a number, and makes its link.
    fileprivate func link(
        by client: Client,
        to number: String = "+447712345678"
    ) async throws -> (session: String, TestAnswer) {
        let opened = try await client.post("/v1/sessions", ["phone": number])
        let session = try opened.text("session")
        let link = try await client.post("/v1/sessions/\(session)/links")
        guard link.status == 201 else { throw UnexpectedAnswer(answer: link) }
        return (session, link)
    }

    /// Takes a session, if it is nobody's, and closes it.
    fileprivate func close(_ session: some CustomStringConvertible, by client: Client) async throws
        -> TestAnswer
    {
        _ = try await client.post("/v1/sessions/\(session)/claim")
        return try await client.post(
            "/v1/sessions/\(session)/close",
            ["disposition": "handled"]
        )
    }

    /// Who came by a link.
    func guest(by link: TestAnswer) async throws -> Client {
        let joined = try await use(try link.text("path"), code: try link.text("code"))
        return Client(
            gateway: self,
            token: try joined.text("token"),
            id: try joined.text("device")
        )
    }

    /// Who is in a session as its caller.
    func letIn(_ session: String, for client: Client) async throws -> [[String: Any]] {
        let last = "\(ledger.log.size - 1)"
        let shown = try await client.get("/v1/sessions/\(session)", after: last).object
        return try #require(shown["letIn"] as? [[String: Any]])
    }

    fileprivate func use(
        _ link: String,
        code: String,
        publicKey: String? = nil
    ) async throws -> TestAnswer {
        var fields = ["link": link, "code": code]
        fields["publicKey"] = publicKey
        return try await send(.post, "/v1/links/use", body: Self.json(fields))
    }
}
