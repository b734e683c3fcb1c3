// SPDX-License-Identifier: Apache-2.0
import Media
import MediaTesting
import TestSupport
import Testing

/// What recorders' clocks do, and how often that is a leap of which the recording tells.
@Suite(.tags(.promise9)) struct `A recorder whose clock steps` {
    /// Milliseconds that are added to the times of some frames; all begin eleven hours in, so that there is room before them.
    private static let steps: [(name: String, by: Int64, frames: Range<Int>, leaps: Int)] = [
        ("2 ms back once", -42, 30..<31, 0), ("2 ms back for good", -42, 30..<60, 0),
        ("2 s back once", -2_000, 30..<31, 1), ("2 s back for good", -2_000, 30..<60, 1),
        ("2 s ahead once", 2_000, 30..<31, 1), ("2 s ahead for good", 2_000, 30..<60, 0),
        ("10 h back once", -36_000_000, 30..<31, 2),
        ("10 h back for good", -36_000_000, 30..<60, 1),
        ("10 h ahead once", 36_000_000, 30..<31, 2),
        ("10 h ahead for good", 36_000_000, 30..<60, 1),
        ("10 h ahead at its last frame", 36_000_000, 59..<60, 1),
    ]

    @Test(arguments: steps.indices, [1_000_000, 977])
    func `loses no picture, and says where it leapt`(number: Int, pieceBytes: Int) throws {
        let step = Self.steps[number]
        let video = try Samples.short()
        let frames = video.frames.enumerated().map { index, frame in
            VideoEncoder.Output(
                milliseconds: frame.milliseconds + 39_600_000
                    + (step.frames.contains(index) ? step.by : 0),
                isKey: frame.isKey,
                bytes: frame.bytes
            )
        }
        let bytes = TestWebM.likeBrowser(TestVideo(codec: .vp9, size: video.size, frames: frames))
        let folder = try TemporaryFolder()
        let writer = try folder.recording().writer
        _ = try writer.begin(part: 0, placement: .live(atMilliseconds: 0))
        var offset: UInt64 = 0
        for piece in TestWebM.pieces(bytes, of: [pieceBytes]) {
            _ = try writer.accept(piece, part: 0, offset: offset, until: 600_000)
            offset += UInt64(piece.count)
        }
        #expect(try writer.end(part: 0).through == UInt64(bytes.count))
        #expect(writer.chunks.count(where: \.followsLeap) == step.leaps, "\(step.name)")
        let reader = try RecordingReader(path: writer.path)
        #expect(try reader.numbers() == Array(0..<60), "\(step.name)")
        let times = try reader.index.byTime.flatMap {
            try reader.frames(of: $0).map(\.milliseconds)
        }
        #expect(times == times.sorted() && times.allSatisfy { $0 < 10_000 }, "\(step.name)")
    }

    @Test func `goes on after a restart where it leapt`() throws {
        let video = try Samples.short()
        let frames = video.frames.enumerated().map { index, frame in
            VideoEncoder.Output(
                milliseconds: frame.milliseconds + (index < 30 ? 0 : 36_000_000),
                isKey: frame.isKey,
                bytes: frame.bytes
            )
        }
        let bytes = TestWebM.likeBrowser(TestVideo(codec: .vp9, size: video.size, frames: frames))
        let folder = try TemporaryFolder()
        var path = ""
        var logged: [LoggedChunk] = []
        do {
            let writer = try folder.recording().writer
            path = writer.path
            _ = try writer.begin(part: 0, placement: .live(atMilliseconds: 0))
            let first = Array(bytes.prefix(bytes.count * 4 / 5))
            _ = try writer.accept(first, part: 0, offset: 0, until: 600_000)
            _ = try writer.flush()
            logged = writer.chunks.map(LoggedChunk.init)
        }
        let again = try RecordingWriter.open(
            path,
            seal: Samples.seal,
            start: Samples.start,
            logged: logged
        ).writer
        let offset = try again.begin(part: 0, placement: .live(atMilliseconds: 0))
        let rest = Array(bytes.dropFirst(Int(offset)))
        _ = try again.accept(rest, part: 0, offset: offset, until: 600_000)
        _ = try again.end(part: 0)
        #expect(again.chunks.allSatisfy { !$0.followsLeap })
        #expect(try RecordingReader(path: path).numbers() == Array(0..<60))
    }
}
