// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Events

/// Promise 2: recorded time never goes back, whatever the clock does.
@Suite(.tags(.promise2)) struct `Watching the clock` {
    private static let tenYears = Duration.seconds(315_360_000)

    private func time(_ seconds: Double) -> Timestamp {
        Timestamp(microseconds: Int64((seconds * 1_000_000).rounded()))
    }

    private func reading(_ wall: Double, _ monotonic: Double) -> ClockReading {
        ClockReading(wall: time(wall), monotonic: .seconds(monotonic))
    }

    /// A watch that began at second 100 of a boot that began at second 99.
    private func begun() -> ClockWatch {
        ClockWatch(at: reading(100, 1), boot: "a", lastRecorded: nil, mark: nil)
    }

    @Test func `a clock that runs evenly is followed`() {
        var watch = begun()
        #expect(watch.time == time(100))
        #expect(watch.read(reading(110, 11)) == time(110))
        #expect(watch.steps.isEmpty && watch.lead == .zero)
    }

    @Test func `behind a step back, time goes on a hundredth slower until they meet`() {
        var watch = begun()
        #expect(watch.read(reading(50, 2)) == time(100.99))
        #expect(watch.takeSteps() == [ClockWatch.Step(by: .seconds(-51), followed: true)])
        #expect(watch.read(reading(60, 12)) == time(110.89))
        #expect(watch.read(reading(5_200, 5_152)) == time(5_200))
        #expect(watch.lead == .zero && watch.steps.isEmpty)
    }

    @Test func `a step forward of half an hour is followed`() {
        var watch = begun()
        #expect(watch.read(reading(1_901, 2)) == time(1_901))
        #expect(watch.takeSteps() == [ClockWatch.Step(by: .seconds(1_800), followed: true)])
        #expect(watch.jumps == [ClockJump(from: time(101), to: time(1_901))])
    }

    @Test func `what passed while nobody served is passed over, whatever the wall clock did`() {
        let mark = ClockMark(
            wall: time(100),
            monotonic: .seconds(1),
            boot: "a",
            time: time(100),
            heldSince: nil
        )
        for boot in ["a", "b"] {
            let watch = ClockWatch(
                at: reading(500, 401),
                boot: boot,
                lastRecorded: time(100),
                mark: mark
            )
            #expect(watch.jumps == [ClockJump(from: time(100), to: time(500))], "\(boot)")
        }
        #expect(begun().jumps.isEmpty)
    }

    @Test func `nobody was silent while time was passed over, but for who was before`() {
        let jump = ClockJump(from: time(1_000), to: time(1_400))
        let idle = Duration.seconds(300)
        #expect(jump.excused(time(900), silentFor: idle) == time(1_300))
        #expect(jump.excused(time(1_000), silentFor: idle) == time(1_400))
        #expect(jump.excused(time(1_050), silentFor: idle) == time(1_400))
        #expect(jump.excused(time(1_401), silentFor: idle) == time(1_401))
        #expect(jump.excused(time(700), silentFor: idle) == time(700))
    }

    @Test func `more than an hour ahead it waits for confirmation, and time goes on`() {
        var watch = begun()
        #expect(watch.read(reading(10_101, 2)) == time(101))
        #expect(watch.takeSteps().map(\.followed) == [false])
        #expect(watch.heldSince == time(100) && watch.lead == .seconds(10_000))
        #expect(watch.read(reading(10_111, 12)) == time(111))
        watch.confirm()
        #expect(watch.read(reading(10_112, 13)) == time(10_112) && !watch.isHeldBack)
    }

    @Test func `a step that is taken back leaves no trace but itself`() {
        var watch = begun()
        _ = watch.read(reading(10_101, 2))
        #expect(watch.read(reading(102, 3)) == time(102))
        #expect(!watch.isHeldBack && watch.lead == .zero)
    }

    @Test func `a step back and forth again ends where it began`() {
        var watch = begun()
        _ = watch.read(reading(-3_499, 2))
        #expect(watch.read(reading(102, 3)) == time(102))
        #expect(watch.lead == .zero)
    }

    @Test(arguments: ["a", "b", nil])
    func `a start ten years ahead is not followed, whatever is known`(boot: String?) {
        let mark = begun().mark(boot: "a")
        var watch = ClockWatch(
            at: ClockReading(wall: time(110) + Self.tenYears, monotonic: .seconds(11)),
            boot: boot,
            lastRecorded: time(99),
            mark: mark
        )
        // The same boot tells how much time passed; another one does not.
        let now = boot == "a" ? time(110) : time(100)
        #expect(watch.time == now && watch.isHeldBack)
        #expect(watch.takeSteps().map(\.followed) == [false])
        #expect(watch.read(reading(110, 11)) >= now && !watch.isHeldBack)
    }

    @Test func `a weekend off is no step in the same boot, and one in the next`() {
        let mark = begun().mark(boot: "a")
        let monday = reading(100 + 200_000, 1 + 200_000)
        let same = ClockWatch(at: monday, boot: "a", lastRecorded: time(99), mark: mark)
        #expect(same.time == monday.wall && same.steps.isEmpty)
        let next = ClockWatch(at: monday, boot: "b", lastRecorded: time(99), mark: mark)
        #expect(next.time == time(100) && next.isHeldBack)
        let short = reading(100 + 600, 30)
        let restarted = ClockWatch(at: short, boot: "b", lastRecorded: time(99), mark: mark)
        #expect(restarted.time == short.wall && restarted.steps.isEmpty)
    }

    @Test func `what was held back stays so over a restart, and is not a step again`() {
        var watch = begun()
        _ = watch.read(reading(10_101, 2))
        let mark = watch.mark(boot: "a")
        var next = ClockWatch(
            at: reading(10_201, 102),
            boot: "a",
            lastRecorded: time(101),
            mark: mark
        )
        #expect(next.time == time(201) && next.steps.isEmpty)
        #expect(next.heldSince == time(100))
        next.confirm()
        #expect(next.time == time(10_201))
    }

    @Test func `a last event ahead of a right clock stays behind a time that goes on`() {
        let ahead = time(100) + Self.tenYears
        var watch = ClockWatch(at: reading(100, 1), boot: "a", lastRecorded: ahead, mark: nil)
        #expect(watch.time == ahead && watch.takeSteps().count == 1)
        #expect(watch.read(reading(200, 101)) == ahead + .seconds(99))
        #expect(!watch.isHeldBack)
    }

    @Test func `a mark that is further ahead than a clock is followed is none`() {
        let mark = ClockMark(
            wall: time(100),
            monotonic: .seconds(1),
            boot: "a",
            time: time(100) + Self.tenYears,
            heldSince: nil
        )
        let watch = ClockWatch(at: reading(110, 11), boot: "a", lastRecorded: time(99), mark: mark)
        #expect(watch.time == time(110) && watch.steps.isEmpty)
        // What was recorded then tells that time was so far ahead.
        let recorded = mark.time - .seconds(10)
        let next = ClockWatch(at: reading(110, 11), boot: "a", lastRecorded: recorded, mark: mark)
        #expect(next.time > recorded)
    }

    @Test(arguments: [
        ClockMark(
            wall: Timestamp(microseconds: .max),
            monotonic: .zero,
            boot: "a",
            time: Timestamp(microseconds: .min),
            heldSince: nil
        ),
        ClockMark(
            wall: Timestamp(microseconds: 0),
            monotonic: .seconds(Int64.min),
            boot: "a",
            time: Timestamp(microseconds: 0),
            heldSince: nil
        ),
        ClockMark(
            wall: Timestamp(microseconds: 0),
            monotonic: .zero,
            boot: "a",
            time: Timestamp(microseconds: 0),
            heldSince: Timestamp(microseconds: .max)
        ),
    ])
    func `a mark of numbers that no clock shows is none`(_ mark: ClockMark) {
        var watch = ClockWatch(at: reading(110, 11), boot: "a", lastRecorded: time(99), mark: mark)
        #expect(watch.read(reading(111, 12)) == time(111) && watch.steps.isEmpty)
    }

    @Test func `a step of a thousand years is a number that an entry can say`() {
        let step = ClockWatch.Step(by: .seconds(31_536_000_000), followed: false)
        #expect(step.microseconds == 1 << 53 - 1)
    }

    @Test func `a fluttering clock leaves a list with an end`() {
        var watch = begun()
        for second in 1...1_000 {
            _ = watch.read(reading(second.isMultiple(of: 2) ? 100 : 200, 1))
        }
        let sum = watch.steps.reduce(Duration.zero) { $0 + $1.by }
        #expect(watch.steps.count == LogLimits.clockStepsUnrecordedMax && sum == .zero)
    }
}
