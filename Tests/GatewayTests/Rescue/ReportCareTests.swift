// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A team's place` {
    private static let elsewhere: [String: any Sendable] = [
        "fix": ["latitude": 0.0, "longitude": 10.0]
    ]

    /// A report that another agency has, on the equator, and whether rosa is told of it.
    private static func seen(_ bay: Bay, _ longitude: Double) async throws -> Bool {
        let submitted = try await bay.chief.post("/v1/reports", Bay.sealion(0, longitude))
        let id = try submitted.text("report")
        _ = try await bay.chief.post("/v1/reports/\(id)/assign", ["agency": bay.far])
        let one = try await bay.rosa.get("/v1/reports/\(id)", after: bay.gateway.newest)
        let count = try await bay.rosa.get("/v1/reports.geojson").object["features"] as? [Any]
        let rights = try await bay.topic(of: bay.rosa)
        #expect((one.status == 200) == (count?.isEmpty == false))
        #expect(
            try await bay.isTold(rights, of: id) == (one.status == 200),
            "the topic tells what the list has"
        )
        return one.status == 200
    }

    /// Places 48,279 m and 48,281 m from 0° 10°, by GeographicLib.
    @Test(arguments: [(10.433697636, true), (10.433715602, false)])
    func `counts instead of the base, to 48,280 m`(longitude: Double, isSeen: Bool) async throws {
        try await Bay.run { bay in
            let shared = try await bay.rosa.post("/v1/agencies/mine/place", Self.elsewhere)
            #expect(shared.status == 200, "\(shared.body)")
            #expect(try await Self.seen(bay, longitude) == isSeen)
        }
    }

    @Test func `counts for half an hour, on duty, until it is shared no more`() async throws {
        try await Bay.run { bay in
            func share() async throws {
                let shared = try await bay.rosa.post("/v1/agencies/mine/place", Self.elsewhere)
                #expect(shared.status == 200, "\(shared.body)")
                let mine = try await bay.rosa.get("/v1/agencies/mine")
                #expect((try mine.object["place"] as? [String: Any])?["longitude"] as? Double == 10)
            }
            try await share()
            bay.clock.advance(by: .seconds(1_799))
            #expect(try await Self.seen(bay, 10.1))
            bay.clock.advance(by: .seconds(2))
            #expect(try await bay.rosa.get("/v1/reports").items.isEmpty)
            try await share()
            #expect(try await bay.rosa.get("/v1/reports").items.count == 1)
            let stopped = try await bay.rosa.send(.delete, "/v1/agencies/mine/place")
            #expect(stopped.status == 200, "\(stopped.body)")
            #expect(try await bay.rosa.get("/v1/reports").items.isEmpty)
            try await share()
            let until = bay.gateway.ledger.now + .seconds(600)
            let off: [String: any Sendable] = [
                "phone": "+447712345751", "email": "a@example.org", "offDutyUntil": "\(until)",
            ]
            #expect(try await bay.rosa.send(.put, "/v1/reach", off).status == 200)
            #expect(try await bay.rosa.get("/v1/reports").items.isEmpty)
            let refused = try await bay.rosa.post("/v1/agencies/mine/place", Self.elsewhere)
            #expect(try refused.problem == "agency-off-duty")
            let old: [String: any Sendable] = [
                "fix": [
                    "latitude": 0.0, "longitude": 10.0,
                    "measuredAt": "\(bay.gateway.ledger.now + .seconds(-1_801))",
                ] as [String: any Sendable]
            ]
            #expect(
                try await bay.ruth.post("/v1/agencies/mine/place", old).problem
                    == "field-out-of-range"
            )
            let beyond: [String: any Sendable] = ["fix": ["latitude": 1e300, "longitude": 0]]
            #expect(
                try await bay.ruth.post("/v1/agencies/mine/place", beyond).problem
                    == "field-out-of-range"
            )
        }
    }
}

@Suite(.tags(.promise3), .timeLimit(.minutes(10))) struct `Two reports of one animal` {
    @Test func `are offered, joined, told to both reporters, and dispatched once`() async throws {
        try await Bay.run { bay in
            let first = try await bay.submit()
            let second = try await bay.submit(Bay.sealion(36.8005, -121.8), key: "another-report")
            let (one, two) = (try first.text("report"), try second.text("report"))
            let shown = try await bay.rosa.get("/v1/reports/\(two)", after: bay.gateway.newest)
            let offered = try #require(try shown.object["possibleDuplicates"] as? [[String: Any]])
            #expect(offered.map { $0["id"] as? String } == [one])
            let joined = try await bay.rosa.send(
                .put,
                "/v1/reports/\(two)/duplicate",
                ["of": one]
            )
            #expect(joined.status == 200, "\(joined.body)")
            let list = try await bay.rosa.get(
                "/v1/reports?state=active",
                after: bay.gateway.newest
            )
            #expect(try list.items.compactMap { $0["id"] as? String } == [one])
            // The second one may have been told before it was joined; after that it is not.
            try await eventually("the first is told") { try bay.told().contains("report rosa") }
            let told = try bay.told()
            try await bay.pass(.seconds(1))
            #expect(try bay.told() == told && Set(told) == ["report rosa"])
            _ = try await bay.rosa.post("/v1/reports/\(one)/status", ["to": "acknowledged"])
            let token = try second.text("token")
            let followed = try await bay.gateway.send(.get, "/v1/public/reports/\(token)")
            #expect(try followed.text("status") == "acknowledged")
            let numbers = try await bay.chief.get(
                "/v1/trends/reports?by=species",
                after: bay.gateway.newest
            )
            let row = try #require(
                (try numbers.object["rows"] as? [[String: Any]])?.first
            )
            #expect(row["reports"] as? Int == 1 && row["duplicates"] as? Int == 1)
            let apart = try await bay.rosa.send(.delete, "/v1/reports/\(two)/duplicate")
            #expect(apart.status == 200)
            let both = try await bay.rosa.get(
                "/v1/reports?state=active",
                after: bay.gateway.newest
            )
            #expect(try both.items.count == 2)
        }
    }

    @Test func `are joined by nobody who does not see both`() async throws {
        try await Bay.run { bay in
            let near = try await bay.submit().text("report")
            let far = try await bay.submit(Bay.sealion(38, -123), key: "far-away").text("report")
            for (who, status) in [(bay.rosa, 404), (bay.ruth, 403), (bay.chief, 200)] {
                _ = try await who.get("/v1/reports", after: bay.gateway.newest)
                let joined = try await who.send(
                    .put,
                    "/v1/reports/\(near)/duplicate",
                    ["of": far]
                )
                #expect(joined.status == status, "\(joined.body)")
            }
        }
    }
}

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `What the public may see` {
    @Test func `the reporter agrees to, a moderator hides, and rescuers show of their own`()
        async throws
    {
        try await Bay.run { bay in
            var report = Bay.sealion()
            report["publishPhotos"] = true
            let agreed = try await bay.submit(report)
            let kept = try await bay.submit(key: "not-to-be-shown")
            for (answer, isAgreed) in [(agreed, true), (kept, false)] {
                let (id, token) = (try answer.text("report"), try answer.text("token"))
                let photo = try await bay.photo(token, 1).text("photo")
                let shown = try await bay.rosa.get("/v1/reports/\(id)", after: bay.gateway.newest)
                let pictures = try #require(try shown.object["pictures"] as? [[String: Any]])
                #expect(pictures.map { $0["isPublic"] as? Bool } == [isAgreed])
                let path = "/v1/reports/\(id)/visibility"
                let setting: [String: any Sendable] = ["photo": photo, "isPublic": true]
                #expect(try await bay.rosa.send(.put, path, setting).status == 403)
                #expect(try await bay.ruth.send(.put, path, setting).status == 403)
                let moderated = try await bay.chief.send(.put, path, setting)
                #expect(moderated.status == (isAgreed ? 200 : 409), "\(moderated.body)")
                let whole: [String: any Sendable] = ["isPublic": false]
                #expect(try await bay.rosa.send(.put, path, whole).status == 403)
                #expect(try await bay.chief.send(.put, path, whole).status == 200)
                let unknown: [String: any Sendable] = [
                    "photo": String(photo.reversed()), "isPublic": false,
                ]
                #expect(try await bay.chief.send(.put, path, unknown).status == 404)
                let hidden = try await bay.rosa.get("/v1/reports/\(id)", after: bay.gateway.newest)
                #expect(try hidden.object["isHidden"] as? Bool == true)
            }
        }
    }
}

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A report of an incident` {
    @Test func `is attached and detached by who may write about the incident, and nobody else`()
        async throws
    {
        try await Bay.run { bay in
            let owner = try await bay.gateway.user(.operator, login: "olga")
            let other = try await bay.gateway.user(.operator, login: "otto")
            let (_, session) = try await bay.gateway.openChat("+447712345611", codeBy: owner)
            let claimed = try await owner.post("/v1/sessions/\(session)/claim")
            #expect(claimed.status == 200, "\(claimed.body)")
            let incident = "\(try #require(try bay.gateway.ledger.rights.incident(of: session)))"
            let report = try await bay.submit().text("report")
            let path = "/v1/reports/\(report)/incident"
            let body = ["incident": incident]
            #expect(try await other.send(.put, path, body).status == 403)
            let attached = try await owner.send(.put, path, body)
            #expect(attached.status == 200, "\(attached.body)")
            #expect(try await other.send(.delete, path).status == 403)
            let timeline = try await owner.get(
                "/v1/incidents/\(incident)/timeline",
                after: bay.gateway.newest
            )
            #expect(
                try timeline.items.contains { $0["type"] as? String == "report.attached/1" }
            )
            #expect(try await owner.send(.delete, path).status == 200)
        }
    }
}

@Suite(.tags(.promise7), .timeLimit(.minutes(10))) struct `Reports in numbers and files` {
    @Test func `tell how fast and how it ended, and outlive the reporter`() async throws {
        try await Bay.run { bay in
            let id = try await bay.submit().text("report")
            for to in ["acknowledged", "heading_out", "on_scene", "rescued"] {
                bay.clock.advance(by: .seconds(60))
                let moved = try await bay.rosa.post("/v1/reports/\(id)/status", ["to": to])
                #expect(moved.status == 200, "\(moved.body)")
            }
            let undone = try await bay.rosa.post("/v1/reports/\(id)/status", ["to": "on_scene"])
            #expect(undone.status == 200, "\(undone.body)")
            _ = try await bay.rosa.post("/v1/reports/\(id)/status", ["to": "released"])
            guard
                case .report(.submitted(let fact)) = try bay.gateway.events(ReportSubmitted.kind)
                    .first?.fact
            else { return }
            _ = try await bay.gateway.ledger.handler.handle(
                ErasePerson(fact.reporter, reason: "asked"),
                bay.gateway.ledger.context(actor: .ledger, organisation: .main)
            )
            try bay.gateway.ledger.keys.destroy(fact.reporter)
            for (grouping, key) in [
                ("species", "sea-lion"), ("area", "36.8,-121.8"), ("agency", bay.near),
            ] {
                let path = "/v1/trends/reports?by=\(grouping)"
                let answer = try await bay.chief.get(path, after: bay.gateway.newest)
                let rows = try #require(try answer.object["rows"] as? [[String: Any]])
                #expect(rows.map { $0["key"] as? String } == [key])
                let row = try #require(rows.first)
                #expect(row["reports"] as? Int == 1 && row["open"] as? Int == 0)
                #expect((row["outcomes"] as? [String: Int])?["released"] == 1)
                #expect((row["minutesToAcknowledge"] as? [String: Double])?["p50"] == 1)
                #expect((row["minutesToArrive"] as? [String: Double])?["p90"] == 3)
            }
            let csv = try await bay.chief.get("/v1/reports.csv")
            let lines = csv.body.split(separator: "\n")
            #expect(lines.count == 2 && lines[1].contains("sea-lion"))
            #expect(!csv.body.contains("121.8"))
            #expect(
                try await bay.ruth.get("/v1/reports.csv").body.split(separator: "\n").count == 1
            )
            let timeline = try await bay.chief.get(
                "/v1/reports/\(id)/timeline",
                after: bay.gateway.newest
            )
            #expect(try timeline.items.first?["type"] as? String == "report.submitted/1")
            #expect(try await bay.rosa.get("/v1/reports/\(id)/timeline").status == 403)
        }
    }
}

extension Bay {
    /// The rights of a socket of somebody who follows the reports.
    fileprivate func topic(of client: TestGateway.Client) async throws -> TopicRights {
        TopicRights(
            topic: .reports,
            reader: try await gateway.ledger.accounts.authenticate(client.token),
            rights: gateway.ledger.rights,
            sessionsMost: 8
        )
    }

    /// Whether the topic tells of a report, and tells nothing that stands in it.
    fileprivate func isTold(_ rights: TopicRights, of report: String) async throws -> Bool {
        #expect(try rights.sources() == [.category("report")])
        let log = gateway.ledger.log
        let entries = try log.entries(from: LogPosition(0), limit: Int(log.size))
        let entry = try #require(entries.last { $0.envelope.subject.name == report[...] })
        let sight = try await RescuerSight(of: rights.reader, in: gateway.ledger)
        let event = try rights.event(entry, sight)
        #expect(event?.entry == nil)
        return event != nil
    }
}
