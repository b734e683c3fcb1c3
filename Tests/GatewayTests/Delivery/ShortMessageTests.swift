// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise8)) struct `A short message` {
    @Test(
        arguments: [
            (String(repeating: "a", count: 160), false, 1),
            (String(repeating: "a", count: 161), false, 2),
            // Two septets each.
            (String(repeating: "€", count: 80), false, 1),
            (String(repeating: "€", count: 81), false, 2),
            (String(repeating: "a", count: 159) + "€", false, 2),
            (String(repeating: "a", count: 306), false, 2),
            (String(repeating: "a", count: 307), false, 3),
            // One letter that the 7-bit alphabet does not have.
            (String(repeating: "a", count: 69) + "ç", true, 1),
            (String(repeating: "a", count: 70) + "ç", true, 2),
            (String(repeating: "a", count: 68) + "😀", true, 1),
            (String(repeating: "a", count: 69) + "😀", true, 2),
            ("Äpfel für 5 €, {ok}", false, 1), ("Привет", true, 1),
        ] as [(String, Bool, Int)]
    )
    func `is counted as phones count it`(text: String, isUnicode: Bool, parts: Int) {
        let message = ShortMessage(text)
        #expect(message.text == text)
        #expect(message.isUnicode == isUnicode)
        #expect(message.parts == parts)
    }

    @Test func `has a blank before a character that a message centre would tear in two`() {
        let border = String(repeating: "a", count: 66)
        #expect(ShortMessage(border + "😀 and more").text == border + " 😀 and more")
        let before = String(repeating: "a", count: 65)
        #expect(ShortMessage(before + "😀 and more").text == before + "😀 and more")
        let second = String(repeating: "a", count: 66 + 67)
        #expect(ShortMessage(second + "😀").text == second + " 😀")
    }

    @Test func `is cut where it takes too many parts, between characters, and says so`() {
        let long = ShortMessage(String(repeating: "a", count: 2_000), partsMax: 2)
        #expect(long.text.count == 306 && long.text.hasSuffix("a..."))
        #expect(long.parts == 2)
        let flags = ShortMessage(String(repeating: "🇩🇪", count: 100), partsMax: 2)
        #expect(flags.parts == 2)
        #expect(flags.text.hasSuffix("🇩🇪…"))
        #expect(flags.text.utf16.count <= 134)
        let exact = String(repeating: "a", count: 306)
        #expect(ShortMessage(exact, partsMax: 2).text == exact)
    }

    @Test func `has no control characters but line feeds`() {
        #expect(ShortMessage("a\r\nb\u{0}c\u{7}d").text == "a\nb c d")
    }
}
