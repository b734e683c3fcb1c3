// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `What the centre writes about a caller` {
    private static let name = "Jane Roe"

    @Test func `is sealed for the caller, and told to colleagues alone`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let sue = try await gateway.user(.supervisor, login: "sue")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let path = "/v1/sessions/\(session)"
            #expect(try await amina.post("\(path)/claim").status == 200)
            let why = "\(Self.name) of 5 Elm Road again"
            let offer = ["to": ben.id, "reason": why]
            #expect(try await amina.post("\(path)/offer", offer).status == 201)
            #expect(try await gateway.offer(of: session, for: ben)?["reason"] as? String == why)
            #expect(try await gateway.offer(of: session, for: caller) == nil)
            let entry = try #require(
                try gateway.ledger.log.entries(of: SessionOffered.kind).first
            )
            for (client, topic, isTold) in [
                (ben, Topic.desk, true), (caller, .me, false), (caller, .session(session), false),
            ] {
                let rights = TopicRights(
                    topic: topic,
                    reader: try await gateway.ledger.accounts.authenticate(client.token),
                    rights: gateway.ledger.rights,
                    sessionsMost: 8
                )
                #expect(try (rights.event(entry) != nil) == isTold, "\(topic)")
            }
            let closing = ["disposition": "handled", "note": why]
            #expect(try await amina.post("\(path)/close", closing).status == 200)
            #expect(try await sue.post("\(path)/seal", ["reason": why]).status == 200)
            #expect(try await sue.post("\(path)/unseal", ["reason": why]).status == 200)
            let shown = try await gateway.session(session, for: caller)
            #expect(shown["disposition"] as? String == "handled")
            #expect(shown["note"] == nil)
            #expect(try await gateway.session(session, for: amina)["note"] as? String == why)
            let incident = try #require(shown["incident"] as? String)
            let timeline = "/v1/incidents/\(incident)/timeline"
            #expect(try await !caller.get(timeline).body.contains(Self.name))
            #expect(try await sue.get(timeline).body.contains(Self.name))
            for entry in try gateway.ledger.log.entries(of: .session(session)) {
                #expect(!String(decoding: entry.bytes, as: UTF8.self).contains(Self.name))
            }
        }
    }
}

extension TestGateway {
    /// A session as its list and its page show it, as of now.
    fileprivate func session(
        _ id: SessionID,
        for client: Client
    ) async throws -> [String: Any] {
        let last = "\(ledger.log.size - 1)"
        let shown = try await client.get("/v1/sessions/\(id)", after: last).object
        return try #require(shown["session"] as? [String: Any])
    }

    fileprivate func offer(
        of id: SessionID,
        for client: Client
    ) async throws -> [String: Any]? {
        let last = "\(ledger.log.size - 1)"
        let listed = try await client.get("/v1/sessions", after: last).items
        let one = try #require(listed.first { $0["id"] as? String == "\(id)" })
        return one["offer"] as? [String: Any]
    }
}
