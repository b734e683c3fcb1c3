// SPDX-License-Identifier: Apache-2.0
extension CanonicalScanner {
    /// Walks over a number.
    mutating func number() throws(CanonicalJSONError) {
        let start = index
        let negative = take(UInt8(ascii: "-"))
        let firstDigit = next
        let digits = skipDigits()
        guard digits > 0 else {
            throw .unexpected(offset: start, expected: negative ? .number : .value)
        }
        let whole = next != UInt8(ascii: ".") && next | 0x20 != UInt8(ascii: "e")
        let leadingZero = firstDigit == UInt8(ascii: "0")
        // Up to 15 digits are kept exactly and printed as they stand; anything else is printed to be compared.
        if whole, digits <= 15, !leadingZero || digits == 1 && !negative { return }
        index = start
        let token = try numberToken()
        guard let value = Double(String(decoding: slice(token), as: UTF8.self)), value.isFinite
        else {
            throw .inexactNumber(offset: start)
        }
        let writer = CanonicalWriter(capacity: 64)
        writer.writeDouble(value)
        guard writer.tail(from: 0).elementsEqual(slice(token)) else {
            throw .notCanonical(offset: start, .number)
        }
    }

    /// Walks over what the grammar of JSON calls a number (RFC 8259 §6), canonical or not.
    mutating func numberToken() throws(CanonicalJSONError) -> Range<Int> {
        let start = index
        _ = take(UInt8(ascii: "-"))
        let leadingZero = next == UInt8(ascii: "0")
        let digits = skipDigits()
        guard digits > 0, !leadingZero || digits == 1 else {
            throw .unexpected(offset: start, expected: .number)
        }
        if take(UInt8(ascii: ".")) {
            guard skipDigits() > 0 else { throw .unexpected(offset: index, expected: .number) }
        }
        if next | 0x20 == UInt8(ascii: "e") {
            index += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
            guard skipDigits() > 0 else { throw .unexpected(offset: index, expected: .number) }
        }
        return start..<index
    }

    private mutating func skipDigits() -> Int {
        let start = index
        while index < bytes.count, bytes[index] >= UInt8(ascii: "0"),
            bytes[index] <= UInt8(ascii: "9")
        {
            index += 1
        }
        return index - start
    }
}
