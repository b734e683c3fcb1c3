// SPDX-License-Identifier: Apache-2.0
import Foundation
import MediaTesting
import TestSupport
import Testing

@testable import Media

/// Pictures of which more is announced than comes.
@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `Unfinished pictures` {
    /// A part that announces a picture of nearly 8 MiB and sends so many bytes of it.
    private func torn(_ bytes: Int) -> [UInt8] {
        var file = ElementWriter()
        file.raw(TestWebM.head(docVersion: 4))
        file.openMaster(0x1853_8067)
        file.raw(TestWebM.tracks(TinyFrames.keys(at: [])))
        file.openMaster(0x1F43_B675)
        file.raw([0xE7, 0x81, 0x00])
        // SimpleBlock of 7 MiB and a little: the size takes four bytes.
        file.raw([0xA3, 0x10, 0x70, 0x00, 0x20, 0x81, 0x00, 0x00, 0x80])
        return file.bytes + [UInt8](repeating: 0x55, count: bytes)
    }

    @Test func `of all parts together are bounded, and the recording goes on`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording().writer
        for part in UInt32(0)..<2 {
            _ = try writer.begin(part: part, placement: .live(atMilliseconds: 0))
            _ = try writer.accept(torn(7 << 20), part: part, offset: 0)
        }
        let waiting = writer.waitingBytes
        #expect(waiting > 14 << 20 && waiting <= MediaLimits.waitingBytesMax)
        _ = try writer.begin(part: 2, placement: .live(atMilliseconds: 0))
        let refusal = #expect(throws: RecordingError.self) {
            try writer.accept(torn(7 << 20), part: 2, offset: 0)
        }
        #expect(refusal?.isRefusal == true && writer.waitingBytes == waiting)
        #expect(refusal?.description.contains("\(MediaLimits.waitingBytesMax)") == true)
        // Another part of the same recording still gets through, and an ended one gives its room back.
        _ = try writer.send(TestWebM.likeBrowser(try Samples.tiny()), part: 3)
        #expect(!writer.chunks.isEmpty)
        _ = try writer.end(part: 0)
        #expect(writer.waitingBytes < 8 << 20)
        _ = try writer.accept(torn(7 << 20), part: 2, offset: 0)
    }

    @Test func `are not copied for each piece that follows`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording().writer
        _ = try writer.begin(part: 0, placement: .live(atMilliseconds: 0))
        var offset = try writer.accept(torn(6 << 20), part: 0, offset: 0).received
        let piece = [UInt8](repeating: 0x55, count: 28)
        var (places, moves) = (try Self.places(in: writer), 0)
        for _ in 0..<1_500 {
            offset = try writer.accept(piece, part: 0, offset: offset).received
            let now = try Self.places(in: writer)
            if now != places { moves += 1 }
            places = now
        }
        // Each of the two buffers moves when it grows, and it grows by doubling.
        #expect(moves <= 4)
    }

    /// Where in memory the bytes of part 0 lie: those for the disk, and those for the parser.
    private static func places(in writer: RecordingWriter) throws -> [UInt] {
        let part = try #require(writer.parts[0])
        return [part.raw[...], part.parser.buffer[...]].map { bytes in
            bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        }
    }

    @Test func `leave a part as it was when what follows is refused`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording().writer
        let bytes = TestWebM.likeBrowser(try Samples.short())
        _ = try writer.begin(part: 0, placement: .live(atMilliseconds: 0))
        let half = bytes.count / 2
        var offset = try writer.accept(Array(bytes[..<half]), part: 0, offset: 0).received
        let before = (writer.progress, writer.waitingBytes, writer.timelineEnd)
        // Rubbish in the middle of a picture and far beyond its end.
        #expect(throws: RecordingError.self) {
            let rubbish = [UInt8](repeating: 0, count: 3 << 20)
            _ = try writer.accept(rubbish, part: 0, offset: offset)
        }
        #expect(before == (writer.progress, writer.waitingBytes, writer.timelineEnd))
        offset = try writer.accept(Array(bytes[half...]), part: 0, offset: offset).received
        _ = try writer.end(part: 0)
        #expect(offset == UInt64(bytes.count))
        #expect(try RecordingReader(path: writer.path).numbers() == Array(0..<60))
    }
}
