// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

@testable import Commands

@Suite struct `A text for everybody` {
    private let ledger = MemoryLedger()

    @Test func `is written once, changed, and hidden; written over it keeps its place`() throws {
        let (first, second): (ContentID, ContentID) = (ledger.id(), ledger.id())
        try ledger.run(SetContent(first, .shelter))
        try ledger.run(SetContent(second, .shelter))
        #expect(try ledger.count(SetContent(first, .shelter)) == 0)
        let hidden = ContentSet.shelter(latitude: nil, isShown: false)
        try ledger.run(SetContent(first, hidden))
        let all = try ledger.state(Contents.self, ()).all
        #expect(all.map(\.id) == [first, second])
        #expect(all.map(\.facts) == [hidden, .shelter])
    }

    @Test(arguments: [
        (ContentSet.shelter(language: "english"), "language"),
        (.shelter(title: " "), "title"),
        (.shelter(title: "Turned\u{202E}round"), "title"),
        (.shelter(text: String(repeating: "a", count: CommandLimits.contentBytesMax + 1)), "text"),
        (.shelter(latitude: 90.5), "latitude, longitude"),
    ])
    func `is refused where a field cannot be`(facts: ContentSet, field: String) throws {
        do {
            try ledger.run(SetContent(ledger.id(), facts))
            Issue.record("it was taken")
        } catch let refusal as SetContent.Refusal {
            #expect(refusal.problem.facts["field"] == field)
        }
    }
}

extension ContentSet {
    static let shelter = shelter()

    static func shelter(
        language: String = "en",
        title: String = "Night shelter",
        text: String = "Open from **six** in the evening.",
        latitude: Double? = 52.48,
        isShown: Bool = true
    ) -> ContentSet {
        ContentSet(
            section: .resources,
            language: language,
            title: title,
            text: text,
            address: "1 Harbour Street",
            phone: "+441215550100",
            place: latitude.map { ContentPlace(latitude: $0, longitude: -1.89) },
            isShown: isShown
        )
    }
}
