// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import HTTPTypes
import Maps
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise3), .timeLimit(.minutes(10))) struct `A citizen's call for help` {
    @Test func `tells each contact in their language who, where and when, once`() async throws {
        try await Street.run { street in
            let id: SOSID = street.gateway.ledger.newID()
            #expect(try await street.raise(id).status == 201)
            #expect(try await street.raise(id).status == 200)
            let told = try street.told()
            #expect(told.map(\.sms) == ["+447712345751", "+447712345752"])
            #expect(told.map(\.email) == [nil, "jan@example.org"])
            #expect(told[0].text.contains("URGENT: Sam Smith needs help."))
            #expect(told[1].text.contains("DRINGEND: Sam Smith braucht Hilfe."))
            #expect(told[0].text.contains("52.48250, -1.89000 (within 12 m), 9C4WF4M6+22"))
            #expect(told[1].text.contains("52.48250, -1.89000 (auf 12 m), 9C4WF4M6+22"))
            for one in told {
                #expect(one.text.contains(Wording.answerMark))
            }
            let shown = try await street.sam.get("/v1/me/sos/\(id)")
            let contacts = try #require(try shown.object["contacts"] as? [[String: Any]])
            #expect(contacts.map { $0["name"] as? String } == ["Nina", "Jan"])
            let parts = try #require(contacts[1]["parts"] as? [[String: String]])
            #expect(parts.map { $0["state"] } == ["waiting", "waiting"])
            let other = try await street.gateway.caller("+447712345759", codeBy: street.staff)
            #expect(try await other.get("/v1/me/sos/\(id)").status == 404)
        }
    }

    @Test func `names the nearest town, and says nothing of it where none is known`() async throws {
        let london = Gazetteer(zones: "GB\t+513030-0000731\tEurope/London")
        for (gazetteer, words) in [(london, "162 km north-west of London: "), (nil, "")] {
            try await Street.run {
                $0.gazetteer = gazetteer
            } _: { street in
                let id: SOSID = street.gateway.ledger.newID()
                _ = try await street.raise(id)
                let told = try street.told()
                #expect(told[0].text.contains("\n\(words)52.48250, -1.89000"))
            }
        }
    }

    @Test func `says when the phone says that it was raised, and that the place is not known`()
        async throws
    {
        try await Street.run { street in
            let id: SOSID = street.gateway.ledger.newID()
            let before = street.gateway.ledger.now + .seconds(-3_600)
            var headers: HTTPFields = [.authorization: "Bearer \(street.sam.token)"]
            headers[.occurredAt] = "\(before)"
            let late = try await street.gateway.send(
                .put,
                "/v1/me/sos/\(id)",
                headers: headers,
                body: try TestGateway.json(["trigger": "key"])
            )
            #expect(late.status == 201, "\(late.body)")
            let shown = try await street.sam.get("/v1/me/sos/\(id)")
            #expect(try shown.text("occurredAt") == "\(before)")
            #expect(try street.told()[0].text.contains("The place is not known"))
        }
    }

    @Test(arguments: [-1e19, -1, 1e300])
    func `is refused with a place that cannot be`(accuracy: Double) async throws {
        try await Street.run { street in
            let id: SOSID = street.gateway.ledger.newID()
            let fix = ["latitude": 0, "longitude": 0, "accuracyMetres": accuracy]
            let refused = try await street.raise(id, at: fix)
            let told = try street.told()
            let taken = try await street.raise(id, at: nil)
            #expect(refused.status == 422 && told.isEmpty)
            #expect(taken.status == 201)
        }
    }

    @Test func `is refused where nobody can be told, and practice is marked as such`() async throws
    {
        try await Street.run { street in
            let drill = try await street.raise(street.gateway.ledger.newID(), isDrill: true)
            #expect(drill.status == 201)
            let told = try street.told()
            #expect(told.allSatisfy { $0.template == "sos-drill" })
            #expect(told[0].text.contains("Practice only, nobody needs help"))
            for id in [street.nina, street.jan] {
                #expect(try await street.sam.send(.delete, "/v1/me/contacts/\(id)").status == 200)
            }
            let alone = try await street.raise(street.gateway.ledger.newID())
            #expect(alone.status == 409)
            #expect(try alone.problem == "sos-without-contacts")
        }
    }
}

@Suite(.tags(.promise3), .timeLimit(.minutes(10)))
struct
    `A call for help in the operators' queue`
{
    @Test func `is a session with words and place, which an operator claims and answers`()
        async throws
    {
        try await Street.run {
            $0.site.answersCitizens = true
        } _: { street in
            let id: SOSID = street.gateway.ledger.newID()
            #expect(try await street.raise(id).status == 201)
            let shown = try await street.sam.get("/v1/me/sos/\(id)")
            let session = try shown.text("session")
            let queue = try await street.staff.get(
                "/v1/sessions?state=open",
                after: street.gateway.newest
            )
            #expect(try queue.items.map { $0["id"] as? String } == [session])
            let claimed = try await street.staff.post("/v1/sessions/\(session)/claim", [:])
            #expect(claimed.status == 200, "\(claimed.body)")
            let talk = try await street.staff.get(
                "/v1/sessions/\(session)/transcript",
                after: street.gateway.newest
            )
            #expect(talk.body.contains("ALERT BUTTON: Sam Smith needs help."))
            #expect(talk.body.contains("52.48250, -1.89000"))
            let end = ["reason": "safe"]
            #expect(try await street.sam.post("/v1/me/sos/\(id)/end", end).status == 200)
            let after = try await street.staff.get(
                "/v1/sessions/\(session)/transcript",
                after: street.gateway.newest
            )
            #expect(after.body.contains("Sam Smith is safe."))
        }
    }

    @Test(arguments: [false, true])
    func `is in none on a site that does not want it, nor is practice`(
        answers: Bool
    ) async throws {
        try await Street.run {
            $0.site.answersCitizens = answers
        } _: { street in
            let id: SOSID = street.gateway.ledger.newID()
            let raised = try await street.raise(id, isDrill: answers)
            #expect(raised.status == 201)
            let sessions = try street.gateway.events(SessionCreated.kind)
            #expect(sessions.isEmpty)
        }
    }
}

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `The link of a contact` {
    @Test
    func `shows where the citizen is and how many know of it, until the end, and then nothing`()
        async throws
    {
        try await Street.run { street in
            let id: SOSID = street.gateway.ledger.newID()
            #expect(try await street.raise(id).status == 201)
            let links = try street.links()
            let gateway = street.gateway
            let first = try #require(
                try await gateway.send(.get, links[0]).object["sos"] as? [String: Any]
            )
            #expect(first["name"] as? String == "Sam Smith")
            #expect(first["answered"] as? Int == 0)
            #expect(try await gateway.send(.post, links[0]).text("state") == "answered")
            let moved = ["fix": ["latitude": 52.5, "longitude": -1.9]]
            #expect(try await street.sam.send(.put, "/v1/me/sos/\(id)/place", moved).status == 200)
            let second = try #require(
                try await gateway.send(.get, links[1]).object["sos"] as? [String: Any]
            )
            #expect(second["answered"] as? Int == 1)
            let place = try #require(second["place"] as? [String: Any])
            #expect(place["latitude"] as? Double == 52.5)
            #expect(place["plusCode"] as? String == "9C4WG422+22")
            let end = ["reason": "safe"]
            #expect(try await street.sam.post("/v1/me/sos/\(id)/end", end).status == 200)
            for link in links {
                let over = try await gateway.send(.get, link)
                let sos = try #require(try over.object["sos"] as? [String: Any])
                #expect(Set(sos.keys) == ["isOver", "endReason"])
                #expect(sos["endReason"] as? String == "safe")
                #expect(!over.body.contains("Sam"))
            }
            let after = try street.told().suffix(2)
            #expect(after.map(\.template) == ["sos-safe", "sos-safe"])
            #expect(after.first?.text.contains("Sam Smith is safe.") == true)
            let late = try await street.sam.send(.put, "/v1/me/sos/\(id)/place", moved)
            #expect(try late.problem == "sos-over")
        }
    }

    @Test func `leaves a timeline for who supervises, and for nobody else`() async throws {
        try await Street.run { street in
            let id: SOSID = street.gateway.ledger.newID()
            #expect(try await street.raise(id).status == 201)
            _ = try await street.gateway.send(.post, try street.links()[0])
            let path = "/v1/sos/\(id)/timeline"
            let chief = try await street.gateway.user(.supervisor, login: "sue")
            let shown = try await chief.get(path, after: street.gateway.newest)
            #expect(
                try shown.items.map { $0["type"] as? String } == [
                    "sos.raised/1", "alert.queued/1", "alert.queued/1", "alert.answered/1",
                ]
            )
            for other in [street.sam, street.staff] {
                #expect(try await other.get(path).status == 403)
            }
            let north = try await street.gateway.user(.supervisor, login: "nora", org: "north")
            #expect(try await north.get(path).status == 404)
        }
    }

    @Test func `shows nothing after a day, nor to whom the citizen removed, nor to who guesses`()
        async throws
    {
        try await Street.run { street in
            let id: SOSID = street.gateway.ledger.newID()
            #expect(try await street.raise(id).status == 201)
            let links = try street.links()
            let gateway = street.gateway
            let removed = try await street.sam.send(.delete, "/v1/me/contacts/\(street.nina)")
            #expect(removed.status == 200)
            let gone = try await gateway.send(.get, links[0])
            let shown = try #require(try gone.object["sos"] as? [String: Any])
            #expect(Set(shown.keys) == ["isOver"])
            for guess in [String(links[1].dropLast()) + "A", links[1] + "A", "/v1/answers/x"]
            where guess != links[1] {
                #expect(try await gateway.send(.get, guess).status == 404)
            }
            street.clock.advance(by: CommandLimits.sosLife)
            let late = try await gateway.send(.get, links[1])
            let sos = try #require(try late.object["sos"] as? [String: Any])
            #expect(Set(sos.keys) == ["isOver", "endReason"])
            #expect(sos["endReason"] as? String == "expired")
        }
    }
}
