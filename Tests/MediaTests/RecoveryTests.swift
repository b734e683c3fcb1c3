// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import MediaTesting
import TestSupport
import Testing

@Suite(.tags(.promise9)) struct `Recovering a recording` {
    private func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func reopen(
        _ path: String,
        logged: ArraySlice<ArchivedChunk>
    ) throws -> RecoveredRecording {
        try RecordingWriter.open(
            path,
            seal: Samples.seal,
            start: Samples.start,
            logged: logged.map(LoggedChunk.init)
        )
    }

    @Test(arguments: 0..<12)
    func `goes on after every stop as if there had been none`(seed: UInt64) throws {
        var random = Seeded(seed)
        let folder = try TemporaryFolder()
        let file = try RecordingName(start: Samples.start).claim(in: folder.path)
        let path = folder.path + "/" + file
        let parts = [
            TestWebM.likeBrowser(try Samples.short()),
            TestWebM.likeFFmpeg(try Samples.second()),
        ]
        var logged: [ArchivedChunk] = []
        for (number, part) in zip(UInt32(1)..., parts) {
            var isWhole = false
            while !isWhole {
                // Each round is a process: it opens, sends some pieces, and is gone without a word.
                let opened = try reopen(path, logged: logged[...])
                logged += opened.unlogged
                let writer = opened.writer
                var offset = try writer.begin(part: number, placement: .live(atMilliseconds: 0))
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let length = Int.random(in: 1...20_000, using: &random)
                    let piece = Array(part.dropFirst(Int(offset)).prefix(length))
                    var chunks = try writer.accept(piece, part: number, offset: offset).chunks
                    offset += UInt64(piece.count)
                    if Bool.random(using: &random) { chunks += try writer.flush() }
                    // What was written last may not have been logged.
                    guard Bool.random(using: &random) || chunks.isEmpty else { break }
                    logged += chunks
                }
                if offset == part.count {
                    logged = writer.chunks
                    logged += try writer.end(part: number).chunks
                    isWhole = true
                }
            }
        }
        let reader = try RecordingReader(path: path)
        #expect(try reader.numbers() == Array(0..<100), "seed \(seed)")
        for (number, part) in zip(UInt32(1)..., parts) {
            #expect(try reader.source(ofPart: number) == part)
        }
        #expect(try reopen(path, logged: logged[...]).unlogged.isEmpty)
    }

    @Test func `keeps the whole clusters of a file torn anywhere`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.tiny()))
        let chunks = writer.chunks
        let whole = try bytes(writer.path)
        #expect(chunks.count == 2)
        let torn = folder.path + "/torn.webm"
        // Every length near a border, and some of the many between.
        let borders = [0, 1, 65_536] + chunks.map { Int($0.end) }
        let near = borders.flatMap { $0 - 30...$0 + 30 }.filter { 0...whole.count ~= $0 }
        let lengths = near + Array(stride(from: 65_536, to: whole.count, by: 97))
        for length in lengths {
            try Data(whole.prefix(length)).write(to: URL(fileURLWithPath: torn))
            let opened = try reopen(torn, logged: [])
            let kept = chunks.filter { $0.end <= length }
            #expect(opened.unlogged == kept)
            #expect(opened.tornBytes == UInt64(length) - (kept.last?.end ?? 0))
        }
    }

    @Test func `sets a cluster aside whose bytes did not reach the disk`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.tiny()))
        let chunks = writer.chunks
        var damaged = try bytes(writer.path)
        damaged[Int(chunks[1].offset) + 40] ^= 1
        let path = folder.path + "/zeroed.webm"
        try Data(damaged).write(to: URL(fileURLWithPath: path))
        let opened = try reopen(path, logged: chunks[..<1])
        #expect(opened.unlogged.isEmpty && opened.tornBytes == 0)
        let aside = try #require(opened.setAside)
        #expect(try bytes(aside.path) == Array(damaged[Int(chunks[1].offset)...]))
        #expect(try bytes(path) == Array(damaged[..<Int(chunks[1].offset)]))
        #expect(SetAside.files(of: path) == [aside.path])
    }

    /// Whoever can write the folder can make every byte of a cluster but its seal.
    @Test func `takes up nothing that carries another recording's seal`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.tiny()))
        let whole = try bytes(writer.path)
        for known in 0..<writer.chunks.count {
            let path = folder.path + "/forged-\(known).webm"
            try Data(whole).write(to: URL(fileURLWithPath: path))
            let opened = try RecordingWriter.open(
                path,
                seal: .random(),
                start: Samples.start,
                logged: writer.chunks.prefix(known).map(LoggedChunk.init)
            )
            let end = known == 0 ? 0 : Int(writer.chunks[known - 1].end)
            #expect(opened.unlogged.isEmpty && opened.tornBytes == 0)
            #expect(try bytes(path) == Array(whole[..<end]))
            #expect(try bytes(#require(opened.setAside).path) == Array(whole[end...]))
        }
    }

    @Test func `believes no times that a logged chunk tells of itself and the ledger does not`()
        throws
    {
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.short()))
        let chunks = writer.chunks
        #expect(chunks.count > 2)
        var altered = try bytes(writer.path)
        let end = Int(chunks[1].end)
        let length = altered[(end - 8)..<(end - 4)].reduce(0) { $0 << 8 | Int($1) }
        // The low byte of the last frame's time, in the record at the end of the cluster.
        altered[end - 24 - length + 53] ^= 1
        let path = folder.path + "/altered.webm"
        try Data(altered).write(to: URL(fileURLWithPath: path))
        let refusal = RecordingError.damaged(path: path, chunk: 1, offset: chunks[1].offset)
        #expect(throws: refusal) { try reopen(path, logged: chunks[...]) }
    }

    @Test func `names a logged chunk that is lost or changed`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.tiny()))
        let chunks = writer.chunks
        let whole = try bytes(writer.path)
        let path = folder.path + "/damaged.webm"
        let refusal = RecordingError.damaged(path: path, chunk: 1, offset: chunks[1].offset)
        try Data(whole.dropLast()).write(to: URL(fileURLWithPath: path))
        #expect(throws: refusal) { try reopen(path, logged: chunks[...]) }
        var flipped = whole
        flipped[Int(chunks[1].offset) + 40] ^= 1
        try Data(flipped).write(to: URL(fileURLWithPath: path))
        #expect(throws: refusal) { try reopen(path, logged: chunks[...]) }
        #expect(!refusal.isRefusal)
    }

    @Test func `lets one writer in at a time`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording().writer
        #expect(throws: RecordingError.inUse(path: writer.path)) {
            _ = try RecordingWriter.open(writer.path, seal: Samples.seal, start: Samples.start)
        }
    }

    @Test(arguments: 0..<30)
    func `survives a file of any content`(seed: UInt64) throws {
        var random = Seeded(seed)
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.tiny()))
        let chunks = writer.chunks
        var damaged = try bytes(writer.path)
        for _ in 0..<20 {
            let at = Int.random(in: 65_536..<damaged.count, using: &random)
            damaged[at] = UInt8.random(in: 0...255, using: &random)
        }
        let path = folder.path + "/any.webm"
        try Data(damaged).write(to: URL(fileURLWithPath: path))
        let opened = try reopen(path, logged: [])
        #expect(opened.unlogged.allSatisfy { chunks.contains($0) })
        _ = try opened.writer.send(TestWebM.likeBrowser(try Samples.short()), part: 77)
    }
}
