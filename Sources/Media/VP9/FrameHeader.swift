// SPDX-License-Identifier: Apache-2.0

/// What the codec itself says at the start of a frame, whatever the container claims.
public struct FrameHeader: Hashable, Sendable {
    public let isKey: Bool
    /// The size of a key frame in pixels; `nil` for other frames.
    public let size: PictureSize?

    /// Reads the header of a frame.
    ///
    /// - Parameters:
    ///   - frame: The whole frame; of a VP9 superframe the first frame counts.
    ///   - codec: The codec of the track.
    /// - Throws: ``FrameHeaderError``.
    public init(_ frame: [UInt8], codec: VideoCodec) throws(FrameHeaderError) {
        switch codec {
        case .vp9: self = try Self.vp9(frame)
        case .vp8: self = try Self.vp8(frame)
        }
        guard let size else { return }
        let sides = 1...MediaLimits.pictureSideMax
        guard sides.contains(size.width), sides.contains(size.height) else {
            throw .pictureSize(size)
        }
    }

    private init(isKey: Bool, size: PictureSize?) {
        self.isKey = isKey
        self.size = size
    }

    /// The uncompressed header of VP9 (bitstream specification §6.2).
    private static func vp9(_ frame: [UInt8]) throws(FrameHeaderError) -> FrameHeader {
        var bits = BitReader(frame)
        guard bits.read(2) == 0b10 else { throw .notOfCodec(.vp9) }
        let profile = bits.read(1) | bits.read(1) << 1
        guard profile == 0 else { throw .profile(Int(profile)) }
        let showsExisting = bits.read(1) == 1
        guard !showsExisting else { return FrameHeader(isKey: false, size: nil) }
        let isKey = bits.read(1) == 0
        bits.skip(2)  // show_frame, error_resilient_mode
        guard isKey else { return FrameHeader(isKey: false, size: nil) }
        guard bits.read(24) == 0x49_8342 else { throw .notOfCodec(.vp9) }
        let colourSpace = bits.read(3)
        // Colour space 7 is RGB, which profile 0 cannot carry.
        guard colourSpace != 7 else { throw .profile(1) }
        bits.skip(1)  // color_range
        let size = PictureSize(width: Int(bits.read(16)) + 1, height: Int(bits.read(16)) + 1)
        guard !bits.isPastEnd else { throw .notOfCodec(.vp9) }
        return FrameHeader(isKey: true, size: size)
    }

    /// The frame tag of VP8 (RFC 6386 §9.1).
    private static func vp8(_ frame: [UInt8]) throws(FrameHeaderError) -> FrameHeader {
        guard frame.count >= 3 else { throw .notOfCodec(.vp8) }
        guard frame[0] & 1 == 0 else { return FrameHeader(isKey: false, size: nil) }
        guard frame.count >= 10, frame[3...5] == [0x9D, 0x01, 0x2A] else {
            throw .notOfCodec(.vp8)
        }
        let width = Int(frame[6]) | Int(frame[7] & 0x3F) << 8
        let height = Int(frame[8]) | Int(frame[9] & 0x3F) << 8
        return FrameHeader(isKey: true, size: PictureSize(width: width, height: height))
    }
}

/// A picture's size in pixels.
public struct PictureSize: Hashable, Sendable, CustomStringConvertible {
    public let width: Int
    public let height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    public var description: String { "\(width)x\(height)" }
}

/// Why a frame's own header is not accepted.
public enum FrameHeaderError: Error, Hashable, Sendable, CustomStringConvertible {
    case notOfCodec(VideoCodec)
    case profile(Int)
    case pictureSize(PictureSize)

    public var description: String {
        switch self {
        case .notOfCodec(let codec):
            "the frame is not \(codec.rawValue.uppercased()) as the track says"
        case .profile(let profile):
            "the frame is VP9 profile \(profile); record 8-bit 4:2:0 (profile 0)"
        case .pictureSize(let size):
            "the picture is \(size); each side may have 1 to \(MediaLimits.pictureSideMax) pixels"
        }
    }
}

/// Reads bits from the highest down; past the end it reads zeros and remembers that.
private struct BitReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isPastEnd: Bool { place > bytes.count * 8 }

    mutating func read(_ count: Int) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            let byte = place / 8 < bytes.count ? bytes[place / 8] : 0
            value = value << 1 | UInt32(byte >> (7 - UInt8(place % 8)) & 1)
            place += 1
        }
        return value
    }

    mutating func skip(_ count: Int) { place += count }
}
