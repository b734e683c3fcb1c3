// SPDX-License-Identifier: Apache-2.0
import CVPX

/// Encodes pictures in real time by libvpx, on the calling thread: constant bit rate, no frames held back.
///
/// The gateway archives what arrives and encodes nothing; tests and fixtures do.
public final class VideoEncoder {
    public let settings: Settings
    private let context: UnsafeMutablePointer<vpx_codec_ctx_t>
    private let image: UnsafeMutablePointer<vpx_image_t>

    /// How to encode.
    public struct Settings: Hashable, Sendable {
        public var codec: VideoCodec
        public var size: PictureSize
        public var kilobitsPerSecond: Int
        /// The most frames from one key frame to the next.
        public var keyFrameEvery: Int

        public init(
            codec: VideoCodec = .vp9,
            size: PictureSize,
            kilobitsPerSecond: Int,
            keyFrameEvery: Int = 25
        ) {
            self.codec = codec
            self.size = size
            self.kilobitsPerSecond = kilobitsPerSecond
            self.keyFrameEvery = keyFrameEvery
        }
    }

    /// A frame as the codec wrote it.
    public struct Output: Hashable, Sendable {
        public let milliseconds: Int64
        public let isKey: Bool
        public let bytes: [UInt8]

        public init(milliseconds: Int64, isKey: Bool, bytes: [UInt8]) {
            self.milliseconds = milliseconds
            self.isKey = isKey
            self.bytes = bytes
        }
    }

    /// Starts an encoder.
    public init(_ settings: Settings) throws(VideoCodecError) {
        let isVP9: Int32 = settings.codec == .vp9 ? 1 : 0
        var configuration = vpx_codec_enc_cfg_t()
        var status = daybook_encoder_defaults(&configuration, isVP9)
        guard status == VPX_CODEC_OK else {
            throw VideoCodecError("configuring an encoder", status)
        }
        Self.apply(settings, to: &configuration)
        let (width, height) = (UInt32(settings.size.width), UInt32(settings.size.height))
        guard let image = vpx_img_alloc(nil, VPX_IMG_FMT_I420, width, height, 16) else {
            throw VideoCodecError("starting an encoder", because: "no memory for \(settings.size)")
        }
        context = .allocate(capacity: 1)
        context.initialize(to: vpx_codec_ctx_t())
        status = daybook_encoder_init(context, isVP9, &configuration)
        self.settings = settings
        self.image = image
        guard status == VPX_CODEC_OK else { throw VideoCodecError("starting an encoder", status) }
    }

    deinit {
        vpx_codec_destroy(context)
        context.deallocate()
        vpx_img_free(image)
    }

    private static func apply(_ settings: Settings, to configuration: inout vpx_codec_enc_cfg_t) {
        configuration.g_w = UInt32(settings.size.width)
        configuration.g_h = UInt32(settings.size.height)
        configuration.g_timebase = vpx_rational(num: 1, den: 1000)
        configuration.g_threads = 1
        configuration.g_lag_in_frames = 0
        configuration.rc_end_usage = VPX_CBR
        configuration.rc_target_bitrate = UInt32(settings.kilobitsPerSecond)
        configuration.rc_min_quantizer = 4
        configuration.rc_max_quantizer = 56
        configuration.kf_max_dist = UInt32(settings.keyFrameEvery)
    }

    /// Encodes a picture.
    ///
    /// - Parameters:
    ///   - picture: Of the size in the settings.
    ///   - milliseconds: Its time; greater than that of the picture before.
    ///   - duration: How long it is shown, in milliseconds.
    ///   - forcesKey: Whether it has to be a key frame.
    /// - Returns: The frame; `nil` when the encoder dropped it to keep its bit rate.
    /// - Throws: ``VideoCodecError`` when the picture has another size, or libvpx refuses.
    public func encode(
        _ picture: Picture,
        milliseconds: Int64,
        duration: Int = 40,
        forcesKey: Bool = false
    ) throws(VideoCodecError) -> Output? {
        guard picture.size == settings.size else {
            throw VideoCodecError(
                "encoding",
                because: "the picture is \(picture.size), not \(settings.size)"
            )
        }
        fill(picture)
        let flags = forcesKey ? vpx_enc_frame_flags_t(VPX_EFLAG_FORCE_KF) : 0
        let status = vpx_codec_encode(
            context,
            image,
            milliseconds,
            UInt(duration),
            flags,
            UInt(VPX_DL_REALTIME)
        )
        guard status == VPX_CODEC_OK else { throw VideoCodecError("encoding", status) }
        var place: vpx_codec_iter_t?
        var size = 0
        var isKey: Int32 = 0
        var time: Int64 = 0
        guard let data = daybook_encoder_frame(context, &place, &size, &isKey, &time) else {
            return nil
        }
        let bytes = Array(UnsafeRawBufferPointer(start: data, count: size))
        return Output(milliseconds: time, isKey: isKey != 0, bytes: bytes)
    }

    private func fill(_ picture: Picture) {
        let chroma = Picture.chromaSize(of: picture.size)
        let planes = image.pointee.planes
        let strides = image.pointee.stride
        Self.copy(picture.luma, picture.size, to: planes.0, stride: strides.0)
        Self.copy(picture.blue, chroma, to: planes.1, stride: strides.1)
        Self.copy(picture.red, chroma, to: planes.2, stride: strides.2)
    }

    private static func copy(
        _ samples: [UInt8],
        _ size: PictureSize,
        to plane: UnsafeMutablePointer<UInt8>?,
        stride: Int32
    ) {
        guard let plane else { return }
        samples.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            for row in 0..<size.height {
                (plane + row * Int(stride)).update(
                    from: start + row * size.width,
                    count: size.width
                )
            }
        }
    }
}
