// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A decoded photo: red, green and blue of each pixel, 8 bits each, row by row without gaps.
struct RGBPixels {
    private(set) var size: PictureSize
    var bytes: [UInt8]

    init(size: PictureSize) {
        self.size = size
        bytes = [UInt8](repeating: 0, count: 3 * size.width * size.height)
    }

    /// The photo made smaller, each pixel the mean of the area that it covers.
    ///
    /// - Parameter side: What the longer side does not exceed.
    /// - Returns: The smaller photo, or this one where it fits.
    func shrunk(toSide side: Int) -> RGBPixels {
        let longer = max(size.width, size.height)
        guard longer > side else { return self }
        let target = PictureSize(
            width: max(1, size.width * side / longer),
            height: max(1, size.height * side / longer)
        )
        let columns = (0..<target.width).map {
            Self.covered(by: $0, of: target.width, in: size.width)
        }
        let area = size.width * size.height
        var result = RGBPixels(size: target)
        var sums = [Int](repeating: 0, count: 3 * size.width)
        for y in 0..<target.height {
            sum(Self.covered(by: y, of: target.height, in: size.height), into: &sums)
            for x in 0..<target.width {
                var (red, green, blue) = (area / 2, area / 2, area / 2)
                for (column, weight) in columns[x] {
                    red += weight * sums[3 * column]
                    green += weight * sums[3 * column + 1]
                    blue += weight * sums[3 * column + 2]
                }
                let place = 3 * (y * target.width + x)
                result.bytes[place] = UInt8(red / area)
                result.bytes[place + 1] = UInt8(green / area)
                result.bytes[place + 2] = UInt8(blue / area)
            }
        }
        return result
    }

    /// The old samples that a new one covers; the weights of them all make up `old`.
    private static func covered(
        by sample: Int,
        of new: Int,
        in old: Int
    ) -> [(place: Int, weight: Int)] {
        // Measured in parts of which an old sample has `new`, and a new one `old`.
        let (begin, end) = (sample * old, (sample + 1) * old)
        return (begin / new..<(end + new - 1) / new).map {
            ($0, min(end, ($0 + 1) * new) - max(begin, $0 * new))
        }
    }

    private func sum(_ rows: [(place: Int, weight: Int)], into sums: inout [Int]) {
        let count = 3 * size.width
        bytes.withUnsafeBufferPointer { bytes in
            sums.withUnsafeMutableBufferPointer { sums in
                sums.update(repeating: 0)
                for (row, weight) in rows {
                    for place in 0..<count {
                        sums[place] += weight * Int(bytes[row * count + place])
                    }
                }
            }
        }
    }

    /// The photo as it is to be seen.
    ///
    /// - Parameter orientation: How it is stored (Exif 3.0, 4.6.5.1.6).
    /// - Returns: The turned photo.
    func upright(from orientation: Int) -> RGBPixels {
        let (width, height) = (size.width, size.height)
        let last = width * height - 1
        // Where the first pixel lies, the way to the next one of the row, and to the next row.
        let way: (start: Int, right: Int, down: Int)
        switch orientation {
        case 2: way = (width - 1, -1, width)
        case 3: way = (last, -1, -width)
        case 4: way = (last + 1 - width, 1, -width)
        case 5: way = (0, width, 1)
        case 6: way = (last + 1 - width, -width, 1)
        case 7: way = (last, -width, -1)
        case 8: way = (width - 1, width, -1)
        default: return self
        }
        let target =
            orientation >= 5
            ? PictureSize(width: height, height: width) : PictureSize(width: width, height: height)
        var result = RGBPixels(size: target)
        var place = 0
        for y in 0..<target.height {
            for x in 0..<target.width {
                let from = 3 * (way.start + x * way.right + y * way.down)
                for colour in 0..<3 { result.bytes[place + colour] = bytes[from + colour] }
                place += 3
            }
        }
        return result
    }

    /// Turns colours of Display P3 into the same ones of sRGB, as near as it has them (CSS Color 4, 10.4 and 18).
    ///
    /// Both have one curve; what is carried between the two is light.
    mutating func convertFromDisplayP3() {
        let light = (0...255).map { level -> Float in
            let value = Float(level) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        let steps: Float = 4095
        let levels = (0...4095).map { step -> UInt8 in
            let value = Float(step) / steps
            let curved = value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055
            return UInt8((255 * curved).rounded())
        }
        func level(_ light: Float) -> UInt8 { levels[Int(max(0, min(1, light)) * steps + 0.5)] }
        for place in stride(from: 0, to: bytes.count, by: 3) {
            let red = light[Int(bytes[place])]
            let green = light[Int(bytes[place + 1])]
            let blue = light[Int(bytes[place + 2])]
            bytes[place] = level(1.2249402 * red - 0.2249402 * green)
            bytes[place + 1] = level(1.0420570 * green - 0.0420570 * red)
            bytes[place + 2] = level(1.0982736 * blue - 0.0196376 * red - 0.0786360 * green)
        }
    }
}
