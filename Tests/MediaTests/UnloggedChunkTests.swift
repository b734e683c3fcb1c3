// SPDX-License-Identifier: Apache-2.0
import Foundation
import MediaTesting
import Testing

@testable import Media

/// What a crash or a failed sync left may stand in the system's memory alone.
@Suite struct `Chunks that the ledger does not know` {
    private func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// A whole recording in a file that nobody has touched for a day.
    private func left(_ whole: [UInt8], in folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/left.webm"
        try Data(whole).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.modificationDate: yesterday], ofItemAtPath: path)
        return path
    }

    private let yesterday = Date(timeIntervalSince1970: 1_429_621_860)

    private func wasWritten(_ path: String) throws -> Bool {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return attributes[.modificationDate] as? Date != yesterday
    }

    @Test func `are not sealed by a code that was cut, changed, or made elsewhere`() {
        let bytes: [UInt8] = [1, 2, 3]
        let code = Samples.seal.code(of: bytes)
        #expect(Samples.seal.made(code, of: bytes))
        for other in [[], Array(code.dropLast()), code + [0], [code[0] ^ 1] + code.dropFirst()] {
            #expect(!Samples.seal.made(other, of: bytes))
        }
        #expect(!RecordingSeal.random().made(code, of: bytes))
        #expect(!Samples.seal.made(code, of: [1, 2]))
    }

    @Test func `are written and synced once more before they are named`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.tiny()))
        let whole = try bytes(writer.path)
        for known in 0..<writer.chunks.count {
            let path = try left(whole, in: folder)
            let logged = writer.chunks.prefix(known).map(LoggedChunk.init)
            let opened = try RecordingWriter.open(
                path,
                seal: Samples.seal,
                start: Samples.start,
                logged: logged
            )
            #expect(opened.unlogged == Array(writer.chunks.dropFirst(known)))
            #expect(opened.tornBytes == 0)
            #expect(try wasWritten(path))
            #expect(try bytes(path) == whole)
        }
    }

    @Test func `are named behind a head that is whole`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.tiny()))
        let whole = try bytes(writer.path)
        let torn = [UInt8](repeating: 0, count: 4096) + whole.dropFirst(4096)
        let path = try left(torn, in: folder)
        let opened = try RecordingWriter.open(path, seal: Samples.seal, start: Samples.start)
        #expect(opened.unlogged == writer.chunks)
        #expect(try bytes(path) == whole)
    }

    @Test func `are the only ones that are written again`() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.tiny()))
        let path = try left(try bytes(writer.path), in: folder)
        let logged = writer.chunks.map(LoggedChunk.init)
        let opened = try RecordingWriter.open(
            path,
            seal: Samples.seal,
            start: Samples.start,
            logged: logged
        )
        #expect(opened.unlogged.isEmpty)
        #expect(try !wasWritten(path))
    }
}
