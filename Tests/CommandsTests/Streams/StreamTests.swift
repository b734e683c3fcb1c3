// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@testable import Commands

@Suite struct `A stream` {
    @Test func `begins together with its session's start`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.video()
        let device = try ledger.device(of: scene.caller)
        let stream: StreamID = ledger.id()
        try ledger.run(ledger.start(stream, in: scene.session, from: .device(device)))
        #expect(try ledger.state(Session.self, scene.session).streams == [stream])
        #expect(try ledger.state(Stream.self, stream).phase == .live)
    }

    @Test func `of another number is refused and recorded, and starts nothing`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.video()
        let device = try ledger.device(of: ledger.person())
        let stream: StreamID = ledger.id()
        #expect(throws: StartStream.Refusal.otherNumber(scene.session)) {
            try ledger.run(
                ledger.start(stream, in: scene.session, from: .device(device)),
                as: .device(device)
            )
        }
        guard case .access(.refused(let refused)) = ledger.events.last?.fact else {
            Issue.record("the refusal was not recorded")
            return
        }
        #expect(refused.reason == .otherNumber && refused.resource == .session(scene.session))
        #expect(ledger.events.last?.envelope.subject == .access(.device(device)))
        #expect(try ledger.state(Stream.self, stream).phase == .absent)
        #expect(try !ledger.state(Session.self, scene.session).isStarted)
    }

    @Test func `archives chunks without a gap and takes a repeated one once`() throws {
        let ledger = MemoryLedger()
        let stream = try ledger.stream(in: try ledger.video())
        for number in 0..<5 { try ledger.run(ArchiveChunk(.sample(number), of: stream)) }
        #expect(try ledger.count(ArchiveChunk(.sample(4), of: stream)) == 0)
        let refusal = #expect(throws: ArchiveChunk.Refusal.self) {
            try ledger.run(ArchiveChunk(.sample(6), of: stream))
        }
        #expect(refusal == .notNext(stream, number: 6, expected: 5))
        let state = try ledger.state(Stream.self, stream)
        #expect(state.chunks == 5 && state.bytes == 5_000 && state.through == 5_000)
    }

    @Test func `that stopped takes only what was on disk before, until it is final`() throws {
        let ledger = MemoryLedger()
        let stream = try ledger.stream(in: try ledger.video())
        try ledger.run(StopStream(stream, by: .caller, reason: "done"))
        #expect(throws: ArchiveChunk.Refusal.unavailable(.stopped(stream))) {
            try ledger.run(ArchiveChunk(.sample(0), of: stream))
        }
        try ledger.run(ArchiveChunk(.sample(0), of: stream, arrival: .recovered))
        try ledger.run(FinalizeStream(stream, as: .sample()))
        #expect(try ledger.count(FinalizeStream(stream, as: .sample())) == 0)
        #expect(throws: ArchiveChunk.Refusal.unavailable(.finalized(stream))) {
            try ledger.run(ArchiveChunk(.sample(1), of: stream, arrival: .recovered))
        }
    }

    @Test func `goes on after an interruption, in the same part or a new one`() throws {
        let ledger = MemoryLedger()
        let stream = try ledger.stream(in: try ledger.video())
        try ledger.run(InterruptStream(stream, reason: .silence))
        #expect(try ledger.count(InterruptStream(stream, reason: .silence)) == 0)
        try ledger.run(ResumeStream(stream, gapMilliseconds: 6_000, part: 0))
        #expect(try ledger.count(ResumeStream(stream, gapMilliseconds: 0, part: 0)) == 0)
        try ledger.run(ResumeStream(stream, gapMilliseconds: 0, part: 1))
        let state = try ledger.state(Stream.self, stream)
        #expect(state.phase == .live && state.part == 1 && state.through == 0)
    }

    @Test func `is not silent because a row says so`() throws {
        let ledger = MemoryLedger()
        let stream = try ledger.stream(in: try ledger.video())
        let interrupt = InterruptStream(stream, reason: .silence, after: .seconds(5))
        let stop = StopStream(stream, by: .system, reason: "over", after: .seconds(600))
        #expect(try ledger.count(interrupt) == 0 && ledger.count(stop) == 0)
        ledger.wait(.seconds(5))
        #expect(try ledger.count(interrupt) == 1 && ledger.count(stop) == 0)
        ledger.wait(.seconds(600))
        #expect(try ledger.count(stop) == 1)
    }

    @Test(arguments: Quality.allCases)
    func `takes the bit rates of its tier and no others`(quality: Quality) throws {
        let ledger = MemoryLedger()
        let stream = try ledger.stream(in: try ledger.video())
        let range = quality.kilobitsPerSecond
        let taken = [
            range.lowerBound - 1, range.lowerBound, range.upperBound, range.upperBound + 1,
        ]
        .map { rate in
            let settings = StreamSettings(
                quality: quality,
                width: quality.size.width,
                height: quality.size.height,
                framesPerSecond: 30,
                kilobitsPerSecond: rate
            )
            let change = ChangeQuality(of: stream, to: settings, cause: .automatic)
            do {
                try ledger.run(change)
                return true
            } catch {
                return false
            }
        }
        #expect(taken == [false, true, true, false])
    }

    @Test(arguments: Quality.allCases)
    func `takes pictures of its tier's size, upright or not, and none larger`(quality: Quality)
        throws
    {
        let ledger = MemoryLedger()
        let stream = try ledger.stream(in: try ledger.video())
        let (long, short) = quality.size
        func takes(_ width: Int, _ height: Int) -> Bool {
            let settings = StreamSettings(
                quality: quality,
                width: width,
                height: height,
                framesPerSecond: 25,
                kilobitsPerSecond: quality.kilobitsPerSecondDefault
            )
            return (try? ledger.run(ChangeQuality(of: stream, to: settings, cause: .user))) != nil
        }
        #expect(takes(long, short) && takes(short, long) && takes(short, short) && takes(2, 2))
        #expect(!takes(long + 1, short) && !takes(long, short + 1) && !takes(short, long + 1))
        #expect(
            !takes(short + 1, long) && !takes(long, long) && !takes(0, short) && !takes(long, 0)
        )
    }

    @Test func `is inspected in order`() throws {
        let ledger = MemoryLedger()
        let stream = try ledger.stream(in: try ledger.video())
        for number in 0..<4 { try ledger.run(ArchiveChunk(.sample(number), of: stream)) }
        try ledger.run(RecordInspection(.sample(0...2), of: stream))
        try ledger.run(RecordInspection(.sample(3...3), of: stream))
        #expect(try ledger.state(Stream.self, stream).inspected == 4)
    }

    @Test func `is viewed once a minute by a viewer in a mode`() throws {
        let ledger = MemoryLedger()
        let stream = try ledger.stream(in: try ledger.video())
        let view = RecordViewing(of: stream, by: .user(.sam, as: .operator), mode: .live)
        try ledger.run(view)
        ledger.wait(.milliseconds(59_999))
        #expect(try ledger.count(view) == 0)
        let still = RecordViewing(of: stream, by: .user(.sam, as: .operator), mode: .still)
        #expect(try ledger.count(still) == 1)
        ledger.wait(.milliseconds(1))
        #expect(try ledger.count(view) == 1)
    }
}
