// SPDX-License-Identifier: Apache-2.0
import Media
import MediaTesting

/// Videos of frames that are a VP9 header and little more: cheap to send, and no decoder has to take them.
enum TinyFrames {
    static let size = PictureSize(width: 64, height: 64)
    /// The header of a key frame of 64x64 (bitstream specification §6.2), and nothing behind it.
    static let key: [UInt8] = [0x82, 0x49, 0x83, 0x42, 0x00, 0x03, 0xF0, 0x03, 0xF0]
    /// The header of another frame.
    static let other: [UInt8] = [0x86]

    /// Key frames at the given times.
    static func keys(at milliseconds: some Sequence<Int64>) -> TestVideo {
        video(milliseconds.map { ($0, key) })
    }

    /// Frames with their times in milliseconds.
    static func video(_ frames: [(Int64, [UInt8])]) -> TestVideo {
        TestVideo(
            codec: .vp9,
            size: size,
            frames: frames.map {
                .init(milliseconds: $0.0, isKey: $0.1 == key, bytes: $0.1)
            }
        )
    }

    /// Many key frames of the same moment, in one cluster: 15 bytes each.
    static func keysAtOnce(_ count: Int) -> [UInt8] {
        var file = ElementWriter()
        file.raw(TestWebM.head(docVersion: 4))
        file.openMaster(Element.segment)
        file.raw(TestWebM.tracks(keys(at: [])))
        file.openMaster(Element.cluster)
        file.unsigned(Element.timestamp, 0)
        var block = ElementWriter()
        block.binary(Element.simpleBlock, [0x81, 0, 0, 0x80] + key)
        return file.bytes + Array(repeatElement(block.bytes, count: count).joined())
    }
}
