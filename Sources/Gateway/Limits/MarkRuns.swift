// SPDX-License-Identifier: Apache-2.0

/// Counts the combining marks that stand in a row, in a text that comes byte by byte.
///
/// Each byte is looked at once, in memory that does not grow. Escapes count as what they stand for, for whoever reads the text will
/// put that in their place.
struct MarkRuns: Sendable {
    /// How a character may be written beside itself.
    enum Escapes: Sendable {
        case none
        /// `\u0301`, and two of these for a character beyond U+FFFF.
        case json
        /// `%CC%81`, byte by byte.
        case percent
    }

    /// The longest row until now.
    private(set) var longest = 0
    private let escapes: Escapes
    /// How an escape begins; zero, which stands in no text, where there is none.
    private let opening: UInt8
    private var run = 0
    private var isBroken = false
    private var escape = Escape.none
    private var sequence = Sequence()
    /// The first half of a character beyond U+FFFF, whose second half is due.
    private var half: UInt32?

    private enum Escape {
        case none
        case begun
        case digits(UInt32, left: Int)
    }

    /// A character of several bytes that is coming.
    private struct Sequence {
        var value: UInt32 = 0
        var left = 0
        /// The least value that needs so many bytes.
        var least: UInt32 = 0
    }

    init(_ escapes: Escapes) {
        self.escapes = escapes
        opening =
            switch escapes {
            case .none: 0
            case .json: UInt8(ascii: "\\")
            case .percent: UInt8(ascii: "%")
            }
    }

    /// Whether all bytes until now are UTF-8, none of them zero.
    var isText: Bool { !isBroken && sequence.left == 0 }

    /// Takes the next byte.
    mutating func take(_ byte: UInt8) {
        // Most of all texts.
        if case .none = escape, sequence.left == 0, half == nil, 1..<0x80 ~= byte, byte != opening {
            run = 0
            return
        }
        switch escape {
        case .none:
            guard byte == opening, byte != 0 else { return takePlain(byte) }
            // Bytes of one character may be escaped in an address, one by one.
            if escapes == .json, sequence.left > 0 { breakOff() }
            escape = .begun
        case .begun: begin(byte)
        case .digits(let value, let left): add(byte, to: value, left)
        }
    }

    private mutating func begin(_ byte: UInt8) {
        switch escapes {
        case .json where byte == UInt8(ascii: "u"):
            escape = .digits(0, left: 4)
        case .percent:
            add(byte, to: 0, 2)
        default:
            // A line end, a quote or the like: no mark.
            escape = .none
            end()
        }
    }

    private mutating func add(_ byte: UInt8, to value: UInt32, _ left: Int) {
        guard let digit = Self.digit(byte) else {
            escape = .none
            end()
            return take(byte)
        }
        let value = value << 4 | digit
        escape = left > 1 ? .digits(value, left: left - 1) : .none
        if left == 1 { complete(value) }
    }

    private mutating func complete(_ value: UInt32) {
        guard escapes == .json else { return takePlain(UInt8(truncatingIfNeeded: value)) }
        let first = half
        half = nil
        switch value {
        case 0xD800...0xDBFF:
            if first != nil { end() }
            half = value
        case 0xDC00...0xDFFF:
            guard let first else { return end() }
            take((first - 0xD800) << 10 + (value - 0xDC00) + 0x10000)
        default:
            if first != nil { end() }
            take(value)
        }
    }

    /// Reads UTF-8 (RFC 3629 §4).
    private mutating func takePlain(_ byte: UInt8) {
        if half != nil { end() }
        if sequence.left > 0 {
            guard byte & 0xC0 == 0x80 else {
                breakOff()
                return takePlain(byte)
            }
            sequence.value = sequence.value << 6 | UInt32(byte & 0x3F)
            sequence.left -= 1
            guard sequence.left == 0 else { return }
            return sequence.value < sequence.least ? breakOff() : take(sequence.value)
        }
        switch byte {
        case 0: breakOff()
        case ..<0x80: run = 0
        case 0xC2...0xDF: begin(byte & 0x1F, left: 1, least: 0x80)
        case 0xE0...0xEF: begin(byte & 0x0F, left: 2, least: 0x800)
        case 0xF0...0xF4: begin(byte & 0x07, left: 3, least: 0x10000)
        default: breakOff()
        }
    }

    private mutating func begin(_ bits: UInt8, left: Int, least: UInt32) {
        sequence = Sequence(value: UInt32(bits), left: left, least: least)
    }

    private mutating func take(_ value: UInt32) {
        guard let scalar = Unicode.Scalar(value) else { return breakOff() }
        let marks = Self.marks(in: scalar)
        run = marks == 0 ? 0 : run + marks
        longest = max(longest, run)
    }

    /// What stands here is no mark.
    private mutating func end() {
        if sequence.left > 0 { isBroken = true }
        (run, sequence, half) = (0, Sequence(), nil)
    }

    private mutating func breakOff() {
        isBroken = true
        end()
    }

    /// How many marks a character is made of, once it is taken apart (UAX #15); 0 for one that begins anew.
    static func marks(in scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case ..<0x300: 0
        // The four that are made of two; of the last three the class does not say so.
        case 0x344, 0xF73, 0xF75, 0xF81: 2
        default: scalar.properties.canonicalCombiningClass == .notReordered ? 0 : 1
        }
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        default: nil
        }
    }
}
