// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Events

@Suite(.tags(.promise2)) struct `A log with a guarded clock` {
    private let folder: TemporaryFolder
    private let clock = TestClock()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ clock: TestClock) throws -> EventLog {
        let configuration = LogConfiguration(
            origin: "daybook.example.org/test",
            keys: NoKeys(),
            clock: clock.ledgerClock
        )
        return try EventLog.open(folder.url, configuration: configuration)
    }

    private func append(to log: EventLog, _ samples: inout SampleEvents) async throws -> Timestamp {
        let write = SubjectWrite(samples.subject(), [samples.signal()])
        return try await log.append([write], command: samples.stamp()).time
    }

    private func clockEvents(in log: EventLog) throws -> [Fact] {
        try log.entries(of: .clock).map { try EventDecoder().decode($0).fact }
    }

    @Test func `does not follow a start ten years ahead until a person confirms it`() async throws {
        var samples = SampleEvents()
        var log = try open(clock)
        let first = try await append(to: log, &samples)
        await log.close()

        clock.advance(by: .seconds(60))
        clock.step(by: .seconds(315_360_000))
        log = try open(clock)
        let second = try await append(to: log, &samples)
        #expect(second == first + .seconds(60))
        let stepped = ClockStepped(stepMicroseconds: 315_360_000_000_000, followed: false)
        #expect(try clockEvents(in: log) == [.clock(.stepped(stepped))])
        clock.advance(by: .seconds(1))
        #expect(try await append(to: log, &samples) == second + .seconds(1))
        #expect(log.clock.standing.heldSince != nil)
        await log.close()

        // The next process knows what was not followed, and says so once.
        log = try open(clock)
        let confirmed = ClockConfirmed(heldBackMicroseconds: stepped.stepMicroseconds)
        let event = Event(id: samples.id(), fact: .clock(.confirmed(confirmed)))
        let write = SubjectWrite(.clock, [event])
        let receipt = try await log.append([write], command: samples.stamp())
        #expect(receipt.time == second + .seconds(1))
        #expect(try await append(to: log, &samples) == clock.now)
        #expect(log.clock.standing.heldSince == nil)
        await log.close()

        log = try open(clock)
        #expect(log.clock.now == clock.now)
        #expect(try clockEvents(in: log).count == 2)
        await log.close()
    }

    @Test func `records a step although nothing is appended`() async throws {
        let log = try open(clock)
        clock.step(by: .seconds(-3_600))
        await log.parts.withLock { $0 }?.writer.tendClock()
        let stepped = ClockStepped(stepMicroseconds: -3_600_000_000, followed: true)
        #expect(try clockEvents(in: log) == [.clock(.stepped(stepped))])
        await log.close()
    }

    @Test func `goes on behind a last event that is ahead, never at the same moment`() async throws
    {
        var samples = SampleEvents()
        let fast = TestClock(clock.now + .seconds(315_360_000))
        var log = try open(fast)
        let ahead = try await append(to: log, &samples)
        await log.close()

        log = try open(clock)
        var times = [ahead]
        for _ in 1...3 {
            clock.advance(by: .seconds(100))
            times.append(try await append(to: log, &samples))
        }
        let apart = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(apart == [.seconds(99), .seconds(99), .seconds(99)])
        await log.close()
    }

    @Test func `believes a mark of this ledger's keys, and no other`() async throws {
        let name = "daybook.example.org/test"
        let verifier = try NoteSigner(name: name, seed: Array(repeating: 7, count: 32)).verifier
        let ours = CommitSealer(masterKey: .random(), verifier: verifier)
        let other = CommitSealer(masterKey: .random(), verifier: verifier)
        let mark = ClockMark(
            wall: clock.now,
            monotonic: .seconds(1),
            boot: "a",
            time: clock.now,
            heldSince: nil
        )
        try mark.write(in: folder.url, sealer: ours)
        #expect(ClockMark.read(in: folder.url, sealer: ours) == mark)
        #expect(ClockMark.read(in: folder.url, sealer: other) == nil)
        try mark.write(in: folder.url, sealer: nil)
        #expect(ClockMark.read(in: folder.url, sealer: ours) == nil)
        #expect(ClockMark.read(in: folder.url, sealer: nil) == mark)
    }

    @Test func `refuses what it would record at a moment that no entry can say`() async throws {
        var samples = SampleEvents()
        let mad = TestClock(Timestamp(microseconds: 300_000_000_000_000_000))
        let log = try open(mad)
        let write = SubjectWrite(samples.subject(), [samples.signal()])
        let stamp = samples.stamp()
        await #expect(throws: EventLogError.self) {
            try await log.append([write], command: stamp)
        }
        #expect(log.size == 0)
        await log.close()
    }

    @Test func `believes less, and opens, when its mark cannot be read`() async throws {
        var samples = SampleEvents()
        var log = try open(clock)
        let last = try await append(to: log, &samples)
        await log.close()
        try Data("nonsense".utf8).write(to: folder.url.appending(path: "clock"))
        clock.advance(by: .seconds(7_200))
        log = try open(clock)
        #expect(log.clock.now == last && log.clock.standing.heldSince == last)
        await log.close()
    }

    @Test(arguments: [Int.min, -62_135_596_801, 9_223_372_036, 253_402_300_800, Int.max])
    func `reads a wall clock that nobody can have meant as a moment that can be said`(seconds: Int)
    {
        let moment = LedgerClock.wall(timespec(tv_sec: seconds, tv_nsec: 999_999_999))
        #expect(moment.hasText)
        #expect((moment + .seconds(100 * 366 * 86_400)).hasText)
    }
}
