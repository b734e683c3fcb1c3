// SPDX-License-Identifier: Apache-2.0
import Events
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10)))
struct `A page beside which somebody else signed in` {
    private func claim(
        _ session: SessionID,
        cookie: TestGateway.Client,
        as believed: String?
    ) async throws -> TestAnswer {
        var headers: HTTPFields = [.cookie: "daybook=\(cookie.token)"]
        headers[.sender] = believed
        return try await cookie.gateway.send(
            .post,
            "/v1/sessions/\(session)/claim",
            headers: headers
        )
    }

    @Test func `does nothing in the other's name`() async throws {
        try await TestGateway.run { gateway in
            let john = try await gateway.user(.operator, login: "john")
            let sue = try await gateway.user(.operator, login: "sue")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: john)

            let refused = try await claim(session, cookie: sue, as: john.id)
            #expect(refused.status == 409)
            #expect(try refused.problem == "signed-in-as-other")
            #expect(try gateway.events(SessionClaimed.kind).isEmpty)

            #expect(try await claim(session, cookie: sue, as: sue.id).status == 200)
            let event = try #require(try gateway.events(SessionClaimed.kind).first)
            #expect(event.envelope.actor.text == "operator/\(sue.id)")
        }
    }

    @Test func `opens no socket in the other's name`() async throws {
        try await TestGateway.run { gateway in
            let john = try await gateway.user(.operator, login: "john")
            let sue = try await gateway.user(.operator, login: "sue")
            for (believed, status) in [(john, 409), (sue, 426)] {
                let answer = try await gateway.send(
                    .get,
                    "/v1/ws",
                    headers: [
                        .cookie: "daybook=\(sue.token)", .upgrade: "websocket",
                        .connection: "upgrade",
                        .secWebSocketProtocol: "daybook, as.\(believed.id)",
                    ]
                )
                #expect(answer.status == status, "\(answer)")
            }
        }
    }

    @Test func `that names nobody is held to nothing, and a phone to its own id`() async throws {
        try await TestGateway.run { gateway in
            let john = try await gateway.user(.operator, login: "john")
            let caller = try await gateway.caller("+447712345678", codeBy: john)
            #expect(try await john.get("/v1/me").status == 200)
            for (believed, status) in [(caller.id, 200), (john.id, 409)] {
                let answer = try await gateway.send(
                    .get,
                    "/v1/me",
                    headers: [.authorization: "Bearer \(caller.token)", .sender: believed]
                )
                #expect(answer.status == status, "\(answer)")
            }
        }
    }
}
