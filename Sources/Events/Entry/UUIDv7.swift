// SPDX-License-Identifier: Apache-2.0
/// A UUID of version 7 (RFC 9562): 48 bits of milliseconds, then chance; its text is lower-case.
public struct UUIDv7: Hashable, Sendable {
    /// The first eight bytes, most significant first.
    let high: UInt64
    /// The last eight bytes, most significant first.
    let low: UInt64

    /// The moment that it stands for, in milliseconds since 1970.
    public var milliseconds: Int64 { Int64(high >> 16) }

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes a new one.
    ///
    /// - Parameters:
    ///   - time: The moment it stands for; only whole milliseconds are kept.
    ///   - generator: Where its 74 random bits come from.
    public init(at time: Timestamp, using generator: inout some RandomNumberGenerator) {
        let milliseconds = UInt64(clamping: time.microseconds / 1_000) & 0xFFFF_FFFF_FFFF
        let a: UInt64 = generator.next()
        let b: UInt64 = generator.next()
        high = milliseconds << 16 | 0x7000 | a & 0x0FFF
        low = 0x8000_0000_0000_0000 | b & 0x3FFF_FFFF_FFFF_FFFF
    }

    /// What sorts, as text, before every one of a moment in milliseconds since 1970, and behind every earlier one.
    public static func least(at milliseconds: Int64) -> UUIDv7 {
        UUIDv7(high: UInt64(clamping: milliseconds) << 16, low: 0)
    }
}

extension UUIDv7: LosslessStringConvertible {
    /// The 36 lower-case characters.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            write(into: buffer)
            return 36
        }
    }

    /// Reads 36 lower-case characters of a version 7 UUID; `nil` for anything else.
    public init?(_ description: String) {
        var text = description
        let parsed = text.withUTF8 { bytes -> (UInt64, UInt64)? in
            guard bytes.count == 36 else { return nil }
            var halves: (UInt64, UInt64) = (0, 0)
            var count = 0
            for index in 0..<36 {
                if index == 8 || index == 13 || index == 18 || index == 23 {
                    guard bytes[index] == UInt8(ascii: "-") else { return nil }
                    continue
                }
                guard let digit = lowerHexDigit(bytes[index]) else { return nil }
                if count < 16 {
                    halves.0 = halves.0 << 4 | digit
                } else {
                    halves.1 = halves.1 << 4 | digit
                }
                count += 1
            }
            return halves
        }
        guard let (high, low) = parsed, high >> 12 & 0xF == 7, low >> 62 == 2 else { return nil }
        self.init(high: high, low: low)
    }

    /// Writes the 36 characters; the buffer must have room for them.
    func write(into buffer: UnsafeMutableBufferPointer<UInt8>) {
        var index = 0
        for nibble in 0..<32 {
            if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                buffer[index] = UInt8(ascii: "-")
                index += 1
            }
            let half = nibble < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: half >> UInt64((15 - nibble % 16) * 4)) & 0xF
            buffer[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            index += 1
        }
    }

    /// The moment it was made for, to the millisecond.
    public var time: Timestamp { Timestamp(microseconds: Int64(high >> 16) * 1_000) }

    /// Takes the sixteen bytes; `nil` where they are no UUID of version 7.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        let high = bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let low = bytes[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard high >> 12 & 0xF == 7, low >> 62 == 2 else { return nil }
        self.init(high: high, low: low)
    }

    /// The sixteen bytes.
    public var bytes: [UInt8] {
        (0..<16).map { index in
            UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64((7 - index % 8) * 8))
        }
    }
}

private func lowerHexDigit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    default: nil
    }
}
