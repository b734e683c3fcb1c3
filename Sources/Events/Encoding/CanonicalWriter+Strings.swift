// SPDX-License-Identifier: Apache-2.0
extension CanonicalWriter {
    /// Writes a string in quotes, escaping only what RFC 8785 §3.2.2.2 says.
    func writeString(_ text: String) {
        var text = text
        text.withUTF8 { writeString($0) }
    }

    /// Writes UTF-8 as a string in quotes.
    func writeString(_ text: UnsafeBufferPointer<UInt8>) {
        let plain = JSONString.plainPrefix(of: text)
        guard plain == text.count else { return writeEscaped(text, plain: plain) }
        let room = room(for: text.count + 2)
        room[0] = UInt8(ascii: "\"")
        if let start = text.baseAddress { (room + 1).update(from: start, count: text.count) }
        room[text.count + 1] = UInt8(ascii: "\"")
        advance(by: text.count + 2)
    }

    /// Writes a string of which only so many bytes can stand as they are.
    private func writeEscaped(_ text: UnsafeBufferPointer<UInt8>, plain: Int) {
        write(UInt8(ascii: "\""))
        write(UnsafeBufferPointer(rebasing: text[..<plain]))
        for byte in text[plain...] {
            if needsEscape(byte) { writeEscape(of: byte) } else { write(byte) }
        }
        write(UInt8(ascii: "\""))
    }

    private func writeEscape(of byte: UInt8) {
        switch byte {
        case 0x08: write("\\b")
        case 0x09: write("\\t")
        case 0x0A: write("\\n")
        case 0x0C: write("\\f")
        case 0x0D: write("\\r")
        case UInt8(ascii: "\""): write("\\\"")
        case UInt8(ascii: "\\"): write("\\\\")
        default:
            write("\\u00")
            write(lowerHexDigit(of: byte >> 4))
            write(lowerHexDigit(of: byte & 0xF))
        }
    }
}

extension JSONString {
    /// How many bytes at the beginning can stand in a JSON string as they are; eight are looked at in one stride.
    static func plainPrefix(of text: UnsafeBufferPointer<UInt8>) -> Int {
        guard let base = UnsafeRawPointer(text.baseAddress) else { return 0 }
        var index = 0
        while index + 8 <= text.count {
            let eight = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard !mayNeedEscape(eight) else { break }
            index += 8
        }
        while index < text.count, !needsEscape(text[index]) { index += 1 }
        return index
    }

    /// Whether one of eight bytes is below 0x20, a quote or a backslash; sometimes yes although none is, never no
    /// although one is.
    @inline(__always)
    static func mayNeedEscape(_ eight: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = eight ^ (ones &* 0x22)
        let backslashes = eight ^ (ones &* 0x5C)
        // The subtraction borrows into a lane's high bit where the byte was smaller; a lane whose high bit was set before
        // is no ASCII and is masked out, a borrow from the lane below only ends a stride early.
        let found =
            (eight &- ones &* 0x20) & ~eight | (quotes &- ones) & ~quotes
            | (backslashes &- ones) & ~backslashes
        return found & (ones << 7) != 0
    }
}

/// Whether a byte of UTF-8 may not stand in a JSON string as it is.
@inline(__always)
func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}

/// The character of a number from 0 to 15.
func lowerHexDigit(of nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
}
