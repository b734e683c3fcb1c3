// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `Incidents that are the same event` {
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

    @Test
    func `open nothing to who linked or merged one that waited, until a supervisor joins them`()
        async throws
    {
        try await TestGateway.run { gateway in
            for how in ["sessions", "merge"] {
                let (john, amina) = (
                    try await gateway.user(.operator, login: "john-\(how)"),
                    try await gateway.user(.operator, login: "amina-\(how)")
                )
                let sue = try await gateway.user(.supervisor, login: "sue-\(how)")
                let numbers = how == "merge" ? ["11", "12"] : ["13", "14"]
                let (_, own) = try await gateway.openChat("+4477123456\(numbers[0])", codeBy: john)
                let (_, waiting) = try await gateway.openChat(
                    "+4477123456\(numbers[1])",
                    codeBy: amina
                )
                let rights = gateway.ledger.rights
                let incident = try #require(try rights.incident(of: own))
                let other = try #require(try rights.incident(of: waiting))
                #expect(try await john.post("/v1/sessions/\(own)/claim").status == 200)
                let body = how == "merge" ? ["incident": "\(other)"] : ["session": "\(waiting)"]
                let path = "/v1/incidents/\(incident)"
                #expect(try await john.post("\(path)/\(how)", body).status == 200)
                #expect(try await amina.post("/v1/sessions/\(waiting)/claim").status == 200)
                let transcript = "/v1/sessions/\(waiting)/transcript"
                #expect(try await john.get(transcript).problem == "session-private")
                // He opened his own by that, and nothing else; both go on with the incident.
                #expect(try await amina.get("/v1/sessions/\(own)").status == 200)
                let position = String(gateway.ledger.log.size - 1)
                for (one, sessions) in [(john, [own]), (amina, [own, waiting])] {
                    let shown = try await one.get(path, after: position)
                    #expect(try shown.sessions == Set(sessions))
                    let timeline = try await one.get("\(path)/timeline", after: position)
                    let told = Set(try timeline.items.compactMap { $0["subject"] as? String })
                    #expect(told.contains("session/\(own)"))
                    #expect(told.contains("session/\(waiting)") == sessions.contains(waiting))
                }
                // She takes out what is hers, though she may not read what it lies beside.
                let unlinking = ["session": "\(waiting)"]
                let not = try await john.post("\(path)/unlink", unlinking)
                #expect(try not.problem == "session-private")
                #expect(try not.text("detail").contains("session/\(waiting) is private"))
                #expect(try await amina.post("\(path)/unlink", unlinking).status == 200)
                #expect(try await john.get(path).status == 200)
                // Who supervises joins them for both.
                #expect(try await sue.post("\(path)/sessions", unlinking).status == 200)
                #expect(try await john.get(transcript).status == 200)
                #expect(try await amina.get("/v1/sessions/\(own)").status == 200)
                // An ended session of his opens nothing.
                #expect(try await john.post("/v1/sessions/\(own)/close").status == 200)
                #expect(try await john.get(transcript).problem == "session-private")
            }
        }
    }

    @Test func `are no callers of whom a number finds, until the link opens them`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let ben = try await gateway.user(.operator, login: "ben")
            let (_, own) = try await gateway.openChat("+447712345999", codeBy: scene.amina)
            #expect(try await ben.post("/v1/sessions/\(own)/claim").status == 200)
            let incident = try #require(try gateway.ledger.rights.incident(of: own))
            let path = "/v1/incidents/\(incident)"
            let linking = ["session": "\(scene.secondSession)"]
            func found(by reader: TestGateway.Client, after: TestAnswer) async throws -> [Int] {
                let position = try after.text("position")
                let path = "/v1/callers?prefix=%2B447712345"
                let answer = try await reader.get(path, after: position)
                return try answer.items.filter {
                    $0["lastSession"] as? String == "\(scene.secondSession)"
                }
                .compactMap { $0["sessions"] as? Int }
            }
            // He joins one that waits with his own; whoever claims it then is not his.
            #expect(try await ben.post("\(path)/sessions", linking).status == 200)
            let claim = try await scene.amina.post("/v1/sessions/\(scene.secondSession)/claim")
            #expect(try await found(by: ben, after: claim).isEmpty)
            #expect(try await found(by: scene.amina, after: claim) == [1])
            // Who supervises joins them again: that counts.
            #expect(try await scene.sue.post("\(path)/unlink", linking).status == 200)
            let joined = try await scene.sue.post("\(path)/sessions", linking)
            #expect(try await found(by: ben, after: joined) == [1])
            // With his own at its end, it opens nothing.
            let closed = try await ben.post("/v1/sessions/\(own)/close")
            #expect(try await found(by: ben, after: closed).isEmpty)
        }
    }

    @Test(arguments: ["apart", "first", "second"])
    func `open nothing by being moved together, whoever moves them and which way`(
        how: String
    ) async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let eve = try await gateway.user(.operator, login: "eve")
            let opened = try await eve.post("/v1/sessions", ["phone": "+447712345999"])
            let hers = try opened.text("incident")
            // She takes a waiting one to her own, which its later owner does not know.
            let waiting = ["session": "\(scene.firstSession)"]
            let linked = try await eve.post("/v1/incidents/\(hers)/sessions", waiting)
            #expect(linked.status == 200)
            let path = "/v1/incidents/\(scene.second)"
            if how == "apart" {
                let merged = try await eve.post("\(path)/merge", ["incident": hers])
                #expect(merged.status == 200)
            }
            let claimed = try await scene.amina.post("/v1/sessions/\(scene.firstSession)/claim")
            #expect(claimed.status == 200)
            let moved: TestAnswer
            switch how {
            case "apart":
                moved = try await scene.sue.post("\(path)/unmerge", ["incident": hers])
            case "first":
                moved = try await scene.sue.post("\(path)/merge", ["incident": hers])
            default:
                let other = ["incident": "\(scene.second)"]
                moved = try await scene.sue.post("/v1/incidents/\(hers)/merge", other)
            }
            #expect(moved.status == 200)
            let transcript = "/v1/sessions/\(scene.firstSession)/transcript"
            let read = try await eve.get(transcript)
            #expect(try read.problem == "session-private")
            // A supervisor who joins just these two opens the one to the other's owner.
            let place = how == "first" ? "\(scene.second)" : hers
            let out = try await scene.sue.post("/v1/incidents/\(place)/unlink", waiting)
            #expect(out.status == 200)
            let joined = try await scene.sue.post("/v1/incidents/\(place)/sessions", waiting)
            #expect(joined.status == 200)
            #expect(try await eve.get(transcript).status == 200)
        }
    }

    @Test func `are not opened by a link once they are sealed`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let ben = try await scene.claimBoth(gateway)
            #expect(try await scene.merge(by: scene.sue).status == 200)
            let path = "/v1/sessions/\(scene.secondSession)"
            #expect(try await ben.post("\(path)/close").status == 200)
            #expect(try await scene.amina.get(path).status == 200)
            #expect(try await scene.sue.post("\(path)/seal", ["reason": "trial"]).status == 200)
            #expect(try await scene.amina.get(path).problem == "session-private")
            #expect(try await ben.get(path).status == 200)
        }
    }

    @Test func `are of one organisation, whoever asks`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let ada = try await gateway.user(.admin, login: "ada", org: "root")
            let nora = try await gateway.user(.operator, login: "nora", org: "north")
            let (_, foreign) = try await gateway.openChat("+447712345999", codeBy: nora)
            let north = try #require(try gateway.ledger.rights.incident(of: foreign))
            let path = "/v1/incidents/\(scene.first)"
            let link = try await ada.post("\(path)/sessions", ["session": "\(foreign)"])
            #expect(try link.problem == "incident-of-other-organisation")
            let merge = try await ada.post("\(path)/merge", ["incident": "\(north)"])
            #expect(try merge.problem == "incident-of-other-organisation")
            #expect(try await scene.amina.get(path).status == 200)
            // What comes of an unlinking stays theirs, though somebody of another organisation asks.
            let body = ["session": "\(scene.secondSession)"]
            #expect(try await scene.sue.post("\(path)/sessions", body).status == 200)
            let first = ["session": "\(scene.firstSession)"]
            let new = try await ada.post("\(path)/unlink", first).text("incident")
            #expect(new != "\(scene.first)")
            #expect(try await scene.amina.get("/v1/incidents/\(new)").status == 200)
        }
    }

    @Test func `have full pages of their history, of what is shown alone`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let ben = try await scene.claimBoth(gateway)
            _ = try await scene.merge()
            _ = try await ben.post(
                "/v1/sessions/\(scene.secondSession)/messages",
                ["text": "only for us"]
            )
            let body = ["incident": "\(scene.second)"]
            let apart = try await scene.sue.post("/v1/incidents/\(scene.first)/unmerge", body)
            let path = "/v1/incidents/\(scene.first)/timeline"
            let whole = try await scene.amina.get(path, after: try apart.text("position"))
            let shown = try whole.items.compactMap { $0["position"] as? String }
            let hidden = try await scene.sue.get(path).items.count - shown.count
            #expect(hidden > 0)
            var (found, next) = ([String](), String?.none)
            repeat {
                let cursor = next.map { "&after=\($0)" } ?? ""
                let page = try await scene.amina.get("\(path)?limit=1\(cursor)")
                let places = try page.items.compactMap { $0["position"] as? String }
                #expect(places.count == 1)
                next = try page.object["next"] as? String
                #expect(next == nil || next == places.last)
                found += places
            } while next != nil && found.count <= shown.count
            #expect(found == shown)
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
