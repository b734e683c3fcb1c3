// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Testing

@testable import Projections

@Suite struct `The text of a summary` {
    @Test(arguments: [
        "plain", "two\nlines", "ends with a return\r", "\r\n\r\n", "back\\slash and \\n", "\\",
        "=~=", "\u{301}begins with a mark", "name=value\nother~field",
        "\u{0}\u{1F468}\u{200D}\u{1F692}",
    ])
    func `gives back what was written`(value: String) {
        let parts = [
            SummaryPart(name: "first", value: .text(value)),
            SummaryPart(name: "second", value: .text("behind it")),
        ]
        #expect(SummaryText.parts(of: SummaryText(parts).text) == parts)
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5])
    func `gives back any text`(seed: UInt64) {
        var arbitrary = Arbitrary(seed: seed)
        for _ in 0..<200 {
            let value = arbitrary.text()
            let text = SummaryText([SummaryPart(name: "only", value: .text(value))])
            // An empty value leaves its name.
            #expect(
                SummaryText.parts(of: text.text)?.map(\.value) == [.text(value)],
                "seed \(seed)"
            )
        }
    }
}
