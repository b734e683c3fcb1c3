// SPDX-License-Identifier: Apache-2.0

/// EXIF as a camera writes it, byte by byte.
struct ExifSample: Sendable {
    typealias Fraction = (above: UInt32, below: UInt32)

    var latitude: [Fraction] = [(33, 1), (51, 1), (31, 1)]
    var longitude: [Fraction] = [(151, 1), (12, 1), (51, 1)]
    /// 5 is a fraction without a sign, 10 one with a sign.
    var fractionType: UInt16 = 5
    var latitudeReference: String? = "S"
    var longitudeReference: String? = "E"
    var accuracy: Fraction?
    var datum: String?
    var date = "2026:11:27 16:18:12"
    var offset: String? = "+11:00"
    var orientation: UInt16 = 1
    /// That of the picture in the second directory.
    var thumbnailOrientation: UInt16 = 1
    var isLittleEndian = false

    /// As it lies in PNG and WebP.
    var block: [UInt8] {
        var directories: [UInt8] = []
        func add(_ fields: [Field], next: Int = 0) -> Int {
            let start = 8 + directories.count
            directories += directory(fields, at: start, next: next)
            return start
        }
        let place = add(
            [
                latitudeReference.map { text(1, $0) }, fractions(2, latitude),
                longitudeReference.map { text(3, $0) }, fractions(4, longitude),
                datum.map { text(18, $0) }, accuracy.map { fractions(31, [$0]) },
            ].compactMap(\.self)
        )
        let exposure = add(
            [text(0x9003, date), offset.map { text(0x9011, $0) }].compactMap(\.self)
        )
        let thumbnail = add([integer(0x0112, thumbnailOrientation)])
        let picture = add(
            [
                integer(0x0112, orientation), integer(0x8769, UInt32(exposure)),
                integer(0x8825, UInt32(place)),
            ],
            next: thumbnail
        )
        let order = Array((isLittleEndian ? "II" : "MM").utf8)
        return order + bytes(UInt16(42)) + bytes(UInt32(picture)) + directories
    }

    /// A JPEG file with this as its second segment.
    func jpeg(_ file: [UInt8]) -> [UInt8] {
        let content = Array("Exif\0\0".utf8) + block
        let length = UInt16(content.count + 2)
        return file.prefix(2) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + content
            + file.dropFirst(2)
    }

    private typealias Field = (tag: UInt16, type: UInt16, count: Int, value: [UInt8])

    private func integer(_ tag: UInt16, _ value: some FixedWidthInteger) -> Field {
        (tag, value.bitWidth == 16 ? 3 : 4, 1, bytes(value))
    }

    private func text(_ tag: UInt16, _ text: String) -> Field {
        (tag, 2, text.utf8.count + 1, Array(text.utf8) + [0])
    }

    private func fractions(_ tag: UInt16, _ values: [Fraction]) -> Field {
        (tag, fractionType, values.count, values.flatMap { bytes($0.above) + bytes($0.below) })
    }

    private func directory(_ fields: [Field], at start: Int, next: Int) -> [UInt8] {
        let valuesStart = start + 2 + 12 * fields.count + 4
        var values: [UInt8] = []
        var entries: [UInt8] = []
        for field in fields {
            entries += bytes(field.tag) + bytes(field.type) + bytes(UInt32(field.count))
            if field.value.count > 4 {
                entries += bytes(UInt32(valuesStart + values.count))
                values += field.value
            } else {
                entries += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
            }
        }
        return bytes(UInt16(fields.count)) + entries + bytes(UInt32(next)) + values
    }

    private func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: isLittleEndian ? value.littleEndian : value.bigEndian) { Array($0) }
    }
}
