// SPDX-License-Identifier: Apache-2.0
/// What stands between the quotes of a JSON string.
enum JSONString {
    /// The text of a string that ``CanonicalScanner`` walked over, so that its UTF-8 is known to be valid.
    static func text(scanned bytes: UnsafeBufferPointer<UInt8>) -> String {
        if plainPrefix(of: bytes) < bytes.count, let text = text(escaped: bytes) { return text }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text that escaped UTF-8 stands for; `nil` if an escape or the UTF-8 is wrong, or a surrogate is alone.
    static func text(escaped bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard bytes.contains(UInt8(ascii: "\\")) else {
            return String(validating: bytes, as: UTF8.self)
        }
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                plain.append(bytes[index])
                index += 1
                continue
            }
            guard let (scalar, next) = escape(in: bytes, at: index) else { return nil }
            plain.append(contentsOf: String(Character(scalar)).utf8)
            index = next
        }
        return String(validating: plain, as: UTF8.self)
    }

    /// Reads one escape; `nil` if there is no such escape.
    private static func escape(
        in bytes: UnsafeBufferPointer<UInt8>,
        at start: Int
    ) -> (scalar: Unicode.Scalar, next: Int)? {
        guard start + 1 < bytes.count else { return nil }
        let simple: Unicode.Scalar
        switch bytes[start + 1] {
        case UInt8(ascii: "b"): simple = "\u{8}"
        case UInt8(ascii: "t"): simple = "\t"
        case UInt8(ascii: "n"): simple = "\n"
        case UInt8(ascii: "f"): simple = "\u{C}"
        case UInt8(ascii: "r"): simple = "\r"
        case UInt8(ascii: "\""): simple = "\""
        case UInt8(ascii: "\\"): simple = "\\"
        case UInt8(ascii: "/"): simple = "/"
        case UInt8(ascii: "u"): return unicodeEscape(in: bytes, at: start)
        default: return nil
        }
        return (simple, start + 2)
    }

    /// Reads `\uXXXX`, and the second half of a surrogate pair with it.
    private static func unicodeEscape(
        in bytes: UnsafeBufferPointer<UInt8>,
        at start: Int
    ) -> (scalar: Unicode.Scalar, next: Int)? {
        guard let first = fourDigits(in: bytes, at: start) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (scalar, start + 6) }
        guard UTF16.isLeadSurrogate(first), let second = fourDigits(in: bytes, at: start + 6),
            UTF16.isTrailSurrogate(second)
        else { return nil }
        let value = 0x10000 + UInt32(first & 0x3FF) << 10 + UInt32(second & 0x3FF)
        return Unicode.Scalar(value).map { ($0, start + 12) }
    }

    private static func fourDigits(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt16? {
        guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"),
            bytes[start + 1] == UInt8(ascii: "u")
        else { return nil }
        var value: UInt16 = 0
        for byte in bytes[(start + 2)..<(start + 6)] {
            guard let digit = hexDigit(byte) else { return nil }
            value = value << 4 | digit
        }
        return value
    }

    private static func hexDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
