// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(2))) struct `Incidents that are the same event` {
    @Test func `are merged: the old id goes on to mean the one that goes on`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let merge = try await scene.merge()
            #expect(merge.status == 200)
            let position = try merge.text("position")
            for id in [scene.first, scene.second] {
                let shown = try await scene.sue.get("/v1/incidents/\(id)", after: position)
                #expect(try shown.text("id") == "\(scene.first)")
                #expect(try shown.sessions == [scene.firstSession, scene.secondSession])
                #expect(try shown.object["merged"] as? [String] == ["\(scene.second)"])
                let timeline = try await scene.sue.get("/v1/incidents/\(id)/timeline")
                let kinds = try timeline.items.compactMap { $0["type"] as? String }
                #expect(kinds.contains("incident.merged/1"))
                #expect(kinds.filter { $0 == "incident.opened/1" }.count == 2)
            }
            // What the old id meant before, it meant before.
            let before = (UInt64(position) ?? 0) - 2
            let then = try await scene.sue.get("/v1/incidents/\(scene.second)?asOf=\(before)")
            #expect(try then.text("id") == "\(scene.second)")
            #expect(try then.sessions == [scene.secondSession])
            let past = try await scene.sue.get(
                "/v1/incidents/\(scene.second)/timeline?asOf=\(before)"
            )
            #expect(try past.items.count == 3)
            // A command by the old id is about the one that goes on.
            let address = try await scene.sue.send(
                .put,
                "/v1/incidents/\(scene.second)/address",
                ["address": "94 Broad Street"]
            )
            #expect(address.status == 200)
            let set = try #require(try gateway.events("incident.address_set/1").first)
            #expect(set.envelope.subject == .incident(scene.first))
        }
    }

    @Test func `are taken apart again, with what came along`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            _ = try await scene.merge()
            let apart = try await scene.sue.post(
                "/v1/incidents/\(scene.first)/unmerge",
                ["incident": "\(scene.second)", "reason": "another fire"]
            )
            #expect(apart.status == 200)
            let position = try apart.text("position")
            for (id, session) in [
                (scene.first, scene.firstSession), (scene.second, scene.secondSession),
            ] {
                let shown = try await scene.sue.get("/v1/incidents/\(id)", after: position)
                #expect(try shown.text("id") == "\(id)")
                #expect(try shown.sessions == [session])
                #expect(try shown.object["merged"] as? [String] == [])
            }
            let again = try await scene.sue.post(
                "/v1/incidents/\(scene.first)/unmerge",
                ["incident": "\(scene.second)"]
            )
            #expect(again.status == 409)
            #expect(try again.problem == "incident-not-merged")
        }
    }

    @Test func `open each other's sessions to their owners, and close them again`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let ben = try await scene.claimBoth(gateway)
            let path = "/v1/sessions/\(scene.secondSession)"
            #expect(try await scene.amina.get(path).status == 403)
            // Who may not read both merges neither: nobody opens another's session alone.
            for one in [scene.amina, ben] {
                let grasp = try await scene.merge(by: one)
                #expect(grasp.status == 403)
                #expect(try grasp.problem == "session-private")
            }
            #expect(try await scene.merge(by: scene.sue).status == 200)
            #expect(try await scene.amina.get(path).status == 200)
            #expect(try await ben.get("/v1/sessions/\(scene.firstSession)").status == 200)
            let apart = try await scene.amina.post(
                "/v1/incidents/\(scene.first)/unmerge",
                ["incident": "\(scene.second)"]
            )
            #expect(apart.status == 200)
            #expect(try await scene.amina.get(path).status == 403)
            // The timeline of the one keeps the other's moves, and not what is said in there now.
            _ = try await ben.post("\(path)/messages", ["text": "only for us"])
            let timeline = try await scene.amina.get("/v1/incidents/\(scene.first)/timeline")
            #expect(timeline.status == 200)
            #expect(!timeline.body.contains("only for us"))
            let subjects = Set(try timeline.items.compactMap { $0["subject"] as? String })
            #expect(subjects == ["incident/\(scene.first)", "session/\(scene.firstSession)"])
        }
    }

    @Test func `show of what they were only what is not private by now`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            _ = try await scene.claimBoth(gateway)
            let path = "/v1/incidents/\(scene.first)"
            let body = ["session": "\(scene.secondSession)"]
            let linked = try await scene.sue.post("\(path)/sessions", body).text("position")
            let both = try await scene.amina.get(path, after: linked)
            #expect(try both.sessions == [scene.firstSession, scene.secondSession])
            let apart = try await scene.sue.post("\(path)/unlink", body).text("position")

            let then = try await scene.amina.get("\(path)?asOf=\(linked)", after: apart)
            #expect(then.status == 200)
            #expect(try then.sessions == [scene.firstSession])
            let list = try await scene.amina.get("/v1/incidents?asOf=\(linked)", after: apart)
            #expect(try list.items.map { $0["id"] as? String } == ["\(scene.first)"])
            for answer in [then, list] {
                #expect(answer.body.contains("+447712345678"))
                #expect(!answer.body.contains("+447712345754"))
                #expect(!answer.body.contains("\(scene.secondSession)"))
            }
            let whole = try await scene.sue.get("\(path)?asOf=\(linked)", after: apart)
            #expect(try whole.sessions == [scene.firstSession, scene.secondSession])
        }
    }

    @Test func `give back a session to no incident where another's is now`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let ben = try await gateway.user(.operator, login: "ben")
            let (_, own) = try await gateway.openChat("+447712345999", codeBy: scene.amina)
            for (owner, session) in [(scene.amina, own), (ben, scene.secondSession)] {
                #expect(try await owner.post("/v1/sessions/\(session)/claim").status == 200)
            }
            let home = try #require(try gateway.ledger.rights.incident(of: own))
            // Hers joins one that is nobody's yet; his joins the incident that was opened with hers.
            for (session, incident) in [(own, scene.first), (scene.secondSession, home)] {
                let link = try await scene.sue.post(
                    "/v1/incidents/\(incident)/sessions",
                    ["session": "\(session)"]
                )
                #expect(link.status == 200)
            }
            let back = try await scene.amina.post(
                "/v1/incidents/\(scene.first)/unlink",
                ["session": "\(own)"]
            )
            #expect(back.status == 200)
            let new = try back.text("incident")
            #expect(new != "\(home)" && new != "\(scene.first)")
            let his = try await scene.amina.get("/v1/sessions/\(scene.secondSession)")
            #expect(try his.problem == "session-private")
            #expect(try await ben.get("/v1/sessions/\(own)").problem == "session-private")
        }
    }

    @Test func `are refused at a revision that was passed`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            var position: String?
            for path in ["merge", "unmerge"] {
                let stale = try await scene.sue.post(
                    "/v1/incidents/\(scene.first)/\(path)",
                    ["incident": "\(scene.second)"],
                    ifMatch: "\"0\""
                )
                #expect(stale.status == 412, "\(path)")
                let seen = try await scene.sue.get("/v1/incidents/\(scene.first)", after: position)
                let done = try await scene.sue.post(
                    "/v1/incidents/\(scene.first)/\(path)",
                    ["incident": "\(scene.second)"],
                    ifMatch: seen.headers[.eTag]
                )
                #expect(done.status == 200, "\(path)")
                position = try done.text("position")
            }
        }
    }

    @Test func `lose a session that was linked by mistake`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let path = "/v1/incidents/\(scene.first)"
            let body = ["session": "\(scene.secondSession)"]
            #expect(try await scene.sue.post("\(path)/sessions", body).status == 200)
            let back = try await scene.sue.post("\(path)/unlink", body)
            #expect(back.status == 200)
            #expect(try back.text("incident") == "\(scene.second)")
            let away = try await scene.sue.post("\(path)/unlink", body)
            #expect(try away.problem == "session-not-linked")
            let alone = try await scene.sue.post(
                "\(path)/unlink",
                ["session": "\(scene.firstSession)"]
            )
            #expect(try alone.problem == "session-alone")
            // Where it was opened is where it is: it gets an incident of its own.
            #expect(try await scene.sue.post("\(path)/sessions", body).status == 200)
            let own = try await scene.sue.post(
                "\(path)/unlink",
                ["session": "\(scene.firstSession)"]
            )
            let new = try own.text("incident")
            #expect(new != "\(scene.first)" && new != "\(scene.second)")
            let position = try own.text("position")
            let shown = try await scene.sue.get(
                "/v1/incidents/\(scene.firstSession)",
                after: position
            )
            #expect(try shown.text("id") == new)
        }
    }
}

/// Two callers whom nobody has claimed, an operator and a supervisor.
private struct Scene {
    let amina: TestGateway.Client
    let sue: TestGateway.Client
    let firstSession: SessionID
    let secondSession: SessionID
    let first: IncidentID
    let second: IncidentID

    init(_ gateway: TestGateway) async throws {
        amina = try await gateway.user(.operator, login: "amina")
        sue = try await gateway.user(.supervisor, login: "sue")
        firstSession = try await gateway.openChat("+447712345678", codeBy: amina).session
        secondSession = try await gateway.openChat("+447712345754", codeBy: amina).session
        first = try #require(try gateway.ledger.rights.incident(of: firstSession))
        second = try #require(try gateway.ledger.rights.incident(of: secondSession))
    }

    /// The first session becomes Amina's, the second that of another operator, who is returned.
    func claimBoth(_ gateway: TestGateway) async throws -> TestGateway.Client {
        let ben = try await gateway.user(.operator, login: "ben")
        for (owner, session) in [(amina, firstSession), (ben, secondSession)] {
            #expect(try await owner.post("/v1/sessions/\(session)/claim").status == 200)
        }
        return ben
    }

    /// Makes the second incident part of the first.
    func merge(by client: TestGateway.Client? = nil) async throws -> TestAnswer {
        try await (client ?? sue).post(
            "/v1/incidents/\(first)/merge",
            ["incident": "\(second)", "reason": "same fire"]
        )
    }
}

extension TestAnswer {
    /// The sessions of an incident.
    fileprivate var sessions: Set<SessionID> {
        get throws {
            let items = try object["sessions"] as? [[String: Any]] ?? []
            return Set(items.compactMap { ($0["id"] as? String).flatMap { SessionID($0) } })
        }
    }
}
