// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import HTTPTypes
import Projections
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `A tour's schedule` {
    private func times(
        _ schedule: TourDefined.Schedule,
        from first: String,
        until last: String,
        in zone: String
    ) throws -> [String] {
        schedule.starts(
            from: try #require(Timestamp(first)),
            until: try #require(Timestamp(last)),
            in: try #require(TimeZone(identifier: zone))
        ).map { String($0.description.prefix(16)) }
    }

    @Test func `goes by the centre's clock and the days of its week`() throws {
        // Friday 22:00 and Saturday 01:30; 2026-11-27 is a Friday.
        let nights = TourDefined.Schedule(minutesOfDay: [90, 1_320], weekdays: [5, 6])
        let friday = try times(
            nights,
            from: "2026-11-27T12:00:00.000000Z",
            until: "2026-11-29T12:00:00.000000Z",
            in: "Europe/Berlin"
        )
        #expect(friday == ["2026-11-27T21:00", "2026-11-28T00:30", "2026-11-28T21:00"])
        let west = try times(
            nights,
            from: "2026-11-27T12:00:00.000000Z",
            until: "2026-11-28T12:00:00.000000Z",
            in: "America/Los_Angeles"
        )
        #expect(west == ["2026-11-28T06:00", "2026-11-28T09:30"])
    }

    @Test func `has each start once on the days when the clocks change`() throws {
        let daily = TourDefined.Schedule(minutesOfDay: [150], weekdays: Array(1...7))
        // Half past two is left out on 2026-03-29, and there twice on 2026-10-25.
        let spring = try times(
            daily,
            from: "2026-03-28T12:00:00.000000Z",
            until: "2026-03-30T12:00:00.000000Z",
            in: "Europe/Berlin"
        )
        #expect(spring.count == 2 && spring.last == "2026-03-30T00:30")
        let autumn = try times(
            daily,
            from: "2026-10-24T12:00:00.000000Z",
            until: "2026-10-26T12:00:00.000000Z",
            in: "Europe/Berlin"
        )
        #expect(autumn == ["2026-10-25T00:30", "2026-10-26T01:30"])
        // West of Greenwich, too, what is left out is an hour later, and beside another start one.
        let west = try times(
            TourDefined.Schedule(minutesOfDay: [150, 180, 210], weekdays: [7]),
            from: "2026-03-08T00:00:00.000000Z",
            until: "2026-03-09T00:00:00.000000Z",
            in: "America/New_York"
        )
        #expect(west == ["2026-03-08T07:00", "2026-03-08T07:30"])
    }

    @Test func `is told of as not begun, once for each start, and in the report`() async throws {
        let clock = TestClock()
        try await TestGateway.run {
            $0.clock = clock.ledgerClock
        } _: { gateway in
            let ledger = gateway.ledger
            let scene = try await `A tour`.Scene(gateway)
            let minute = Int(ledger.now.microseconds / 60_000_000 % 1_440)
            let starts = [(minute + 30) % 1_440, (minute + 90) % 1_440].sorted()
            let schedule: [String: any Sendable] = [
                "minutesOfDay": starts, "weekdays": Array(1...7),
            ]
            var body: [String: any Sendable] = [
                "id": scene.tour, "site": "North", "name": "Night", "isOrdered": true,
                "graceSeconds": 60, "schedule": schedule,
            ]
            body["points"] = scene.points.map {
                ["point": $0, "fromSeconds": 0, "untilSeconds": 60] as [String: any Sendable]
            }
            #expect(try await scene.chief.post("/v1/tours", body).status == 200)
            let shown = try await scene.guardian.get("/v1/tours", after: gateway.newest).items
            let read = try #require(shown.first?["schedule"] as? [String: Any])
            #expect(read["minutesOfDay"] as? [Int] == starts)
            let policy = RoundsPolicy(ledger: ledger)
            let start = try ledger.start(ofPolicy: policy.name)
            func pass(_ minutes: Int) async throws {
                for _ in 1...2 {
                    clock.advance(by: .seconds(minutes * 30))
                    let last = try #require(ledger.log.size.checkedPrevious)
                    try await ledger.readModels.runner.wait(for: last, on: "check-ins")
                    try await policy.act(at: ledger.now, behind: start)
                }
            }
            try await pass(20)
            // Ten minutes before its time a guard sets out for the first start, and for no other.
            _ = try await scene.start()
            try await pass(40)
            #expect(try gateway.events(TourNotBegun.kind).isEmpty)
            try await pass(38)
            #expect(try gateway.events(TourNotBegun.kind).count == 1)
            let path = "/v1/patrol-exceptions?kind=not_begun"
            let told = try await scene.chief.get(path, after: gateway.newest).items
            #expect(told.map { $0["tour"] as? String } == [scene.tour])
        }
    }
}
