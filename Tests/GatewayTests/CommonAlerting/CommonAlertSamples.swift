// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import Gateway

/// Friday 27 November 2026, 06:00:00.9 UTC.
let sampleTime = Date(timeIntervalSince1970: 1_795_759_200.9)

func ring(_ pairs: (Double, Double)...) -> [CommonAlert.Point] {
    pairs.map { CommonAlert.Point(latitude: $0.0, longitude: $0.1) }
}

let square = ring((48, 16), (48, 17), (49, 17), (49, 16), (48, 16))

extension CommonAlert {
    static let small = CommonAlert(
        identifier: "daybook-1",
        sender: "dispatch.example.org",
        sent: sampleTime,
        status: .actual,
        msgType: .alert,
        scope: .public
    )

    static let full: CommonAlert = {
        var alert = small.with { $0.infos = [Info.full] }
        alert.msgType = .update
        alert.scope = .restricted
        alert.restriction = "rescue services only"
        alert.addresses = ["crew@example.org", "North Post"]
        alert.codes = ["daybook", "v1"]
        alert.note = "second"
        alert.references = [
            Reference(
                sender: "dispatch.example.org",
                identifier: "daybook-0",
                sent: sampleTime - 60
            ),
            Reference(sender: "other", identifier: "x", sent: sampleTime - 120),
        ]
        alert.incidents = ["I-7", "fire at dock 3"]
        return alert
    }()

    func with(_ change: (inout CommonAlert) -> Void) -> CommonAlert {
        var copy = self
        change(&copy)
        return copy
    }

    /// Every text of the full alert replaced, but for the two names.
    func saying(_ text: String) -> CommonAlert {
        with {
            $0.restriction = text
            $0.addresses = [text.replacing("\"", with: "'")]
            $0.codes = [text]
            $0.note = text
            $0.incidents = $0.addresses
            $0.infos[0].event = text
            $0.infos[0].audience = text
            $0.infos[0].senderName = text
            $0.infos[0].headline = text
            $0.infos[0].description = text
            $0.infos[0].instruction = text
            $0.infos[0].contact = text
            $0.infos[0].parameters = [NamedValue(name: text, value: text)]
            $0.infos[0].areas[0].description = text
            $0.infos[0].areas[0].geocodes = [NamedValue(name: text, value: text)]
        }
    }
}

extension CommonAlert.Info {
    static let small = CommonAlert.Info(
        categories: [.rescue],
        event: "Distress",
        urgency: .immediate,
        severity: .severe,
        certainty: .likely
    )

    static let full: CommonAlert.Info = {
        var info = small
        info.language = "de-AT"
        info.categories = CommonAlert.Category.allCases
        info.responseTypes = CommonAlert.ResponseType.allCases
        info.audience = "crews"
        info.effective = sampleTime
        info.onset = sampleTime + 7_200
        info.expires = sampleTime + 3_600
        info.senderName = "Dispatch"
        info.headline = "Man over board"
        info.description = "Seen at 06:00"
        info.instruction = "Search"
        info.web = URL(string: "https://user@[::1]:8443/a%20b?x=1&y='2'#z")
        info.contact = "+43 1 555"
        info.parameters = [CommonAlert.NamedValue(name: "revision", value: "")]
        info.areas = [
            CommonAlert.Area(
                description: "Dock 3",
                polygons: [square, square.reversed()],
                circles: [
                    CommonAlert.Circle(
                        centre: CommonAlert.Point(latitude: -0.000_000_04, longitude: 1e-5),
                        radiusKilometres: 0
                    )
                ],
                geocodes: [CommonAlert.NamedValue(name: "SAME", value: "006017")],
                altitude: -12.5,
                ceiling: 1e5
            ), CommonAlert.Area(description: "all"),
        ]
        return info
    }()
}

/// Texts that break careless writers.
let hostileTexts = [
    "👩‍👩‍👧 🚒", "]]>", "<![CDATA[x]]>", "a\u{7}b\u{0}c\u{1B}[31m", "\u{FFFE}x\u{FFFF}\u{1FFFF}",
    "'", "say \"", "<a href='x'>&amp;&#0;", String(repeating: "ß", count: 300),
    "חילוץ ליד الميناء \u{202E}abc", "a\r\nb\rc\n\td", "\u{7F}x\u{85}\u{9F}",
    "e\u{301}\u{2028}\u{FEFF}",
    "<!-- --", "?>", "%n$s %@ \\(x)", "𠀀\u{10FFFD}",
]
