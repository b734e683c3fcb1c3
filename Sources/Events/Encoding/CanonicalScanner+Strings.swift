// SPDX-License-Identifier: Apache-2.0
extension CanonicalScanner {
    /// Walks over a string.
    ///
    /// - Parameter expected: What the error says if no string stands here.
    /// - Returns: Its place without the quotes.
    /// - Throws: ``CanonicalJSONError`` at the first byte that canonical JSON would not have there.
    mutating func string(
        orElse expected: CanonicalJSONError.Expected = .string
    ) throws(CanonicalJSONError) -> Range<Int> {
        guard take(UInt8(ascii: "\"")) else { throw .unexpected(offset: index, expected: expected) }
        let start = index
        while true {
            skipPlain()
            let byte = next
            if byte == UInt8(ascii: "\"") {
                index += 1
                return start..<(index - 1)
            } else if byte == UInt8(ascii: "\\") {
                try escape()
            } else if byte >= 0x80 {
                try multibyte()
            } else {
                throw .unexpected(offset: index, expected: .string)
            }
        }
    }

    /// Walks over printable ASCII that is neither quote nor backslash, eight bytes at a time where it can.
    private mutating func skipPlain() {
        guard let base = UnsafeRawPointer(bytes.baseAddress) else { return }
        let highs: UInt64 = 0x8080_8080_8080_8080
        while index + 8 <= bytes.count {
            let eight = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard eight & highs == 0, !JSONString.mayNeedEscape(eight) else { break }
            index += 8
        }
        while index < bytes.count, bytes[index] < 0x80, !needsEscape(bytes[index]) { index += 1 }
    }

    private mutating func escape() throws(CanonicalJSONError) {
        guard index + 1 < bytes.count else {
            throw .unexpected(offset: bytes.count, expected: .string)
        }
        switch bytes[index + 1] {
        case UInt8(ascii: "b"), UInt8(ascii: "t"), UInt8(ascii: "n"), UInt8(ascii: "f"),
            UInt8(ascii: "r"), UInt8(ascii: "\""), UInt8(ascii: "\\"):
            index += 2
        case UInt8(ascii: "u"):
            try controlEscape()
        case UInt8(ascii: "/"):
            throw .notCanonical(offset: index, .escape)
        default:
            throw .unexpected(offset: index, expected: .string)
        }
    }

    /// `\u` is for the control characters that have no short form, with small letters.
    private mutating func controlEscape() throws(CanonicalJSONError) {
        guard index + 6 <= bytes.count else {
            throw .unexpected(offset: bytes.count, expected: .string)
        }
        let high = bytes[index + 4]
        let low = bytes[index + 5]
        let shortForms: [UInt8] = [0x38, 0x39, 0x61, 0x63, 0x64]  // 08, 09, 0a, 0c, 0d
        guard bytes[index + 2] == UInt8(ascii: "0"), bytes[index + 3] == UInt8(ascii: "0"),
            high == UInt8(ascii: "0") && !shortForms.contains(low) || high == UInt8(ascii: "1"),
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(low)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(low)
        else { throw .notCanonical(offset: index, .escape) }
        index += 6
    }

    /// Walks over one character of two to four bytes (Unicode table 3-7).
    private mutating func multibyte() throws(CanonicalJSONError) {
        let lead = bytes[index]
        let second: ClosedRange<UInt8>
        let length: Int
        switch lead {
        case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
        case 0xE0: (second, length) = (0xA0...0xBF, 3)
        case 0xE1...0xEC, 0xEE...0xEF: (second, length) = (0x80...0xBF, 3)
        case 0xED: (second, length) = (0x80...0x9F, 3)
        case 0xF0: (second, length) = (0x90...0xBF, 4)
        case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
        case 0xF4: (second, length) = (0x80...0x8F, 4)
        default: throw .unexpected(offset: index, expected: .string)
        }
        guard index + length <= bytes.count, second.contains(bytes[index + 1]),
            bytes[(index + 2)..<(index + length)].allSatisfy({ $0 & 0xC0 == 0x80 })
        else { throw .unexpected(offset: index, expected: .string) }
        index += length
    }
}
