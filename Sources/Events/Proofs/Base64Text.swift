// SPDX-License-Identifier: Apache-2.0

/// Standard base64 with padding (RFC 4648 §4), read strictly: one byte string, one text.
enum Base64Text {
    private static let alphabet = [UInt8](
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
    private static let padding = UInt8(ascii: "=")
    private static let values: [UInt8?] = {
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, character) in alphabet.enumerated() {
            values[Int(character)] = UInt8(value)
        }
        return values
    }()

    /// Prints bytes, padded to a multiple of four characters.
    static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var rest = bytes[...]
        while !rest.isEmpty {
            let group = [UInt8](rest.prefix(3))
            rest = rest.dropFirst(3)
            append(group, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ group: [UInt8], to text: inout [UInt8]) {
        var bits: UInt32 = 0
        for index in 0..<3 {
            bits = bits << 8 | UInt32(index < group.count ? group[index] : 0)
        }
        for index in 0..<4 {
            let six = Int(bits >> UInt32(18 - 6 * index)) & 63
            text.append(index <= group.count ? alphabet[six] : padding)
        }
    }

    /// Reads base64; `nil` for missing padding, spaces, other characters or unused bits set.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let characters = [UInt8](text.utf8)
        guard characters.count.isMultiple(of: 4) else { return nil }
        let paddings = characters.suffix(2).count { $0 == padding }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3)
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for character in characters.dropLast(paddings) {
            guard let six = values[Int(character)] else { return nil }
            bits = (bits << 6 | UInt32(six)) & 0xffff
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            }
        }
        guard bits & ((1 << bitCount) - 1) == 0 else { return nil }
        return bytes
    }
}
