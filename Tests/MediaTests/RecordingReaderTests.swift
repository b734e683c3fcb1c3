// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import MediaTesting
import Testing

@Suite struct `Reading a recording` {
    @Test func `sees what is appended while it grows`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording().writer
        let reader = try RecordingReader(path: writer.path)
        #expect(reader.chunks.isEmpty && reader.initialisation == nil)
        let bytes = TestWebM.likeBrowser(try Samples.short())
        _ = try writer.begin(part: 1, placement: .live(atMilliseconds: 0))
        var offset: UInt64 = 0
        var seen: [ChunkPlace] = []
        for piece in TestWebM.pieces(bytes, of: [5000]) {
            let taken = try writer.accept(piece, part: 1, offset: offset)
            offset = taken.received
            let new = try reader.refresh()
            #expect(new == taken.chunks.map(ChunkPlace.init))
            seen += new
        }
        #expect(seen == reader.chunks && !seen.isEmpty)
        for chunk in writer.chunks { #expect(try reader.sha256(chunk.bytes) == chunk.sha256) }
    }

    @Test func `serves a player a head and clusters from any key frame`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.short()))
        let reader = try RecordingReader(path: writer.path)
        let chunks = reader.index.chunks(inMilliseconds: 1500...9999)
        let head = try #require(reader.initialisation)
        let stream = try chunks.reduce(into: head) { $0 += try reader.cluster($1) }
        let frames = try WebMParser.frames(in: [stream])
        #expect(try TestVideo.numbers(in: frames.map(\.bytes)) == Array(25..<60))
        #expect(frames.first?.milliseconds == 1000)
    }

    @Test(arguments: 0..<40)
    func `survives damage at any place`(seed: UInt64) throws {
        var random = Seeded(seed)
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.tiny()))
        let whole = Array(try Data(contentsOf: URL(fileURLWithPath: writer.path)))
        let path = folder.path + "/damaged.webm"
        // Most of the hits go where the archive keeps its own words: the ends of clusters.
        let ends = writer.chunks.flatMap { Int($0.end) - 400..<Int($0.end) }
        for _ in 0..<10 {
            var damaged = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let at = ends.randomElement(using: &random) ?? 65_536
                damaged[at] = UInt8.random(in: 0...255, using: &random)
            }
            try Data(damaged).write(to: URL(fileURLWithPath: path))
            let reader = try RecordingReader(path: path)
            let frames = unlessRefused { try reader.chunks.flatMap { try reader.frames(of: $0) } }
            let source = unlessRefused { try reader.source(ofPart: 1) }
            let still = unlessRefused { try Still(atMilliseconds: 100, in: reader) }
            #expect((frames?.count ?? 0) <= 6 && (still?.frames.count ?? 0) <= 6)
            #expect((source?.count ?? 0) <= 2 * whole.count)
            let logged = writer.chunks.prefix(1).map(LoggedChunk.init)
            _ = unlessRefused {
                try RecordingWriter.open(
                    path,
                    seal: Samples.seal,
                    start: Samples.start,
                    logged: logged
                )
            }
        }
    }

    /// What the closure gives, or nothing where it refuses: damage may end in either, but not in a crash.
    private func unlessRefused<Value>(_ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            return nil
        }
    }
}
