// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Events

/// Promise 2: recorded time never goes back, whatever the clock does.
@Suite struct `Watching the clock` {
    private func time(_ seconds: Int64) -> Timestamp {
        Timestamp(microseconds: seconds * 1_000_000)
    }

    @Test func `a clock that runs evenly is followed`() {
        var watch = ClockWatch(lastRecorded: time(0))
        #expect(watch.read(time(100), .seconds(1)).time == time(100))
        let (recorded, step) = watch.read(time(110), .seconds(11))
        #expect(recorded == time(110) && step == nil)
    }

    @Test func `a step back is noticed, and time stands still until it is caught up`() {
        var watch = ClockWatch(lastRecorded: time(0))
        _ = watch.read(time(100), .seconds(1))
        let (recorded, step) = watch.read(time(50), .seconds(2))
        #expect(recorded == time(100))
        #expect(step == ClockWatch.Step(by: .seconds(-51), followed: true))
        #expect(watch.read(time(101), .seconds(53)).time == time(101))
    }

    @Test func `a step forward of half an hour is followed`() {
        var watch = ClockWatch(lastRecorded: time(0))
        _ = watch.read(time(100), .seconds(1))
        let (recorded, step) = watch.read(time(1_901), .seconds(2))
        #expect(recorded == time(1_901))
        #expect(step == ClockWatch.Step(by: .seconds(1_800), followed: true))
    }

    @Test func `a step forward of over an hour waits for confirmation`() {
        var watch = ClockWatch(lastRecorded: time(0))
        _ = watch.read(time(100), .seconds(1))
        let (recorded, step) = watch.read(time(10_101), .seconds(2))
        #expect(recorded == time(101) && step?.followed == false)
        #expect(watch.read(time(10_111), .seconds(12)).time == time(111))
        watch.confirm()
        #expect(watch.read(time(10_112), .seconds(13)).time == time(10_112))
    }

    @Test func `a step that is taken back leaves no trace but itself`() {
        var watch = ClockWatch(lastRecorded: time(0))
        _ = watch.read(time(100), .seconds(1))
        _ = watch.read(time(10_101), .seconds(2))
        #expect(watch.read(time(102), .seconds(3)).time == time(102))
    }
}
