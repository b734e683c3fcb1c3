// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import HTTPTypes
import Projections
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `A tour` {
    /// A gateway with a tour of two points, and what belongs to it.
    struct Scene {
        let chief: TestGateway.Client
        let guardian: TestGateway.Client
        let points: [String]
        let codes: [String]
        let tour: String

        init(_ gateway: TestGateway) async throws {
            chief = try await gateway.user(.supervisor, login: "sue")
            guardian = try await gateway.user(.guard, login: "gita")
            var (points, codes): ([String], [String]) = ([], [])
            for _ in 0..<2 {
                let point = try await chief.post("/v1/patrol-points", `A check-in`.place)
                    .text("point")
                points.append(point)
                codes.append(try await chief.get("/v1/patrol-points/\(point)/qr").text("code"))
            }
            (self.points, self.codes) = (points, codes)
            let windows: [[String: any Sendable]] = points.map {
                ["point": $0, "fromSeconds": 0, "untilSeconds": 60]
            }
            let body: [String: any Sendable] = [
                "site": "North", "name": "Night", "points": windows, "isOrdered": true,
                "graceSeconds": 60,
            ]
            tour = try await chief.post("/v1/tours", body).text("tour")
        }

        func start() async throws -> String {
            try await guardian.post("/v1/tours/\(tour)/rounds").text("round")
        }
    }

    @Test func `is walked by its guard, and read by the guard and the desk alone`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let other = try await gateway.user(.guard, login: "otto")
            let round = try await scene.start()
            #expect(try await scene.guardian.post("/v1/tours/\(scene.tour)/rounds").status == 409)
            for code in scene.codes {
                let scan = try await scene.guardian.post("/v1/check-ins", ["code": code])
                #expect(scan.status == 201)
            }
            let shown = try await scene.guardian.get("/v1/rounds/\(round)", after: gateway.newest)
            #expect(try shown.text("reason") == "done")
            #expect(try await other.get("/v1/rounds/\(round)", after: gateway.newest).status == 404)
            #expect(try await other.get("/v1/rounds", after: gateway.newest).items.isEmpty)
            #expect(try await other.post("/v1/rounds/\(round)/stop").status == 403)
            let timeline = try await scene.chief.get(
                "/v1/rounds/\(round)/timeline",
                after: gateway.newest
            )
            let kinds = try timeline.items.compactMap { $0["type"] as? String }
            #expect(
                kinds == [
                    "round.started/1", "patrol.checked_in/1", "round.point_reached/1",
                    "patrol.checked_in/1", "round.point_reached/1", "round.finished/1",
                ]
            )
        }
    }

    @Test func `tells by itself what is late and missed, and what was done about it`() async throws
    {
        let clock = TestClock()
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.clock = clock.ledgerClock
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let scene = try await Scene(gateway)
            let round = try await scene.start()
            let policy = RoundsPolicy(ledger: gateway.ledger)
            let start = try gateway.ledger.start(ofPolicy: policy.name)
            func pass(_ time: Duration) async throws {
                clock.advance(by: time)
                let last = try #require(gateway.ledger.log.size.checkedPrevious)
                try await gateway.ledger.readModels.runner.wait(for: last, on: "check-ins")
                try await policy.act(at: gateway.ledger.now, behind: start)
            }
            try await pass(.seconds(61))
            #expect(try gateway.events(RoundPointOverdue.kind).count == 2)
            let path = "/v1/rounds/\(round)/points/\(scene.points[0])"
            #expect(try await scene.chief.post(path, ["note": "the gate is stuck"]).status == 200)
            #expect(try await scene.guardian.post(path, ["note": "no"]).status == 403)
            let shown = try await scene.chief.get("/v1/rounds/\(round)", after: gateway.newest)
            let body = try #require(
                try JSONSerialization.jsonObject(with: Data(shown.body.utf8)) as? [String: Any]
            )
            let points = try #require(body["points"] as? [[String: Any]])
            #expect(points[0]["note"] as? String == "the gate is stuck")
            #expect(points.allSatisfy { $0["overdueAt"] != nil && $0["missedAt"] == nil })
            try await pass(.seconds(60))
            #expect(try gateway.events(RoundPointMissed.kind).count == 2)
            #expect(
                try await scene.chief.get("/v1/rounds/\(round)", after: gateway.newest).text(
                    "reason"
                ) == "expired"
            )
            try await pass(.seconds(60))
            #expect(try gateway.events(RoundFinished.kind).count == 1)
        }
    }

    @Test func `has an alarm that one of the desk takes up`() async throws {
        try await TestGateway.run { gateway in
            let guardian = try await gateway.user(.guard, login: "gita")
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let place: [String: any Sendable] = ["latitude": 52.48, "longitude": -1.89]
            let alarm = try await guardian.post("/v1/guard-alarms", ["fix": place]).text("alarm")
            let shown = try await amina.get("/v1/guard-alarms", after: gateway.newest)
            #expect(try shown.items.map { $0["id"] as? String } == [alarm])
            #expect(try await amina.post("/v1/guard-alarms/\(alarm)/answer").status == 200)
            #expect(try await ben.post("/v1/guard-alarms/\(alarm)/answer").status == 409)
            #expect(try await ben.get("/v1/guard-alarms", after: gateway.newest).items.isEmpty)
            // Where to send help stands there still, and the guard reads who comes.
            for reader in [ben, guardian] {
                let taken = try await reader.get("/v1/guard-alarms?taken=12", after: gateway.newest)
                    .items
                #expect(taken.map { $0["answeredBy"] as? String } == [amina.id])
            }
            let other = try await gateway.user(.guard, login: "otto")
            #expect(
                try await other.get("/v1/guard-alarms?taken=12", after: gateway.newest).items
                    .isEmpty
            )
        }
    }

    @Test func `has an alarm that is an incident of who takes it up, and of supervisors`()
        async throws
    {
        try await TestGateway.run { gateway in
            let guardian = try await gateway.user(.guard, login: "gita")
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let sue = try await gateway.user(.supervisor, login: "sue")
            let alarm = try await guardian.post("/v1/guard-alarms", [:]).text("alarm")
            #expect(try await amina.get("/v1/incidents/\(alarm)").status == 404)
            #expect(try await amina.post("/v1/guard-alarms/\(alarm)/answer").status == 200)
            let taken = try await amina.get("/v1/guard-alarms?taken=1", after: gateway.newest).items
            let incident = try #require(taken.first?["incident"] as? String)
            let path = "/v1/incidents/\(incident)"
            for reader in [amina, sue] {
                #expect(try await reader.get(path, after: gateway.newest).status == 200)
                let timeline = try await reader.get("\(path)/timeline", after: gateway.newest)
                #expect(
                    try timeline.items.map { $0["type"] as? String } == [
                        "guard.alarm_raised/1", "guard.alarm_answered/1", "incident.opened/1",
                    ]
                )
                #expect(try await reader.get("\(path)/footage").items.isEmpty)
            }
            for other in [ben, guardian] {
                #expect(try await other.get("\(path)/timeline").status == 403)
                #expect(try await other.post("\(path)/footage", [:]).status == 403)
            }
            let assault: [String: any Sendable] = ["type": "assault", "priority": 1]
            let classified = try await amina.send(.put, "\(path)/classification", assault)
            #expect(classified.status == 200)
        }
    }

    @Test func `is one alarm of a guard who calls again, and hides nobody else's`() async throws {
        try await TestGateway.run { gateway in
            let gita = try await gateway.user(.guard, login: "gita")
            let otto = try await gateway.user(.guard, login: "otto")
            let amina = try await gateway.user(.operator, login: "amina")
            var calls = [try await gita.post("/v1/guard-alarms", [:]).text("alarm")]
            let others = try await otto.post("/v1/guard-alarms", [:]).text("alarm")
            for _ in 0..<2 {
                calls.append(try await gita.post("/v1/guard-alarms", [:]).text("alarm"))
            }
            let shown = try await amina.get("/v1/guard-alarms", after: gateway.newest).items
            #expect(shown.map { $0["id"] as? String } == [others, calls[2]])
            #expect(shown.map { $0["times"] as? Int } == [1, 3])
            #expect(try await amina.post("/v1/guard-alarms/\(calls[2])/answer").status == 200)
            #expect(try await amina.get("/v1/guard-alarms", after: gateway.newest).items.count == 1)
            // Who calls again behind that needs somebody again.
            _ = try await gita.post("/v1/guard-alarms", [:])
            #expect(
                try await amina.get("/v1/guard-alarms", after: gateway.newest).items.map {
                    $0["times"] as? Int
                } == [1, 1]
            )
        }
    }

    @Test func `is read a page at a time, and so are its points`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let first = try await scene.guardian.get(
                "/v1/patrol-points?limit=1",
                after: gateway.newest
            )
            let next = try first.text("next")
            let rest = try await scene.guardian.get(
                "/v1/patrol-points?limit=2&after=\(next)",
                after: gateway.newest
            )
            let pages = try [first, rest].map { try $0.items.map { $0["id"] as? String } }
            #expect(pages == scene.points.map { [$0] })
            let tours = try await scene.guardian.get("/v1/tours?limit=1", after: gateway.newest)
            #expect(try tours.items.map { $0["id"] as? String } == [scene.tour])
            let none = "/v1/tours?after=\(try tours.text("next"))"
            #expect(try await scene.guardian.get(none, after: gateway.newest).items.isEmpty)
        }
    }
}
