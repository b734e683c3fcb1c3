// SPDX-License-Identifier: Apache-2.0
import Media
import MediaTesting
import Testing

@Suite struct `Test pictures` {
    @Test(arguments: QualityTier.allCases)
    func `carry numbers that survive each quality`(tier: QualityTier) throws {
        let video = try TestVideo(numbers: 1_000_000..<1_000_030, tier: tier)
        let numbers = try TestVideo.numbers(in: video.frames.map(\.bytes))
        #expect(numbers == Array(1_000_000..<1_000_030))
    }

    @Test func `carry numbers that survive 400 kilobits a second at 720p`() throws {
        let video = try TestVideo(
            numbers: 0..<40,
            size: QualityTier.high.size,
            kilobitsPerSecond: 400
        )
        #expect(try TestVideo.numbers(in: video.frames.map(\.bytes)) == Array(0..<40))
    }

    @Test func `have no number without a bar code`() {
        let grey = Picture(size: PictureSize(width: 320, height: 180), luma: 90)
        #expect(BarCode.read(grey) == nil)
    }
}

@Suite struct `A frame's own header` {
    @Test(arguments: VideoCodec.allCases)
    func `tells key frames and their size`(codec: VideoCodec) throws {
        let size = PictureSize(width: 160, height: 120)
        let video = try TestVideo(
            numbers: 0..<20,
            size: size,
            kilobitsPerSecond: 100,
            codec: codec,
            keyFrameEvery: 7
        )
        for frame in video.frames {
            let header = try FrameHeader(frame.bytes, codec: codec)
            #expect(header.isKey == frame.isKey)
            #expect(header.size == (frame.isKey ? size : nil))
        }
        #expect(try TestVideo.numbers(in: video.frames.map(\.bytes), codec: codec) == Array(0..<20))
    }

    @Test func `refuses other bytes, profiles and sizes`() throws {
        #expect(throws: FrameHeaderError.notOfCodec(.vp9)) {
            try FrameHeader([0x00, 0x01], codec: .vp9)
        }
        #expect(throws: FrameHeaderError.profile(1)) { try FrameHeader([0xA0], codec: .vp9) }
        var key = try Samples.tiny().frames[0].bytes
        key[1] ^= 0xFF
        #expect(throws: FrameHeaderError.notOfCodec(.vp9)) { try FrameHeader(key, codec: .vp9) }
    }
}

@Suite struct `A picture` {
    @Test func `becomes a JPEG, also of odd size and made smaller`() throws {
        let picture = TestPictures(size: PictureSize(width: 641, height: 361))[7]
        let small = picture.shrunk(toWidth: 320)
        #expect(small.size == PictureSize(width: 213, height: 120))
        for picture in [picture, small] {
            let file = try picture.jpeg()
            #expect(file.starts(with: [0xFF, 0xD8]) && file.suffix(2) == [0xFF, 0xD9])
        }
    }
}
