// SPDX-License-Identifier: Apache-2.0

/// A decoded picture: 8-bit 4:2:0, each plane without gaps between rows.
public struct Picture: Hashable, Sendable {
    public let size: PictureSize
    /// `width * height` samples, row by row.
    public var luma: [UInt8]
    /// A quarter as many blue-difference samples; odd sides are rounded up.
    public var blue: [UInt8]
    /// As many red-difference samples.
    public var red: [UInt8]

    /// A picture of one grey.
    public init(size: PictureSize, luma: UInt8 = 16) {
        let chroma = Self.chromaSize(of: size)
        self.size = size
        self.luma = [UInt8](repeating: luma, count: size.width * size.height)
        blue = [UInt8](repeating: 128, count: chroma.width * chroma.height)
        red = blue
    }

    /// The size of the two chroma planes.
    public static func chromaSize(of size: PictureSize) -> PictureSize {
        PictureSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    }

    /// The picture made smaller by a whole factor, each sample the mean of a square.
    ///
    /// - Parameter width: The width that the result does not exceed.
    /// - Returns: The smaller picture, or this one where it fits.
    public func shrunk(toWidth width: Int) -> Picture {
        let factor = (size.width + width - 1) / max(1, width)
        // Each chroma sample stands for two by two pixels, so whole even sizes keep the planes in step.
        let target = PictureSize(
            width: size.width / max(1, factor),
            height: size.height / max(1, factor)
        )
        guard factor > 1, target.width > 0, target.height > 0 else { return self }
        let chroma = Self.chromaSize(of: size)
        let small = Self.chromaSize(of: target)
        var result = Picture(size: target)
        result.luma = Self.shrink(luma, from: size, to: target, factor: factor)
        result.blue = Self.shrink(blue, from: chroma, to: small, factor: factor)
        result.red = Self.shrink(red, from: chroma, to: small, factor: factor)
        return result
    }

    private static func shrink(
        _ plane: [UInt8],
        from: PictureSize,
        to: PictureSize,
        factor: Int
    ) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: to.width * to.height)
        for y in 0..<to.height {
            for x in 0..<to.width {
                var sum = 0
                var count = 0
                for row in y * factor..<min((y + 1) * factor, from.height) {
                    for column in x * factor..<min((x + 1) * factor, from.width) {
                        sum += Int(plane[row * from.width + column])
                        count += 1
                    }
                }
                result[y * to.width + x] = UInt8(count > 0 ? sum / count : 128)
            }
        }
        return result
    }
}
