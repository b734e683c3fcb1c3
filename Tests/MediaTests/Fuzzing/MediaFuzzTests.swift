// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Media
import MediaTesting
import TestSupport
import Testing

/// Promise 10; at length by `make campaign PART=fuzz`.
@Suite(.tags(.promise10)) struct `Any bytes of video` {
    @Test func `are read or refused as WebM`() throws {
        let video = try Samples.tiny()
        let samples = [TestWebM.likeBrowser(video), TestWebM.likeFFmpeg(video)]
        for sample in samples { #expect(try MediaParsers.webM(sample)) }
        var fuzzer = Fuzzer(samples: samples)
        let tally = try fuzzer.run("webm", rounds: Fuzzer.rounds / 4, MediaParsers.webM)
        #expect(tally.accepted > 0 && tally.refused > 0)
    }

    @Test func `are read or refused as the header of a frame`() throws {
        let video = try Samples.tiny()
        let vp8: [UInt8] = [1, 0x50, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x01, 0xF0, 0, 0]
        let samples = video.frames.map { [0] + $0.bytes.prefix(40) } + [vp8]
        for sample in samples { #expect(try MediaParsers.frameHeader(sample)) }
        var fuzzer = Fuzzer(samples: samples)
        let tally = try fuzzer.run("frame", MediaParsers.frameHeader)
        #expect(tally.accepted > 0 && tally.refused > 0)
    }
}
