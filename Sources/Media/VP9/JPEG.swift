// SPDX-License-Identifier: Apache-2.0
import CTurboJPEG

extension Picture {
    /// The picture as a JPEG file.
    ///
    /// - Parameter quality: 1 to 100.
    /// - Returns: The bytes of the file.
    /// - Throws: ``VideoCodecError`` when the library has no memory.
    public func jpeg(quality: Int = 80) throws(VideoCodecError) -> [UInt8] {
        guard let compressor = tjInitCompress() else {
            throw VideoCodecError("writing a JPEG", because: "no compressor")
        }
        defer { tjDestroy(compressor) }
        var buffer: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        defer { tjFree(buffer) }
        let chroma = Int32(Self.chromaSize(of: size).width)
        let status = luma.withUnsafeBufferPointer { luma in
            blue.withUnsafeBufferPointer { blue in
                red.withUnsafeBufferPointer { red in
                    var planes = [luma.baseAddress, blue.baseAddress, red.baseAddress]
                    var strides = [Int32(size.width), chroma, chroma]
                    return tjCompressFromYUVPlanes(
                        compressor,
                        &planes,
                        Int32(size.width),
                        &strides,
                        Int32(size.height),
                        Int32(TJSAMP_420.rawValue),
                        &buffer,
                        &count,
                        Int32(quality),
                        0
                    )
                }
            }
        }
        guard status == 0, let buffer else {
            throw VideoCodecError(
                "writing a JPEG",
                because: String(cString: tjGetErrorStr2(compressor))
            )
        }
        return Array(UnsafeBufferPointer(start: buffer, count: Int(count)))
    }
}
