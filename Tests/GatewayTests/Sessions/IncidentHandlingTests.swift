// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `What the centre writes about an incident` {
    @Test func `is shown to the centre, and not to the caller whose incident it is`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            #expect(try await amina.post("/v1/sessions/\(session)/claim").status == 200)
            let incident = try #require(try gateway.ledger.rights.incident(of: session))
            let path = "/v1/incidents/\(incident)"
            let classes = ["type": "fire", "priority": 2] as [String: any Sendable]
            #expect(try await amina.send(.put, "\(path)/classification", classes).status == 200)
            let written = try await amina.post("\(path)/notes", ["text": "ring twice"])
            #expect(written.status == 201)

            let position = try written.text("position")
            let shown = try await amina.get(path, after: position).object
            let told = shown["classification"] as? [String: Any]
            #expect(told?["type"] as? String == "fire")
            #expect(told?["by"] as? String == "operator/\(amina.id)")
            let notes = try await amina.get("\(path)/notes", after: position).items
            #expect(notes.map { $0["text"] as? String } == ["ring twice"])
            #expect(notes.first?["session"] as? String == "\(session)")
            let row = try await amina.get("/v1/sessions").items.first
            #expect(row?["incidentPriority"] as? Int == 2)

            #expect(try await caller.get("\(path)/notes").status == 403)
            for read in [path, "\(path)/timeline", "/v1/sessions", "/v1/events?follow=false"] {
                let answer = try await caller.get(read, after: position)
                #expect(answer.status == 200, "\(read)")
                #expect(!answer.body.contains("ring twice"), "\(read)")
                #expect(!answer.body.contains("incident.note_added"), "\(read)")
                #expect(!answer.body.contains("fire"), "\(read)")
            }
        }
    }

    @Test func `is for who has a session of it, and speaks of what they may read`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let sue = try await gateway.user(.supervisor, login: "sue")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let (_, other) = try await gateway.openChat("+447712345754", codeBy: amina)
            #expect(try await amina.post("/v1/sessions/\(session)/claim").status == 200)
            let incident = try #require(try gateway.ledger.rights.incident(of: session))
            let path = "/v1/incidents/\(incident)"
            #expect(try await ben.post("\(path)/notes", ["text": "x"]).status == 403)
            // Linked while it waits: what is said to its later operator is not amina's to read.
            let link = ["session": "\(other)", "reason": "same fire"]
            #expect(try await amina.post("\(path)/sessions", link).status == 200)
            #expect(try await ben.post("/v1/sessions/\(other)/claim").status == 200)
            let written = ["text": "she is deaf", "session": "\(other)"]
            #expect(try await amina.post("\(path)/notes", written).status == 403)
            #expect(try await amina.post("\(path)/notes", ["text": "two storeys"]).status == 201)
            #expect(try await ben.post("\(path)/notes", written).status == 201)
            let last = "\(gateway.ledger.log.size - 1)"
            let read = try await amina.get("\(path)/notes", after: last).items
            #expect(read.map { $0["text"] as? String } == ["two storeys"])
            for row in try await amina.get("\(path)/timeline", after: last).items {
                #expect(!"\(row)".contains("she is deaf"))
            }
            // Page by page, and what is left out makes no page shorter.
            let paged = "\(path)/notes?limit=1"
            #expect(try await amina.get(paged, after: last).object["next"] == nil)
            let first = try await sue.get(paged, after: last)
            let next = try #require(first.object["next"] as? String)
            let second = try await sue.get("\(paged)&after=\(next)", after: last)
            let texts = try (first.items + second.items).map { $0["text"] as? String }
            #expect(texts == ["two storeys", "she is deaf"])
            #expect(try second.object["next"] == nil)
            // An ended session is read by colleagues, who write nothing into it.
            let cem = try await gateway.user(.operator, login: "cem")
            for (owner, one) in [(amina, session), (ben, other)] {
                #expect(try await owner.post("/v1/sessions/\(one)/close").status == 200)
            }
            #expect(try await cem.get(path).status == 200)
            #expect(try await cem.post("\(path)/notes", ["text": "x"]).status == 403)
            #expect(try await ben.post("\(path)/notes", ["text": "she called back"]).status == 201)
        }
    }
}
