// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise8)) struct `Alerts over HTTP` {
    @Test func `are queued once for one key and contact, and nothing is sent`() async throws {
        try await TestGateway.run { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            let session = try await desk.post("/v1/sessions", ["phone": "+447712345678"])
            let cause = "incident/\(try session.text("incident"))"
            let alert: [String: any Sendable] = [
                "cause": cause, "severity": "critical", "template": "help", "sms": "+447712345754",
            ]
            let first = try await desk.post("/v1/alerts", alert)
            #expect(first.status == 201)
            let again = try await desk.post("/v1/alerts", alert)
            #expect(try again.text("alert") == first.text("alert"))
            #expect(try gateway.events(AlertQueued.kind).count == 1)
            #expect(try gateway.events(AlertSent.kind).isEmpty)
            let list = try await desk.get(
                "/v1/alerts?state=queued",
                after: try first.text("position")
            )
            #expect(try list.items.map { $0["sms"] as? String } == ["+447712345754"])
        }
    }

    @Test func `tell nobody of another organisation's person`() async throws {
        try await TestGateway.run { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            let nora = try await gateway.user(.operator, login: "nora", org: "north")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: desk)
            let caller = try #require(
                try gateway.ledger.handler.current(Session.self, session).contact
            ).caller
            let theirs = try await nora.post("/v1/sessions", ["phone": "+447712345999"])
            let nothing = "0199e0c0-0000-7000-8000-000000000000"
            for contact in ["\(caller)", nothing] {
                let refused = try await nora.post(
                    "/v1/alerts",
                    [
                        "cause": "incident/\(try theirs.text("incident"))", "severity": "info",
                        "template": "x", "contact": contact, "sms": "+447712345754",
                    ]
                )
                #expect(refused.status == 404)
                #expect(try refused.text("detail").contains("there is no person \(contact)"))
            }
            let own = try await desk.post(
                "/v1/alerts",
                [
                    "cause": "session/\(session)", "severity": "info", "template": "x",
                    "contact": "\(caller)", "sms": "+447712345754",
                ]
            )
            #expect(own.status == 201)
        }
    }

    @Test func `are not swallowed by what somebody without a part queued before`() async throws {
        try await TestGateway.run { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            let eve = try await gateway.user(.operator, login: "eve")
            let gus = try await gateway.user(.guard, login: "gus")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: desk)
            #expect(try await desk.post("/v1/sessions/\(session)/claim").status == 200)
            let wanted: [String: any Sendable] = [
                "cause": "session/\(session)", "severity": "critical", "template": "ambulance",
                "sms": "+447700900555",
            ]
            var forged = wanted
            forged["cause"] = "user/\(gus.id)"
            forged["template"] = "weekly-test"
            forged["deduplicationKey"] = "ambulance session/\(session)"
            #expect(try await gus.post("/v1/alerts", forged).status == 201)
            #expect(try await gus.post("/v1/alerts", wanted).status == 403)
            #expect(try await eve.post("/v1/alerts", wanted).problem == "session-private")
            let first = try await desk.post("/v1/alerts", wanted)
            #expect(first.status == 201)
            var elsewhere = wanted
            elsewhere["email"] = "nobody@invalid"
            #expect(try await desk.post("/v1/alerts", elsewhere).status == 201)
            #expect(try await desk.post("/v1/alerts", wanted).text("alert") == first.text("alert"))
            let key = AlertQueued.kind
            #expect(try gateway.events(key).count == 3)
        }
    }

    @Test func `need something that they are about, and somebody to tell`() async throws {
        try await TestGateway.run { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            let lost = "incident/0199e0c0-0000-7000-8000-000000000000"
            let unknown = try await desk.post(
                "/v1/alerts",
                ["cause": lost, "severity": "info", "template": "x", "sms": "+447712345754"]
            )
            #expect(unknown.status == 404)
            let nobody = try await desk.post(
                "/v1/alerts",
                ["cause": "user/\(desk.id)", "severity": "info", "template": "x"]
            )
            #expect(nobody.status == 400)
            #expect(try gateway.events(AlertQueued.kind).isEmpty)
        }
    }
}
