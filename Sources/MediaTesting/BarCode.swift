// SPDX-License-Identifier: Apache-2.0
public import Media

/// A number in the luma of a picture: 30 wide cells along the bottom, which a poor bit rate does not blur away.
///
/// Two cells say what white and black are, 24 hold the number, highest bit first, and 4 hold the exclusive or of
/// its six half bytes, so that a damaged code reads as none rather than as another number.
public enum BarCode {
    /// The greatest number.
    public static let max = 1 << 24 - 1
    private static let cells = 30

    /// Draws a number into a picture at least 120 pixels wide.
    public static func draw(_ number: Int, into picture: inout Picture) {
        let bits = bits(of: number & max)
        let (width, height) = (picture.size.width, picture.size.height)
        for x in 0..<width {
            let sample: UInt8 = bits[min(cells - 1, x * cells / width)] ? 215 : 40
            for y in height - barHeight(height)..<height { picture.luma[y * width + x] = sample }
        }
        let chroma = Picture.chromaSize(of: picture.size)
        for y in chroma.height - (barHeight(height) + 1) / 2..<chroma.height {
            for x in 0..<chroma.width {
                picture.blue[y * chroma.width + x] = 128
                picture.red[y * chroma.width + x] = 128
            }
        }
    }

    /// Reads the number of a decoded picture.
    ///
    /// - Returns: `nil` when there is none, or a bit was lost.
    public static func read(_ picture: Picture) -> Int? {
        let means = (0..<cells).map { mean(ofCell: $0, in: picture) }
        let (white, black) = (means[0], means[1])
        guard white - black > 40 else { return nil }
        let bits = means.map { $0 > (white + black) / 2 }
        let number = bits[2..<26].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        return Self.bits(of: number) == bits ? number : nil
    }

    private static func barHeight(_ height: Int) -> Int { height / 8 }

    private static func bits(of number: Int) -> [Bool] {
        let check = stride(from: 0, to: 24, by: 4).reduce(0) { $0 ^ (number >> $1 & 15) }
        let data = (0..<24).map { number >> (23 - $0) & 1 == 1 }
        return [true, false] + data + (0..<4).map { check >> (3 - $0) & 1 == 1 }
    }

    /// The mean of the inner part of a cell, away from the edges that coding softens.
    private static func mean(ofCell cell: Int, in picture: Picture) -> Int {
        let (width, height) = (picture.size.width, picture.size.height)
        let (from, to) = (cell * width / cells, (cell + 1) * width / cells)
        let inset = Swift.max(1, (to - from) / 4)
        let bar = barHeight(height)
        var sum = 0
        var count = 0
        for y in height - bar + bar / 4..<height - bar / 4 {
            for x in from + inset..<to - inset {
                sum += Int(picture.luma[y * width + x])
                count += 1
            }
        }
        return count > 0 ? sum / count : 0
    }
}
