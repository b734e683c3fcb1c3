// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(2))) struct `Lists as of a point` {
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
            #expect(try await ids("asOf=2099-01-01T00:00:00Z").count == 2)

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

    @Test func `go on by a cursor, also where a page shows nothing, and are limited`() async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            var sessions: [String] = []
            for number in 0..<5 {
                let (_, session) = try await gateway.openChat(
                    "+44771234560\(number)",
                    codeBy: amina
                )
                sessions.append("\(session)")
            }
            let last = try await amina.post("/v1/sessions/\(sessions[1])/claim").text("position")
            var found: [String] = []
            var pages = 0
            var next = ""
            repeat {
                let page = try await amina.get(
                    "/v1/sessions?owner=\(amina.id)&asOf=\(last)&limit=2\(next)",
                    after: last
                )
                found += try page.items.compactMap { $0["id"] as? String }
                next = try page.object["next"].map { "&before=\($0)" } ?? ""
                pages += 1
            } while !next.isEmpty
            #expect(found == [sessions[1]])
            #expect(pages == 3)
            let wide = try await amina.get("/v1/sessions?asOf=\(last)&limit=201", after: last)
            #expect(try wide.problem == "malformed-request")
            #expect(try await amina.get("/v1/incidents?asOf=then").status == 400)
        }
    }
}
