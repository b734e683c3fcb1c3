// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

/// A citizen with a registered phone and two contacts: Nina, who reads English, has a telephone, and Jan, who reads German, both.
private struct Street {
    let gateway: TestGateway
    let clock: TestClock
    let staff: TestGateway.Client
    let sam: TestGateway.Client
    let nina: ContactID
    let jan: ContactID

    init(_ gateway: TestGateway, _ clock: TestClock) async throws {
        (self.gateway, self.clock) = (gateway, clock)
        staff = try await gateway.user(.operator, login: "amina")
        sam = try await gateway.caller("+447712345750", codeBy: staff)
        (nina, jan) = (gateway.ledger.newID(), gateway.ledger.newID())
        let name = ["name": "Sam Smith"]
        #expect(try await sam.send(.put, "/v1/me/safety", name).status == 200)
        let contacts: [(ContactID, [String: any Sendable])] = [
            (nina, ["name": "Nina", "mobile": "+447712345751"]),
            (
                jan,
                [
                    "name": "Jan", "mobile": "+447712345752", "email": "jan@example.org",
                    "language": "de",
                ]
            ),
        ]
        for (id, contact) in contacts {
            #expect(try await sam.send(.put, "/v1/me/contacts/\(id)", contact).status == 201)
        }
    }

    static let fix: [String: any Sendable] = [
        "latitude": 52.4825, "longitude": -1.89, "accuracyMetres": 12,
    ]

    /// Calls for help.
    func raise(
        _ id: SOSID,
        at fix: [String: any Sendable]? = fix,
        isDrill: Bool = false
    ) async throws -> TestAnswer {
        var body: [String: any Sendable] = ["trigger": "swipe", "isDrill": isDrill]
        body["fix"] = fix
        return try await sam.send(.put, "/v1/me/sos/\(id)", body)
    }

    /// What was queued for contacts: wording, address and words.
    func told() throws -> [(template: String, sms: String?, email: String?, text: String)] {
        let keys = gateway.ledger.keys.unrecorded(.compared)
        return try gateway.events(AlertQueued.kind).compactMap { event in
            guard case .alert(.queued(let queued)) = event.fact else { return nil }
            return (
                queued.template, try queued.sms?.opened(with: keys).value?.text,
                try queued.email?.opened(with: keys).value,
                try queued.message?.opened(with: keys).value?.text ?? ""
            )
        }
    }

    /// The links of the alerts, in the order of the contacts.
    func links() throws -> [String] {
        try gateway.events(AlertQueued.kind).compactMap { event in
            AlertID(String(event.envelope.subject.name)).map {
                "/v1/answers/" + gateway.ledger.deliverySecrets.answerCode($0)
            }
        }
    }

    static func run(_ play: @Sendable (Street) async throws -> Void) async throws {
        let clock = TestClock()
        try await TestGateway.run {
            $0.clock = clock.ledgerClock
        } _: { gateway in
            try await play(try await Street(gateway, clock))
        }
    }
}

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
            for one in told {
                #expect(one.text.contains("52.48250, -1.89000 (± 12 m), 9C4WF4M6+22"))
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

@Suite(.tags(.promise7), .timeLimit(.minutes(10))) struct `A citizen's contact` {
    @Test func `is kept sealed under a key of its own, which goes when it is removed`() async throws
    {
        try await Street.run { street in
            let ledger = street.gateway.ledger
            let facts = try street.gateway.events(ContactSet.kind).compactMap { event in
                if case .safety(.contactSet(let set)) = event.fact { set } else { nil }
            }
            let person = try #require(facts.first?.person)
            #expect(Set(facts.map(\.person)).count == 2)
            for path in ["/v1/me/contacts/\(street.nina)", "/v1/me/contacts/\(street.nina)"] {
                #expect(try await street.sam.send(.delete, path).status == 200)
            }
            #expect(ledger.keys.isDestroyed(person))
            let left = try await street.sam.get("/v1/me/safety")
            let contacts = try #require(try left.object["contacts"] as? [[String: Any]])
            #expect(contacts.map { $0["name"] as? String } == ["Jan"])
            let again = ["name": "Nina", "mobile": "+447712345751"]
            let path = "/v1/me/contacts/\(street.nina)"
            #expect(try await street.sam.send(.put, path, again).status == 404)
        }
    }

    @Test func `is shown to no new phone to which an older one has not agreed`() async throws {
        try await Street.run { street in
            // Of two phones of one moment neither is the older one.
            street.clock.advance(by: .seconds(1))
            let second = try await street.gateway.caller("+447712345750", codeBy: street.staff)
            let refused = try await second.get("/v1/me/safety")
            #expect(refused.status == 403)
            #expect(try refused.problem == "phone-not-agreed")
            let admitted = try await street.sam.post("/v1/devices/\(second.id)/admit", [:])
            #expect(admitted.status == 200, "\(admitted.body)")
            let shown = try await second.get("/v1/me/safety")
            #expect(try (shown.object["contacts"] as? [Any])?.count == 2)
        }
    }
}

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A code for one's own number` {
    private func run(
        _ play: @Sendable (TestGateway, (String) async throws -> TestAnswer) async throws -> Void
    ) async throws {
        try await TestGateway.run {
            $0.limits.proofOfWorkMax = 50
        } _: { gateway in
            try await play(gateway) { key in
                let body: [String: any Sendable] = [
                    "phone": "+447712345750", "proof": try await gateway.proof(),
                ]
                var headers: HTTPFields = [:]
                headers[.idempotencyKey] = key
                return try await gateway.send(
                    .post,
                    "/v1/public/phone-codes",
                    headers: headers,
                    body: try TestGateway.json(body)
                )
            }
        }
    }

    private let sms: [String: any Sendable] = [
        "isOn": true, "host": "127.0.0.1", "port": 9, "security": "none", "user": "kannel",
        "password": "correct horse", "from": "8888",
    ]

    @Test func `comes by SMS and registers a phone, on nobody's word but its own`() async throws {
        try await run { gateway, ask in
            #expect(try await ask("before-there-is-sms").problem == "codes-closed")
            let admin = try await gateway.user(.admin, login: "ada")
            #expect(try await admin.send(.put, "/v1/senders/sms", sms).status == 200)
            #expect(try await ask("first-key-of-mine").status == 202)
            let keys = gateway.ledger.keys.unrecorded(.compared)
            let queued = try #require(try gateway.events(AlertQueued.kind).last)
            guard case .alert(.queued(let alert)) = queued.fact else { return }
            #expect(try alert.sms?.opened(with: keys).value?.text == "+447712345750")
            let words = try #require(try alert.message?.opened(with: keys).value?.text)
            let code = try #require(words.firstMatch(of: /[0-9A-Z]{6}/).map { String($0.0) })
            let answer = try await gateway.send(
                .post,
                "/v1/devices",
                body: TestGateway.json(["phone": "+447712345750", "code": code])
            )
            #expect(answer.status == 201, "\(answer.body)")
            guard
                case .device(.registered(let fact)) = try #require(
                    try gateway.events(DeviceRegistered.kind).last
                ).fact
            else { return }
            #expect(fact.verification == .sms && fact.codeGivenBy == nil)
        }
    }

    @Test func `is sent three times, and then only after a while`() async throws {
        try await run { gateway, ask in
            let admin = try await gateway.user(.admin, login: "ada")
            #expect(try await admin.send(.put, "/v1/senders/sms", sms).status == 200)
            for number in 1...3 { #expect(try await ask("key-number-\(number)").status == 202) }
            #expect(try await ask("key-number-4").status == 429)
            #expect(try gateway.events(DeviceCodeIssued.kind).count == 3)
        }
    }
}
