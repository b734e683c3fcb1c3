// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Media
import Synchronization
import TestSupport
import Testing
import Threads

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `What senders of video may take` {
    private func facts() async throws -> RecordingFacts {
        let scene = try await ArchiveScene()
        let stream = try await scene.stream().stream
        return try #require(RecordingFacts(try scene.archive.index(of: stream)))
    }

    @Test func `slows down who sends faster than they said`() async throws {
        var limits = ArchiveLimits()
        (limits.streamBytesAtOnce, limits.bitRateFactor) = (1_000_000, 4)
        let (budget, facts, now) = (IngestBudget(limits), try await facts(), ContinuousClock.now)
        func pace(_ bytes: Int, after seconds: Int) -> Duration {
            budget.pace(bytes, of: facts, kilobitsPerSecond: 800, at: now + .seconds(seconds))
        }
        #expect(pace(1_000_000, after: 0) == .zero)
        // 800 kbit/s are 100,000 bytes; four times that is earned each second.
        #expect(pace(400_000, after: 0) == .seconds(1))
        #expect(pace(400_000, after: 1) == .seconds(1))
        #expect(pace(400_000, after: 4) == .zero)
    }

    @Test func `bounds a session with many streams`() async throws {
        var limits = ArchiveLimits()
        limits.bytesOfSession = Rate(burst: 1_000, perSecond: 100)
        let (budget, facts, now) = (IngestBudget(limits), try await facts(), ContinuousClock.now)
        #expect(budget.pace(1_000, of: facts, kilobitsPerSecond: 4_000, at: now) == .zero)
        #expect(budget.pace(200, of: facts, kilobitsPerSecond: 4_000, at: now) == .seconds(2))
    }

    @Test func `refuses unfinished pictures beyond what all may have, and nobody's own little`()
        async throws
    {
        var limits = ArchiveLimits()
        (limits.waitingBytesOfOwn, limits.waitingBytesOfAll) = (100, 1_000)
        let (budget, facts, other) = (
            IngestBudget(limits), try await facts(), try await self.facts()
        )
        budget.note(1_100, of: facts)
        #expect(budget.waitingBytes == 1_000)
        #expect(throws: ArchiveError.tooMuchUnfinished(max: 1_000)) {
            try budget.checkWaiting(101, of: other)
        }
        try budget.checkWaiting(100, of: other)
        budget.note(0, of: facts)
        try budget.checkWaiting(101, of: other)
        #expect(budget.waitingBytes == 0)
    }

    @Test func `leaves room for others' unfinished pictures, however many one caller begins`()
        async throws
    {
        var limits = ArchiveLimits()
        (limits.waitingBytesOfOwn, limits.waitingBytesOfAll) = (100, 1_000)
        limits.waitingBytesOfCaller = 250
        let scene = try await ArchiveScene(limits: limits)
        let budget = IngestBudget(limits)
        func own() async throws -> RecordingFacts {
            let stream = try await scene.stream().stream
            return try #require(RecordingFacts(try scene.archive.index(of: stream)))
        }
        let (first, second, other) = (try await own(), try await own(), try await facts())
        try budget.checkWaiting(350, of: first)
        budget.note(350, of: first)
        // What it has counts once.
        try budget.checkWaiting(350, of: first)
        let refused = #expect(throws: ArchiveError.tooMuchUnfinished(max: 250)) {
            try budget.checkWaiting(101, of: second)
        }
        #expect(refused?.problem.headers[.retryAfter] != nil)
        try budget.checkWaiting(100, of: second)
        try budget.checkWaiting(350, of: other)
        budget.forget(first)
        try budget.checkWaiting(350, of: second)
    }

    @Test func `refuses nobody whose pictures are whole, however many others' wait`() async throws {
        let video = try Videos.parts()[0]
        var limits = ArchiveLimits()
        // A cluster is half of the video: its pictures are written before it is complete.
        (limits.waitingBytesOfOwn, limits.waitingBytesOfAll) = (video.count / 4, 1_000)
        let scene = try await ArchiveScene(limits: limits)
        let stream = try await scene.stream().stream
        scene.archive.budget.note(1 << 20, of: try await facts())
        let recording = try scene.archive.recording(of: stream)
        try await recording.send(video, part: 0, pieces: [1_024])
        _ = try await recording.end(part: 0)
        #expect(try Videos.numbers(in: try scene.path(of: stream)) == Array(0..<50))
    }
}

@Suite(.tags(.promise9), .timeLimit(.minutes(10))) struct `A disk that video may not fill` {
    @Test func `whose room nobody can tell takes no video, and says why`() async throws {
        let folder = try TemporaryFolder()
        let nowhere = folder.url.appending(path: "nowhere").path
        let unknown = DiskRoom.Unknown(path: nowhere, code: ENOENT)
        #expect(throws: unknown) { try DiskRoom.bytes(below: nowhere) }
        let room = ArchiveRoom(floor: 0) { () throws(DiskRoom.Unknown) in
            try DiskRoom.bytes(below: nowhere)
        }
        #expect(throws: ArchiveError.roomUnknown(unknown)) { try room.check() }
        let scene = try await ArchiveScene(room: room)
        await #expect(throws: ArchiveError.roomUnknown(unknown)) { try await scene.stream() }
        #expect(ArchiveError.roomUnknown(unknown).problem.type.status.code == 507)
        #expect("\(ArchiveError.roomUnknown(unknown))".contains("cannot be told"))
    }

    @Test func `takes no stream and no byte below its floor, and goes on by itself`() async throws {
        let free = Mutex<Int64>(10)
        let time = Mutex(ContinuousClock.now)
        let room = ArchiveRoom(
            floor: 10,
            now: { time.withLock { $0 } },
            ask: { free.withLock { $0 } }
        )
        let scene = try await ArchiveScene(room: room)
        let stream = try await scene.stream().stream
        let video = try Videos.parts()[0]
        try await scene.archive.recording(of: stream).send(Array(video.prefix(5_000)), part: 0)
        free.withLock { $0 = 9 }
        time.withLock { $0 += .seconds(1) }
        let files = try scene.files()
        let refused = ArchiveError.noRoom(free: 9, floor: 10)
        await #expect(throws: refused) { try await scene.stream() }
        await #expect(throws: refused) {
            try await scene.archive.recording(of: stream)
                .accept(Array(video.dropFirst(5_000)), part: 0, offset: 5_000)
        }
        #expect(refused.problem.type.status.code == 507)
        #expect(try scene.files() == files)
        free.withLock { $0 = 10 }
        time.withLock { $0 += .seconds(1) }
        let recording = try scene.archive.recording(of: stream)
        try await recording.send(video, part: 0, from: 5_000)
        _ = try await recording.end(part: 0)
        #expect(try Videos.numbers(in: try scene.path(of: stream)) == Array(0..<50))
    }
}

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `The desk for stills` {
    @Test
    func `refuses with 503 what would wait too long, and with 429 the rest of one who wants much`()
        async throws
    {
        let folder = try TemporaryFolder()
        let pipe = folder.url.appending(path: "pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let limits = StillDesk.Limits(atOnce: 1, waiting: 1, ofViewer: 1)
        let worker = InspectionService.Worker(executable: "/bin/false", arguments: [])
        let desk = StillDesk(worker: worker, limits: limits)
        let place = ChunkPlace(
            index: 0,
            offset: 0,
            length: 8,
            firstMilliseconds: 0,
            lastMilliseconds: 0,
            startsWithKeyFrame: true,
            part: 0
        )
        // Opening the pipe waits for somebody who writes it, as a slow disk would.
        @Sendable func still(for viewer: String) async throws -> InspectionOutcome {
            try await desk.still(
                atMilliseconds: 0,
                in: RecordingIndex([place]),
                of: pipe,
                for: viewer
            )
        }
        async let first = still(for: "device/1")
        try await eventually("the first still is being made") { desk.waiting == 1 }
        let own = await #expect(throws: Problem.self) { try await still(for: "device/1") }
        #expect(own?.type.status == .tooManyRequests)
        #expect(own?.headers[.retryAfter] != nil)
        async let second = still(for: "operator/2")
        try await eventually("the second still waits") { desk.waiting == 2 }
        let refusal = await #expect(throws: Problem.self) { try await still(for: "operator/3") }
        #expect(refusal?.type.status == .serviceUnavailable)
        #expect(refusal?.headers[.retryAfter] != nil)
        // Held open until the answer is there: the desk may not have come to opening it yet.
        let writer = open(pipe, O_RDWR)
        defer { close(writer) }
        guard case .notDecoded(.unavailable) = try await first,
            case .notDecoded(.unavailable) = try await second
        else {
            Issue.record("a pipe is no recording")
            return
        }
        #expect(desk.waiting == 0)
    }
}
