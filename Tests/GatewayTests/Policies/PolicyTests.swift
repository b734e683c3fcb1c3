// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import Projections
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise3), .timeLimit(.minutes(10))) struct `The policies` {
    @Test func `lose no timer by a restart, and act once`() async throws {
        let clock = TestClock()
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.clock = clock.ledgerClock
        }
        let folder = try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            _ = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            return gateway.folder
        }
        clock.advance(by: .seconds(500))
        try await TestGateway.run(in: folder, adjust: adjust) { gateway in
            let expired = try await gateway.firstEntry(of: "session.expired/1") {}
            #expect(expired.envelope.actor.text == "policy/start-limit")
        }
        try await TestGateway.run(in: folder, adjust: adjust) { gateway in
            try await gateway.ledger.readModels.runner.wait(
                for: LogPosition(gateway.ledger.log.size - 1),
                on: "deadlines"
            )
            #expect(try gateway.events("session.expired/1").count == 1)
        }
    }

    @Test func `take from a row no more than what to look at`() async throws {
        let clock = TestClock()
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.clock = clock.ledgerClock
        }
        let folder = try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            _ = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            try await gateway.ledger.readModels.runner.wait(
                for: LogPosition(gateway.ledger.log.size - 1),
                on: "deadlines"
            )
            return gateway.folder
        }
        let event = "01a20142-0c9d-78d1-8e65-71ab77a440b2"
        try TestGateway.forge(
            "deadlines",
            in: folder,
            "UPDATE start_limit SET org = 'police', event = '\(event)', position = position + 1"
        )
        clock.advance(by: .seconds(500))
        try await TestGateway.run(in: folder, adjust: adjust) { gateway in
            let expired = try await gateway.firstEntry(of: "session.expired/1") {}
            let created = try #require(try gateway.events(SessionCreated.kind).first)
            #expect(expired.envelope.organisation == created.envelope.organisation)
            #expect(expired.envelope.causation == created.envelope.id)
        }
    }

    @Test func `let a session go on in which its caller wrote in time`() async throws {
        let clock = TestClock()
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.clock = clock.ledgerClock
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let john = try await gateway.user(.operator, login: "john")
            let caller = try await gateway.caller("+447712345678", codeBy: amina)
            let opened = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            let silent = try await john.post("/v1/sessions", ["phone": "+447712345679"])
            let session = try opened.text("session")
            let id = try #require(SessionID(session))
            let created = try gateway.events(SessionCreated.kind).compactMap { event in
                event.envelope.subject == .session(id)
                    ? event.fact.payload as? SessionCreated : nil
            }
            let words = SendMessage(
                "I am here, he is bleeding",
                in: id,
                from: .caller(try #require(created.first).caller),
                temporaryID: "t1",
                clientTimestamp: "437647234",
                channel: .webSocket
            )
            let principal = try await gateway.ledger.accounts.authenticate(caller.token)
            _ = try await gateway.ledger.handler.handle(
                words,
                gateway.ledger.context(of: principal)
            )
            let expired = try await gateway.firstEntry(of: "session.expired/1") {
                clock.advance(by: .seconds(500))
            }
            let other = try silent.text("session")
            #expect(expired.envelope.subject.text == "session/\(other)")
            #expect(try gateway.events("session.expired/1").count == 1)
            let shown = try await amina.get("/v1/sessions/\(session)").object
            #expect((shown["session"] as? [String: Any])?["state"] as? String == "open")
        }
    }

    @Test func `interrupt a silent stream after 5 s, and stop it after ten minutes`() async throws {
        let clock = TestClock()
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.clock = clock.ledgerClock
            configuration.policies.callersFilmAnytime = true
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let principal = try await gateway.ledger.accounts.authenticate(caller.token)
            let start = StartStream(
                gateway.ledger.newID(),
                in: session,
                from: .device(try #require(principal.deviceID.flatMap { DeviceID($0) })),
                settings: StreamSettings(
                    quality: .low,
                    width: 320,
                    height: 180,
                    framesPerSecond: 15,
                    kilobitsPerSecond: 750
                ),
                transport: .webSocket,
                codec: .vp9,
                file: "2026/11/2026-11-21-13-11-0.webm",
                timeZone: "GMT"
            )
            _ = try await gateway.ledger.handler.handle(
                start,
                gateway.ledger.context(of: principal)
            )
            let interrupted = try await gateway.firstEntry(of: "stream.interrupted/1") {
                clock.advance(by: .seconds(5))
            }
            #expect(interrupted.envelope.actor.text == "policy/stream-silence")
            let stopped = try await gateway.firstEntry(of: "stream.stopped/1") {
                clock.advance(by: .seconds(600))
            }
            #expect(stopped.envelope.actor.text == "policy/stream-silence")
        }
    }

    @Test(arguments: ["close", "expire"])
    func `say that a request was not answered before its session ended`(end: String) async throws {
        let clock = TestClock()
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.clock = clock.ledgerClock
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let caller = try await gateway.caller("+447712345678", codeBy: amina)
            let opened = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            let path = "/v1/sessions/\(try opened.text("session"))"
            let asked = try await amina.post("\(path)/requests", ["ask": "start_video"])
            let request = "/v1/requests/\(try asked.text("request"))"
            let session = try opened.text("session")
            for _ in 0..<2 {
                let shown = try await caller.post("\(request)/opened", ["session": session])
                #expect(shown.status == 200)
            }
            #expect(try gateway.events("session.request_opened/1").count == 1)
            if end == "close" { _ = try await amina.post("\(path)/close") }
            let stale = try await gateway.firstEntry(of: "session.request_answered/1") {
                if end == "expire" { clock.advance(by: .seconds(120)) }
            }
            #expect(stale.envelope.actor.text == "policy/request-expiry")
            let late = try await caller.post(
                "\(request)/answer",
                ["session": session, "answer": "accepted"]
            )
            #expect(late.status == 200)
            #expect(try late.text("answer") == "stale")
            let shown = try await amina.get(path, after: "\(stale.envelope.position)").object
            let row = try #require((shown["requests"] as? [[String: Any]])?.first)
            #expect(row["answer"] as? String == "stale")
            #expect(row["openedAt"] is String)
            #expect(try gateway.events("session.request_answered/1").count == 1)
        }
    }

    @Test func `say that a request was not answered in time`() async throws {
        let clock = TestClock()
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.clock = clock.ledgerClock
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            _ = try await amina.post("/v1/sessions/\(session)/claim")
            _ = try await amina.post("/v1/sessions/\(session)/requests", ["ask": "send_location"])
            let stale = try await gateway.firstEntry(of: "session.request_answered/1") {
                clock.advance(by: .seconds(120))
            }
            let fact = try EventDecoder().decode(stale).fact.payload as? SessionRequestAnswered
            #expect(fact?.answer == .stale)
        }
    }
}
