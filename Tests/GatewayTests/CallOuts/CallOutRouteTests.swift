// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import HTTPTypes
import Projections
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise3), .timeLimit(.minutes(10))) struct `A call-out` {
    /// A gateway with a chain of two people and the supervisors, and a clock that stands.
    private struct Scene {
        let gateway: TestGateway
        let clock: TestClock
        let chief: TestGateway.Client
        let amina: TestGateway.Client
        let ben: TestGateway.Client

        init(_ gateway: TestGateway, _ clock: TestClock) async throws {
            (self.gateway, self.clock) = (gateway, clock)
            chief = try await gateway.user(.supervisor, login: "sue")
            amina = try await gateway.user(.operator, login: "amina")
            ben = try await gateway.user(.guard, login: "ben")
            for (number, one) in [chief, amina, ben].enumerated() {
                let ways = ["phone": "+4477123457\(50 + number)", "email": "a@example.org"]
                #expect(try await one.send(.put, "/v1/reach", ways).status == 200)
            }
            let rota: [String: any Sendable] = [
                "members": [amina.id], "timeZone": "Europe/London",
                "startsOn": "2020-01-01", "handovers": ["08:00"], "everyDays": 1,
            ]
            #expect(try await chief.send(.put, "/v1/rotas/duty", rota).status == 200)
            let steps: [[String: any Sendable]] = [
                ["targets": [["rota": "duty"]], "waitSeconds": 60],
                ["targets": [["user": ben.id]], "waitSeconds": 60],
            ]
            let chain: [String: any Sendable] = ["opensFor": ["guard_alarm"], "steps": steps]
            #expect(try await chief.send(.put, "/v1/chains/fire", chain).status == 200)
            #expect(try await ben.send(.put, "/v1/chains/fire", chain).status == 403)
        }

        /// Lets time pass, and the policy look as far as it has something to do.
        func pass(_ time: Duration) async throws {
            clock.advance(by: time)
            let policy = CallOutPolicy(ledger: gateway.ledger)
            let start = try gateway.ledger.start(ofPolicy: policy.name)
            for _ in 0..<3 { try await policy.act(at: gateway.ledger.now, behind: start) }
        }

        func open() async throws -> String {
            let body = ["chain": "fire", "severity": "critical", "text": "Hall 3 burns"]
            return try await amina.post("/v1/call-outs", body).text("callOut")
        }

        /// Who was told of what, by template.
        func told() throws -> [String] {
            try gateway.events(AlertQueued.kind).compactMap { event in
                guard case .alert(.queued(let queued)) = event.fact else { return nil }
                let one = try [chief, amina, ben].first {
                    try gateway.ledger.handler.current(User.self, UserID(unchecked: $0.id))
                        .account?.person == queued.contact
                }
                return "\(queued.template) \(one?.id ?? "?")"
            }
        }
    }

    private func run(_ play: @Sendable (Scene) async throws -> Void) async throws {
        let clock = TestClock()
        try await TestGateway.run {
            $0.clock = clock.ledgerClock
        } _: { gateway in
            try await play(try await Scene(gateway, clock))
        }
    }

    @Test func `goes on step by step, and tells who supervises that nobody answered`() async throws
    {
        try await run { scene in
            let id = try await scene.open()
            try await scene.pass(.zero)
            #expect(try scene.told() == ["call-out \(scene.amina.id)"])
            try await scene.pass(.seconds(61))
            #expect(
                try Set(scene.told()) == [
                    "call-out \(scene.amina.id)", "call-out \(scene.ben.id)",
                    "call-out-unanswered \(scene.chief.id)",
                ]
            )
            let list = try await scene.ben.get("/v1/call-outs", after: scene.gateway.newest)
            #expect(list.status == 403)
            let shown = try await scene.chief.get(
                "/v1/call-outs?open=true",
                after: scene.gateway.newest
            )
            #expect(try shown.items.first?["step"] as? Int == 2)
            #expect(try shown.items.first?["text"] as? String == "Hall 3 burns")
            try await scene.pass(.seconds(61))
            let end = try await scene.chief.get("/v1/call-outs", after: scene.gateway.newest)
            #expect(try end.items.first?["id"] as? String == id)
            #expect(try end.items.first?["state"] as? String == "exhausted")
        }
    }

    @Test func `is over with the first answer by the link of a message, and nobody else is told`()
        async throws
    {
        try await run { scene in
            let id = try await scene.open()
            try await scene.pass(.zero)
            let alert = try #require(
                try scene.gateway.events(AlertQueued.kind).first.flatMap {
                    AlertID(String($0.envelope.subject.name))
                }
            )
            let code = scene.gateway.ledger.deliverySecrets.answerCode(alert)
            let path = "/v1/answers/\(code)"
            let gateway = scene.gateway
            #expect(try await gateway.send(.get, path).text("state") == "open")
            #expect(try await gateway.send(.get, path).text("state") == "open")
            #expect(try await gateway.send(.post, path).text("state") == "answered")
            #expect(try await gateway.send(.post, path).text("state") == "answered")
            #expect(
                try await gateway.send(.get, "/v1/answers/\(String(code.reversed()))").status == 404
            )
            #expect(try await gateway.send(.get, "/v1/answers/x").status == 404)
            try await scene.pass(.seconds(61))
            #expect(try scene.told() == ["call-out \(scene.amina.id)"])
            let queued = try await scene.chief.get("/v1/alerts", after: scene.gateway.newest)
            #expect(try queued.items.allSatisfy { $0["state"] as? String != "queued" })
            let end = try await scene.chief.get("/v1/call-outs", after: scene.gateway.newest)
            #expect(try end.items.first?["state"] as? String == "acknowledged")
            #expect(try end.items.first?["endedBy"] as? String == scene.amina.id)
            let again = try await scene.chief.post("/v1/call-outs/\(id)/escalate")
            #expect(again.status == 409)
        }
    }

    @Test func `passes over who is off duty, until that ends by itself`() async throws {
        try await run { scene in
            let until = scene.gateway.ledger.now + .seconds(3_600)
            let ways: [String: any Sendable] = [
                "phone": "+447712345751", "offDutyUntil": until.description,
            ]
            #expect(try await scene.amina.send(.put, "/v1/reach", ways).status == 200)
            _ = try await scene.open()
            try await scene.pass(.zero)
            #expect(try scene.told() == ["call-out \(scene.ben.id)"])
            try await scene.pass(.seconds(3_601))
            _ = try await scene.open()
            try await scene.pass(.zero)
            #expect(try scene.told().last == "call-out \(scene.amina.id)")
        }
    }

    @Test func `opens by itself for a guard's alarm, and ends when the desk takes that up`()
        async throws
    {
        try await run { scene in
            let alarm = try await scene.ben.post("/v1/guard-alarms", [:]).text("alarm")
            try await scene.pass(.zero)
            #expect(try scene.told() == ["call-out \(scene.amina.id)"])
            #expect(try scene.gateway.events(CallOutOpened.kind).count == 1)
            let answer = "/v1/guard-alarms/\(alarm)/answer"
            #expect(try await scene.amina.post(answer).status == 200)
            try await scene.pass(.zero)
            let end = try await scene.chief.get("/v1/call-outs", after: scene.gateway.newest)
            #expect(try end.items.first?["state"] as? String == "resolved")
            try await scene.pass(.seconds(61))
            #expect(try scene.gateway.events(CallOutOpened.kind).count == 1)
            let alerts = try await scene.chief.get("/v1/alerts", after: scene.gateway.newest)
            #expect(try alerts.items.allSatisfy { $0["state"] as? String == "cancelled" })
        }
    }

    @Test func `shows who is called now, and refuses what is no rota, chain or way`() async throws {
        try await run { scene in
            let rotas = try await scene.chief.get("/v1/rotas", after: scene.gateway.newest)
            #expect(try rotas.items.first?["called"] as? String == scene.amina.id)
            let onDuty = try rotas.items.first?["onDuty"] as? [String: Any]
            #expect(onDuty?["user"] as? String == scene.amina.id)
            let rota: [String: any Sendable] = [
                "members": [scene.amina.id], "timeZone": "Mars/Base",
                "startsOn": "2020-01-01", "handovers": ["08:00"], "everyDays": 1,
            ]
            #expect(try await scene.chief.send(.put, "/v1/rotas/duty", rota).status == 422)
            let email = ["email": "nobody"]
            #expect(try await scene.ben.send(.put, "/v1/reach", email).status == 400)
            #expect(try await scene.ben.post("/v1/reach/test").status == 201)
            let lone = try await scene.gateway.user(.rescuer, login: "lone")
            #expect(try await lone.post("/v1/reach/test").status == 409)
        }
    }

    @Test func `stands in the feed for other centres, but for what is about a caller`() async throws
    {
        try await run { scene in
            let place: [String: any Sendable] = ["latitude": 52.48, "longitude": -1.89]
            let alarm = try await scene.ben.post("/v1/guard-alarms", ["fix": place]).text("alarm")
            try await scene.pass(.zero)
            #expect(
                try await scene.amina.post("/v1/guard-alarms/\(alarm)/answer").status == 200
            )
            try await scene.pass(.zero)
            let session = try await scene.gateway.ledger.handler.handle(
                StartChat(caller: scene.gateway.ledger.newID()),
                scene.gateway.ledger.context(actor: .ledger, organisation: .main)
            ).outcome.session
            let about = [
                "chain": "fire", "severity": "info", "cause": "session/\(session)", "text": "x",
            ]
            #expect(try await scene.amina.post("/v1/call-outs", about).status == 201)
            _ = try await scene.open()
            let feed = try await scene.chief.get("/v1/cap", after: scene.gateway.newest)
            #expect(feed.status == 200)
            #expect(feed.body.split(separator: "<entry>").count == 4)
            #expect(!feed.body.contains("Hall 3"))
            let links = feed.body.matches(of: /cap\/([0-9a-f-]+(?:-end)?)"/).map { String($0.1) }
            var documents: [String] = []
            for link in links {
                let answer = try await scene.chief.get("/v1/cap/\(link)")
                #expect(answer.headers[.contentType] == "application/cap+xml")
                documents.append(answer.body)
            }
            #expect(documents.count { $0.contains("<msgType>Cancel</msgType>") } == 1)
            #expect(documents.count { $0.contains("<circle>52.48,-1.89 0</circle>") } == 2)
            #expect(documents.allSatisfy { !$0.contains("Hall 3") })
            #expect(try await scene.amina.get("/v1/cap").status == 403)
        }
    }

    @Test func `is as private as what it is about`() async throws {
        try await run { scene in
            let opened = try await scene.amina.post("/v1/sessions", ["phone": "+447712345799"])
            let session = try opened.text("session")
            let body = [
                "chain": "fire", "severity": "info", "cause": "session/\(session)",
                "text": "the caller hides",
            ]
            let id = try await scene.amina.post("/v1/call-outs", body).text("callOut")
            let other = try await scene.gateway.user(.operator, login: "olga")
            for (reader, mayRead) in [(scene.amina, true), (scene.chief, true), (other, false)] {
                let list = try await reader.get("/v1/call-outs", after: scene.gateway.newest)
                #expect(try list.items.map { $0["id"] as? String } == [id])
                #expect(list.body.contains("the caller hides") == mayRead)
                let alerts = try await reader.get("/v1/alerts?cause=call_out/\(id)")
                #expect(alerts.status == (mayRead ? 200 : 403))
            }
        }
    }
}
