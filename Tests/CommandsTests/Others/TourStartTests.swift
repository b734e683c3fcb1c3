// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Testing

@testable import Commands

@Suite struct `A start that a tour's schedule names` {
    private static let eachDay = TourDefined.Schedule(
        minutesOfDay: [1_320],
        weekdays: Array(1...7)
    )

    /// A tour with a grace of five minutes.
    private func tour(
        _ ledger: MemoryLedger,
        _ schedule: TourDefined.Schedule? = eachDay
    ) throws -> TourID {
        let tour: TourID = ledger.id()
        let points = [try ledger.point()]
        try ledger.run(DefineTour(tour, as: .sample(points, schedule: schedule)))
        return tour
    }

    private func start(_ time: Timestamp) throws -> ScheduledStart {
        try #require(ScheduledStart.spans(of: [time], graceSeconds: 300).first)
    }

    @Test func `is missed once, when no guard set out until its grace is over`() throws {
        let ledger = MemoryLedger()
        let tour = try tour(ledger)
        let start = try start(ledger.now + .seconds(3_600))
        ledger.wait(.seconds(3_900))
        #expect(try ledger.count(PassTourStart(of: tour, at: start)) == 0)
        ledger.wait(.seconds(1))
        try ledger.run(PassTourStart(of: tour, at: start))
        guard case .patrol(.tourNotBegun(let missed)) = ledger.events.last?.fact else {
            Issue.record("the missed start was not recorded")
            return
        }
        #expect(missed.scheduledFor == start.at)
        #expect(try ledger.count(PassTourStart(of: tour, at: start)) == 0)
        // One before it would come too late to be told.
        let before = try self.start(start.at + .seconds(-60))
        #expect(try ledger.count(PassTourStart(of: tour, at: before)) == 0)
    }

    @Test(arguments: [(-900, 0), (300, 0), (-901, 1), (301, 1)])
    func `is kept by a round from a quarter of an hour before it to the end of the grace`(
        seconds: Int,
        missed: Int
    ) throws {
        let ledger = MemoryLedger()
        let tour = try tour(ledger)
        let start = try start(ledger.now + .seconds(3_600))
        ledger.wait(.seconds(3_600 + seconds))
        try ledger.run(StartRound(of: tour, by: .mary))
        ledger.wait(.seconds(2_000))
        #expect(try ledger.count(PassTourStart(of: tour, at: start)) == missed)
    }

    @Test func `has a span of its own, so that one round keeps one start`() {
        let begin = Timestamp(microseconds: 1_800_000_000_000_000)
        // Ten minutes apart, then an hour, with a grace of a day.
        let times = [0, 600, 4_200].map { begin + .seconds($0) }
        let spans = ScheduledStart.spans(of: times, graceSeconds: 86_400)
        #expect(spans.map(\.at) == times)
        #expect(spans.map { ($0.from - begin) / .seconds(1) } == [-900, 300, 3_300])
        for (one, next) in zip(spans, spans.dropFirst()) { #expect(one.until < next.from) }
        #expect(spans.last.map { $0.until - $0.at } == .seconds(86_400))
        // Who sets out a second late is in time, however short the grace.
        let strict = ScheduledStart.spans(of: [begin], graceSeconds: 0)
        #expect(strict.map { $0.until - $0.at } == [.seconds(300)])
    }

    @Test func `is none of a tour without a schedule, one that is retired, or one set up later`()
        throws
    {
        let ledger = MemoryLedger()
        let (free, retired) = (try tour(ledger, nil), try tour(ledger))
        let points = [try ledger.point()]
        try ledger.run(
            DefineTour(retired, as: .sample(points, isRetired: true, schedule: Self.eachDay))
        )
        let start = try start(ledger.now + .seconds(60))
        ledger.wait(.seconds(120))
        let later = try tour(ledger)
        ledger.wait(.seconds(3_600))
        for tour in [free, retired, later] {
            #expect(try ledger.count(PassTourStart(of: tour, at: start)) == 0)
        }
    }

    @Test func `is missed also where the tour was changed meanwhile, but its schedule was not`()
        throws
    {
        let ledger = MemoryLedger()
        let tour = try tour(ledger)
        let start = try start(ledger.now + .seconds(60))
        ledger.wait(.seconds(120))
        let points = [try ledger.point(), try ledger.point()]
        try ledger.run(DefineTour(tour, as: .sample(points, schedule: Self.eachDay)))
        ledger.wait(.seconds(300))
        #expect(try ledger.count(PassTourStart(of: tour, at: start)) == 1)
    }

    @Test(
        arguments: [
            ([], [1]), ([1_440], [1]), ([-1], [1]), ([60, 60], [1]), ([120, 60], [1]),
            (Array(0...48), [1]), ([60], []), ([60], [0]), ([60], [8]), ([60], [2, 1]),
        ] as [([Int], [Int])]
    )
    func `is taken in order, in range and once`(minutes: [Int], weekdays: [Int]) throws {
        let ledger = MemoryLedger()
        #expect(throws: DefineTour.Refusal.self) {
            try tour(ledger, .init(minutesOfDay: minutes, weekdays: weekdays))
        }
    }
}
