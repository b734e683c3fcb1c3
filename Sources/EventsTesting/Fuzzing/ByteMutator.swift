// SPDX-License-Identifier: Apache-2.0
/// Makes damaged, half right and hostile bytes out of right ones.
///
/// Knows what text formats are made of: it moves, doubles and drops whole words and marks, and puts in words that parsers
/// trip over, beside flipping bits. The same seed gives the same bytes.
public struct ByteMutator: Sendable {
    private let samples: [[UInt8]]
    private let words: [[UInt8]]
    private var chance: SeededGenerator

    /// - Parameters:
    ///   - samples: Right bytes to begin with; at least one.
    ///   - words: What is put in besides ``edgeWords``.
    ///   - seed: Where chance comes from.
    public init(samples: [[UInt8]], words: [String] = [], seed: UInt64) {
        precondition(!samples.isEmpty, "nothing can be made out of no samples")
        self.samples = samples
        self.words = (words + Self.edgeWords).map { Array($0.utf8) }
        chance = SeededGenerator(seed: seed)
    }

    /// The next bytes: a sample with one change or a few; at most ``bytesMax`` or twice as long as it was.
    public mutating func next() -> [UInt8] {
        var bytes = samples[number(below: samples.count)]
        let limit = max(Self.bytesMax, 2 * bytes.count)
        repeat { change(&bytes) } while bytes.count < limit && number(below: 3) > 0
        return Array(bytes.prefix(limit))
    }

    /// How long short samples become at most: longer than an entry may be.
    public static let bytesMax = 70_000

    private mutating func change(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else {
            bytes = words[number(below: words.count)]
            return
        }
        switch number(below: 12) {
        case 0: bytes[number(below: bytes.count)] ^= 1 << UInt8(number(below: 8))
        case 1: bytes[number(below: bytes.count)] = edgeByte()
        case 2: bytes.removeSubrange(range(in: bytes))
        case 3: bytes.removeLast(number(below: bytes.count) + 1)
        case 4: bytes.insert(contentsOf: bytes[range(in: bytes)], at: number(below: bytes.count))
        case 5: bytes.insert(contentsOf: word(), at: number(below: bytes.count + 1))
        case 6: splice(&bytes)
        case 7: putNumber(into: &bytes)
        case 8: bytes.replaceSubrange(token(in: bytes), with: word())
        case 9: bytes.removeSubrange(token(in: bytes))
        case 10: swapTokens(&bytes)
        default: repeatToken(&bytes)
        }
    }

    /// Bytes of another sample in the middle of this one.
    private mutating func splice(_ bytes: inout [UInt8]) {
        let other = samples[number(below: samples.count)]
        guard !other.isEmpty else { return }
        bytes.replaceSubrange(range(in: bytes), with: other[range(in: other)])
    }

    /// A length or count of 1, 2, 4 or 8 bytes at one of its ends.
    private mutating func putNumber(into bytes: inout [UInt8]) {
        let width = 1 << number(below: 4)
        let start = number(below: bytes.count)
        let edges: [UInt64] = [
            0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, .max, .max >> 1,
        ]
        let value = edges[number(below: edges.count)]
        for place in 0..<width where start + place < bytes.count {
            bytes[start + place] = UInt8(
                truncatingIfNeeded: value >> UInt64(8 * (width - 1 - place))
            )
        }
    }

    private mutating func swapTokens(_ bytes: inout [UInt8]) {
        let (one, two) = (token(in: bytes), token(in: bytes))
        guard one.upperBound <= two.lowerBound else { return }
        let (first, second) = (Array(bytes[one]), Array(bytes[two]))
        bytes.replaceSubrange(two, with: first)
        bytes.replaceSubrange(one, with: second)
    }

    /// The same word or mark again and again, as deep nesting is made of.
    private mutating func repeatToken(_ bytes: inout [UInt8]) {
        let place = token(in: bytes)
        let count = min([1, 2, 70, 300][number(below: 4)], Self.bytesMax / max(1, place.count))
        let copies = Array(repeating: bytes[place], count: count)
        bytes.insert(contentsOf: copies.joined(), at: place.lowerBound)
    }

    // MARK: Places

    private mutating func number(below bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &chance)
    }

    private mutating func edgeByte() -> UInt8 {
        let edges: [UInt8] = [
            0, 9, 10, 13, 0x20, 0x22, 0x2F, 0x5C, 0x7B, 0x7D, 0x7F, 0x80, 0xC0, 0xFF,
        ]
        return edges[number(below: edges.count)]
    }

    private mutating func word() -> [UInt8] { words[number(below: words.count)] }

    /// A short range, or now and then one of any length.
    private mutating func range(in bytes: [UInt8]) -> Range<Int> {
        let start = number(below: bytes.count)
        let length = number(below: number(below: 4) == 0 ? bytes.count : min(bytes.count, 16)) + 1
        return start..<min(bytes.count, start + length)
    }

    /// A run of letters and digits, or a single other byte.
    private mutating func token(in bytes: [UInt8]) -> Range<Int> {
        guard !bytes.isEmpty else { return 0..<0 }
        var start = number(below: bytes.count)
        var end = start + 1
        guard Self.isWordByte(bytes[start]) else { return start..<end }
        while start > 0, Self.isWordByte(bytes[start - 1]) { start -= 1 }
        while end < bytes.count, Self.isWordByte(bytes[end]) { end += 1 }
        return start..<end
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
        default: false
        }
    }
}

extension ByteMutator {
    /// What parsers of text trip over: numbers at the end of their range or in another spelling, escapes, marks without
    /// their fellows, letters that look the same and are not.
    public static let edgeWords = [
        "-0", "0.0", "1e400", "1E2", "1e-7", "0.10", "00", "9007199254740993", "-9007199254740992",
        "18446744073709551616", "1.7976931348623157e308", "5e-324", "\\u0000", "\\ud800",
        "\\udc00\\ud800", "\\u00e9", "\\/", "\\", "\"", "\"\"", "{", "}", "[", "]", "[]", "{}", ",",
        ":", "null", "true", "{\"a\":1,\"a\":1}", "{\"b\":1,\"a\":1}", "\u{2028}", "\u{FEFF}", "é",
        "e\u{301}", "😀", "\u{FFFF}", "\n", "\r\n", "\0", " ", "+", "=", "x000", ".p/", "—",
    ]
}
