// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `In a session` {
    @Test func `requests, answers, consents, places and messages are recorded`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let path = "/v1/sessions/\(session)"
            _ = try await amina.post("\(path)/claim")
            let asked = try await amina.post("\(path)/requests", ["ask": "start_video"])
            #expect(asked.status == 201)
            let answered = try await caller.post(
                "/v1/requests/\(try asked.text("request"))/answer",
                ["session": "\(session)", "answer": "accepted"]
            )
            #expect(try answered.text("answer") == "accepted")
            let consent = try await caller.post(
                "\(path)/consents",
                ["scope": "video", "decision": "granted", "textVersion": "2026-11"]
            )
            #expect(consent.status == 200)
            let place = try await caller.post(
                "\(path)/locations",
                ["fix": ["latitude": 51.65, "longitude": -0.4, "accuracyMetres": 8.0]]
            )
            #expect(place.status == 200)
            let message = try await amina.post(
                "\(path)/messages",
                ["text": "help is on its way", "temporaryID": "desk-1"]
            )
            #expect(message.status == 201)
            let again = try await amina.post(
                "\(path)/messages",
                ["text": "help is on its way", "temporaryID": "desk-1"]
            )
            #expect(try again.text("message") == message.text("message"))
            let transcript = try await caller.get(
                "\(path)/transcript",
                after: try message.text("position")
            )
            let messages = try #require(try transcript.object["messages"] as? [[String: Any]])
            #expect(messages.map { $0["text"] as? String } == ["help is on its way"])
            let detail = try await amina.get(path, after: try message.text("position")).object
            let places = try #require(detail["locations"] as? [[String: Any]])
            let fix = try #require(places.first?["fix"] as? [String: Any])
            #expect(fix["latitude"] as? Double == 51.65)
            let address = try await amina.send(
                .put,
                "/v1/incidents/\(session)/address",
                ["address": "Valley Road, Watford"]
            )
            #expect(address.status == 200)
            let closed = try await amina.post("\(path)/close", ["note": "handed over"])
            #expect(closed.status == 200)
            let late = try await caller.post("\(path)/messages", ["text": "hello?"])
            #expect(late.status == 410)
            #expect(try late.problem == "chat-ended")
        }
    }

    @Test func `something else under a known temporary id is refused, and nothing of it kept`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let path = "/v1/sessions/\(session)"
            let picture = try `Pictures in a chat`.fixture("street.png")
            func write(_ text: String, as id: String) async throws -> TestAnswer {
                try await caller.post("\(path)/messages", ["text": text, "temporaryID": id])
            }
            let first = try await write("a", as: "T")
            let shown = try await caller.upload("\(path)/pictures", picture, key: "P")
            #expect(first.status == 201 && shown.status == 201)
            let size = gateway.ledger.log.size
            for refused in [
                try await write("b", as: "T"), try await write("c", as: "P"),
                try await caller.upload("\(path)/pictures", picture, key: "T"),
            ] {
                #expect(refused.status == 422)
                #expect(try refused.problem == "temporary-id-reused")
            }
            #expect(gateway.ledger.log.size == size)
            let again = try await write("a", as: "T")
            #expect(try again.status == 200 && again.text("message") == first.text("message"))
            // Another sender's ids are their own.
            _ = try await amina.post("\(path)/claim")
            let answer = ["text": "b", "temporaryID": "T"]
            #expect(try await amina.post("\(path)/messages", answer).status == 201)
        }
    }

    @Test func `nothing personal stands open in the log`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            _ = try await caller.post("/v1/sessions/\(session)/messages", ["text": "heart attack"])
            let lines = try await gateway.user(.auditor, login: "otto").get(
                "/v1/events?follow=false"
            )
            #expect(lines.body.contains("chat.message_sent/1"))
            #expect(!lines.body.contains("heart attack"))
            #expect(!lines.body.contains("447712345678"))
        }
    }

    @Test func `bad input is refused in words, and nothing is stored`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let size = gateway.ledger.log.size
            let malformed = try await gateway.send(
                .post,
                "/v1/sessions",
                headers: [.authorization: "Bearer \(amina.token)"],
                body: "{\"phone\":"
            )
            #expect(malformed.status == 400)
            #expect(try malformed.problem == "malformed-json")
            let wrong = try await amina.post("/v1/sessions", ["phone": "12"])
            #expect(wrong.status == 400)
            #expect(try await gateway.send(.get, "/v1/sessions").status == 401)
            #expect(try await amina.get("/v1/nowhere").problem == "unknown-route")
            #expect(try await amina.send(.put, "/v1/sessions").status == 405)
            #expect(try await amina.get("/v1/sessions/none").status == 404)
            #expect(try await amina.get("/v1/sessions?state=odd").status == 400)
            let ahead = try await amina.get("/v1/sessions", after: "4000000")
            #expect(ahead.status == 400)
            #expect(gateway.ledger.log.size == size)
            let token = try await gateway.send(
                .get,
                "/v1/sessions",
                headers: [.authorization: "Bearer nobody"]
            )
            #expect(token.status == 401)
            _ = try await gateway.ledger.log.waitForSize(size + 1)
            #expect(try gateway.events(AccessRefused.kind).map(\.envelope.actor) == [.nobody])
        }
    }
}
