// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import MediaTesting
import TestSupport
import Testing

@Suite(.tags(.promise10)) struct `Refusing bytes of a part` {
    /// A recording, 5,000 bytes of part 1 in it, and the whole part.
    private func begun(in folder: TemporaryFolder) throws -> (RecordingWriter, [UInt8]) {
        let writer = try folder.recording().writer
        let bytes = TestWebM.likeBrowser(try Samples.short())
        _ = try writer.begin(part: 1, placement: .live(atMilliseconds: 0))
        _ = try writer.accept(Array(bytes.prefix(5000)), part: 1, offset: 0)
        return (writer, bytes)
    }

    @Test func `names the offset it expects when bytes are missing`() throws {
        let folder = try TemporaryFolder()
        let (writer, bytes) = try begun(in: folder)
        let gap = RecordingError.gap(part: 1, expected: 5000, offset: 5001)
        #expect(throws: gap) {
            try writer.accept(Array(bytes[5001..<6000]), part: 1, offset: 5001)
        }
        #expect(gap.isRefusal && gap.description.contains("send from 5000"))
        #expect(throws: RecordingError.unknownPart(9)) {
            try writer.accept([1], part: 9, offset: 0)
        }
    }

    @Test(arguments: 0..<20)
    func `answers the same bytes alike and refuses others, wherever they begin`(seed: UInt64) throws
    {
        var random = Seeded(seed)
        let folder = try TemporaryFolder()
        let bytes = TestWebM.likeBrowser(try Samples.short())
        let writer = try folder.recording().writer
        _ = try writer.begin(part: 1, placement: .live(atMilliseconds: 0))
        let taken = Int.random(in: 1000..<bytes.count, using: &random)
        let answer = try writer.accept(Array(bytes.prefix(taken)), part: 1, offset: 0)
        for _ in 0..<10 {
            let from = Int.random(in: 0..<taken, using: &random)
            let to = Int.random(in: from + 1...taken, using: &random)
            let again = try writer.accept(Array(bytes[from..<to]), part: 1, offset: UInt64(from))
            #expect(again.chunks.isEmpty)
            #expect(again.through == answer.through && again.received == answer.received)
            var other = Array(bytes[from..<to])
            let at = Int.random(in: other.indices, using: &random)
            other[at] ^= 0x10
            #expect(throws: RecordingError.conflict(part: 1, offset: UInt64(from + at))) {
                try writer.accept(other, part: 1, offset: UInt64(from))
            }
        }
        _ = try writer.send(bytes, part: 1)
        #expect(try RecordingReader(path: writer.path).source(ofPart: 1) == bytes)
    }

    @Test func `finds a container that lies about key frames`() throws {
        let folder = try TemporaryFolder()
        let video = try Samples.short()
        for lie in [3, 25] {
            var frames = video.frames
            let honest = frames[lie]
            frames[lie] = VideoEncoder.Output(
                milliseconds: honest.milliseconds,
                isKey: !honest.isKey,
                bytes: honest.bytes
            )
            let file = TestWebM.likeBrowser(
                TestVideo(codec: .vp9, size: video.size, frames: frames)
            )
            let writer = try folder.recording().writer
            let refusal = #expect(throws: RecordingError.self) { try writer.send(file, part: 1) }
            guard case .lyingContainer(1, _, let markedKey) = refusal else {
                Issue.record("refused as \(String(describing: refusal))")
                continue
            }
            #expect(markedKey == !honest.isKey)
        }
    }

    @Test func `finds frames of another codec than the track's`() throws {
        let folder = try TemporaryFolder()
        let video = try Samples.tiny()
        let file = TestWebM.likeBrowser(
            TestVideo(codec: .vp8, size: video.size, frames: video.frames)
        )
        let writer = try folder.recording().writer
        let refusal = #expect(throws: RecordingError.self) { try writer.send(file, part: 1) }
        guard case .frame(.notOfCodec(.vp8), 1, _) = refusal else {
            Issue.record("refused as \(String(describing: refusal))")
            return
        }
    }

    @Test func `wants a key frame first`() throws {
        let folder = try TemporaryFolder()
        let video = try Samples.short()
        let writer = try folder.recording().writer
        let headless = TestVideo(codec: .vp9, size: video.size, frames: Array(video.frames[1...]))
        #expect(throws: RecordingError.beginsWithoutKeyFrame(part: 1)) {
            try writer.send(TestWebM.likeBrowser(headless), part: 1)
        }
    }

    @Test func `changes nothing by a refusal`() throws {
        let folder = try TemporaryFolder()
        let (writer, bytes) = try begun(in: folder)
        let progress = writer.progress
        var broken = Array(bytes[5000...])
        broken.replaceSubrange(2000..<2600, with: [UInt8](repeating: 0, count: 600))
        #expect(throws: RecordingError.self) { try writer.accept(broken, part: 1, offset: 5000) }
        #expect(writer.progress == progress)
        _ = try writer.send(bytes, part: 1)
        #expect(try RecordingReader(path: writer.path).numbers() == Array(0..<60))
    }

    @Test func `takes nothing more of a part that ended, nor after finalising`() throws {
        let folder = try TemporaryFolder()
        let bytes = TestWebM.likeBrowser(try Samples.tiny())
        let writer = try folder.recording(of: bytes)
        let end = UInt64(bytes.count)
        #expect(throws: RecordingError.partEnded(1, through: end)) {
            try writer.accept([0xEC], part: 1, offset: end)
        }
        #expect(try writer.accept(bytes, part: 1, offset: 0).through == end)
        _ = try writer.finalize()
        #expect(throws: RecordingError.finalized(path: writer.path)) { try writer.flush() }
    }
}
