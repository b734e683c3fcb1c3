// SPDX-License-Identifier: Apache-2.0
import CTurboJPEG

/// Makes of a photo a JPEG that may be shown to everybody: smaller, upright, in sRGB, and nothing but the picture.
///
/// It decodes a stranger's bytes, so the gateway asks ``InspectionProcess/publicCopy(of:sideMax:)``, which does this in a child.
enum PublicCopy {
    /// Makes the copy.
    ///
    /// - Parameters:
    ///   - photo: A JPEG file.
    ///   - sideMax: The longer side of the copy, in pixels; a smaller photo keeps its size.
    /// - Returns: The bytes of the file.
    /// - Throws: ``VideoCodecError`` for a photo that is damaged, cut off or too large, and without memory.
    static func make(of photo: [UInt8], sideMax: Int) throws(VideoCodecError) -> [UInt8] {
        var pixels = try decode(photo, sideMax: sideMax).shrunk(toSide: sideMax)
        pixels = pixels.upright(from: PictureOrigin(of: photo).orientation)
        if isDisplayP3(photo) { pixels.convertFromDisplayP3() }
        return try encode(pixels)
    }

    private static func decode(
        _ photo: [UInt8],
        sideMax: Int
    ) throws(VideoCodecError) -> RGBPixels {
        guard let decompressor = tjInitDecompress() else {
            throw VideoCodecError("reading a JPEG", because: "no decompressor")
        }
        defer { tjDestroy(decompressor) }
        var (width, height, chroma, colours) = (Int32(0), Int32(0), Int32(0), Int32(0))
        let count = UInt(photo.count)
        var status = tjDecompressHeader3(
            decompressor,
            photo,
            count,
            &width,
            &height,
            &chroma,
            &colours
        )
        let sides = 1...MediaLimits.stillSideMax
        guard status == 0, sides.contains(Int(width)), sides.contains(Int(height)),
            Int(width) * Int(height) <= MediaLimits.publicCopyPixelsMax
        else { throw VideoCodecError("reading a JPEG", because: "its header is not accepted") }
        let size = scaled(PictureSize(width: Int(width), height: Int(height)), to: sideMax)
        var pixels = RGBPixels(size: size)
        status = tjDecompress2(
            decompressor,
            photo,
            count,
            &pixels.bytes,
            Int32(size.width),
            Int32(3 * size.width),
            Int32(size.height),
            Int32(TJPF_RGB.rawValue),
            TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING
        )
        guard status == 0 else {
            let fact = String(cString: tjGetErrorStr2(decompressor))
            throw VideoCodecError("reading a JPEG", because: fact)
        }
        return pixels
    }

    /// The size to decode in, an eighth or some eighths of the whole: a little too small at most, otherwise too large.
    private static func scaled(_ size: PictureSize, to sideMax: Int) -> PictureSize {
        let longer = max(size.width, size.height)
        let enough = sideMax - sideMax / 8
        let eighths = (1...8).first { eighths in
            let side = (longer * eighths + 7) / 8
            return side > sideMax || side >= enough
        }
        let factor = eighths ?? 8
        return PictureSize(
            width: (size.width * factor + 7) / 8,
            height: (size.height * factor + 7) / 8
        )
    }

    private static func encode(_ pixels: RGBPixels) throws(VideoCodecError) -> [UInt8] {
        guard let compressor = tjInitCompress() else {
            throw VideoCodecError("writing a JPEG", because: "no compressor")
        }
        defer { tjDestroy(compressor) }
        var buffer: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        defer { tjFree(buffer) }
        let status = tjCompress2(
            compressor,
            pixels.bytes,
            Int32(pixels.size.width),
            Int32(3 * pixels.size.width),
            Int32(pixels.size.height),
            Int32(TJPF_RGB.rawValue),
            &buffer,
            &count,
            Int32(TJSAMP_420.rawValue),
            Int32(MediaLimits.publicCopyQuality),
            0
        )
        guard status == 0, let buffer else {
            let fact = String(cString: tjGetErrorStr2(compressor))
            throw VideoCodecError("writing a JPEG", because: fact)
        }
        return Array(UnsafeBufferPointer(start: buffer, count: Int(count)))
    }

    /// Whether the photo's colours are those that iPhones take: its ICC profile has that name (ICC.1:2010, B.4).
    private static func isDisplayP3(_ photo: [UInt8]) -> Bool {
        let profile = JPEGSegments(photo).first {
            $0.marker == 0xE2
                && photo.dropFirst($0.content.lowerBound).starts(with: "ICC_PROFILE\0".utf8)
        }
        guard let profile else { return false }
        // The name is in UTF-16.
        let letters = photo[profile.content.clamped(to: photo.indices)].filter { $0 != 0 }
        return letters.contains("Display P3".utf8)
    }
}
