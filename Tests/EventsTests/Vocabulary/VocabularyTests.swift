// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Testing

@Suite struct `The vocabulary` {
    @Test func `writes each kind in its last version, and reads every version before it`() throws {
        let written = EventCatalog.current.written.map(\.text)
        #expect(Set(written).count == written.count)
        for kind in written {
            let parts = kind.split(separator: "/")
            let version = try #require(parts.last.flatMap { Int($0) })
            for old in 1..<version {
                let row = EventCatalog.current[Kind(unchecked: "\(parts[0])/\(old)")]
                #expect(row?.isRetired == true, "\(parts[0])/\(old)")
            }
        }
    }

    @Test func `routes each kind to its own family and back`() throws {
        var arbitrary = Arbitrary(seed: SeededGenerator.environmentSeed)
        for kind in EventCatalog.current.written {
            let fact = try #require(Fact.arbitrary(of: kind, using: &arbitrary))
            #expect(fact.kind == kind)
            for link in fact.links.map(\.subject) { #expect(Subject(link.text) == link) }
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
