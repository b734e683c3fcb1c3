// SPDX-License-Identifier: Apache-2.0
import Media
import MediaTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct `The number of chunks` {
    private func begun(in folder: TemporaryFolder) throws -> RecordingWriter {
        let writer = try folder.recording().writer
        _ = try writer.begin(part: 1, placement: .live(atMilliseconds: 0))
        return writer
    }

    @Test func `does not follow the number of key frames`() throws {
        let folder = try TemporaryFolder()
        let writer = try begun(in: folder)
        let count = 100_000
        let bytes = TinyFrames.keysAtOnce(count)
        _ = try writer.accept(bytes, part: 1, offset: 0)
        _ = try writer.end(part: 1)
        #expect(writer.chunks.count == count / MediaLimits.clusterFramesMax)
        #expect(writer.chunks.map(\.frames).reduce(0, +) == count)
        #expect(try RecordingReader(path: writer.path).source(ofPart: 1) == bytes)
    }

    @Test func `is ten a second where every frame is a key frame`() throws {
        let folder = try TemporaryFolder()
        let writer = try begun(in: folder)
        let video = TinyFrames.keys(at: stride(from: 0, to: 2000, by: 20))
        _ = try writer.send(TestWebM.likeBrowser(video), part: 1)
        #expect(writer.chunks.count == 20 && writer.chunks.allSatisfy(\.startsWithKeyFrame))
        #expect(writer.chunks.allSatisfy { $0.frames == 5 })
    }

    @Test func `lets a key frame begin a chunk again soon after a flush`() throws {
        let folder = try TemporaryFolder()
        let writer = try begun(in: folder)
        let times = Array(stride(from: Int64(0), to: 3000, by: 40))
        let frames = times.map { ($0, $0 % 1000 == 0 ? TinyFrames.key : TinyFrames.other) }
        let bytes = TestWebM.likeBrowser(TinyFrames.video(frames))
        let all = try WebMParser.frames(in: [bytes])
        // All but the last frame of the first second is written by the clock.
        let early = Int(all[23].next.offset)
        _ = try writer.accept(Array(bytes.prefix(early)), part: 1, offset: 0)
        _ = try writer.flush()
        _ = try writer.accept(Array(bytes.dropFirst(early)), part: 1, offset: UInt64(early))
        _ = try writer.end(part: 1)
        #expect(writer.chunks.map(\.firstMilliseconds) == [0, 960, 1000, 2000])
        #expect(writer.chunks.map(\.startsWithKeyFrame) == [true, false, true, true])
    }

    @Test func `may be twenty minutes' at once, and then has to wait for the clock`() throws {
        let folder = try TemporaryFolder()
        let writer = try begun(in: folder)
        let atOnce = MediaLimits.chunksAtOnceMax
        let video = TinyFrames.keys(at: (0..<Int64(atOnce + 100)).lazy.map { $0 * 1000 })
        let bytes = TestWebM.likeBrowser(video)
        let now = ContinuousClock.now
        #expect(throws: RecordingError.tooManyChunks(atOnce + 100, part: 1, wait: .zero)) {
            try writer.accept(bytes, part: 1, offset: 0, now: now)
        }
        #expect(writer.chunks.isEmpty && writer.progress[1]?.received == 0)
        let frames = try WebMParser.frames(in: [bytes])
        let most = Int(frames[atOnce - 1].next.offset)
        _ = try writer.accept(Array(bytes.prefix(most)), part: 1, offset: 0, now: now)
        #expect(writer.chunks.count == atOnce - 1)
        let rest = Array(bytes.dropFirst(most))
        let wait = Duration.milliseconds(100 * MediaLimits.chunkIntervalMilliseconds)
        #expect(throws: RecordingError.tooManyChunks(101, part: 1, wait: wait)) {
            try writer.accept(rest, part: 1, offset: UInt64(most), now: now)
        }
        _ = try writer.accept(rest, part: 1, offset: UInt64(most), now: now + wait)
        _ = try writer.end(part: 1)
        #expect(try RecordingReader(path: writer.path).source(ofPart: 1) == bytes)
    }

    @Test func `is not raised by many parts of a frame each`() throws {
        let folder = try TemporaryFolder()
        let writer = try begun(in: folder)
        let atOnce = MediaLimits.chunksAtOnceMax
        let now = ContinuousClock.now
        let most = TinyFrames.keys(at: (0..<Int64(atOnce - 10)).lazy.map { $0 * 1000 })
        _ = try writer.accept(TestWebM.likeBrowser(most), part: 1, offset: 0, now: now)
        let one = TestWebM.likeBrowser(TinyFrames.keys(at: [0]))
        let refusal = #expect(throws: RecordingError.self) {
            for part in UInt32(2)...20 {
                _ = try writer.begin(part: part, placement: .live(atMilliseconds: 0))
                _ = try writer.accept(one, part: part, offset: 0, now: now)
            }
        }
        guard case .tooManyChunks = refusal else {
            Issue.record("refused as \(String(describing: refusal))")
            return
        }
        _ = try writer.flush()
        #expect(writer.chunks.count == atOnce)
    }

    @Test func `is one allowance for all recordings that share it`() throws {
        let folder = try TemporaryFolder()
        let allowance = ChunkAllowance()
        let now = ContinuousClock.now
        let video = TinyFrames.keys(at: (0..<Int64(401)).lazy.map { $0 * 1000 })
        let bytes = TestWebM.likeBrowser(video)
        func writer() throws -> RecordingWriter {
            let writer = try folder.recording(allowance: allowance).writer
            _ = try writer.begin(part: 1, placement: .live(atMilliseconds: 0))
            return writer
        }
        let writers = try (0..<3).map { _ in try writer() }
        for writer in writers.dropLast() {
            _ = try writer.accept(bytes, part: 1, offset: 0, now: now)
        }
        let last = try #require(writers.last)
        // What the others took in and did not write yet counts, too.
        let over = writers.count * 401 - MediaLimits.chunksAtOnceMax
        let wait = Duration.milliseconds(Int64(over) * MediaLimits.chunkIntervalMilliseconds)
        #expect(throws: RecordingError.tooManyChunks(401, part: 1, wait: wait)) {
            try last.accept(bytes, part: 1, offset: 0, now: now)
        }
        _ = try last.accept(bytes, part: 1, offset: 0, now: now + wait)
        #expect(!allowance.isFull(at: now + wait))
    }

    @Test func `is bound to the time that has passed`() throws {
        let folder = try TemporaryFolder()
        let writer = try begun(in: folder)
        let bytes = TestWebM.likeBrowser(TinyFrames.keys(at: [0, 2_000, 7_001]))
        let refusal = RecordingError.aheadOfTime(
            part: 1,
            milliseconds: 7_001,
            wait: .milliseconds(2_001)
        )
        #expect(throws: refusal) {
            try writer.accept(bytes, part: 1, offset: 0, until: 5_000)
        }
        #expect(refusal.isRefusal && writer.progress[1]?.received == 0)
        _ = try writer.accept(bytes, part: 1, offset: 0, until: 7_001)
        _ = try writer.end(part: 1)
        #expect(try RecordingReader(path: writer.path).source(ofPart: 1) == bytes)
    }
}
