// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `What a reader is told of` {
    @Test func `is the same in the feed, in timelines now and as of then, and on topics`()
        async throws
    {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let names = Set(try gateway.entries().map { String($0.envelope.subject.category) })
            #expect(
                names.isSuperset(of: [
                    "session", "incident", "stream", "alert", "report", "patrol_point", "device",
                    "user", "holds", "policy",
                ]),
                "\(names)"
            )
            for reader in scene.readers {
                let principal = try await gateway.ledger.accounts.authenticate(reader.token)
                let timelines = try await scene.timelines(of: reader)
                let topics = try scene.topics.map {
                    (name: $0.name, told: try scene.told($0, to: principal))
                }
                // Last: it has what policies record meanwhile, too.
                let fed = try await scene.fed(to: reader)
                for told in timelines {
                    #expect(told.subtracting(fed).isEmpty, "timeline of \(principal.role)")
                }
                for topic in topics {
                    #expect(
                        topic.told.subtracting(fed).isEmpty,
                        "\(topic.name) to \(principal.role)"
                    )
                }
            }
        }
    }

    @Test func `has no alert in the timeline of the caller whom it is about`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let path = "/v1/incidents/\(scene.incident)/timeline"
            let point = try #require(gateway.ledger.log.size.checkedPrevious)
            for query in ["", "?asOf=\(point)"] {
                let own = try await scene.caller.get(path + query, after: "\(point)")
                #expect(try !own.items.isEmpty)
                #expect(!own.body.contains("alert"))
                let desk = try await scene.amina.get(path + query, after: "\(point)")
                #expect(desk.body.contains("alert.queued/1"))
            }
        }
    }

    @Test func `has no alert about an alert about somebody else's session, nor about its phone`()
        async throws
    {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let point = try #require(gateway.ledger.log.size.checkedPrevious)
            #expect(try await scene.amina.get("/v1/alerts", after: "\(point)").items.count == 6)
            #expect(try await scene.ben.get("/v1/alerts", after: "\(point)").items.isEmpty)
            let feed = "/v1/events?follow=false&type=alert.queued/1"
            #expect(!(try await scene.ben.get(feed).body.contains("alert.queued")))
            for cause in scene.causes {
                #expect(try await scene.ben.get("/v1/alerts?cause=\(cause)").status == 403)
                let more = try await scene.alert(about: cause, by: scene.guardian)
                #expect(more.status == 403, "\(cause)")
            }
        }
    }

    @Test func `says nothing of what another organisation has by the filter of a list`()
        async throws
    {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let nora = try await gateway.user(.operator, login: "nora", org: "north")
            for cause in scene.causes {
                let category = cause.split(separator: "/")[0]
                let invented = "\(category)/0199e0c0-0000-7000-8000-000000000000"
                let real = try await nora.get("/v1/alerts?cause=\(cause)")
                let none = try await nora.get("/v1/alerts?cause=\(invented)")
                #expect(real.status == 404 && none.status == 404)
                #expect(
                    try real.text("detail")
                        == none.text("detail").replacing(invented, with: cause)
                )
            }
        }
    }

    @Test func `of alerts about alerts ends somewhere`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            var cause = "user/\(scene.ben.id)"
            for _ in 0...ReadingRights.alertsInRowMost {
                let next = try await scene.alert(about: cause, by: scene.ben)
                #expect(next.status == 201)
                cause = "alert/\(try next.text("alert"))"
            }
            #expect(try await scene.alert(about: cause, by: scene.ben).status == 403)
        }
    }
}

/// Amina's conversation with everything that can hang on it, linked with another of hers; and who is near.
private struct Scene: Sendable {
    let gateway: TestGateway
    let amina, ben, guardian, caller: TestGateway.Client
    let readers: [TestGateway.Client]
    let incident: String
    let topics: [Topic]
    /// What the alerts are about, each of them private to Amina.
    let causes: [String]

    init(_ gateway: TestGateway) async throws {
        self.gateway = gateway
        amina = try await gateway.user(.operator, login: "amina")
        ben = try await gateway.user(.operator, login: "ben")
        guardian = try await gateway.user(.guard, login: "gus")
        let carl = try await gateway.user(.operator, login: "carl")
        let sue = try await gateway.user(.supervisor, login: "sue")
        let otto = try await gateway.user(.auditor, login: "otto")
        let (phone, session) = try await gateway.openChat("+447712345678", codeBy: amina)
        let (_, other) = try await gateway.openChat("+447712345754", codeBy: amina)
        let (stranger, third) = try await gateway.openChat("+447712345755", codeBy: amina)
        caller = phone
        #expect(try await amina.post("/v1/sessions/\(session)/claim").status == 200)
        #expect(try await ben.post("/v1/sessions/\(third)/claim").status == 200)
        let own = try #require(try gateway.ledger.rights.incident(of: session))
        incident = "\(own)"
        let stream = try await phone.post(
            "/v1/sessions/\(session)/streams",
            VideoCall.settings
        ).text("id")
        var about = [
            "session/\(session)", "incident/\(own)", "stream/\(stream)", "device/\(phone.id)",
        ]
        for number in 0..<5 {
            let cause = number < 4 ? about[number] : about[4]
            let answer = try await Self.alert(about: cause, by: amina)
            if number == 0 || number == 4 { about.append("alert/\(try answer.text("alert"))") }
        }
        _ = try await Self.alert(about: about[5], by: amina)
        causes = about
        let theirs = try #require(try gateway.ledger.rights.incident(of: third))
        // It was Amina's to see while it waited, and is Carl's by now.
        let link = ["session": "\(other)", "reason": "same fire"]
        for id in [own, theirs] {
            #expect(try await sue.post("/v1/incidents/\(id)/sessions", link).status == 200)
        }
        #expect(try await carl.post("/v1/sessions/\(other)/claim").status == 200)
        let place: [String: any Sendable] = [
            "site": "N", "name": "gate", "latitude": 52.4, "longitude": -1.9, "radiusMetres": 50,
        ]
        #expect(try await sue.post("/v1/patrol-points", place).status == 201)
        let report: [String: any Sendable] = [
            "fix": ["latitude": 52.4, "longitude": -1.9], "species": "seal", "sizeClass": "small",
            "condition": "injured",
        ]
        #expect(try await sue.post("/v1/reports", report).status == 201)
        let hold = ["scope": "session/\(session)", "reason": "court", "authority": "court"]
        #expect(try await sue.post("/v1/holds", hold).status == 201)
        readers = [amina, ben, guardian, sue, otto, phone, stranger]
        topics = [
            .desk, .me, .session(session), .session(other), .session(third), .incident(own),
            .incident(theirs), .stream(try #require(StreamID(stream))),
        ]
    }

    func alert(about cause: String, by client: TestGateway.Client) async throws -> TestAnswer {
        try await Self.alert(about: cause, by: client)
    }

    private static func alert(
        about cause: String,
        by client: TestGateway.Client
    ) async throws -> TestAnswer {
        try await client.post(
            "/v1/alerts",
            [
                "cause": cause, "severity": "critical", "template": "to the commander",
                "sms": "+447712345999",
            ]
        )
    }

    /// The positions that the feed shows.
    func fed(to reader: TestGateway.Client) async throws -> Set<String> {
        let feed = try await reader.get("/v1/events?follow=false")
        guard feed.status == 200 else { return [] }
        return Set(
            try feed.body.split(separator: "\n").compactMap { line in
                let entry = try JSONSerialization.jsonObject(with: Data(line.utf8))
                return (entry as? [String: Any])?["position"] as? String
            }
        )
    }

    /// The positions in the timelines of all incidents, now and as of now; nothing of those that are refused.
    func timelines(of reader: TestGateway.Client) async throws -> [Set<String>] {
        let point = try #require(gateway.ledger.log.size.checkedPrevious)
        var found: [Set<String>] = []
        for case .incident(let id) in topics {
            for query in ["", "?asOf=\(point)"] {
                let path = "/v1/incidents/\(id)/timeline\(query)"
                let timeline = try await reader.get(path, after: "\(point)")
                guard timeline.status == 200 else { continue }
                found.append(Set(try timeline.items.compactMap { $0["position"] as? String }))
            }
        }
        return found
    }

    /// The positions of the entries that a topic tells whole, but for those of phones, which a caller is told of the own ones.
    func told(_ topic: Topic, to reader: Principal) throws -> Set<String> {
        let rights = TopicRights(
            topic: topic,
            reader: reader,
            rights: gateway.ledger.rights,
            sessionsMost: 32
        )
        do {
            let sources = try rights.sources()
            let entries = try gateway.entries().filter { entry in
                let subject = entry.envelope.subject
                return subject.category != "device"
                    && (sources.contains(.subject(subject))
                        || sources.contains(.category(String(subject.category)))
                        || sources.contains(.kind(entry.envelope.kind)))
            }
            let told = try entries.filter { try rights.event($0)?.entry != nil }
            return Set(told.map { "\($0.envelope.position)" })
        } catch is ReadingRights.Refusal {
            return []
        } catch is Problem {
            return []
        }
    }
}

extension TestGateway {
    /// Everything there is.
    fileprivate func entries() throws -> [Entry] {
        try ledger.log.entries(from: LogPosition(0), limit: Int(ledger.log.size))
    }
}
