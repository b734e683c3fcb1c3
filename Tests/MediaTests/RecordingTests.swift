// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import MediaTesting
import Testing

@Suite struct `Recording a stream` {
    @Test(arguments: [1, 777, 65_536])
    func `keeps the same frames however the bytes are cut`(piece: Int) throws {
        let folder = try TemporaryFolder()
        let video = try Samples.short()
        let bytes = TestWebM.likeBrowser(video)
        let (writer, _) = try folder.recording()
        let chunks = try writer.send(bytes, part: 1, pieces: [piece])
        #expect(chunks == writer.chunks)
        #expect(chunks.first?.offset == 65_536)
        for (one, next) in zip(chunks, chunks.dropFirst()) {
            #expect(next.offset == one.end && next.index == one.index + 1)
        }
        #expect(chunks.allSatisfy { $0.lastMilliseconds - $0.firstMilliseconds < 1000 })
        let reader = try RecordingReader(path: writer.path)
        #expect(try reader.numbers() == Array(0..<60))
        #expect(try reader.source(ofPart: 1) == bytes)
    }
}
