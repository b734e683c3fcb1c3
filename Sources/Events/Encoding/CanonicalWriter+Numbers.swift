// SPDX-License-Identifier: Apache-2.0
extension CanonicalWriter {
    /// Writes a whole number; the caller has checked that JSON keeps it exactly.
    func writeInteger(_ value: Int64) {
        let room = room(for: 20)
        var rest = value.magnitude
        var digits = 0
        repeat {
            digits += 1
            room[20 - digits] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        if value < 0 {
            digits += 1
            room[20 - digits] = UInt8(ascii: "-")
        }
        room.update(from: room + (20 - digits), count: digits)
        advance(by: digits)
    }

    /// Writes a finite number as ECMAScript prints it (RFC 8785 §3.2.2.3).
    func writeDouble(_ value: Double) {
        if value.magnitude < 9_007_199_254_740_992, value == value.rounded(.towardZero) {
            return writeInteger(Int64(value))
        }
        if value < 0 { write(UInt8(ascii: "-")) }
        var text = value.magnitude.description
        text.withUTF8 { writeECMAScript(DecimalDigits(of: $0)) }
    }

    /// Writes digits and exponent by the rules of Number::toString (ECMA-262 §6.1.6.1.20).
    private func writeECMAScript(_ number: DecimalDigits) {
        let digits = number.count
        let point = number.point
        switch point {
        case digits...21:
            write(number, 0..<digits)
            for _ in digits..<point { write(UInt8(ascii: "0")) }
        case 1..<digits:
            write(number, 0..<point)
            write(UInt8(ascii: "."))
            write(number, point..<digits)
        case -5...0:
            write("0.")
            for _ in 0..<(-point) { write(UInt8(ascii: "0")) }
            write(number, 0..<digits)
        default:
            writeScientific(number)
        }
    }

    private func writeScientific(_ number: DecimalDigits) {
        write(number, 0..<1)
        if number.count > 1 {
            write(UInt8(ascii: "."))
            write(number, 1..<number.count)
        }
        write(UInt8(ascii: "e"))
        if number.point > 0 { write(UInt8(ascii: "+")) }
        writeInteger(Int64(number.point - 1))
    }

    private func write(_ number: DecimalDigits, _ range: Range<Int>) {
        for index in range { write(number[index]) }
    }
}

/// The shortest digits that give a number back, and where its decimal point stands among them.
private struct DecimalDigits {
    private var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
    private(set) var count = 0
    /// The value is 0.d₁d₂… × 10^point.
    private(set) var point = 0

    /// Takes apart what Swift prints for a finite number above 0: `0.00123`, `123.25`, `1.25e-07`.
    init(of text: UnsafeBufferPointer<UInt8>) {
        var exponent = 0
        var afterPoint = 0
        var seenPoint = false
        for (index, byte) in text.enumerated() {
            if byte == UInt8(ascii: ".") {
                seenPoint = true
            } else if byte == UInt8(ascii: "e") {
                exponent = Self.exponent(text[(index + 1)...])
                break
            } else {
                if seenPoint { afterPoint += 1 }
                if count > 0 || byte != UInt8(ascii: "0") { append(byte) }
            }
        }
        point = count - afterPoint + exponent
        while count > 1, self[count - 1] == UInt8(ascii: "0") { count -= 1 }
    }

    subscript(index: Int) -> UInt8 {
        withUnsafeBytes(of: digits) { $0[index] }
    }

    /// At most 24 fit; the shortest form has 17, and Swift pads with zeros only up to 2⁵³.
    private mutating func append(_ byte: UInt8) {
        let place = count
        withUnsafeMutableBytes(of: &digits) { $0[place] = byte }
        count += 1
    }

    private static func exponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        let negative = text.first == UInt8(ascii: "-")
        let digits = text.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return negative ? -value : value
    }
}
