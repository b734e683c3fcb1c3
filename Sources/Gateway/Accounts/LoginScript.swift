// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What a new login may be written in, so that nobody makes one that looks like somebody else's: the letters of one script, and of
/// ASCII what is no letter.
///
/// Scripts are told by ranges of Unicode, for Swift knows a letter's properties, and not its script. What stands in none of them,
/// such as full-width letters, those of formulas and accents of their own, makes no login. Older logins are not asked.
enum LoginScript {
    /// The ranges of each script that one login may be written in.
    private static let scripts: [[ClosedRange<UInt32>]] = [
        // Latin, with what its languages add, and without the signs for times and divided by.
        [0x41...0x5A, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x1E00...0x1EFF],
        // Greek, Cyrillic, Armenian, Hebrew, Arabic.
        [0x370...0x3FF, 0x1F00...0x1FFF], [0x400...0x52F], [0x531...0x588], [0x5D0...0x5EA],
        [0x620...0x65F, 0x66E...0x6D3],
        // Tibetan, Burmese, Georgian, Ethiopic, Khmer.
        [0xF00...0xFFF], [0x1000...0x109F], [0x10A0...0x10FF, 0x1C90...0x1CBF],
        [0x1200...0x137F], [0x1780...0x17D3],
        // Kana, Han and Hangul, which are written beside each other.
        [0x3041...0x3096, 0x30A1...0x30FE, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3],
    ]

    /// From Devanagari to Lao each script has one block, of so many letters.
    private static let blocks: ClosedRange<UInt32> = 0x900...0xEFF
    private static let blockLetters: UInt32 = 0x80

    /// Whether all of a login is of one script, in the one way of writing each letter.
    static func isOne(_ login: String) -> Bool {
        let normal = login.precomposedStringWithCanonicalMapping
        guard normal.unicodeScalars.elementsEqual(login.unicodeScalars) else { return false }
        let letters = login.unicodeScalars.filter { !$0.isASCII || $0.properties.isAlphabetic }
            .map(\.value)
        guard let first = letters.first else { return true }
        let script =
            blocks.contains(first)
            ? [first / blockLetters * blockLetters...first | (blockLetters - 1)]
            : scripts.first { $0.contains { $0.contains(first) } } ?? []
        return letters.allSatisfy { letter in script.contains { $0.contains(letter) } }
    }
}
