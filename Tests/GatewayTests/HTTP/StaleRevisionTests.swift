// SPDX-License-Identifier: Apache-2.0
import Events
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise4), .timeLimit(.minutes(10))) struct `A command with If-Match` {
    @Test func `is done at the revision that the query showed, and refused in words at another`()
        async throws
    {
        try await TestGateway.run { gateway in
            let rescuer = try await gateway.user(.operator, login: "rosa")
            let submitted = try await rescuer.post("/v1/reports", `Reports over HTTP`.dog())
            let path = "/v1/reports/\(try submitted.text("report"))"
            let shown = try await rescuer.get(path, after: try submitted.text("position"))
            let tag = try #require(shown.headers[.eTag])
            #expect(tag == "\"0\"")
            let moved = try await rescuer.post(
                path + "/status",
                ["to": "acknowledged"],
                ifMatch: tag
            )
            #expect(moved.status == 200)
            let size = gateway.ledger.log.size

            let stale = try await rescuer.post(
                path + "/status",
                ["to": "heading_out"],
                ifMatch: tag
            )
            #expect(stale.status == 412)
            #expect(try stale.problem == "stale-revision")
            let subject = "report/\(try submitted.text("report"))"
            #expect(try stale.text("subject") == subject)
            #expect(try stale.text("expected") == "0")
            #expect(try stale.text("actual") == "1")
            let words = "a command on \(subject) was not taken: it was decided at revision 0, "
            #expect(
                try stale.text("detail")
                    == words + "the subject is at revision 1; load it and decide again"
            )
            #expect(gateway.ledger.log.size == size, "nothing is stored of it")

            let again = try await rescuer.get(path, after: try moved.text("position"))
            let next = try await rescuer.post(
                path + "/status",
                ["to": "heading_out"],
                ifMatch: again.headers[.eTag]
            )
            #expect(next.status == 200)
            #expect(again.headers[.eTag] == "\"1\"")
        }
    }

    @Test func `that many send at once with the same tag is done once`() async throws {
        try await TestGateway.run { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: desk)
            #expect(try await desk.post("/v1/sessions/\(session)/claim").status == 200)
            let incident = try #require(try gateway.ledger.rights.incident(of: session))
            let path = "/v1/incidents/\(incident)"
            let last = "\(gateway.ledger.log.size - 1)"
            let tag = try #require(try await desk.get(path, after: last).headers[.eTag])
            let answers = try await withThrowingTaskGroup(of: TestAnswer.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await desk.send(
                            .put,
                            path + "/address",
                            ["address": "\(number) High Street"],
                            ifMatch: tag
                        )
                    }
                }
                return try await group.reduce(into: [TestAnswer]()) { $0.append($1) }
            }
            #expect(answers.filter { $0.status == 200 }.count == 1)
            let stale = answers.filter { $0.status == 412 }
            #expect(stale.count == 19)
            #expect(Set(try stale.map { try $0.text("actual") }).count == 1)
            #expect(try gateway.events(IncidentAddressSet.kind).count == 1)
            let before = try await desk.get(path + "?asOf=\(last)")
            #expect(before.status == 200 && before.headers[.eTag] == nil)
        }
    }

    @Test func `on a session fits its query, and tells nothing to whom it is refused anyway`()
        async throws
    {
        try await TestGateway.run { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: desk)
            let other = try await gateway.caller("+447712345754", codeBy: desk)
            let path = "/v1/sessions/\(session)"
            let claim = try await desk.post(path + "/claim", ifMatch: "*")
            let shown = try await desk.get(path, after: try claim.text("position"))
            let tag = try #require(shown.headers[.eTag])
            #expect(tag == "\"\(try claim.text("revision"))\"")
            let message: [String: any Sendable] = ["text": "help", "temporaryID": "t1"]
            let stranger = try await other.post(path + "/messages", message, ifMatch: "\"99\"")
            #expect(try stranger.problem == "session-of-other-caller")
            let now = try #require(try gateway.ledger.log.revision(of: .session(session)))
            let sent = try await caller.post(
                path + "/messages",
                message,
                key: "one",
                ifMatch: now.entityTag
            )
            #expect(sent.status == 201)
            let again = try await caller.post(
                path + "/messages",
                message,
                key: "one",
                ifMatch: now.entityTag
            )
            #expect(try again.text("message") == sent.text("message"), "the same command")
            for command in ["/close", "/release"] {
                let stale = try await desk.post(path + command, ifMatch: tag)
                #expect(try stale.problem == "stale-revision", "\(command)")
            }
        }
    }

    @Test(arguments: [
        "7", "W/\"7\"", "\"7\", \"8\"", "\"\"", "\"07\"", "\"-1\"", "\"seven\"", "\"",
    ])
    func `of a malformed tag is refused`(tag: String) async throws {
        try await TestGateway.run { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: desk)
            let answer = try await desk.post("/v1/sessions/\(session)/claim", ifMatch: tag)
            #expect(answer.status == 400)
            #expect(try answer.problem == "malformed-request")
            #expect(try gateway.events(SessionClaimed.kind).isEmpty)
        }
    }

    @Test func `is refused where there is nothing yet whose revision it could name`() async throws {
        try await TestGateway.run { gateway in
            let rita = try await gateway.user(.reporter, login: "rita")
            let dog = `Reports over HTTP`.dog()
            let answer = try await rita.post("/v1/reports", dog, ifMatch: "\"0\"")
            #expect(try answer.problem == "malformed-request")
            #expect(try gateway.events(ReportSubmitted.kind).isEmpty)
        }
    }

    @Test func `has the last revision below the place that a read model has reached`() async throws
    {
        try await TestGateway.run { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: desk)
            for number in 0..<9 {
                let message = ["text": "\(number)", "temporaryID": "t\(number)"]
                _ = try await caller.post("/v1/sessions/\(session)/messages", message)
            }
            let ledger = gateway.ledger
            let all = try ledger.log.entries(of: .session(session))
            for size in 0...ledger.log.size {
                let shown = all.last { $0.envelope.position.rawValue < size }?.envelope.revision
                #expect(try ledger.revision(of: .session(session), amongFirst: size) == shown)
            }
        }
    }
}
