// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise4)) struct `Claiming a session` {
    @Test func `by a hundred operators at once has one winner, named to all others`() async throws {
        try await TestGateway.run { gateway in
            let first = try await gateway.user(.operator, login: "operator-0")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: first)
            var operators = [first]
            for number in 1..<100 {
                operators.append(try await gateway.user(.operator, login: "operator-\(number)"))
            }
            let answers = try await withThrowingTaskGroup(of: (String, TestAnswer).self) { group in
                for client in operators {
                    group.addTask {
                        (client.id, try await client.post("/v1/sessions/\(session)/claim"))
                    }
                }
                return try await group.reduce(into: [(String, TestAnswer)]()) { $0.append($1) }
            }
            let winners = answers.filter { $0.1.status == 200 }.map(\.0)
            #expect(winners.count == 1)
            let losers = answers.filter { $0.1.status == 409 }
            #expect(losers.count == 99)
            for (_, answer) in losers {
                #expect(try answer.problem == "session-claimed-by-other")
                #expect(try answer.text("owner") == winners.first)
            }
            #expect(try gateway.events("session.claimed/1").count == 1)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A session that waits` {
    @Test func `shows every operator what the caller wrote and where, until it is another's`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let path = "/v1/sessions/\(session)"
            for text in ["Ambulance needed", "one is trapped"] {
                let sent = try await caller.post(
                    "\(path)/messages",
                    ["text": text, "temporaryID": text]
                )
                #expect(sent.status == 201)
            }
            let place = try await caller.post(
                "\(path)/locations",
                ["fix": ["latitude": 51.65, "longitude": -0.4]]
            )
            let told = try place.text("position")
            func row(of client: TestGateway.Client, after position: String) async throws
                -> [String: Any]
            {
                let items = try await client.get("/v1/sessions?state=open", after: position).items
                return try #require(items.first)
            }
            let waiting = try await row(of: ben, after: told)
            #expect(waiting["firstWords"] as? String == "Ambulance needed")
            #expect(waiting["lastWords"] as? String == "one is trapped")
            #expect((waiting["place"] as? [String: Any])?["latitude"] as? Double == 51.65)
            let claim = try await amina.post("\(path)/claim").text("position")
            let hers = try await row(of: amina, after: claim)
            #expect(hers["firstWords"] as? String == "Ambulance needed")
            let his = try await row(of: ben, after: claim)
            for member in ["firstWords", "lastWords", "place", "liveStream", "caller"] {
                #expect(his[member] == nil, "\(member)")
            }
            let person = try #require(hers["caller"] as? String)
            let contacts = "/v1/sessions?caller=\(person)"
            #expect(try await amina.get(contacts, after: claim).items.count == 1)
            #expect(try await ben.get(contacts, after: claim).items.isEmpty)
            #expect(try await ben.get("/v1/sessions?caller=nobody").status == 400)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A claimed session` {
    /// What shows a session's contents.
    static let routes = ["", "/transcript"]

    @Test func `is private to its owner, supervisors and its caller`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let supervisor = try await gateway.user(.supervisor, login: "sue")
            let stranger = try await gateway.user(.supervisor, login: "far", org: "elsewhere")
            let analyst = try await gateway.user(.analyst, login: "ana")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let other = try await gateway.caller("+447712345754", codeBy: amina)
            let incident = try #require(try gateway.ledger.rights.incident(of: session))
            let paths =
                Self.routes.map { "/v1/sessions/\(session)\($0)" }
                + ["/v1/incidents/\(incident)", "/v1/incidents/\(incident)/timeline"]
            let before = try await ben.get(paths[0])
            #expect(before.status == 200, "nobody's yet")
            let claim = try await amina.post("/v1/sessions/\(session)/claim")
            let position = try claim.text("position")
            for path in paths {
                #expect(try await amina.get(path, after: position).status == 200)
                #expect(try await supervisor.get(path).status == 200)
                #expect(try await caller.get(path).status == 200)
                let refused = try await ben.get(path)
                #expect(refused.status == 403, "\(path)")
                #expect(try refused.problem == "session-private")
                // Whoever asked for the session is told whose it is; who asked for the incident, not of the session.
                let owner = try refused.object["owner"] as? String
                #expect(owner == (path.contains("/sessions/") ? amina.id : nil))
                #expect(try await other.get(path).problem == "session-of-other-caller")
                #expect(try await stranger.get(path).status == 404)
                #expect(try await analyst.get(path).status == 403)
            }
            let refusals = try gateway.events(AccessRefused.kind).filter {
                $0.envelope.actor.text == "operator/\(ben.id)"
            }
            #expect(refusals.count == paths.count)
            let feed = try await ben.get("/v1/events?follow=false")
            #expect(!feed.body.contains("\(session)"))
            let own = try await amina.get("/v1/events?follow=false&type=session.claimed/1")
            #expect(own.body.contains("\(session)"))
            let last = try await ben.get("/v1/events/\(position)")
            #expect(last.status == 404)
            let list = try await ben.get("/v1/sessions", after: position)
            #expect(try list.items.first?["phone"] == nil)
            #expect(try list.items.first?["isPrivate"] as? Bool == true)
        }
    }

    @Test func `opens to the owner of a session linked as one incident`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let (_, first) = try await gateway.openChat("+447712345678", codeBy: amina)
            let (_, second) = try await gateway.openChat("+447712345754", codeBy: amina)
            _ = try await amina.post("/v1/sessions/\(first)/claim")
            _ = try await ben.post("/v1/sessions/\(second)/claim")
            #expect(try await ben.get("/v1/sessions/\(first)/transcript").status == 403)
            let incident = try #require(try gateway.ledger.rights.incident(of: first))
            let body = ["session": "\(second)", "reason": "same fire"]
            let grasp = try await ben.post("/v1/incidents/\(incident)/sessions", body)
            #expect(try grasp.problem == "session-private", "nobody opens another's session alone")
            let supervisor = try await gateway.user(.supervisor, login: "sue")
            let link = try await supervisor.post("/v1/incidents/\(incident)/sessions", body)
            #expect(link.status == 200)
            #expect(try await ben.get("/v1/sessions/\(first)/transcript").status == 200)
            let timeline = try await ben.get(
                "/v1/incidents/\(incident)/timeline",
                after: try link.text("position")
            )
            let subjects = Set(try timeline.items.compactMap { $0["subject"] as? String })
            #expect(subjects.isSuperset(of: ["session/\(first)", "session/\(second)"]))
            let before = try #require(UInt64(try link.text("position"))) - 1
            let earlier = try await amina.get("/v1/incidents/\(incident)/timeline?asOf=\(before)")
            let then = Set(try earlier.items.compactMap { $0["subject"] as? String })
            #expect(then.contains("session/\(first)") && !then.contains("session/\(second)"))
        }
    }
}
