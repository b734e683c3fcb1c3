// SPDX-License-Identifier: Apache-2.0
/// The first eight bytes of a member's name, which nearly always tell two names apart.
struct NamePrefix {
    /// The bytes, the first one most significant; zero behind a shorter name, which no name has.
    let bytes: UInt64

    /// Takes the beginning of a name as it stands in quotes.
    @inline(__always)
    init(_ name: UnsafeBufferPointer<UInt8>) {
        var bytes: UInt64 = 0
        for index in 0..<min(name.count, 8) {
            bytes |= UInt64(name[index]) << UInt64(56 - 8 * index)
        }
        self.bytes = bytes
    }

    /// Whether none of the bytes is a backslash or beyond ASCII, so that their order is that of the names.
    private var isPlain: Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let backslashes = bytes ^ (ones &* 0x5C)
        return (bytes | (backslashes &- ones) & ~backslashes) & (ones << 7) == 0
    }

    /// Compares two names as ``JSONNameOrder`` does, or says `nil` where that takes the whole names.
    @inline(__always)
    static func compare(_ left: NamePrefix, _ right: NamePrefix) -> Int? {
        guard left.bytes != right.bytes, left.isPlain, right.isPlain else { return nil }
        return left.bytes < right.bytes ? -1 : 1
    }
}
