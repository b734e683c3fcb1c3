// SPDX-License-Identifier: Apache-2.0
import Media
import MediaTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A still far behind its key frame` {
    /// One key frame, then frames of 900,000 bytes, one each 250 ms.
    private func recording(in folder: TemporaryFolder, frames: Int) throws -> RecordingWriter {
        let large = TinyFrames.other + [UInt8](repeating: 0, count: 900_000)
        let times = (1...Int64(frames)).map { ($0 * 250, large) }
        let video = TinyFrames.video([(0, TinyFrames.key)] + times)
        return try folder.recording(of: TestWebM.likeBrowser(video))
    }

    @Test func `is refused before the video between them is read`() async throws {
        let folder = try TemporaryFolder()
        let writer = try recording(in: folder, frames: 40)
        let reader = try RecordingReader(path: writer.path)
        #expect(try Still(atMilliseconds: 5000, in: reader).frames.count == 21)
        let bytes = writer.chunks.map(\.length).reduce(0, +)
        let refusal = #expect(throws: Still.TooLarge.self) {
            try Still(atMilliseconds: 10_000, in: reader)
        }
        #expect(refusal == Still.TooLarge(milliseconds: 10_000, bytes: bytes))
        #expect(refusal?.description.contains("\(MediaLimits.stillBytesMax)") == true)
    }

    @Test func `costs the gateway no child`() async throws {
        let folder = try TemporaryFolder()
        let writer = try recording(in: folder, frames: 40)
        let inspection = InspectionProcess(
            executable: try Samples.tool(),
            arguments: ["inspect-worker"]
        )
        let outcome = await inspection.still(
            atMilliseconds: 10_000,
            in: RecordingIndex(writer.chunks.map(ChunkPlace.init)),
            of: writer.path
        )
        guard case .notDecoded(.unavailable(let fact)) = outcome else {
            Issue.record("ended as \(outcome)")
            return
        }
        #expect(fact.contains("key frame"))
        #expect(await inspection.processIdentifier == nil)
    }
}
