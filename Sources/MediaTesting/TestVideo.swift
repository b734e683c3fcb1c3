// SPDX-License-Identifier: Apache-2.0
public import Media

/// Encoded test pictures with consecutive numbers, in real-time settings.
public struct TestVideo: Sendable {
    public let codec: VideoCodec
    public let size: PictureSize
    /// The frames; times begin at 0.
    public let frames: [VideoEncoder.Output]

    /// Encodes pictures.
    ///
    /// - Parameters:
    ///   - numbers: The numbers on the pictures; one a frame.
    ///   - size: The size of each.
    ///   - kilobitsPerSecond: The bit rate.
    ///   - codec: VP9 or VP8.
    ///   - framesPerSecond: How fast they follow each other.
    ///   - keyFrameEvery: The frames from one key frame to the next; a second by default.
    /// - Throws: What the encoder throws.
    public init(
        numbers: Range<Int>,
        size: PictureSize,
        kilobitsPerSecond: Int,
        codec: VideoCodec = .vp9,
        framesPerSecond: Int = 25,
        keyFrameEvery: Int? = nil
    ) throws {
        self.codec = codec
        self.size = size
        let every = keyFrameEvery ?? framesPerSecond
        let settings = VideoEncoder.Settings(
            codec: codec,
            size: size,
            kilobitsPerSecond: kilobitsPerSecond,
            keyFrameEvery: every
        )
        let encoder = try VideoEncoder(settings)
        let pictures = TestPictures(size: size)
        frames = try numbers.enumerated().compactMap { index, number in
            try encoder.encode(
                pictures[number],
                milliseconds: Int64(index * 1000 / framesPerSecond),
                duration: 1000 / framesPerSecond,
                forcesKey: index % every == 0
            )
        }
    }

    /// Frames from elsewhere, also wrong ones.
    public init(codec: VideoCodec, size: PictureSize, frames: [VideoEncoder.Output]) {
        self.codec = codec
        self.size = size
        self.frames = frames
    }

    /// Encodes pictures at one of the three qualities.
    public init(numbers: Range<Int>, tier: QualityTier) throws {
        try self.init(numbers: numbers, size: tier.size, kilobitsPerSecond: tier.kilobitsPerSecond)
    }

    /// Decodes frames and reads the numbers on the pictures; `nil` for one that cannot be read.
    public static func numbers(in frames: some Sequence<[UInt8]>, codec: VideoCodec = .vp9) throws
        -> [Int?]
    {
        let decoder = try VideoDecoder(codec)
        return try frames.flatMap { try decoder.decode($0).map(BarCode.read) }
    }
}
