// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import ProjectionsTesting
import Testing

@testable import Projections

@Suite struct `The hourly trends` {
    private func table(_ script: EventScript) async throws -> [String: Int] {
        let trends = HourlyTrends(try await rows(of: HourlyTrendsProjector(), script.events))
        return try await trends.rows(in: .wholeLedger, knownTo: script.now).reduce(into: [:]) {
            table,
            row in
            table["\(row.metric) \(row.dimension)", default: 0] += row.value
        }
    }

    @Test func `count sessions by channel and outcome, and video, reports and check-ins`()
        async throws
    {
        let table = try await table(Evening().script)
        #expect(table["sessions chat/handled"] == 1)
        #expect(table["sessions video/open"] == 1)
        #expect(table["video_ms "] == 2_967)
        #expect(table["gaps "] == 1)
        #expect(table["gap_ms "] == 4_033)
        #expect(table["reports submitted"] == 1)
        #expect(table["reports acknowledged"] == 1)
        #expect(table["report_answered_ms count"] == 1)
        #expect(table["report_answered_ms p50"] == 1_000)
        #expect(table["check_ins counted"] == 1)
        #expect(table["check_ins refused/bad_code"] == 1)
        #expect(table["alerts queued"] == 1)
        #expect(table["sent_to_delivered_ms count"] == 1)
        #expect(table["sent_to_delivered_ms p50"] == 1_040)
        #expect(table["delivered_to_seen_ms p99"] == 1_000)
        #expect(table["claim_wait_ms count"] == 2)
        #expect(table["queue_depth alerts"] == 1)
        #expect(table["queue_depth chats"] == 0)
    }

    @Test(arguments: [
        (50, [7], 7), (99, [1, 2], 2), (50, [1, 2], 1), (50, [1, 2, 3], 2), (90, Array(1...10), 9),
        (95, Array(1...100), 95), (99, Array(1...101), 100),
    ])
    func `take percentiles by nearest rank`(_ percent: Int, _ sorted: [Int], _ expected: Int) {
        #expect(nearestRank(percent, of: sorted) == expected)
    }

    @Test func `show depth and age of a queue at the end of each hour`() {
        let hour: Int64 = 3_600_000_000
        func at(_ hours: Double) -> Timestamp {
            Timestamp(microseconds: Int64(hours * Double(hour)))
        }
        let stays: [(from: Timestamp, until: Timestamp?)] = [
            (at(0.5), at(2.5)), (at(0.75), at(0.9)), (at(1.25), nil),
        ]
        let rows = QueueSweep(stays).rows(of: "q", at: [at(0), at(1), at(2)], knownTo: at(3))
        #expect(rows.filter { $0.metric == "queue_depth" }.map(\.value) == [1, 2, 1])
        #expect(
            rows.filter { $0.metric == "queue_oldest_ms" }.map(\.value)
                == [1_800_000, 5_400_000, 6_300_000]
        )
    }

    @Test func `say of some hours what they say of these among all`() async throws {
        var script = EventScript()
        let owner = UserID(unchecked: "111111111")
        _ = try script.createUser(owner, .operator, name: "Ada Byron")
        for number in 0..<12 {
            let opened = try script.openSession()
            _ = try script.say("help", in: opened.session, from: .caller, of: opened.caller)
            try script.record(
                .user(.loggedIn(UserLoggedIn(method: .password))),
                on: .user(owner),
                after: .seconds(2_400)
            )
            // Every third one waits for good.
            if number % 3 > 0 { try script.claim(opened.session, by: owner) }
        }
        let trends = HourlyTrends(try await rows(of: HourlyTrendsProjector(), script.events))
        let all = try await trends.rows(in: .wholeLedger, knownTo: script.now)
        let hours = Set(all.map(\.hour)).sorted()
        #expect(hours.count > 6)
        for first in hours {
            for last in hours where last >= first {
                let some = try await trends.rows(
                    in: .wholeLedger,
                    from: first,
                    until: last + .seconds(3_600),
                    knownTo: script.now
                )
                #expect(some == all.filter { (first...last).contains($0.hour) })
            }
        }
    }

    @Test func `tell of a period the sums of its hours, and percentiles of all that was measured`()
        async throws
    {
        var script = EventScript()
        let owner = UserID(unchecked: "111111111")
        _ = try script.createUser(owner, .operator, name: "Ada Byron")
        // One minute in the first hour, and nine hours of waiting in others.
        for minutes in [1, 60, 120, 180] {
            let opened = try script.openSession()
            _ = try script.say("help", in: opened.session, from: .caller, of: opened.caller)
            try script.record(
                .session(.claimed(SessionClaimed(owner: owner))),
                on: .session(opened.session),
                after: .seconds(minutes * 60)
            )
        }
        let trends = HourlyTrends(try await rows(of: HourlyTrendsProjector(), script.events))
        let hours = try await trends.rows(in: .wholeLedger, knownTo: script.now)
        let period = try await trends.rows(by: .period, in: .wholeLedger, knownTo: script.now)
        func value(_ metric: String, _ dimension: String) -> Int? {
            period.first { $0.metric == metric && $0.dimension == dimension }?.value
        }
        #expect(Set(period.map(\.hour)) == [try #require(hours.first).hour])
        #expect(value("claim_wait_ms", "count") == 4)
        // The second of four, which is the percentile of no two hours together.
        #expect(try #require(value("claim_wait_ms", "p50")) / 60_000 == 60)
        #expect(try #require(value("claim_wait_ms", "p90")) / 60_000 == 180)
        let sums = hours.filter { $0.metric == "sessions" }.reduce(0) { $0 + $1.value }
        let told = period.filter { $0.metric == "sessions" }.reduce(0) { $0 + $1.value }
        #expect(sums == told)
        #expect(!period.contains { $0.metric.hasPrefix("queue_") })
        let later = script.now + .seconds(86_400)
        #expect(
            try await trends.rows(by: .period, in: .wholeLedger, from: later, knownTo: later) == []
        )
    }

    @Test func `count what callers were asked for, opened and answered, each opening once`()
        async throws
    {
        var script = EventScript()
        let opened = try script.openSession()
        let (video, place): (Events.RequestID, Events.RequestID) = (script.id(), script.id())
        let facts: [SessionEvent] = [
            .requestSent(SessionRequestSent(request: video, ask: .startVideo, expiresAt: nil)),
            .requestSent(SessionRequestSent(request: place, ask: .sendLocation, expiresAt: nil)),
            .requestOpened(SessionRequestOpened(request: video)),
            .requestOpened(SessionRequestOpened(request: video)),
            .requestAnswered(SessionRequestAnswered(request: video, answer: .accepted)),
            .requestAnswered(SessionRequestAnswered(request: place, answer: .stale)),
        ]
        for fact in facts {
            try script.record(.session(fact), on: .session(opened.session))
        }
        let table = try await table(script).filter { $0.key.hasPrefix("requests ") }
        #expect(
            table == [
                "requests start_video/sent": 1, "requests send_location/sent": 1,
                "requests start_video/opened": 1, "requests start_video/accepted": 1,
                "requests send_location/stale": 1,
            ]
        )
    }

    @Test func `tell nothing of the part of an hour that is still to come`() {
        let start = Timestamp(microseconds: 0)
        let stays: [(from: Timestamp, until: Timestamp?)] = [(start + .seconds(60), nil)]
        let rows = QueueSweep(stays).rows(
            of: "chats",
            at: [start],
            knownTo: start + .seconds(780)
        )
        #expect(rows.map(\.value) == [1, 720_000])
    }

    @Test func `call an outcome that is none of the console's words other`() async throws {
        var script = EventScript()
        let opened = try script.openSession()
        try script.record(
            .session(
                .closed(
                    SessionClosed(
                        caller: opened.caller,
                        by: .operator,
                        disposition: "\u{1B}[2Kalerts failed  0"
                    )
                )
            ),
            on: .session(opened.session)
        )
        let outcomes = try await table(script).keys.filter { $0.hasPrefix("sessions ") }
        #expect(outcomes.map { $0.split(separator: "/").last } == ["other"])
    }

    @Test func `name both hours of the night when clocks go back`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let labels = ["2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z"].compactMap(Timestamp.init)
            .map { TrendRow(hour: $0, metric: "m", dimension: "", value: 1).localHour(in: zone) }
        #expect(labels == ["2026-10-25T02:00+02:00", "2026-10-25T02:00+01:00"])
    }

    @Test func `quote what CSV takes for its own`() {
        let row = TrendRow(
            hour: Timestamp(microseconds: 0),
            metric: "sessions",
            dimension: "chat/a, \"b\"",
            value: 2
        )
        #expect(
            TrendRow.csv([row])
                == "hour,metric,dimension,value\n1970-01-01T00:00:00Z,sessions,\"chat/a, \"\"b\"\"\",2\n"
        )
    }
}
