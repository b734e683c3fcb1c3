// SPDX-License-Identifier: Apache-2.0

/// The directories of EXIF, which are those of TIFF 6.0; every number is checked before it is followed.
struct ExifBlock {
    /// A value: its type, how many, and where they lie.
    struct Field {
        let type: Int
        let count: Int
        let place: Int
    }

    private let bytes: [UInt8]
    private let isLittleEndian: Bool
    /// Where the first directory lies.
    let start: Int

    /// Finds the block in a JPEG, PNG or WebP file; `nil` when there is none.
    init?(of file: [UInt8]) {
        guard let range = Self.range(in: file) else { return nil }
        var block = file[range]
        // JPEG demands these letters before the block; some programs write them in WebP, too.
        if block.starts(with: Self.letters) { block = block.dropFirst(Self.letters.count) }
        bytes = Array(block)
        switch block.prefix(4) {
        case [0x49, 0x49, 0x2A, 0]: isLittleEndian = true
        case [0x4D, 0x4D, 0, 0x2A]: isLittleEndian = false
        default: return nil
        }
        guard let start = Self.number(bytes, 4, at: 4, isLittleEndian) else { return nil }
        self.start = start
    }

    private static let letters = Array("Exif\0\0".utf8)

    private static func range(in file: [UInt8]) -> Range<Int>? {
        switch PictureFile.format(of: file) {
        case .jpeg?:
            JPEGSegments(file).first {
                $0.marker == 0xE1 && file.dropFirst($0.content.lowerBound).starts(with: letters)
            }?.content.clamped(to: file.indices)
        case .png?: chunk("eXIf", in: file, isPNG: true)
        case .webP?: chunk("EXIF", in: file, isPNG: false)
        case nil: nil
        }
    }

    /// Finds a chunk: PNG writes its length before its name, WebP behind it.
    private static func chunk(_ name: String, in file: [UInt8], isPNG: Bool) -> Range<Int>? {
        var place = isPNG ? 8 : 12
        while let count = number(file, 4, at: isPNG ? place : place + 4, !isPNG),
            count <= file.count - place - 8
        {
            let content = place + 8..<place + 8 + count
            if file.dropFirst(isPNG ? place + 4 : place).starts(with: name.utf8) { return content }
            // PNG puts a checksum behind, WebP fills up to an even length.
            place = content.upperBound + (isPNG ? 4 : count % 2)
        }
        return nil
    }

    // MARK: Values

    /// The fields of a directory by their tags, of two with one tag the first; none where no directory lies.
    func directory(at place: Int) -> [Int: Field] {
        let count = min(number(2, at: place) ?? 0, MediaLimits.exifFieldsMax)
        var fields: [Int: Field] = [:]
        for entry in (0..<count).map({ place + 2 + 12 * $0 }) {
            guard let tag = number(2, at: entry), let type = number(2, at: entry + 2),
                let count = number(4, at: entry + 4), let pointer = number(4, at: entry + 8)
            else { break }
            // Bytes and letters, shorts, longs, rationals: all that is asked for here.
            guard let size = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8][type], count <= bytes.count,
                fields[tag] == nil
            else { continue }
            let lies = size * count <= 4 ? entry + 8 : pointer
            guard lies <= bytes.count - size * count else { continue }
            fields[tag] = Field(type: type, count: count, place: lies)
        }
        return fields
    }

    func short(_ field: Field) -> Int? {
        field.type == 3 && field.count == 1 ? number(2, at: field.place) : nil
    }

    func long(_ field: Field) -> Int? {
        field.type == 4 && field.count == 1 ? number(4, at: field.place) : nil
    }

    /// ASCII before its NUL.
    func text(_ field: Field) -> String? {
        let letters = bytes[field.place..<field.place + field.count].prefix { $0 != 0 }
        guard field.type == 2, letters.allSatisfy({ $0 < 0x80 }) else { return nil }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Fractions without a sign; `nil` when one has no denominator.
    func rationals(_ field: Field, count: Int) -> [Double]? {
        guard field.type == 5, field.count == count else { return nil }
        var values: [Double] = []
        for place in (0..<count).map({ field.place + 8 * $0 }) {
            guard let above = number(4, at: place), let below = number(4, at: place + 4), below > 0
            else { return nil }
            values.append(Double(above) / Double(below))
        }
        return values
    }

    private func number(_ width: Int, at place: Int) -> Int? {
        Self.number(bytes, width, at: place, isLittleEndian)
    }

    private static func number(_ bytes: [UInt8], _ width: Int, at place: Int, _ isLittle: Bool)
        -> Int?
    {
        guard place >= 0, place <= bytes.count - width else { return nil }
        if isLittle { return bytes.littleEndian(width, at: place) }
        return width == 2 ? bytes.bigEndian16(at: place) : bytes.bigEndian32(at: place)
    }
}
