// SPDX-License-Identifier: Apache-2.0
/// The segments of a JPEG file before its first scan (ITU-T T.81, B.1.1).
struct JPEGSegments: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var place = 2

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next segment: its marker, and where what stands in it begins and ends; the file may end before.
    mutating func next() -> (marker: UInt8, content: Range<Int>)? {
        while let marker = marker() {
            switch marker {
            // The picture itself, or its end.
            case 0xD9, 0xDA: return nil
            // Markers without a length.
            case 0x01, 0xD0...0xD8: continue
            default:
                guard let length = bytes.bigEndian16(at: place), length >= 2 else { return nil }
                defer { place += length }
                return (marker, place + 2..<place + length)
            }
        }
        return nil
    }

    /// The marker at the next place, behind any fill bytes.
    private mutating func marker() -> UInt8? {
        guard place < bytes.count, bytes[place] == 0xFF else { return nil }
        while place < bytes.count, bytes[place] == 0xFF { place += 1 }
        guard place < bytes.count else { return nil }
        defer { place += 1 }
        return bytes[place]
    }
}

/// The frame header of a JPEG file (ITU-T T.81, B.2.2).
enum JPEGHead {
    static func size(in bytes: [UInt8]) -> (width: Int, height: Int)? {
        // Frames of any process: all of C0 to CF but the tables DHT, JPG and DAC.
        let isFrame = { (marker: UInt8) in
            marker >> 4 == 0xC && ![0xC4, 0xC8, 0xCC].contains(marker)
        }
        guard let frame = JPEGSegments(bytes).first(where: { isFrame($0.marker) }),
            let height = bytes.bigEndian16(at: frame.content.lowerBound + 1),
            let width = bytes.bigEndian16(at: frame.content.lowerBound + 3)
        else { return nil }
        return (width, height)
    }
}

/// The first chunk of a PNG file (PNG, 11.2.1).
enum PNGHead {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func size(in bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.dropFirst(12).starts(with: Array("IHDR".utf8)),
            let width = bytes.bigEndian32(at: 16), let height = bytes.bigEndian32(at: 20)
        else { return nil }
        return (width, height)
    }
}

/// The first chunk of a WebP file (RFC 9649, 2.5 to 2.7).
enum WebPHead {
    static func size(in bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.count >= 30 else { return nil }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8X": return (bytes.littleEndian(3, at: 24) + 1, bytes.littleEndian(3, at: 27) + 1)
        case "VP8L":
            guard bytes[20] == 0x2F else { return nil }
            let bits = bytes.littleEndian(4, at: 21)
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case "VP8 ":
            guard bytes[23...25].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
            return (bytes.littleEndian(2, at: 26) & 0x3FFF, bytes.littleEndian(2, at: 28) & 0x3FFF)
        default: return nil
        }
    }
}

extension [UInt8] {
    func bigEndian16(at place: Int) -> Int? {
        guard place >= 0, place + 2 <= count else { return nil }
        return Int(self[place]) << 8 | Int(self[place + 1])
    }

    func bigEndian32(at place: Int) -> Int? {
        guard let high = bigEndian16(at: place), let low = bigEndian16(at: place + 2) else {
            return nil
        }
        return high << 16 | low
    }

    /// The caller has made sure that the bytes are there.
    func littleEndian(_ length: Int, at place: Int) -> Int {
        (0..<length).reduce(0) { $0 | Int(self[place + $1]) << (8 * $1) }
    }
}
