// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(2))) struct `Texts given in turn` {
    @Test func `go round among who is signed in and may take one more`() async throws {
        try await TestGateway.run {
            $0.policies.textAssignment = .seconds(20)
        } _: { gateway in
            var operators: [String: TestGateway.Client] = [:]
            for login in ["amina", "john"] {
                let client = try await gateway.user(.operator, login: login)
                let signedIn = try await gateway.send(
                    .post,
                    "/v1/auth/login",
                    body: TestGateway.json([
                        "login": login, "password": "correct horse battery",
                    ])
                )
                #expect(signedIn.status == 200)
                operators[client.id] = client
            }
            let first = try await given(1, gateway)
            let taken = try #require(operators[first.to.text])
            let answer = try await taken.post(
                "/v1/sessions/\(first.session)/offer/answer",
                ["answer": "accepted"]
            )
            #expect(answer.status == 200)
            let second = try await given(2, gateway)
            #expect(second.to != first.to && second.session != first.session)
            let declining = try #require(operators[second.to.text])
            _ = try await declining.post(
                "/v1/sessions/\(second.session)/offer/answer",
                ["answer": "declined"]
            )
            // The other has a session already: the same one is asked again.
            let third = try await assigned(3, gateway)
            #expect(third.to == second.to && third.session == second.session)
        }
    }

    /// Somebody texts, and an operator is asked.
    private func given(
        _ number: Int,
        _ gateway: TestGateway
    ) async throws -> (session: String, to: UserID) {
        let person: PersonID = gateway.ledger.newID()
        try gateway.ledger.keys.create(person)
        let context = gateway.ledger.context(actor: .telephone(person), organisation: .main)
        let chat = try await gateway.ledger.handler.handle(StartChat(caller: person), context)
        let message = SendMessage(
            "fire",
            in: chat.outcome.session,
            from: .caller(person),
            temporaryID: "1",
            clientTimestamp: "",
            channel: .sip
        )
        _ = try await gateway.ledger.handler.handle(
            message,
            gateway.ledger.context(actor: .telephone(person), organisation: .main)
        )
        return try await assigned(number, gateway)
    }

    private func assigned(
        _ number: Int,
        _ gateway: TestGateway
    ) async throws -> (session: String, to: UserID) {
        try await eventually("assignment \(number)") {
            try gateway.events("session.assigned/1").count >= number
        }
        let event = try gateway.events("session.assigned/1")[number - 1]
        guard case .session(.assigned(let assigned)) = event.fact else {
            throw CancellationError()
        }
        return (String(event.envelope.subject.name), assigned.to)
    }
}
