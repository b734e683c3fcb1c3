// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Testing

@Suite struct `The vocabulary` {
    @Test func `has its kinds, each spelt as a kind of version 1`() {
        let kinds = EventCatalog.current.rows.map(\.kind.text)
        #expect(kinds.count == 61)
        #expect(Set(kinds).count == 61)
        for kind in kinds { #expect(Kind(kind) != nil && kind.hasSuffix("/1"), "\(kind)") }
    }

    @Test func `routes each kind to its own family and back`() throws {
        var arbitrary = Arbitrary(seed: SeededGenerator.environmentSeed)
        for row in EventCatalog.current.rows {
            let fact = try #require(Fact.arbitrary(of: row.kind, using: &arbitrary))
            #expect(fact.kind == row.kind)
            for link in fact.links { #expect(Subject(link.text) == link) }
        }
    }

    @Test(
        arguments: [
            ("+40 722 123 456", "+40722123456"), ("+1 (415) 555-0100", "+14155550100"),
            ("+1234567", "+1234567"),
        ]
    )
    func `takes a telephone number however it is grouped`(written: String, kept: String) {
        #expect(PhoneNumber(written)?.text == kept)
    }

    @Test(arguments: [
        "", "+", "0722123456", "+123456", "+1234567890123456", "+40x22123456",
        "+40 722\u{0661}23456",
    ])
    func `takes no other text for a telephone number`(written: String) {
        #expect(PhoneNumber(written) == nil)
    }

    @Test func `keeps each tier's first bit rate within its range`() {
        for quality in Quality.allCases {
            #expect(quality.kilobitsPerSecond.contains(quality.kilobitsPerSecondDefault))
        }
    }

    @Test func `knows which places are on Earth`() {
        #expect(Fix(latitude: 90, longitude: -180, headingDegrees: 360).isPlausible)
        #expect(!Fix(latitude: 90.1, longitude: 0).isPlausible)
        #expect(!Fix(latitude: 0, longitude: 180.1).isPlausible)
        #expect(!Fix(latitude: 0, longitude: 0, accuracyMetres: -1).isPlausible)
        #expect(!Fix(latitude: .nan, longitude: 0).isPlausible)
    }
}
