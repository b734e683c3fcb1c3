// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import MediaTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Inspecting a recording` {
    private func inspection(milliseconds: Int = MediaLimits.inspectionMillisecondsMax) throws
        -> InspectionProcess
    {
        InspectionProcess(
            executable: try Samples.tool(),
            arguments: ["inspect-worker"],
            milliseconds: milliseconds
        )
    }

    private func logged(_ writer: RecordingWriter) -> [LoggedChunk] {
        writer.chunks.map(LoggedChunk.init)
    }

    @Test func `decodes every frame and shows the key frames`() async throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: try Samples.fixture("browser-640x360.webm"))
        let inspection = try inspection()
        var frames = 0
        for chunk in writer.chunks {
            let outcome = await inspection.inspect(LoggedChunk(chunk), of: writer.path)
            let pictures = try #require(outcome.pictures)
            frames += pictures.frames
            #expect(pictures.undecodable == 0)
            #expect((pictures.jpeg != nil) == chunk.startsWithKeyFrame)
            if chunk.frames > 0 {
                #expect(pictures.size == QualityTier.medium.size)
                #expect((80.0...180.0).contains(pictures.meanLuma ?? 0))
            }
        }
        #expect(frames == 499)
    }

    @Test func `counts frames whose payload is damaged and goes on`() async throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.short()))
        let inspection = try inspection()
        var cluster = try RecordingReader(path: writer.path).cluster(ChunkPlace(writer.chunks[0]))
        for at in 200..<cluster.count - 2000 { cluster[at] ^= 0x5A }
        _ = await inspection.inspect(cluster: cluster)
        let next = await inspection.inspect(logged(writer)[1], of: writer.path)
        #expect(next.pictures?.frames == 25 && next.pictures?.undecodable == 0)
    }

    @Test func `marks a chunk that kills the child, and goes on at the next key frame`()
        async throws
    {
        let folder = try TemporaryFolder()
        let writer = try folder.recording().writer
        let video = try TestVideo(
            numbers: 0..<100,
            size: QualityTier.low.size,
            kilobitsPerSecond: 300,
            keyFrameEvery: 50
        )
        _ = try writer.send(TestWebM.likeBrowser(video), part: 1)
        let chunks = logged(writer)
        #expect(chunks.map(\.place.startsWithKeyFrame) == [true, false, true, false])
        let inspection = try inspection()
        _ = await inspection.inspect(chunks[0], of: writer.path)
        let child = try #require(await inspection.processIdentifier)
        kill(child, SIGKILL)
        let died = await inspection.inspect(chunks[1], of: writer.path)
        #expect(died == .notDecoded(.childDied(status: SIGKILL)))
        let waits = await inspection.inspect(chunks[1], of: writer.path)
        #expect(waits == .notDecoded(.waitingForKeyFrame))
        for chunk in chunks[2...] {
            #expect(await inspection.inspect(chunk, of: writer.path).pictures?.frames == 25)
        }
    }

    @Test func `ends a child that hangs`() async throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.short()))
        let chunks = logged(writer)
        let inspection = try inspection(milliseconds: 2000)
        _ = await inspection.inspect(chunks[0], of: writer.path)
        let child = try #require(await inspection.processIdentifier)
        kill(child, SIGSTOP)
        let hung = await inspection.inspect(chunks[1], of: writer.path)
        #expect(hung == .notDecoded(.timedOut(milliseconds: 2000)))
        #expect(kill(child, 0) != 0)
        #expect(await inspection.inspect(chunks[0], of: writer.path).pictures?.frames == 25)
    }

    @Test func `gives a frame no more memory than allowed`() async throws {
        let folder = try TemporaryFolder()
        let size = PictureSize(width: 4096, height: 4096)
        let frames = try Samples.tiny().frames
        // A key frame that claims the greatest picture, many times over.
        var key = frames[0].bytes
        key[4...8] = [key[4] & 0xF0, 0xFF, 0xF0, 0xFF, 0xF0 | key[8] & 0x0F]
        let video = TestVideo(
            codec: .vp9,
            size: size,
            frames: (0..<30).map { .init(milliseconds: Int64($0) * 40, isKey: true, bytes: key) }
        )
        let header = try FrameHeader(key, codec: .vp9)
        let writer = try folder.recording(of: TestWebM.likeBrowser(video))
        let inspection = try inspection()
        for chunk in logged(writer) { _ = await inspection.inspect(chunk, of: writer.path) }
        #expect(header.size == size)
        let good = try folder.recording(of: TestWebM.likeBrowser(try Samples.short()))
        #expect(await inspection.inspect(logged(good)[0], of: good.path).pictures?.frames == 25)
    }

    @Test func `shows the frame of any moment`() async throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.short()))
        let inspection = try inspection()
        for time in [Int64(0), 39, 40, 1500, 99_999] {
            let outcome = await inspection.still(
                atMilliseconds: time,
                in: RecordingIndex(writer.chunks.map(ChunkPlace.init)),
                of: writer.path
            )
            let jpeg = try #require(outcome.pictures?.jpeg)
            let still = try Still(atMilliseconds: time, in: RecordingReader(path: writer.path))
            #expect(still.milliseconds == min(time / 40 * 40, 2360))
            #expect(try still.jpeg() == jpeg)
            #expect(try TestVideo.numbers(in: still.frames).last == Int(still.milliseconds / 40))
        }
    }

    @Test func `looks at no bytes that the ledger does not know`() async throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.tiny()))
        let chunk = writer.chunks[0]
        let other = LoggedChunk(
            ChunkPlace(chunk),
            through: chunk.source.upperBound,
            sha256: writer.chunks[1].sha256
        )
        let inspection = try inspection()
        #expect(await inspection.inspect(other, of: writer.path) == .notDecoded(.notAsLogged))
        #expect(await inspection.processIdentifier == nil)
    }

    @Test func `throws nothing without a child or a file`() async throws {
        let none = InspectionProcess(executable: "/nowhere", arguments: [])
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.tiny()))
        let chunk = logged(writer)[0]
        guard case .notDecoded(.unavailable) = await none.inspect(chunk, of: writer.path),
            case .notDecoded(.unavailable) = await none.inspect(chunk, of: "/nowhere"),
            case .notDecoded(.noCluster) = await none.inspect(cluster: [1, 2, 3])
        else {
            Issue.record("other outcomes")
            return
        }
    }
}
