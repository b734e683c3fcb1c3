// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `The search over sessions` {
    @Test func `leads to what was said, and is recorded as a reading`() async throws {
        try await TestGateway.run {
            $0.site.country = "GB"
        } _: { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let path = "/v1/sessions/\(session)"
            let incident = try #require(try gateway.ledger.rights.incident(of: session))
            let said = try await caller.post("\(path)/messages", ["text": "Smoke in the Café"])
            #expect(try await amina.post("\(path)/claim").status == 200)
            let address = try await amina.send(
                .put,
                "/v1/incidents/\(incident)/address",
                ["address": "Valley Road, Watford", "plusCode": "9C3XM92G+2W"]
            )
            let place = try await caller.post(
                "\(path)/locations",
                ["fix": ["latitude": 47.36559, "longitude": 8.524997]]
            )
            let statuses = [said.status, address.status, place.status]
            #expect(statuses == ([201, 200, 200] as [Int]))
            let found = try await amina.get("/v1/search?q=cafe", after: gateway.newest)
            #expect(found.status == 200)
            #expect(found.headers[.cacheControl] == "no-store")
            let item = try #require(try found.items.first)
            #expect(try found.items.count == 1)
            #expect(item["kind"] as? String == "message")
            #expect(item["session"] as? String == "\(session)")
            #expect(item["incident"] as? String == "\(incident)")
            let position = try said.text("position")
            #expect(item["position"] as? String == position)
            #expect(item["from"] as? String == "caller")
            let person = try #require(item["caller"] as? [String: Any])
            #expect(person["phone"] as? String == "+447712345678")
            let snippet = try #require(item["snippet"] as? [String: Any])
            #expect(snippet["text"] as? String == "Smoke in the Café")
            #expect(snippet["matches"] as? [[Int]] == [[13, 17]])
            let queries = [
                ("07712%20345", "session"), ("%2B44%207712", "session"),
                ("447712345678", "session"),
                ("8FVC9G8F%2B6X", "place"), ("8fvc9g8f%2b6x", "place"), ("9C3XM92G%2B2W", "place"),
                ("watf", "place"), ("smo", "message"),
            ]
            for (query, kind) in queries {
                for path in ["/v1/search?q=\(query)", "/v1/search?q=\(query)&kind=\(kind)"] {
                    let items = try await amina.get(path).items
                    #expect(items.map { $0["kind"] as? String } == [kind], "\(path)")
                }
            }
            #expect(try await amina.get("/v1/search?q=smoke&kind=place").items.isEmpty)
            let soon = "2126-01-01T00:00:00Z"
            #expect(try await amina.get("/v1/search?q=smoke&until=\(soon)").items.count == 1)
            #expect(try await amina.get("/v1/search?q=smoke&from=\(soon)").items.isEmpty)
            let reads = try gateway.events("access.read/1").compactMap {
                $0.fact.payload as? AccessRead
            }
            #expect(reads.contains { $0.purpose == "search" && $0.resource.category == "searches" })
        }
    }

    @Test func `leaves out what is private to others, and counts only what it shows`() async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            var others: [TestGateway.Client] = []
            for name in ["ben", "bob", "bill"] {
                others.append(try await gateway.user(.operator, login: name))
            }
            let sue = try await gateway.user(.supervisor, login: "sue")
            let stranger = try await gateway.user(.operator, login: "stranger", org: "other")
            var sessions: [SessionID] = []
            for number in 0..<6 {
                let (caller, session) = try await gateway.openChat(
                    "+44771234567\(number)",
                    codeBy: amina
                )
                _ = try await caller.post("/v1/sessions/\(session)/messages", ["text": "fire"])
                // The three newest are private, each to another.
                if number > 2 {
                    let claimed = try await others[number - 3].post("/v1/sessions/\(session)/claim")
                    #expect(claimed.status == 200)
                }
                sessions.append(session)
            }
            func found(
                _ client: TestGateway.Client,
                _ query: String
            ) async throws -> (sessions: [String], next: String?) {
                let answer = try await client.get(
                    "/v1/search?q=fire&\(query)",
                    after: gateway.newest
                )
                return (
                    try answer.items.compactMap { $0["session"] as? String },
                    try answer.object["next"] as? String
                )
            }
            let names = sessions.map { "\($0)" }
            let two = try await found(amina, "limit=2")
            #expect(two.sessions == [names[2], names[1]])
            let next = try #require(two.next)
            let rest = try await found(amina, "limit=2&before=\(next)")
            #expect(rest.sessions == [names[0]])
            #expect(rest.next == nil)
            let own = try await found(others[0], "limit=100").sessions
            #expect(own == names[...3].reversed())
            #expect(try await found(sue, "limit=100").sessions == names.reversed())
            let none = try await found(stranger, "limit=100")
            #expect(none.sessions.isEmpty && none.next == nil)
        }
    }

    @Test func `shows what a link opened to the reader, and nothing that none did`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let bob = try await gateway.user(.operator, login: "bob")
            let sue = try await gateway.user(.supervisor, login: "sue")
            var sessions: [SessionID] = []
            for number in 0..<3 {
                let (caller, session) = try await gateway.openChat(
                    "+44771234567\(number)",
                    codeBy: amina
                )
                _ = try await caller.post("/v1/sessions/\(session)/messages", ["text": "fire"])
                sessions.append(session)
            }
            let (own, waiting, claimed) = (sessions[0], sessions[1], sessions[2])
            _ = try await amina.post("/v1/sessions/\(own)/claim")
            let incident = try #require(try gateway.ledger.rights.incident(of: own))
            let link = "/v1/incidents/\(incident)/sessions"
            // Linked before Ben has it, by Amina: that opens nothing of what he is told later.
            #expect(try await amina.post(link, ["session": "\(waiting)"]).status == 200)
            for (other, session) in [(ben, waiting), (bob, claimed)] {
                #expect(try await other.post("/v1/sessions/\(session)/claim").status == 200)
            }
            func found() async throws -> [String] {
                try await amina.get("/v1/search?q=fire&limit=1", after: gateway.newest).items
                    .compactMap { $0["session"] as? String }
            }
            #expect(try await found() == ["\(own)"])
            #expect(try await sue.post(link, ["session": "\(claimed)"]).status == 200)
            #expect(try await found() == ["\(claimed)"])
        }
    }

    @Test func `refuses a text that says nothing, or too much, and whoever reads no sessions`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let long = String(repeating: "a", count: 201)
            let many = Array(repeating: "a", count: 17).joined(separator: "%20")
            let queries = [
                "", "q=", "q=%20", "q=%21%3F", "q=%F0%9F%94%A5", "q=\(long)", "q=\(many)",
                "q=fire&kind=report", "q=fire&limit=0", "q=fire&limit=101", "q=fire&from=today",
                "q=fire&before=999999",
            ]
            for query in queries {
                let answer = try await amina.get("/v1/search?\(query)")
                #expect(answer.status == 400, "\(query)")
                #expect(try answer.problem == "malformed-request", "\(query)")
            }
            let words = "q=%22%20OR%20NEAR(%20*%20-a%20caller%3A"
            #expect(try await amina.get("/v1/search?\(words)").status == 200)
            let allowed: [UserRole] = [.supervisor, .auditor, .organisationAdmin, .admin]
            for role in allowed + [.analyst, .guard, .rescuer] {
                let somebody = try await gateway.user(role, login: "as-\(role.rawValue)")
                let status = try await somebody.get("/v1/search?q=fire").status
                #expect(status == (allowed.contains(role) ? 200 : 403), "\(role)")
            }
            let (caller, _) = try await gateway.openChat("+447712345678", codeBy: amina)
            #expect(try await caller.get("/v1/search?q=fire").status == 403)
        }
    }
}
