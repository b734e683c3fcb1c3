// SPDX-License-Identifier: Apache-2.0
/// The order of member names in canonical JSON: by UTF-16 code units (RFC 8785 §3.2.3).
enum JSONNameOrder {
    /// Compares two names as they stand between quotes.
    ///
    /// - Returns: Below 0, 0 or above 0, as `left` stands before, at or behind `right`.
    static func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>)
        -> Int
    {
        let shorter = min(left.count, right.count)
        var index = 0
        while index < shorter {
            let (a, b) = (left[index], right[index])
            if a == UInt8(ascii: "\\") || b == UInt8(ascii: "\\") {
                return compareUnescaped(left, right)
            }
            if a != b { return rank(a) - rank(b) }
            index += 1
        }
        return left.count - right.count
    }

    /// Where two texts first differ, UTF-8 and UTF-16 disagree in one case: what lies beyond U+FFFF
    /// (first byte F0 and above) stands as surrogates before U+E000 to U+FFFF (first byte EE or EF).
    private static func rank(_ byte: UInt8) -> Int {
        switch byte {
        case 0xEE, 0xEF: Int(byte) + 0x10
        default: Int(byte)
        }
    }

    /// Escapes change the order, so names that have any are compared as what they stand for.
    private static func compareUnescaped(
        _ left: UnsafeBufferPointer<UInt8>,
        _ right: UnsafeBufferPointer<UInt8>
    ) -> Int {
        let (a, b) = (units(left), units(right))
        for (one, other) in zip(a, b) where one != other { return Int(one) - Int(other) }
        return a.count - b.count
    }

    private static func units(_ name: UnsafeBufferPointer<UInt8>) -> [UInt16] {
        // A name that cannot be read has been, or will be, refused by whoever scans strings.
        guard let text = JSONString.text(escaped: name) else { return name.map(UInt16.init) }
        return Array(text.utf16)
    }
}
