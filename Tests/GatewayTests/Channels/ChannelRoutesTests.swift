// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(2))) struct `A channel of a team` {
    @Test func `is for the roles that it names: others are told that there is none`() async throws {
        try await TestGateway.run { gateway in
            let (admin, desk, other) = (
                try await gateway.user(.admin, login: "ada"),
                try await gateway.user(.operator, login: "amina"),
                try await gateway.user(.supervisor, login: "sam")
            )
            let channel: ChannelID = gateway.ledger.newID()
            let set =
                ["name": "Night shift", "members": ["guard", "operator"], "isOpen": true]
                as [String: any Sendable]
            #expect(try await admin.send(.put, "/v1/channels/\(channel)", set).status == 200)
            #expect(try await desk.send(.put, "/v1/channels/\(channel)", set).status == 403)
            let listed = try await desk.get("/v1/channels", after: gateway.newest).items
            #expect(listed.first?["isMember"] as? Bool == true && listed.count == 1)
            #expect(try await other.get("/v1/channels").items.isEmpty)
            let managed = try await admin.get("/v1/channels").items
            #expect(managed.first?["isMember"] as? Bool == false)
            for client in [admin, other] {
                let path = "/v1/channels/\(channel)/messages"
                #expect(try await client.get(path).status == 404)
                #expect(try await client.post(path, ["text": "hello"]).status == 404)
                let read = try await client.post("/v1/channels/\(channel)/read", ["through": 0])
                #expect(read.status == 404)
            }
        }
    }

    @Test func `tells words, authors and who has read how far; a repetition is one message`()
        async throws
    {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let desk = try await gateway.user(.operator, login: "amina")
            let guardian = try await gateway.user(.guard, login: "gita")
            let channel: ChannelID = gateway.ledger.newID()
            let path = "/v1/channels/\(channel)"
            let set =
                ["name": "Nights", "members": ["guard", "operator"], "isOpen": true]
                as [String: any Sendable]
            _ = try await admin.send(.put, path, set)
            for text in ["who is at the gate?", "hello?"] {
                let sent = try await desk.post("\(path)/messages", ["text": text])
                #expect(sent.status == 201)
            }
            let unread = try await guardian.get("/v1/channels", after: gateway.newest).items
            #expect(unread.first?["unread"] as? Int == 2)
            let shown = try await guardian.get("\(path)/messages", after: gateway.newest).items
            #expect(shown.map { $0["text"] as? String } == ["who is at the gate?", "hello?"])
            #expect(shown.map { $0["number"] as? Int } == [1, 2])
            #expect(shown.allSatisfy { $0["isOwn"] as? Bool == false })
            #expect(try await guardian.post("\(path)/read", ["through": 2]).status == 200)
            let before = try await guardian.get("\(path)/messages?before=2").items
            #expect(before.map { $0["number"] as? Int } == [1])
            let read = try await desk.get("/v1/channels", after: gateway.newest).items
            let readers = read.first?["readers"] as? [[String: Any]]
            #expect(readers?.map { $0["through"] as? Int } == [2, 2])
            #expect(read.first?["unread"] as? Int == 0)
            let entries = try gateway.events(ChannelMessageSent.kind)
            #expect(entries.count == 2)
        }
    }
}
