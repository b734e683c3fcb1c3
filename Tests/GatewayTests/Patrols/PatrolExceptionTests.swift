// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import HTTPTypes
import Projections
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `The report of a night's tours` {
    @Test func `tells what was late, missed, refused and stopped, newest first`() async throws {
        let clock = TestClock()
        try await TestGateway.run {
            $0.clock = clock.ledgerClock
        } _: { gateway in
            let scene = try await `A tour`.Scene(gateway)
            let round = try await scene.start()
            let far: [String: any Sendable] = ["latitude": 53.0, "longitude": -1.89]
            let scan: [String: any Sendable] = ["code": scene.codes[0], "fix": far]
            #expect(try await scene.guardian.post("/v1/check-ins", scan).status == 409)
            let policy = RoundsPolicy(ledger: gateway.ledger)
            clock.advance(by: .seconds(61))
            let last = try #require(gateway.ledger.log.size.checkedPrevious)
            try await gateway.ledger.readModels.runner.wait(for: last, on: "check-ins")
            let start = try gateway.ledger.start(ofPolicy: policy.name)
            try await policy.act(at: gateway.ledger.now, behind: start)
            let late = try await scene.guardian.post("/v1/check-ins", ["code": scene.codes[0]])
            #expect(late.status == 201)
            let handled = "/v1/rounds/\(round)/points/\(scene.points[1])"
            let note = ["note": "=stuck,\n=1+1\u{301}"]
            #expect(try await scene.chief.post(handled, note).status == 200)
            #expect(try await scene.guardian.post("/v1/guard-alarms").status == 201)
            #expect(try await scene.guardian.post("/v1/rounds/\(round)/stop").status == 200)

            let path = "/v1/patrol-exceptions"
            let list = try await scene.chief.get(path, after: gateway.newest).items
            let kinds = ["stopped", "alarm", "handled", "reached", "late", "late", "refused"]
            #expect(list.map { $0["kind"] as? String } == kinds)
            #expect(list.allSatisfy { $0["guardID"] as? String == scene.guardian.id })
            #expect(list.allSatisfy { $0["tour"] as? String == scene.tour })
            #expect(list[3]["reason"] as? String == "late")
            #expect(list[6]["reason"] as? String == "too_far")
            #expect((list[6]["distanceMetres"] as? Double).map { $0 > 50_000 } == true)

            let first = try await scene.chief.get("\(path)?limit=3")
            let cursor = try first.text("next")
            let rest = try await scene.chief.get("\(path)?before=\(cursor)").items
            #expect(rest.map { $0["kind"] as? String } == Array(kinds.dropFirst(3)))
            let some = try await scene.chief.get("\(path)?kind=late").items
            #expect(some.count == 2)
            #expect(try await scene.chief.get("\(path)?site=North").items.count == kinds.count)
            #expect(try await scene.chief.get("\(path)?site=South").items.isEmpty)
            let until = try #require(list[6]["at"] as? String)
            #expect(try await scene.chief.get("\(path)?until=\(until)").items.isEmpty)

            let file = try await scene.chief.get("\(path).csv")
            let lines = file.body.split(separator: "\n")
            // A note of two lines is one field.
            #expect(lines.count == kinds.count + 2)
            #expect(lines[3].contains(",handled,,North,Gate,Night,"))
            #expect(file.body.contains(",\"'=stuck,\n=1+1\u{301}\","))
            for who in [scene.guardian, try await gateway.user(.operator, login: "amina")] {
                #expect(try await who.get(path).status == 403)
                #expect(try await who.get("\(path).csv").status == 403)
            }
        }
    }

    @Test func `is of one's own organisation`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await `A tour`.Scene(gateway)
            #expect(try await scene.guardian.post("/v1/guard-alarms").status == 201)
            let stranger = try await gateway.user(.supervisor, login: "nils", org: "north")
            let path = "/v1/patrol-exceptions"
            #expect(try await stranger.get(path, after: gateway.newest).items.isEmpty)
            #expect(try await scene.chief.get(path, after: gateway.newest).items.count == 1)
        }
    }
}
