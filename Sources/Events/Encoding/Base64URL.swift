// SPDX-License-Identifier: Apache-2.0
/// Base64 with `-` and `_`, without padding (RFC 4648 §5).
public enum Base64URL {
    private static let alphabet: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    /// How many characters so many bytes need.
    static func length(ofBytes count: Int) -> Int {
        (count * 4 + 2) / 3
    }

    /// The text of bytes.
    public static func text(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: length(ofBytes: bytes.count)) { buffer in
            guard let target = buffer.baseAddress else { return 0 }
            return write(bytes, to: target)
        }
    }

    /// Writes the text of bytes where ``length(ofBytes:)`` characters have room.
    ///
    /// - Returns: How many were written.
    static func write(_ bytes: [UInt8], to target: UnsafeMutablePointer<UInt8>) -> Int {
        var written = 0
        var bits: UInt32 = 0
        var pending: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            pending += 8
            while pending >= 6 {
                pending -= 6
                target[written] = alphabet.utf8Start[Int(bits >> pending & 63)]
                written += 1
            }
        }
        if pending > 0 {
            target[written] = alphabet.utf8Start[Int(bits << (6 - pending) & 63)]
            written += 1
        }
        return written
    }

    /// Reads the one text that ``text(_:)`` gives; `nil` for any other, also one with stray bits at its end.
    public static func bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var bits: UInt32 = 0
        var pending: UInt32 = 0
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            pending += 6
            guard pending >= 8 else { continue }
            pending -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> pending))
        }
        guard pending < 6, bits & (1 << pending - 1) == 0 else { return nil }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
