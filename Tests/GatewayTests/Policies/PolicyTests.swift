// SPDX-License-Identifier: Apache-2.0
import Projections
import Commands
import Events
import EventsTesting
import Foundation
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(2))) struct `The policies` {
    @Test func `lose no timer by a restart, and act once`() async throws {
        let clock = TestClock()
        let folder = try await TestGateway.run(adjust: { $0.clock = clock.ledgerClock }) {
            gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            _ = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            return gateway.folder
        }
        clock.advance(by: .seconds(500))
        try await TestGateway.run(in: folder, adjust: { $0.clock = clock.ledgerClock }) { gateway in
            let expired = try await gateway.firstEntry(of: "session.expired/1") {}
            #expect(expired.envelope.actor.text == "policy/start-limit")
        }
        try await TestGateway.run(in: folder, adjust: { $0.clock = clock.ledgerClock }) { gateway in
            try await gateway.ledger.readModels.runner.wait(
                for: LogPosition(gateway.ledger.log.size - 1),
                on: "deadlines"
            )
            #expect(try gateway.events("session.expired/1").count == 1)
        }
    }

    @Test func `interrupt a silent stream after 5 s, and stop it after ten minutes`() async throws {
        let clock = TestClock()
        try await TestGateway.run(adjust: { $0.clock = clock.ledgerClock }) { gateway in
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

    @Test func `say that a request was not answered in time`() async throws {
        let clock = TestClock()
        try await TestGateway.run(adjust: { $0.clock = clock.ledgerClock }) { gateway in
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
