// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import MediaTesting
import TestSupport
import Testing

@Suite(.tags(.promise9)) struct `Recording a stream` {
    @Test(arguments: [1, 777, 65_536])
    func `keeps the same frames however the bytes are cut`(piece: Int) throws {
        let folder = try TemporaryFolder()
        let bytes = TestWebM.likeBrowser(try Samples.short())
        let writer = try folder.recording().writer
        let chunks = try writer.send(bytes, part: 1, pieces: [piece])
        #expect(chunks == writer.chunks)
        #expect(chunks.first?.offset == 65_536)
        for (one, next) in zip(chunks, chunks.dropFirst()) {
            #expect(next.offset == one.end && next.index == one.index + 1)
            #expect(next.source.lowerBound == one.source.upperBound)
        }
        #expect(chunks.allSatisfy { $0.lastMilliseconds - $0.firstMilliseconds < 1000 })
        let reader = try RecordingReader(path: writer.path)
        #expect(try reader.numbers() == Array(0..<60))
        #expect(try reader.source(ofPart: 1) == bytes)
    }

    @Test(arguments: ["browser-320x180", "browser-640x360"])
    func `keeps what a real browser sends, in its pieces`(name: String) throws {
        let folder = try TemporaryFolder()
        let bytes = try Samples.fixture(name + ".webm")
        let writer = try folder.recording().writer
        _ = try writer.send(bytes, part: 1, pieces: try Samples.pieces(of: name))
        let reader = try RecordingReader(path: writer.path)
        let numbers = try reader.numbers().compactMap(\.self)
        let frames = try WebMParser.frames(in: [bytes]).count
        #expect(numbers.count == frames)
        // The camera's file begins anew at its end.
        let cameraFrames = name.contains("320") ? 750 : 500
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { ($0 + 1) % cameraFrames == $1 })
        #expect(try reader.source(ofPart: 1) == bytes)
    }

    @Test func `keeps what ffmpeg wrote, to the last byte`() throws {
        let folder = try TemporaryFolder()
        let bytes = try Samples.fixture("ffmpeg-320x180.webm")
        let writer = try folder.recording(of: bytes)
        #expect(writer.progress[1]?.through == UInt64(bytes.count))
        let reader = try RecordingReader(path: writer.path)
        #expect(try reader.numbers() == Array(0..<500))
        #expect(try reader.source(ofPart: 1) == bytes)
    }

    @Test func `puts three parts of two sizes on one timeline, gaps kept`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording().writer
        let first = TestWebM.likeBrowser(try Samples.short())
        let second = TestWebM.likeFFmpeg(try Samples.video(60..<110, tier: .medium))
        let third = TestWebM.likeBrowser(try Samples.video(110..<140))
        _ = try writer.send(first, part: 1)
        _ = try writer.send(second, part: 2, at: 5000)
        _ = try writer.send(third, part: 3, at: 6000)
        let starts = [1, 2, 3].map { part in
            writer.chunks.first { $0.part == part }?.firstMilliseconds
        }
        // The third arrived before the second was over, so it begins right behind it.
        #expect(starts == [0, 5000, 6961])
        let reader = try RecordingReader(path: writer.path)
        #expect(try reader.numbers() == Array(0..<140))
        #expect(reader.index.gaps(longerThanMilliseconds: 1000) == [2360..<5000])
        #expect(Set(writer.chunks.map(\.size)) == [QualityTier.low.size, QualityTier.medium.size])
    }

    @Test func `keeps VP8 and labels it, but not beside VP9`() throws {
        let folder = try TemporaryFolder()
        let size = QualityTier.low.size
        let video = try TestVideo(numbers: 0..<30, size: size, kilobitsPerSecond: 400, codec: .vp8)
        let writer = try folder.recording(of: TestWebM.likeBrowser(video))
        #expect(writer.chunks.allSatisfy { $0.codec == .vp8 })
        #expect(try RecordingReader(path: writer.path).numbers() == Array(0..<30))
        let other = TestWebM.likeBrowser(try Samples.tiny())
        #expect(throws: RecordingError.otherCodec(part: 2, codec: .vp9, recording: .vp8)) {
            _ = try writer.send(other, part: 2)
        }
    }

    @Test func `writes waiting frames when told to`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording().writer
        let bytes = TestWebM.likeBrowser(try Samples.short())
        _ = try writer.begin(part: 1, placement: .live(atMilliseconds: 0))
        #expect(writer.pendingSince == nil)
        let some = try writer.accept(Array(bytes.prefix(bytes.count / 4)), part: 1, offset: 0)
        #expect(some.chunks.isEmpty && some.through == 0 && writer.pendingSince != nil)
        let flushed = try writer.flush()
        #expect(flushed.count == 1 && writer.pendingSince == nil)
        let progress = try #require(writer.progress[1])
        #expect(progress.through == flushed[0].source.upperBound)
        #expect(progress.received == some.received)
        _ = try writer.send(bytes, part: 1)
        #expect(try RecordingReader(path: writer.path).numbers() == Array(0..<60))
    }

    @Test
    func `counts the wait of a frame from its own arrival, not from that of frames already cut`()
        throws
    {
        let folder = try TemporaryFolder()
        let writer = try folder.recording().writer
        let bytes = TestWebM.likeBrowser(try Samples.short())
        _ = try writer.begin(part: 1, placement: .live(atMilliseconds: 0))
        let begin = ContinuousClock.now
        var since: ContinuousClock.Instant?
        for offset in stride(from: 0, to: bytes.count, by: 500) {
            let now = begin + .milliseconds(offset)
            let piece = Array(bytes[offset..<min(bytes.count, offset + 500)])
            let taken = try writer.accept(piece, part: 1, offset: UInt64(offset), now: now)
            guard taken.chunks.isEmpty else {
                #expect(since != nil && since != now && writer.pendingSince == now)
                return
            }
            since = since ?? writer.pendingSince
            #expect(writer.pendingSince == since)
        }
        Issue.record("no cluster was cut")
    }

    @Test func `places a part that comes late where its pictures belong`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording().writer
        _ = try writer.send(TestWebM.likeBrowser(try Samples.video(0..<25)), part: 1)
        _ = try writer.begin(part: 3, placement: .live(atMilliseconds: 2000))
        let live = TestWebM.likeBrowser(try Samples.video(50..<80))
        let half = live.count / 2
        #expect(writer.shift(of: 3) == nil)
        _ = try writer.accept(Array(live.prefix(half)), part: 3, offset: 0)
        let next = try #require(writer.shift(of: 3))
        _ = try writer.begin(part: 2, placement: .late(atMilliseconds: next - 1000))
        let late = TestWebM.likeBrowser(try Samples.video(25..<50))
        _ = try writer.accept(late, part: 2, offset: 0)
        _ = try writer.end(part: 2)
        _ = try writer.accept(Array(live.dropFirst(half)), part: 3, offset: UInt64(half))
        _ = try writer.end(part: 3)
        #expect(try RecordingReader(path: writer.path).numbers() == Array(0..<80))
    }
}

@Suite struct `The name of a recording` {
    @Test func `is minute and owner, numbered on collision`() throws {
        let folder = try TemporaryFolder()
        let name = try RecordingName(start: Samples.start, owner: "123456789")
        #expect(try name.claim(in: folder.path) == "2015/04/2015-04-21-13-11-123456789.webm")
        #expect(try name.claim(in: folder.path) == "2015/04/2015-04-21-13-11-123456789-2.webm")
        #expect(try name.claim(in: folder.path) == "2015/04/2015-04-21-13-11-123456789-3.webm")
        let taken: Set = ["2015/04/2015-04-21-13-11-123456789-4.webm"]
        let next = try name.claim(in: folder.path, except: taken)
        #expect(next == "2015/04/2015-04-21-13-11-123456789-5.webm")
    }

    @Test func `is in the site's zone, and 0 while unclaimed`() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 13 * 3600))
        let name = try RecordingName(start: Samples.start, timeZone: zone)
        #expect(name.file() == "2015-04-22-02-11-0.webm" && name.folder == "2015/04")
    }

    @Test(arguments: ["", "../x", "a/b", "ü", String(repeating: "1", count: 65)])
    func `refuses an owner that cannot be in a name`(owner: String) {
        #expect(throws: RecordingError.self) {
            try RecordingName(start: Samples.start, owner: owner)
        }
    }
}
