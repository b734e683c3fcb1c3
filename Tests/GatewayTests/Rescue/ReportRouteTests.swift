// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite struct `Reports over HTTP` {
    /// A report whose place can be given.
    static func dog(latitude: Double = 52.48) -> [String: any Sendable] {
        [
            "fix": ["latitude": latitude, "longitude": -1.89], "species": "dog",
            "sizeClass": "medium", "condition": "injured", "notes": "limps",
        ]
    }

    /// Sets up the only agency, for which a rescuer works.
    static func agency(of rescuer: TestGateway.Client, _ gateway: TestGateway) async throws {
        let chief = try await gateway.user(.supervisor, login: "chief")
        let path = "/v1/agencies/0190b7a0-0000-7000-8000-00000000000a"
        let agency: [String: any Sendable] = [
            "name": "Rescue", "base": ["latitude": 52.48, "longitude": -1.89],
        ]
        #expect(try await chief.send(.put, path, agency).status == 200)
        let members = ["members": [rescuer.id]]
        #expect(try await chief.send(.put, path + "/members", members).status == 200)
        _ = try await chief.get("/v1/agencies", after: gateway.newest)
    }

    @Test func `are submitted by a phone, found by rescuers, and moved along by ruling 25`()
        async throws
    {
        try await TestGateway.run { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            let rescuer = try await gateway.user(.rescuer, login: "rosa")
            try await Self.agency(of: rescuer, gateway)
            let caller = try await gateway.caller("+447712345678", codeBy: desk)
            let submitted = try await caller.post("/v1/reports", Self.dog())
            #expect(submitted.status == 201)
            let id = try submitted.text("report")
            let position = try submitted.text("position")

            let skipped = try await rescuer.post("/v1/reports/\(id)/status", ["to": "rescued"])
            #expect(try skipped.problem == "report-transition-not-allowed")
            for status in ["acknowledged", "heading_out", "on_scene", "rescued"] {
                let moved = try await rescuer.post("/v1/reports/\(id)/status", ["to": status])
                #expect(moved.status == 200)
            }
            let last = try gateway.events(ReportStatusChanged.kind).last
            let shown = try await rescuer.get(
                "/v1/reports/\(id)",
                after: last.map { "\($0.envelope.position)" } ?? position
            )
            #expect(try shown.text("status") == "rescued")
            #expect(try shown.text("notes") == "limps")
            #expect((try shown.object["history"] as? [Any])?.count == 4)
            #expect(try gateway.events(AccessRead.kind).count == 1)
        }
    }

    @Test func `submitted twice with one key are one; another body under it is refused`()
        async throws
    {
        try await TestGateway.run { gateway in
            let reporter = try await gateway.user(.reporter, login: "rita")
            let first = try await reporter.post("/v1/reports", Self.dog(), key: "one")
            let again = try await reporter.post("/v1/reports", Self.dog(), key: "one")
            #expect(try first.text("report") == again.text("report"))
            #expect(again.status == 200)
            let other = try await reporter.post("/v1/reports", Self.dog(latitude: 1), key: "one")
            #expect(try other.problem == "idempotency-key-reused")
            #expect(try gateway.events(ReportSubmitted.kind).count == 1)
        }
    }

    @Test func `near a place are only those within reach, nearest first`() async throws {
        try await TestGateway.run { gateway in
            let rescuer = try await gateway.user(.rescuer, login: "rosa")
            try await Self.agency(of: rescuer, gateway)
            for latitude in [52.6, 52.48, 55.0] {
                _ = try await rescuer.post("/v1/reports", Self.dog(latitude: latitude))
            }
            let last = try gateway.events(ReportSubmitted.kind).last?.envelope.position
            let near = try await rescuer.get(
                "/v1/reports?near=52.47,-1.89",
                after: last.map { "\($0)" }
            )
            let latitudes = try near.items.map { ($0["fix"] as? [String: Double])?["latitude"] }
            #expect(latitudes == [52.48, 52.6])
            let nowhere = try await rescuer.get("/v1/reports?near=52.47")
            #expect(nowhere.status == 400)
        }
    }

    @Test
    func `of others are not there for a reporter, nor for an analyst or another organisation`()
        async throws
    {
        try await TestGateway.run { gateway in
            let rita = try await gateway.user(.reporter, login: "rita")
            let rudi = try await gateway.user(.reporter, login: "rudi")
            let analyst = try await gateway.user(.analyst, login: "ana")
            let foreign = try await gateway.user(.supervisor, login: "sue", org: "elsewhere")
            let submitted = try await rita.post("/v1/reports", Self.dog())
            let id = try submitted.text("report")
            let position = try submitted.text("position")
            for stranger in [rudi, foreign] {
                let hidden = try await stranger.get("/v1/reports/\(id)", after: position)
                #expect(hidden.status == 404)
                let list = try await stranger.get("/v1/reports", after: position)
                #expect(try list.items.isEmpty)
            }
            #expect(try await analyst.get("/v1/reports/\(id)").status == 403)
            #expect(try await rita.get("/v1/reports/\(id)", after: position).status == 200)
        }
    }
}
