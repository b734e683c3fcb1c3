// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `Two operators with one event` {
    private struct Desk {
        let amina: TestGateway.Client
        let ben: TestGateway.Client
        let mine: SessionID
        let theirs: SessionID
        /// Of the latter.
        let caller: TestGateway.Client

        init(_ gateway: TestGateway) async throws {
            amina = try await gateway.user(.operator, login: "amina")
            ben = try await gateway.user(.operator, login: "ben")
            mine = try await gateway.openChat("+447712345678", codeBy: amina).session
            (caller, theirs) = try await gateway.openChat("+447712345754", codeBy: amina)
            #expect(try await amina.post("/v1/sessions/\(mine)/claim").status == 200)
            #expect(try await ben.post("/v1/sessions/\(theirs)/claim").status == 200)
        }

        func propose(_ who: TestGateway.Client) async throws -> TestAnswer {
            let (own, other) = who.id == amina.id ? (mine, theirs) : (theirs, mine)
            return try await who.post("/v1/sessions/\(own)/link-proposals", ["with": "\(other)"])
        }

        /// Who reads the other's session.
        func readers() async throws -> [Bool] {
            [
                try await amina.get("/v1/sessions/\(theirs)/transcript").status == 200,
                try await ben.get("/v1/sessions/\(mine)/transcript").status == 200,
            ]
        }
    }

    @Test func `read both when the second agrees, and neither before`() async throws {
        try await TestGateway.run { gateway in
            let desk = try await Desk(gateway)
            let proposed = try await desk.propose(desk.amina)
            #expect(proposed.status == 201)
            #expect(try await desk.readers() == [false, false])
            let position = try proposed.text("position")
            let row = try await desk.ben.get("/v1/sessions/\(desk.theirs)", after: position).object
            let told = (row["session"] as? [String: Any])?["linkProposals"] as? [[String: Any]]
            #expect(told?.map { $0["from"] as? String } == ["\(desk.mine)"])
            let path = "/v1/sessions/\(desk.theirs)/link-proposals/answer"
            let answer = ["from": "\(desk.mine)", "answer": "accepted"]
            #expect(try await desk.amina.post(path, answer).status == 403)
            #expect(try await desk.ben.post(path, answer).status == 200)
            #expect(try await desk.readers() == [true, true])
            // With the next owner of either it is private again.
            #expect(try await desk.ben.post("/v1/sessions/\(desk.theirs)/release").status == 200)
            let cem = try await gateway.user(.operator, login: "cem")
            #expect(try await cem.post("/v1/sessions/\(desk.theirs)/claim").status == 200)
            #expect(try await desk.readers() == [false, false])
            #expect(try await cem.get("/v1/sessions/\(desk.mine)/transcript").status == 403)
        }
    }

    @Test func `open nothing to a third with a session of it, and nothing of the third's`()
        async throws
    {
        try await TestGateway.run { gateway in
            let desk = try await Desk(gateway)
            let cem = try await gateway.user(.operator, login: "cem")
            let third = try await gateway.openChat("+447712340003", codeBy: cem).session
            let incident = try #require(try gateway.ledger.rights.incident(of: desk.mine))
            let link = ["session": "\(third)", "reason": "same fire"]
            let linked = try await desk.amina.post("/v1/incidents/\(incident)/sessions", link)
            #expect(linked.status == 200)
            #expect(try await cem.post("/v1/sessions/\(third)/claim").status == 200)
            #expect(try await desk.propose(desk.amina).status == 201)
            let path = "/v1/sessions/\(desk.theirs)/link-proposals/answer"
            let answer = ["from": "\(desk.mine)", "answer": "accepted"]
            #expect(try await desk.ben.post(path, answer).status == 200)
            #expect(try gateway.ledger.rights.incident(of: desk.theirs) == incident)
            #expect(try await desk.readers() == [true, true])
            let thirds = "/v1/sessions/\(third)/transcript"
            #expect(try await desk.ben.get(thirds).status == 403)
            let bens = "/v1/sessions/\(desk.theirs)/transcript"
            #expect(try await cem.get(bens).status == 403)
        }
    }

    @Test func `ask and answer without their callers`() async throws {
        try await TestGateway.run { gateway in
            let desk = try await Desk(gateway)
            #expect(try await desk.propose(desk.amina).status == 201)
            let path = "/v1/sessions/\(desk.theirs)/link-proposals/answer"
            let answer = ["from": "\(desk.mine)", "answer": "declined"]
            let declined = try await desk.ben.post(path, answer)
            let position = try declined.text("position")
            for read in ["/v1/events?follow=false", "/v1/incidents/\(desk.theirs)/timeline"] {
                let told = try await desk.caller.get(read, after: position)
                #expect(told.status == 200, "\(read)")
                #expect(told.body.contains("session.claimed"), "\(read)")
                #expect(!told.body.contains("session.link_"), "\(read)")
                #expect(!told.body.contains("\(desk.mine)"), "\(read)")
            }
        }
    }

    @Test func `who propose it to each other at once are done, once`() async throws {
        try await TestGateway.run { gateway in
            let desk = try await Desk(gateway)
            async let first = desk.propose(desk.amina)
            async let second = desk.propose(desk.ben)
            let answers = try await [first, second]
            #expect(answers.map(\.status) == [201, 201])
            #expect(try answers.count { try $0.object["incident"] != nil } == 1)
            #expect(try gateway.events(SessionLinkAccepted.kind).count == 1)
            let moved = try gateway.events(IncidentSessionLinked.kind)
                .compactMap { ($0.fact.payload as? IncidentSessionLinked)?.from }
            #expect(moved.count == 1)
            #expect(try await desk.readers() == [true, true])
        }
    }

    @Test func `of whom two ask a third at once are both shown to the third, in their order`()
        async throws
    {
        try await TestGateway.run { gateway in
            let desk = try await Desk(gateway)
            let cem = try await gateway.user(.operator, login: "cem")
            let third = try await gateway.openChat("+447712340003", codeBy: cem).session
            #expect(try await cem.post("/v1/sessions/\(third)/claim").status == 200)
            let path = "/v1/sessions/\(third)/link-proposals"
            async let first = desk.propose(desk.amina)
            async let second = cem.post(path, ["with": "\(desk.theirs)"])
            let answers = try await [first, second]
            #expect(answers.map(\.status) == [201, 201])
            let position = gateway.ledger.log.size.checkedPrevious.map { "\($0)" }
            let row = try await desk.ben.get("/v1/sessions/\(desk.theirs)", after: position).object
            let told = (row["session"] as? [String: Any])?["linkProposals"] as? [[String: Any]]
            let asked = try gateway.events(SessionLinkProposed.kind)
                .compactMap { ($0.fact.payload as? SessionLinkProposed)?.from }
            #expect(Set(asked) == [desk.mine, third])
            #expect(told?.map { $0["from"] as? String } == asked.map { "\($0)" })
        }
    }

    @Test func `do not ask again and again: whom a no answers hears until when`() async throws {
        try await TestGateway.run { gateway in
            let desk = try await Desk(gateway)
            #expect(try await desk.propose(desk.amina).status == 201)
            let path = "/v1/sessions/\(desk.theirs)/link-proposals/answer"
            let answer = ["from": "\(desk.mine)", "answer": "declined"]
            #expect(try await desk.ben.post(path, answer).status == 200)
            let again = try await desk.propose(desk.amina)
            #expect(again.status == 409)
            #expect(try again.problem == "proposal-declined")
            let until = try #require(Timestamp(try again.text("until")))
            #expect(until > gateway.ledger.now && until < gateway.ledger.now + .seconds(301))
            #expect(try gateway.events(SessionLinkProposed.kind).count == 1)
        }
    }
}
