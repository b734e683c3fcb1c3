// SPDX-License-Identifier: Apache-2.0
public import Media

/// Pictures with something that moves, each with its number as a ``BarCode``.
public struct TestPictures: Sendable {
    public let size: PictureSize

    public init(size: PictureSize) { self.size = size }

    /// The picture of a number: a drifting gradient, and a disc on its way around.
    public subscript(number: Int) -> Picture {
        var picture = Picture(size: size)
        drawGradient(number, into: &picture)
        drawDisc(number, into: &picture)
        BarCode.draw(number, into: &picture)
        return picture
    }

    private func drawGradient(_ number: Int, into picture: inout Picture) {
        for y in 0..<size.height {
            for x in 0..<size.width {
                let ramp = (x * 160 / size.width + y * 60 / size.height + number) % 320
                picture.luma[y * size.width + x] = UInt8(40 + (ramp < 160 ? ramp : 319 - ramp))
            }
        }
        let chroma = Picture.chromaSize(of: size)
        for y in 0..<chroma.height {
            for x in 0..<chroma.width {
                picture.blue[y * chroma.width + x] = UInt8(96 + x * 64 / chroma.width)
                picture.red[y * chroma.width + x] = UInt8(96 + y * 64 / chroma.height)
            }
        }
    }

    /// A bright disc that crosses the picture from left to right in 75 pictures, up and down on its way.
    private func drawDisc(_ number: Int, into picture: inout Picture) {
        let radius = size.height / 8
        let centreX = number % 75 * size.width / 75
        let swing = number % 50
        let centreY = size.height / 4 + (swing < 25 ? swing : 50 - swing) * size.height / 100
        for y in Swift.max(0, centreY - radius)..<Swift.min(size.height, centreY + radius) {
            for x in Swift.max(0, centreX - radius)..<Swift.min(size.width, centreX + radius) {
                let (dx, dy) = (x - centreX, y - centreY)
                if dx * dx + dy * dy < radius * radius { picture.luma[y * size.width + x] = 225 }
            }
        }
    }
}
