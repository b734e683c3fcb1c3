// SPDX-License-Identifier: Apache-2.0
import Events
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `The number behind a private session` {
    @Test func `is told neither by opening another, nor by a feed`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let eve = try await gateway.user(.operator, login: "eve")
            let chief = try await gateway.user(.supervisor, login: "chief")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            #expect(try await amina.post("/v1/sessions/\(session)/claim").status == 200)
            let number: [String: any Sendable] = ["phone": "+447712345678"]
            #expect(try await amina.post("/v1/devices/codes", number).status == 201)
            let refused = try await eve.post("/v1/sessions", number)
            #expect(refused.status == 409)
            #expect(try refused.problem == "caller-in-session")
            #expect(!refused.body.contains("\(session)"))
            #expect(try await chief.post("/v1/sessions", number).text("session") == "\(session)")
            let feed = "/v1/events?follow=false"
            let seen = try await eve.get(feed).body
            #expect(!seen.contains("\(session)"))
            #expect(!seen.contains("device.admitted/1"))
            #expect(try await amina.get(feed).body.contains("device.admitted/1"))
            let admitted = try #require(try gateway.events("device.admitted/1").first)
            let entry = try await eve.get("/v1/events/\(admitted.envelope.position)")
            #expect(entry.status == 404)
            #expect(!entry.body.contains("\(session)"))
        }
    }
}

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A token in a URL` {
    @Test func `counts at sockets only, whatever the request says of itself`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let upgrade: HTTPFields = [.upgrade: "websocket"]
            let path = "/v1/me?access_token=\(amina.token)"
            #expect(try await gateway.send(.get, path, headers: upgrade).status == 401)
            var named = upgrade
            named[.secWebSocketProtocol] = "daybook, bearer.\(amina.token)"
            #expect(try await gateway.send(.get, "/v1/me", headers: named).status == 401)
        }
    }
}
