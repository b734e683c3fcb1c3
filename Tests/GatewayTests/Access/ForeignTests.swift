// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `What is somebody else's` {
    @Test func `is not told by the place of its events, nor by the video that it refuses`()
        async throws
    {
        try await TestGateway.run { gateway in
            let there = try await gateway.user(.operator, login: "nora", org: "north")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: there)
            let stranger = try await gateway.user(.supervisor, login: "amina")
            let created = try #require(try gateway.events("session.created/1").first)
            let entry = try await stranger.get("/v1/events/\(created.envelope.position)")
            #expect(entry.status == 404)
            #expect(!entry.body.contains("\(session)"))
            let desk = try await gateway.user(.operator, login: "ben")
            let caller = try await gateway.caller("+447712345999", codeBy: desk)
            let settings: [String: any Sendable] = [
                "width": 320, "height": 180, "framesPerSecond": 30, "kilobitsPerSecond": 400,
                "quality": "low", "camera": "back", "codec": "vp9", "transport": "websocket",
            ]
            let video = try await caller.post("/v1/sessions/\(session)/streams", settings)
            #expect(video.status == 404)
        }
    }

    @Test func `is not told apart from nothing by the id of a request`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let nora = try await gateway.user(.operator, login: "nora", org: "north")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            #expect(try await amina.post("/v1/sessions/\(session)/claim").status == 200)
            let asked = try await amina.post(
                "/v1/sessions/\(session)/requests",
                ["ask": "send_location"]
            )
            let request = try asked.text("request")
            let invented = "0199e0c0-0000-7000-8000-000000000000"
            let stranger = try await gateway.caller("+447712345999", codeBy: nora)
            let neighbour = try await gateway.caller("+447712345998", codeBy: amina)
            for step in ["answer", "opened"] {
                let body = step == "answer" ? ["answer": "accepted"] : [:]
                let real = try await stranger.post("/v1/requests/\(request)/\(step)", body)
                let none = try await stranger.post("/v1/requests/\(invented)/\(step)", body)
                #expect(real.status == 404 && none.status == 404)
                for member in ["type", "title", "detail", "subject"] {
                    let told = try none.object[member] as? String
                    #expect(
                        try real.object[member] as? String
                            == told?.replacing(invented, with: request)
                    )
                }
                // Of the same organisation: refused, and told of nothing but what was named.
                let near = try await neighbour.post("/v1/requests/\(request)/\(step)", body)
                #expect(near.status == 403)
                #expect(!near.body.contains("\(session)"))
            }
        }
    }

    @Test func `is known there to have been read, and not elsewhere`() async throws {
        try await TestGateway.run { gateway in
            let there = try await gateway.user(.operator, login: "nora", org: "north")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: there)
            let auditor = try await gateway.user(.auditor, login: "otto")
            #expect(try await auditor.get("/v1/sessions/\(session)").status == 200)
            let read = try #require(try gateway.events("access.read/1").last)
            #expect(read.envelope.organisation.text == "north")
        }
    }

    @Test func `stays with them, whatever the ledger's admin does to it`() async throws {
        try await TestGateway.run { gateway in
            let nora = try await gateway.user(.operator, login: "nora", org: "north")
            let chief = try await gateway.user(.supervisor, login: "chief", org: "north")
            let admin = try await gateway.user(.admin, login: "root")
            let place: [String: any Sendable] = [
                "site": "N", "name": "gate", "latitude": 52.4, "longitude": -1.9,
                "radiusMetres": 50,
            ]
            var moved = place
            moved["id"] = try await chief.post("/v1/patrol-points", place).text("point")
            #expect(try await admin.post("/v1/patrol-points", moved).status == 200)
            let report = try await chief.post(
                "/v1/reports",
                [
                    "fix": ["latitude": 52.4, "longitude": -1.9], "species": "seal",
                    "sizeClass": "small", "condition": "injured",
                ]
            ).text("report")
            let status: [String: any Sendable] = ["to": "acknowledged"]
            #expect(try await admin.post("/v1/reports/\(report)/status", status).status == 200)
            let opened = try await nora.post("/v1/sessions", ["phone": "+447712345678"])
            let session = try opened.text("session")
            #expect(try await admin.post("/v1/sessions/\(session)/links").status == 201)
            let alert: [String: any Sendable] = [
                "cause": "session/\(session)", "severity": "info", "template": "t",
                "sms": "+447712345754",
            ]
            #expect(try await admin.post("/v1/alerts", alert).status == 201)
            let position = try #require(gateway.ledger.log.size.checkedPrevious)
            let points = try await chief.get("/v1/patrol-points", after: "\(position)")
            #expect(try points.items.count == 1)
            for kind: Kind in [
                "patrol.point_defined/1", "report.status_changed/1", "session.link_issued/1",
                "alert.queued/1",
            ] {
                let events = try gateway.events(kind)
                #expect(!events.isEmpty)
                #expect(events.allSatisfy { $0.envelope.organisation.text == "north" }, "\(kind)")
            }
        }
    }

    @Test func `is not known to be over by a caller whose it is not`() async throws {
        try await TestGateway.run { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: desk)
            let other = try await gateway.caller("+447712345999", codeBy: desk)
            #expect(try await desk.post("/v1/sessions/\(session)/claim").status == 200)
            let video = "/v1/sessions/\(session)/streams"
            func refusals() async throws -> [[String: String]] {
                var told: [[String: String]] = []
                for settings in [VideoCall.settings, [:]] {
                    let answer = try await other.post(video, settings)
                    told.append(try answer.object.mapValues { "\($0)" })
                }
                return told.map { $0.filter { $0.key != "instance" } }
            }
            let open = try await refusals()
            let close: [String: any Sendable] = ["disposition": "handled"]
            #expect(try await desk.post("/v1/sessions/\(session)/close", close).status == 200)
            #expect(try await refusals() == open)
            #expect(open[0] == open[1])
            let consent: [String: any Sendable] = [
                "scope": "location", "decision": "granted", "textVersion": "2026-01",
            ]
            let answer = try await other.post("/v1/sessions/\(session)/consents", consent)
            #expect(try answer.problem == "session-of-other-caller")
        }
    }

    @Test func `holds the events of its accounts, whoever makes them`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "root")
            let made = try await admin.post(
                "/v1/users",
                ["login": "sensors", "role": "service", "organisation": "north"]
            )
            let user = try #require(try made.object["user"] as? [String: Any])
            let id = try #require(user["id"] as? String)
            let created = try #require(try gateway.events("user.created/1").last)
            #expect(created.envelope.organisation.text == "north")
            let token = try await gateway.ledger.accounts.issueToken(forUser: id).token
            let service = TestGateway.Client(gateway: gateway, token: token, id: id)
            #expect(
                try await service.get("/v1/trends").status == 200,
                "nobody changes its password"
            )
        }
    }
}
