// SPDX-License-Identifier: Apache-2.0
import CVPX

/// Decodes VP9 or VP8 by libvpx, on the calling thread.
///
/// It keeps state from frame to frame: begin with a key frame and go on in order. For bytes from strangers use
/// ``InspectionProcess``, which does this in a child process.
public final class VideoDecoder {
    public let codec: VideoCodec
    private let context: UnsafeMutablePointer<vpx_codec_ctx_t>

    /// Starts a decoder.
    public init(_ codec: VideoCodec) throws(VideoCodecError) {
        self.codec = codec
        context = .allocate(capacity: 1)
        context.initialize(to: vpx_codec_ctx_t())
        let status = daybook_decoder_init(context, codec == .vp9 ? 1 : 0)
        // All is initialised, so a throw runs deinit, which frees.
        guard status == VPX_CODEC_OK else { throw VideoCodecError("starting a decoder", status) }
    }

    deinit {
        vpx_codec_destroy(context)
        context.deallocate()
    }

    /// Decodes a frame.
    ///
    /// - Parameter frame: What the encoder wrote.
    /// - Returns: The pictures to show: mostly one, none for a hidden frame.
    /// - Throws: ``VideoCodecError`` when the frame cannot be decoded; the next key frame may be tried.
    public func decode(_ frame: [UInt8]) throws(VideoCodecError) -> [Picture] {
        var pictures: [Picture] = []
        try decode(frame) { pictures.append($0.picture()) }
        return pictures
    }

    /// Decodes a frame and shows each picture where it lies, without copying it.
    func decode(_ frame: [UInt8], each body: (DecodedImage) -> Void) throws(VideoCodecError) {
        let status = frame.withUnsafeBufferPointer {
            vpx_codec_decode(context, $0.baseAddress, UInt32($0.count), nil, 0)
        }
        var place: vpx_codec_iter_t?
        while let image = vpx_codec_get_frame(context, &place) {
            if image.pointee.fmt == VPX_IMG_FMT_I420 { body(DecodedImage(image: image)) }
        }
        guard status == VPX_CODEC_OK else { throw VideoCodecError("decoding a frame", status) }
    }
}

/// A picture in the decoder's memory, valid until the next frame is decoded.
struct DecodedImage {
    let image: UnsafeMutablePointer<vpx_image_t>

    var size: PictureSize {
        PictureSize(width: Int(image.pointee.d_w), height: Int(image.pointee.d_h))
    }

    /// The mean of every fourth row of luma, 0 to 255.
    var meanLuma: Double {
        let rows = (size.height + 3) / 4
        let sum = daybook_luma_sum(
            image.pointee.planes.0,
            image.pointee.stride.0,
            image.pointee.d_w,
            image.pointee.d_h
        )
        return Double(sum) / Double(max(1, size.width * rows))
    }

    func picture() -> Picture {
        var picture = Picture(size: size)
        let chroma = Picture.chromaSize(of: size)
        picture.luma = Self.plane(image.pointee.planes.0, image.pointee.stride.0, size)
        picture.blue = Self.plane(image.pointee.planes.1, image.pointee.stride.1, chroma)
        picture.red = Self.plane(image.pointee.planes.2, image.pointee.stride.2, chroma)
        return picture
    }

    private static func plane(
        _ start: UnsafeMutablePointer<UInt8>?,
        _ stride: Int32,
        _ size: PictureSize
    ) -> [UInt8] {
        guard let start else { return [] }
        var samples: [UInt8] = []
        samples.reserveCapacity(size.width * size.height)
        for row in 0..<size.height {
            let line = UnsafeBufferPointer(start: start + row * Int(stride), count: size.width)
            samples.append(contentsOf: line)
        }
        return samples
    }
}

/// libvpx or the JPEG library said no.
public struct VideoCodecError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was attempted and what the library said.
    public let description: String

    init(_ attempt: String, _ status: vpx_codec_err_t) {
        description = "\(attempt) failed: \(String(cString: vpx_codec_err_to_string(status)))"
    }

    init(_ attempt: String, because fact: String) { description = "\(attempt) failed: \(fact)" }
}
