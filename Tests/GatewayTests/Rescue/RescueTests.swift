// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

/// A bay with two agencies: one whose area it is, and one that helps out from farther away.
struct Bay {
    let gateway: TestGateway
    let clock: TestClock
    let chief: TestGateway.Client
    let rosa: TestGateway.Client
    let ruth: TestGateway.Client
    let near = "0190b7a0-0000-7000-8000-00000000000a"
    let far = "0190b7a0-0000-7000-8000-00000000000b"

    init(_ gateway: TestGateway, _ clock: TestClock) async throws {
        (self.gateway, self.clock) = (gateway, clock)
        chief = try await gateway.user(.supervisor, login: "sue")
        rosa = try await gateway.user(.rescuer, login: "rosa")
        ruth = try await gateway.user(.rescuer, login: "ruth")
        for (number, one) in [chief, rosa, ruth].enumerated() {
            let ways = ["phone": "+4477123457\(50 + number)", "email": "a@example.org"]
            #expect(try await one.send(.put, "/v1/reach", ways).status == 200)
        }
        let square = [
            [-122.2, 36.6], [-121.6, 36.6], [-121.6, 37.0], [-122.2, 37.0], [-122.2, 36.6],
        ]
        try await define(
            near,
            "Bay Rescue",
            area: [[square]],
            base: ["latitude": 36.8044, "longitude": -121.7869],
            members: [rosa]
        )
        try await define(
            far,
            "Coast Rescue",
            base: ["latitude": 38.0, "longitude": -123.0],
            members: [ruth]
        )
    }

    func define(
        _ id: String,
        _ name: String,
        area: [[[[Double]]]]? = nil,
        base: [String: Double],
        members: [TestGateway.Client]
    ) async throws {
        var agency: [String: any Sendable] = [
            "name": name, "phone": "+18315550134", "base": base,
            "donationLink": "https://donate.example/\(name.prefix(3))",
        ]
        if let area {
            agency["area"] =
                ["type": "MultiPolygon", "coordinates": area] as [String: any Sendable]
        }
        let set = try await chief.send(.put, "/v1/agencies/\(id)", agency)
        #expect(set.status == 200, "\(set.body)")
        let people = ["members": members.map(\.id)]
        let told = try await chief.send(.put, "/v1/agencies/\(id)/members", people)
        #expect(told.status == 200, "\(told.body)")
        _ = try await chief.get("/v1/agencies", after: gateway.newest)
    }

    static func sealion(_ latitude: Double = 36.8, _ longitude: Double = -121.8) -> [String:
        any Sendable]
    {
        [
            "fix": ["latitude": latitude, "longitude": longitude], "species": "sea-lion",
            "sizeClass": "medium", "condition": "injured", "notes": "behind the pier",
            "contact": "+18315550199",
        ]
    }

    /// What a page does: finds the number and sends the report.
    func submit(
        _ report: [String: any Sendable] = sealion(),
        key: String = "0190b7a0-0000-4000-8000-000000000001",
        proof: [String: any Sendable]? = nil
    ) async throws -> TestAnswer {
        var report = report
        report["proof"] = if let proof { proof } else { try await gateway.proof() }
        return try await gateway.send(
            .post,
            "/v1/public/reports",
            headers: [.idempotencyKey: key],
            body: TestGateway.json(report)
        )
    }

    /// Lets time pass, and the policy look.
    func pass(_ time: Duration) async throws {
        clock.advance(by: time)
        let policy = DispatchPolicy(ledger: gateway.ledger)
        let start = try gateway.ledger.start(ofPolicy: policy.name)
        for _ in 0..<2 { try await policy.act(at: gateway.ledger.now, behind: start) }
    }

    /// Who was told of what, by template.
    func told() throws -> [String] {
        try gateway.events(AlertQueued.kind).compactMap { event in
            guard case .alert(.queued(let queued)) = event.fact else { return nil }
            let names = [(chief, "chief"), (rosa, "rosa"), (ruth, "ruth")]
            let one = try names.first {
                try gateway.ledger.handler.current(User.self, UserID(unchecked: $0.0.id)).account?
                    .person == queued.contact
            }
            return "\(queued.template) \(one?.1 ?? "?")"
        }
    }

    func photo(_ token: String, _ number: Int, _ bytes: [UInt8] = png) async throws -> TestAnswer {
        try await gateway.send(
            .put,
            "/v1/public/reports/\(token)/photos/\(number)",
            headers: [.contentType: "image/png"],
            bytes: bytes
        )
    }

    /// The head of a picture of 640 × 480 pixels.
    static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        + [0, 0, 2, 0x80, 0, 0, 1, 0xE0, 8, 2, 0, 0, 0, 0, 0, 0, 0]

    static func run(_ play: @Sendable (Bay) async throws -> Void) async throws {
        let clock = TestClock()
        try await TestGateway.run {
            $0.clock = clock.ledgerClock
            $0.limits.proofOfWorkMax = 50
        } _: { gateway in
            try await play(try await Bay(gateway, clock))
        }
    }
}

extension TestGateway {
    /// The work that strangers prove.
    func proof() async throws -> [String: any Sendable] {
        let challenge = try await send(.get, "/v1/public/proof-of-work")
        let (salt, wanted) = (try challenge.text("salt"), try challenge.text("challenge"))
        let most = try #require(try challenge.object["max"] as? Int)
        let number = (0...most).first {
            SHA256Digest(of: Data("\(salt)\($0)".utf8)).text == wanted
        }
        return [
            "salt": salt, "number": try #require(number),
            "signature": try challenge.text("signature"),
        ]
    }
}

@Suite(.tags(.promise3), .timeLimit(.minutes(10))) struct `A passer-by's report` {
    @Test func `goes to the agency whose area it is, and names it and the way to follow it`()
        async throws
    {
        try await Bay.run { bay in
            let form = try await bay.gateway.send(.get, "/v1/public/rescue")
            #expect(try form.object["isOpen"] as? Bool == true)
            let answer = try await bay.submit()
            #expect(answer.status == 201, "\(answer.body)")
            let agency = try #require(try answer.object["agency"] as? [String: Any])
            #expect(agency["name"] as? String == "Bay Rescue")
            #expect(agency["donationLink"] as? String == "https://donate.example/Bay")
            let token = try answer.text("token")
            let path = "/v1/public/reports/\(token)"
            #expect(try await bay.gateway.send(.get, path).text("status") == "submitted")
            let id = try answer.text("report")
            _ = try await bay.rosa.get("/v1/reports", after: bay.gateway.newest)
            let moved = try await bay.rosa.post("/v1/reports/\(id)/status", ["to": "acknowledged"])
            #expect(moved.status == 200)
            let followed = try await bay.gateway.send(.get, path)
            #expect(try followed.text("status") == "acknowledged")
            #expect(!followed.body.contains("pier") && !followed.body.contains("rosa"))
            let other = String(token.dropLast()) + (token.hasSuffix("A") ? "B" : "A")
            #expect(try await bay.gateway.send(.get, "/v1/public/reports/\(other)").status == 404)
        }
    }

    @Test(arguments: [(1e300, 0.0), (0, 1e300), (91, 0), (-1e19, -1e19)])
    func `from no place on Earth is refused`(latitude: Double, longitude: Double) async throws {
        try await Bay.run { bay in
            let report = Bay.sealion(latitude, longitude)
            #expect(try await bay.submit(report).problem == "field-out-of-range")
            let signedIn = try await bay.rosa.post("/v1/reports", report)
            #expect(try signedIn.problem == "field-out-of-range")
            #expect(try bay.gateway.events(ReportSubmitted.kind).isEmpty)
        }
    }

    @Test func `says one of the animals that the form offers, and nothing else`() async throws {
        try await Bay.run { bay in
            var report = Bay.sealion()
            report["species"] = "sign in at\nhttps://evil.example"
            #expect(try await bay.submit(report).status == 400)
            let signedIn = try await bay.rosa.post("/v1/reports", report)
            #expect(try signedIn.problem == "field-out-of-range")
        }
    }

    @Test func `is one report under one key, and not another's`() async throws {
        try await Bay.run { bay in
            let first = try await bay.submit()
            let proof = try await bay.gateway.proof()
            let again = try await bay.submit(proof: proof)
            #expect(try again.text("report") == first.text("report"))
            #expect(try again.text("token") == first.text("token"))
            let once = try await bay.submit(proof: proof)
            #expect(try once.text("report") == first.text("report"))
            var changed = Bay.sealion()
            changed["notes"] = "behind the pier!"
            #expect(try await bay.submit(changed).problem == "idempotency-key-reused")
            #expect(try bay.gateway.events(ReportSubmitted.kind).count == 1)
            let elsewhere = try await bay.submit(key: "another-key", proof: proof)
            #expect(try elsewhere.problem == "proof-of-work-refused")
        }
    }

    @Test func `needs a proof of work that is right and young`() async throws {
        try await Bay.run { bay in
            var wrong = try await bay.gateway.proof()
            wrong["number"] = 51
            #expect(try await bay.submit(proof: wrong).problem == "proof-of-work-refused")
            wrong["number"] = -1
            #expect(try await bay.submit(proof: wrong).problem == "proof-of-work-refused")
            let old = try await bay.gateway.proof()
            bay.clock.advance(by: .seconds(601))
            #expect(try await bay.submit(proof: old).problem == "proof-of-work-refused")
            #expect(try await bay.submit().status == 201)
        }
    }

    @Test func `takes photos after it, each number once, until seven days are over`() async throws {
        try await Bay.run { bay in
            let answer = try await bay.submit()
            let (id, token) = (try answer.text("report"), try answer.text("token"))
            let second = try await bay.photo(token, 2)
            #expect(second.status == 201, "\(second.body)")
            #expect(try await bay.photo(token, 1).status == 201)
            let again = try await bay.photo(token, 2)
            #expect(again.status == 200)
            #expect(try again.text("photo") == second.text("photo"))
            let other = try await bay.photo(token, 2, Bay.png + [0])
            #expect(try other.problem == "photo-taken")
            for number in [0, 17] { #expect(try await bay.photo(token, number).status == 400) }
            #expect(try await bay.photo(token, 3, Array("GIF89a".utf8)).status == 415)
            let shown = try await bay.rosa.get("/v1/reports/\(id)", after: bay.gateway.newest)
            let pictures = try #require(try shown.object["pictures"] as? [[String: Any]])
            #expect(pictures.count == 2)
            let name = try #require(pictures.first?["id"] as? String)
            let picture = try await bay.rosa.get("/v1/reports/\(id)/photos/\(name)")
            #expect(picture.bytes == Bay.png)
            #expect(try await bay.ruth.get("/v1/reports/\(id)/photos/\(name)").status == 404)
            bay.clock.advance(by: .seconds(8 * 86_400))
            #expect(try await bay.photo(token, 4).problem == "report-photos-over")
        }
    }

    @Test func `is taken by nobody where there is no agency`() async throws {
        try await TestGateway.run {
            $0.limits.proofOfWorkMax = 50
        } _: { gateway in
            let form = try await gateway.send(.get, "/v1/public/rescue")
            #expect(try form.object["isOpen"] as? Bool == false)
            #expect(try gateway.events(ReportSubmitted.kind).isEmpty)
        }
    }

    @Test func `is taken by no agency for which nobody works, and says when nobody is on duty`()
        async throws
    {
        try await Bay.run { bay in
            #expect(try await bay.submit().object["isOnDuty"] as? Bool == true)
            let until = bay.gateway.ledger.now + .seconds(3_600)
            let off: [String: any Sendable] = [
                "phone": "+447712345751", "email": "a@example.org", "offDutyUntil": "\(until)",
            ]
            #expect(try await bay.rosa.send(.put, "/v1/reach", off).status == 200)
            let late = try await bay.submit(key: "nobody-on-duty")
            #expect(try late.object["isOnDuty"] as? Bool == false)
            for agency in [bay.near, bay.far] {
                let empty = ["members": [String]()]
                let path = "/v1/agencies/\(agency)/members"
                #expect(try await bay.chief.send(.put, path, empty).status == 200)
            }
            let form = try await bay.gateway.send(.get, "/v1/public/rescue")
            #expect(try form.object["isOpen"] as? Bool == false)
            #expect(try await bay.submit(key: "nobody-there").problem == "rescue-closed")
        }
    }

    @Test func `is forgotten with its reporter, and stays in the numbers`() async throws {
        try await Bay.run { bay in
            let answer = try await bay.submit()
            let (id, token) = (try answer.text("report"), try answer.text("token"))
            _ = try await bay.photo(token, 1)
            let submitted = try #require(try bay.gateway.events(ReportSubmitted.kind).first)
            guard case .report(.submitted(let fact)) = submitted.fact else { return }
            let files = try ErasedFiles(of: fact.reporter, in: bay.gateway.ledger)
            #expect(files.blobs.count == 1)
            let context = bay.gateway.ledger.context(actor: .ledger, organisation: .main)
            _ = try await bay.gateway.ledger.handler.handle(
                ErasePerson(fact.reporter, reason: "asked"),
                context
            )
            try bay.gateway.ledger.keys.destroy(fact.reporter)
            let shown = try await bay.chief.get("/v1/reports/\(id)", after: bay.gateway.newest)
            #expect(try shown.object["erased"] as? Bool == true)
            #expect(!shown.body.contains("pier") && !shown.body.contains("36.8"))
            #expect(try await bay.photo(token, 2).status == 410)
        }
    }
}

@Suite(.tags(.promise3), .timeLimit(.minutes(10))) struct `Dispatch` {
    @Test func `tells the agency's people, and after five minutes the next agency and supervisors`()
        async throws
    {
        try await Bay.run { bay in
            _ = try await bay.submit()
            try await bay.pass(.seconds(1))
            #expect(try bay.told() == ["report rosa"])
            try await bay.pass(.seconds(298))
            #expect(try bay.told().count == 1)
            try await bay.pass(.seconds(2))
            #expect(
                try bay.told().sorted() == [
                    "report rosa", "report ruth", "report-unanswered chief",
                ]
            )
            let rules = try bay.gateway.events(ReportAssigned.kind).map {
                guard case .report(.assigned(let fact)) = $0.fact else { return "?" }
                return "\(fact.rule) \(fact.cell)"
            }
            #expect(rules == ["jurisdiction 36.8,-121.8", "timeout 36.8,-121.8"])
        }
    }

    @Test func `leaves a report alone that somebody acknowledged`() async throws {
        try await Bay.run { bay in
            let id = try await bay.submit().text("report")
            try await bay.pass(.seconds(1))
            let moved = try await bay.rosa.post("/v1/reports/\(id)/status", ["to": "acknowledged"])
            #expect(moved.status == 200)
            try await bay.pass(.seconds(600))
            #expect(try bay.told() == ["report rosa"])
        }
    }

    @Test func `ends for who works for an agency that was given up`() async throws {
        try await Bay.run { bay in
            let id = try await bay.submit().text("report")
            let gone: [String: any Sendable] = ["name": "Bay Rescue", "isRetired": true]
            let retired = try await bay.chief.send(.put, "/v1/agencies/\(bay.near)", gone)
            #expect(retired.status == 200)
            let moved = try await bay.rosa.post("/v1/reports/\(id)/status", ["to": "acknowledged"])
            #expect(try moved.problem == "report-of-other-agency")
            // Its people may have been told before.
            let told = try bay.told()
            try await bay.pass(.seconds(1))
            #expect(try bay.told() == told)
        }
    }

    @Test func `passes over who is off duty`() async throws {
        try await Bay.run { bay in
            let until = bay.gateway.ledger.now + .seconds(3_600)
            let off: [String: any Sendable] = [
                "phone": "+447712345751", "email": "a@example.org", "offDutyUntil": "\(until)",
            ]
            let set = try await bay.rosa.send(.put, "/v1/reach", off)
            #expect(set.status == 200, "\(set.body)")
            _ = try await bay.submit()
            try await bay.pass(.seconds(1))
            #expect(try bay.told().isEmpty)
        }
    }

    @Test func `by hand goes to an agency in use, and is told with its reason`() async throws {
        try await Bay.run { bay in
            let id = try await bay.submit().text("report")
            let unknown = ["agency": "0190b7a0-0000-7000-8000-00000000000f"]
            #expect(try await bay.chief.post("/v1/reports/\(id)/assign", unknown).status == 422)
            #expect(
                try await bay.ruth.post("/v1/reports/\(id)/assign", ["agency": bay.far]).status
                    == 403
            )
            let body = ["agency": bay.far, "reason": "their boat is out"]
            #expect(try await bay.chief.post("/v1/reports/\(id)/assign", body).status == 200)
            let shown = try await bay.ruth.get("/v1/reports/\(id)", after: bay.gateway.newest)
            #expect(try shown.object["isMine"] as? Bool == true)
            #expect(shown.body.contains("their boat is out"))
            let moved = try await bay.rosa.post("/v1/reports/\(id)/status", ["to": "acknowledged"])
            #expect(try moved.problem == "report-of-other-agency")
        }
    }
}

@Suite(.tags(.promise3), .timeLimit(.minutes(10))) struct `A rescuer's 30 miles` {
    /// Places 48,279 m and 48,281 m from the base, by GeographicLib.
    @Test(arguments: [
        (37.111398197, -122.170987585, true), (37.111410888, -122.171003560, false),
        (36.803169532, -121.245898862, true), (36.803169430, -121.245876451, false),
    ])
    func `end at 48,280 m from the base`(
        latitude: Double,
        longitude: Double,
        isSeen: Bool
    ) async throws {
        try await Bay.run { bay in
            let submitted = try await bay.chief.post(
                "/v1/reports",
                Bay.sealion(latitude, longitude)
            )
            let id = try submitted.text("report")
            let assigned = try await bay.chief.post("/v1/reports/\(id)/assign", ["agency": bay.far])
            #expect([200, 201].contains(assigned.status))
            let newest = bay.gateway.newest
            let list = try await bay.rosa.get("/v1/reports", after: newest)
            #expect(try list.items.count == (isSeen ? 1 : 0))
            let near = "/v1/reports?near=\(latitude),\(longitude)&withinMetres=1000"
            #expect(try await bay.rosa.get(near).items.count == (isSeen ? 1 : 0))
            #expect(try await bay.rosa.get("/v1/reports/\(id)").status == (isSeen ? 200 : 404))
            #expect(try await bay.ruth.get("/v1/reports/\(id)").status == 200)
            #expect(try await bay.rosa.get("/v1/reports/\(id)/photos/x").status == 404)
            for path in ["/v1/incidents/\(id)/timeline", "/v1/events?limit=1"] {
                #expect(try await bay.rosa.get(path).status == 403)
            }
        }
    }

    @Test func `do not hide what the own agency has`() async throws {
        try await Bay.run { bay in
            let submitted = try await bay.chief.post("/v1/reports", Bay.sealion(10, 10))
            let id = try submitted.text("report")
            _ = try await bay.chief.post("/v1/reports/\(id)/assign", ["agency": bay.far])
            let newest = bay.gateway.newest
            #expect(try await bay.rosa.get("/v1/reports/\(id)", after: newest).status == 404)
            _ = try await bay.chief.post("/v1/reports/\(id)/assign", ["agency": bay.near])
            let newer = bay.gateway.newest
            #expect(try await bay.rosa.get("/v1/reports/\(id)", after: newer).status == 200)
            let update = try await bay.rosa.post("/v1/reports/\(id)/updates", ["text": "on my way"])
            #expect(update.status == 201)
            let refused = try await bay.ruth.post("/v1/reports/\(id)/updates", ["text": "me, too"])
            #expect(refused.status == 403)
        }
    }
}

@Suite struct `The choice of an agency` {
    private static let square = [-122.2, 36.6, -121.6, 36.6, -121.6, 37, -122.2, 37, -122.2, 36.6]

    private static func agency(_ number: Int, _ definition: AgencyDefined) throws -> Agency {
        let id = try #require(AgencyID("0190b7a0-0000-7000-8000-00000000000\(number)"))
        return Agency(id, as: definition)
    }

    private static func chosen(_ definitions: [AgencyDefined], _ species: String = "whale")
        throws -> Int?
    {
        let agencies = try definitions.enumerated().map { try agency($0, $1) }
        let place = Fix(latitude: 36.8, longitude: -121.8)
        let choice = AgencyChoice(for: place, species, among: agencies)
        return choice.flatMap { choice in agencies.firstIndex { $0.id == choice.agency.id } }
    }

    private static let area = Area(polygons: [[square]])
    private static let close = AgencyDefined.Base(latitude: 36.8, longitude: -121.7)
    private static let distant = AgencyDefined.Base(latitude: 38, longitude: -123)

    @Test func `goes by area, then by animal, then by distance, then by age`() throws {
        let (area, close, distant) = (Self.area, Self.close, Self.distant)
        #expect(
            try Self.chosen([
                AgencyDefined(name: "near, no area", base: close),
                AgencyDefined(name: "area", area: area, base: distant),
            ]) == 1
        )
        #expect(
            try Self.chosen([
                AgencyDefined(name: "all", area: area, base: close),
                AgencyDefined(name: "whales", types: ["whale"], area: area, base: distant),
            ]) == 1
        )
        #expect(
            try Self.chosen([
                AgencyDefined(name: "seals", types: ["seal"], area: area, base: close),
                AgencyDefined(name: "elsewhere", base: distant),
            ]) == 1
        )
        #expect(
            try Self.chosen([
                AgencyDefined(name: "far", area: area, base: distant),
                AgencyDefined(name: "near", area: area, base: close),
            ]) == 1
        )
        #expect(
            try Self.chosen([
                AgencyDefined(name: "first", area: area, base: close),
                AgencyDefined(name: "second", area: area, base: close),
            ]) == 0
        )
    }

    @Test func `always finds somebody, and nobody of those that were given up`() throws {
        let (close, distant) = (Self.close, Self.distant)
        #expect(
            try Self.chosen([
                AgencyDefined(name: "seals", types: ["seal"], base: distant),
                AgencyDefined(name: "birds", types: ["bird"], base: close),
            ]) == 1
        )
        #expect(
            try Self.chosen([
                AgencyDefined(name: "off", base: close, takesReports: false),
                AgencyDefined(name: "on", base: distant),
            ]) == 1
        )
        #expect(
            try Self.chosen([AgencyDefined(name: "off", base: close, takesReports: false)]) == 0
        )
        #expect(try Self.chosen([AgencyDefined(name: "gone", isRetired: true)]) == nil)
    }
}
