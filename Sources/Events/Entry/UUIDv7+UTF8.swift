// SPDX-License-Identifier: Apache-2.0
extension UUIDv7 {
    /// Reads the 36 lower-case characters at the start of `text`, without making a string of them.
    ///
    /// - Parameter text: At least 36 bytes; `nil` results for anything but a UUID of version 7.
    public init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        guard text.count >= 36 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var wrong: UInt8 = 0
        var digits = 0
        for index in 0..<36 {
            let byte = text[index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                wrong |= byte ^ UInt8(ascii: "-")
                continue
            }
            let number = byte &- UInt8(ascii: "0")
            let letter = byte &- UInt8(ascii: "a")
            guard number < 10 || letter < 6 else { return nil }
            let digit = UInt64(number < 10 ? number : letter + 10)
            if digits < 16 {
                halves.0 = halves.0 << 4 | digit
            } else {
                halves.1 = halves.1 << 4 | digit
            }
            digits += 1
        }
        guard wrong == 0, halves.0 >> 12 & 0xF == 7, halves.1 >> 62 == 2 else { return nil }
        self.init(high: halves.0, low: halves.1)
    }

    /// A number that differs for any two ids made by chance.
    public var fingerprint: UInt64 {
        (high &* 0x9E37_79B9_7F4A_7C15) ^ low
    }
}
