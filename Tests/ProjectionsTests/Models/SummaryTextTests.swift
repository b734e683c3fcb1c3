// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Testing

@testable import Projections

@Suite struct `The text of a summary` {
    @Test(arguments: [
        "plain", "two\nlines", "ends with a return\r", "\r\n\r\n", "back\\slash and \\n", "\\",
        "=~=", "\u{301}begins with a mark", "name=value\nother~field",
        "\u{0}\u{1F468}\u{200D}\u{1F692}",
    ])
    func `gives back what was written`(value: String) throws {
        var text = SummaryText()
        text.add("first", value)
        text.add("second", "behind it")
        let parts = try #require(SummaryText.parts(of: text.text))
        #expect(
            parts == [
                SummaryPart(name: "first", value: .text(value)),
                SummaryPart(name: "second", value: .text("behind it")),
            ]
        )
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5])
    func `gives back any text`(seed: UInt64) throws {
        var arbitrary = Arbitrary(seed: seed)
        for _ in 0..<200 {
            let value = arbitrary.text()
            var text = SummaryText()
            text.add("only", value)
            let parts = try #require(SummaryText.parts(of: text.text))
            // An empty value leaves its name.
            #expect(parts.map(\.value) == [.text(value)], "seed \(seed)")
        }
    }
}
