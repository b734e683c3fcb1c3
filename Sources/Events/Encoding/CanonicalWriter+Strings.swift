// SPDX-License-Identifier: Apache-2.0
extension CanonicalWriter {
    /// Writes a string in quotes, escaping only what RFC 8785 §3.2.2.2 says.
    func writeString(_ text: String) {
        var text = text
        text.withUTF8 { writeString($0) }
    }

    /// Writes UTF-8 as a string in quotes.
    func writeString(_ text: UnsafeBufferPointer<UInt8>) {
        write(UInt8(ascii: "\""))
        writeEscaped(text)
        write(UInt8(ascii: "\""))
    }

    /// Writes UTF-8 as it stands inside quotes.
    func writeEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        var kept = 0
        for index in text.indices where needsEscape(text[index]) {
            write(UnsafeBufferPointer(rebasing: text[kept..<index]))
            writeEscape(of: text[index])
            kept = index + 1
        }
        write(UnsafeBufferPointer(rebasing: text[kept...]))
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

/// Whether a byte of UTF-8 may not stand in a JSON string as it is.
@inline(__always)
func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}

/// The character of a number from 0 to 15.
func lowerHexDigit(of nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
}
