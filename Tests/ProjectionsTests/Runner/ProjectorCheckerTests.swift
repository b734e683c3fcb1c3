// SPDX-License-Identifier: Apache-2.0
import Events
import Projections
import ProjectionsTesting
import Testing

@Suite struct `The projector checker` {
    private func messages() throws -> [RecordedEvent] {
        var script = EventScript()
        let opened = try script.openSession()
        for number in 0..<8 {
            _ = try script.say(
                "\(number)", in: opened.session, from: number % 3 == 0 ? .operator : .caller,
                of: opened.caller)
        }
        return script.events
    }

    @Test func `accepts a right projector`() throws {
        try ProjectorChecker(MessageCounter()).check(messages())
    }

    @Test func `catches a projector that skips an event it saw before a crash`() throws {
        let fault = #expect(throws: ProjectorFault.self) {
            try ProjectorChecker(SkippingCounter()).check(try messages())
        }
        #expect(fault?.broken == .everyEvent)
    }

    @Test func `catches a projector that reads the clock, and shows one event`() throws {
        let fault = #expect(throws: ProjectorFault.self) {
            try ProjectorChecker(ClockReadingCounter()).check(try messages())
        }
        #expect(fault?.broken == .repeatable)
        #expect(fault?.events.count == 1)
    }

    @Test func `catches a projector that keeps something in memory`() throws {
        #expect(throws: ProjectorFault.self) {
            try ProjectorChecker(RememberingCounter()).check(try messages())
        }
    }

    @Test func `catches a writer that skips an event`() throws {
        let fault = #expect(throws: ProjectorFault.self) {
            try ProjectorChecker(MessageCounter(), writer: SkippingWriter.self).check(try messages())
        }
        #expect(fault?.broken == .everyEvent)
        #expect((fault?.events.count ?? 9) <= 2)
    }

    @Test func `catches a writer that applies an event twice`() throws {
        let fault = #expect(throws: ProjectorFault.self) {
            try ProjectorChecker(MessageCounter(), writer: DoublingWriter.self).check(try messages())
        }
        #expect(fault?.broken == .everyEvent)
        #expect(fault?.events.count == 1)
    }

    @Test func `catches a writer that takes a page a second time`() throws {
        let fault = #expect(throws: ProjectorFault.self) {
            try ProjectorChecker(MessageCounter(), writer: ForgetfulWriter.self).check(try messages())
        }
        #expect(fault?.broken == .once)
    }

    @Test func `catches a writer that commits progress before rows`() throws {
        let fault = #expect(throws: ProjectorFault.self) {
            try ProjectorChecker(MessageCounter(), writer: HastyWriter.self).check(try messages())
        }
        guard case .anyCrash = fault?.broken else {
            Issue.record("\(fault?.description ?? "nothing") is not a crash")
            return
        }
    }
}
