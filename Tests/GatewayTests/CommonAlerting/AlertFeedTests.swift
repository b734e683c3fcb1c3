// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Gateway

extension AlertFeed {
    static let sample = AlertFeed(
        id: "urn:uuid:60a76c80-d399-11d9-b93c-0003939e0af6",
        title: "Alerts",
        selfLink: URL(filePath: "/").httpSibling("feed"),
        updated: sampleTime,
        entries: [
            .sample(2, "Fire & \"smoke\"", sampleTime - 60), .sample(4, "Newest", sampleTime),
            .sample(1, "Same time", sampleTime - 60), .sample(3, "Oldest", sampleTime - 3_600),
        ]
    )

    static let hostile = sample.with {
        $0.title = hostileTexts.joined()
        $0.entries = hostileTexts.enumerated().map { number, text in
            var entry = Entry.sample(number, text, sampleTime - Double(number))
            (entry.summary, entry.author, entry.published) = (text, text, nil)
            return entry
        }
    }

    func with(_ change: (inout AlertFeed) -> Void) -> AlertFeed {
        var copy = self
        change(&copy)
        return copy
    }
}

extension AlertFeed.Entry {
    static func sample(_ number: Int, _ title: String, _ updated: Date) -> AlertFeed.Entry {
        AlertFeed.Entry(
            id: "urn:example:alert:\(number)",
            title: title,
            updated: updated,
            published: updated - 1,
            summary: number == 3 ? " " : "Summary \(number)",
            author: "Dispatch",
            link: URL(filePath: "/").httpSibling("alerts/\(number)?a=1&b='2'")
        )
    }
}

extension URL {
    fileprivate func httpSibling(_ path: String) -> URL {
        URL(string: "https://daybook.example/v1/" + path) ?? self
    }
}

/// A coarse check that tags nest; xmllint makes the exact one.
struct XMLDocumentCheck {
    /// - Throws: When a tag does not close, or an uncarried character is left.
    init(_ data: Data) throws {
        let text = String(decoding: data, as: UTF8.self)
        try #require(text.unicodeScalars.allSatisfy(XMLWriter.isCarried))
        var open: [Substring] = []
        for match in text.dropFirst(39).matches(of: /<(\/?)([A-Za-z]+)[^<>]*>/) {
            if match.output.1.isEmpty {
                open.append(match.output.2)
            } else {
                try #require(open.popLast() == match.output.2)
            }
        }
        try #require(open.isEmpty)
    }
}

@Suite struct `Alert feed` {
    @Test func `entries in any order: newest first, then by id`() throws {
        let text = String(decoding: AlertFeed.sample.xml, as: UTF8.self)
        let ids = text.matches(of: /urn:example:alert:(\d)/).map { String($0.output.1) }
        #expect(ids == ["4", "1", "2", "3"])
        _ = try XMLDocumentCheck(AlertFeed.sample.xml)
        var shuffled = AlertFeed.sample
        shuffled.entries.reverse()
        #expect(shuffled.xml == AlertFeed.sample.xml)
    }

    @Test func `blank summary: left out`() {
        let text = String(decoding: AlertFeed.sample.xml, as: UTF8.self)
        #expect(text.matches(of: /<summary>/).count == 3)
    }
}
