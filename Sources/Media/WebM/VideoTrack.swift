// SPDX-License-Identifier: Apache-2.0

/// The one video track of a WebM stream.
public struct VideoTrack: Hashable, Sendable {
    /// The number that blocks name it by.
    public let number: UInt64
    public let codec: VideoCodec
    /// The size that the container claims, in pixels; key frames may say otherwise, and are right.
    public let width: Int
    public let height: Int

    public init(number: UInt64 = 1, codec: VideoCodec, width: Int, height: Int) {
        self.number = number
        self.codec = codec
        self.width = width
        self.height = height
    }
}
