// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `Lists as of a point` {
    @Test func `show sessions and incidents as they were, to today's rights`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let said = try await caller.post(
                "/v1/sessions/\(session)/messages",
                ["text": "help"]
            )
            let waiting = try said.text("position")
            let claim = try await amina.post("/v1/sessions/\(session)/claim")
            let claimed = try claim.text("position")
            let (_, other) = try await gateway.openChat("+447712345754", codeBy: amina)
            _ = try await amina.post("/v1/sessions/\(session)/close")
            let now = try await amina.post("/v1/sessions/\(other)/claim").text("position")

            func ids(_ query: String) async throws -> [String] {
                try await amina.get("/v1/sessions?\(query)", after: now).items
                    .compactMap { $0["id"] as? String }
            }
            #expect(try await ids("state=open") == ["\(other)"])
            #expect(try await ids("state=open&asOf=\(claimed)") == ["\(session)"])
            #expect(try await ids("state=closed&asOf=\(claimed)").isEmpty)
            #expect(try await ids("state=closed&asOf=\(now)") == ["\(session)"])
            #expect(try await ids("pending=true&asOf=\(waiting)") == ["\(session)"])
            #expect(try await ids("pending=true&asOf=\(claimed)").isEmpty)
            #expect(try await ids("owner=\(amina.id)&asOf=\(waiting)").isEmpty)
            #expect(try await ids("owner=\(amina.id)&asOf=\(claimed)") == ["\(session)"])
            #expect(try await ids("owner=\(amina.id)&asOf=\(now)") == ["\(other)"])
            #expect(try await ids("asOf=0").isEmpty)
            #expect(try await ids("asOf=\(gateway.ledger.now)").count == 2)

            let then = try await amina.get("/v1/sessions?asOf=\(waiting)", after: now)
            let row = try #require(try then.items.first)
            #expect(row["owner"] == nil && row["unreadForOperator"] as? Int == 1)
            #expect(try then.object["alerting"] == nil)
            // What has ended by now a colleague may read, whatever it was then.
            let hers = try await ben.get("/v1/sessions?asOf=\(waiting)", after: now).items
            #expect(hers.map { $0["isPrivate"] as? Bool } == [false])

            let incidents = try await amina.get("/v1/incidents?asOf=\(claimed)", after: now).items
            let sessions = try #require(incidents.first?["sessions"] as? [[String: Any]])
            #expect(incidents.count == 1)
            #expect(sessions.map { $0["state"] as? String } == ["open"])
        }
    }

    @Test func `have full pages of what fits, and are limited`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            var chats: [(caller: TestGateway.Client, session: String)] = []
            for number in 0..<5 {
                let (caller, session) = try await gateway.openChat(
                    "+44771234560\(number)",
                    codeBy: amina
                )
                chats.append((caller, "\(session)"))
            }
            var last = ""
            for number in [0, 1, 4] {
                last = try await chats[number].caller.post(
                    "/v1/sessions/\(chats[number].session)/messages",
                    ["text": "help"]
                ).text("position")
            }
            var pages: [[String]] = []
            var next = ""
            repeat {
                let page = try await amina.get(
                    "/v1/sessions?pending=true&asOf=\(last)&limit=2\(next)",
                    after: last
                )
                pages.append(try page.items.compactMap { $0["id"] as? String })
                next = try page.object["next"].map { "&before=\($0)" } ?? ""
            } while !next.isEmpty
            // Those between that do not wait make no page short, and no further one.
            #expect(pages == [[chats[1].session, chats[4].session], [chats[0].session]])
            let wide = try await amina.get("/v1/sessions?asOf=\(last)&limit=201", after: last)
            #expect(try wide.problem == "malformed-request")
            #expect(try await amina.get("/v1/incidents?asOf=then").status == 400)
        }
    }

    @Test(arguments: ["/v1/sessions", "/v1/incidents"])
    func `are not shown as of a time that has not come`(path: String) async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let soon = gateway.ledger.now + .seconds(3_600)
            let answer = try await amina.get("\(path)?asOf=\(soon)")
            #expect(answer.status == 400)
            #expect(try answer.problem == "malformed-request")
            #expect(try await amina.get("\(path)?asOf=\(gateway.ledger.now)").status == 200)
        }
    }
}
