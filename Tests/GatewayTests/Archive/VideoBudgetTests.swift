// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Media
import MediaTesting
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `What is recorded of video` {
    /// Tiny key frames that lie so far apart that each is a chunk behind a gap.
    private static func jumps(_ count: Int64) -> [UInt8] {
        let key: [UInt8] = [0x82, 0x49, 0x83, 0x42, 0x00, 0x03, 0xF0, 0x03, 0xF0]
        let frames = (0..<count).map {
            VideoEncoder.Output(milliseconds: $0 * 2_000, isKey: true, bytes: key)
        }
        let size = PictureSize(width: 64, height: 64)
        return TestWebM.likeBrowser(TestVideo(codec: .vp9, size: size, frames: frames))
    }

    @Test func `counts in the budget of the phone that sent it, gaps too, over all its streams`()
        async throws
    {
        let budget = ActorBudget(eventsPerMinute: 100, bytesPerHour: 1 << 20)
        let budgets = ActorBudgets(capacity: 10) { $0.isOwn ? nil : budget }
        // The clock stands still, so that nothing drains while it is written.
        let now = LedgerClock.system.now()
        let scene = try await ArchiveScene(budgets: budgets, clock: { now })
        let phone = Actor.device(scene.device)
        let (first, second) = (try await scene.stream().stream, try await scene.stream().stream)
        let recording = try scene.archive.recording(of: first)
        _ = try await recording.accept(Self.jumps(60), part: 0, offset: 0, by: phone)
        let events = try scene.events(of: first)
        #expect(
            events.count {
                if case .gapDetected = $0 { true } else { false }
            } == 58
        )
        let other = try scene.archive.recording(of: second)
        let refused = await #expect(throws: CommandFault.self) {
            try await other.accept(Self.jumps(2), part: 0, offset: 0, by: phone)
        }
        guard case .overBudget(phone, _) = refused else {
            Issue.record("refused as \(String(describing: refused))")
            return
        }
        #expect(try scene.chunks(of: second).isEmpty)
        #expect(try scene.refusals().map(\.reason) == [.rate])
        // Another phone has its own.
        let another = Actor.device(freshID())
        _ = try await other.accept(Self.jumps(2), part: 0, offset: 0, by: another)
    }

    @Test func `lies no further ahead than the stream has run, but for what is caught up`()
        async throws
    {
        let scene = try await ArchiveScene()
        let stream = try await scene.stream().stream
        let recording = try scene.archive.recording(of: stream)
        let refused = await #expect(throws: RecordingError.self) {
            try await recording.accept(Self.jumps(3_500), part: 0, offset: 0)
        }
        guard case .aheadOfTime(0, _, let wait) = refused else {
            Issue.record("refused as \(String(describing: refused))")
            return
        }
        #expect(wait > .seconds(6_000) && refused?.problem.headers[.retryAfter] != nil)
        #expect(try scene.chunks(of: stream).isEmpty)
        _ = try await recording.accept(Self.jumps(290), part: 0, offset: 0)
        #expect(try scene.chunks(of: stream).count == 289)
    }
}
