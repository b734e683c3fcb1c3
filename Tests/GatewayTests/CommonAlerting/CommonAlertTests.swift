// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Gateway

typealias Rule = CommonAlertFault.Rule

/// An alert with one broken rule.
struct Broken: Sendable, CustomTestStringConvertible {
    let element: String
    let rule: Rule
    let alert: CommonAlert

    var testDescription: String { "\(element) \(rule)" }

    init(_ element: String, _ rule: Rule, _ change: (inout CommonAlert) -> Void) {
        (self.element, self.rule, alert) = (element, rule, CommonAlert.full.with(change))
    }

    static func area(
        _ element: String,
        _ rule: Rule,
        _ change: (inout CommonAlert.Area) -> Void
    ) -> Broken {
        Broken("info[1]/area[1]/" + element, rule) { change(&$0.infos[0].areas[0]) }
    }

    static func polygon(_ rule: Rule, _ points: [CommonAlert.Point]) -> Broken {
        area("polygon[1]", rule) { $0.polygons = [points] }
    }

    static let names: [Broken] = [
        "a b", "a,b", "a<b", "a&b", "a\u{A0}b", "a\nb", "\u{7}", "a\u{FFFE}",
    ]
    .flatMap { name in
        [
            Broken("identifier", .reserved) { $0.identifier = name },
            Broken("sender", .reserved) { $0.sender = name },
            Broken("references[2]/identifier", .reserved) { $0.references[1].identifier = name },
            Broken("references[1]/sender", .reserved) { $0.references[0].sender = name },
        ]
    }

    static let messages: [Broken] =
        [
            Broken("identifier", .empty) { $0.identifier = "" },
            Broken("sender", .empty) { $0.sender = "" },
            Broken("restriction", .restrictionMissing) { $0.restriction = nil },
            Broken("restriction", .restrictionMissing) { $0.restriction = " \u{7}\n" },
            Broken("restriction", .restrictionUnused) { $0.scope = .public },
            Broken("addresses", .addressesMissing) {
                ($0.scope, $0.restriction, $0.addresses) = (.private, nil, [])
            },
            Broken("addresses[2]", .empty) { $0.addresses = ["a", " "] },
            Broken("addresses[1]", .quote) { $0.addresses = ["a\" \"b"] },
            Broken("incidents[1]", .quote) { $0.incidents = ["\""] },
            Broken("code[1]", .empty) { $0.codes = [""] },
            Broken("references[2]", .ownReference) {
                ($0.references[1].sender, $0.references[1].identifier) = ($0.sender, $0.identifier)
            },
        ]
        + [.update, .cancel, .ack, .error].map { (type: CommonAlert.MessageType) in
            Broken("references", .referencesMissing) { ($0.msgType, $0.references) = (type, []) }
        }
        + [.infinity, -.infinity, .nan, -1, 253_402_300_800].flatMap { (seconds: Double) in
            let time = Date(timeIntervalSince1970: seconds)
            return [
                Broken("sent", .time) { $0.sent = time },
                Broken("references[1]/sent", .time) { $0.references[0].sent = time },
                Broken("info[1]/onset", .time) { $0.infos[0].onset = time },
                Broken("info[1]/expires", .time) { $0.infos[0].expires = time },
            ]
        }

    static let infos: [Broken] =
        ["", "de-", "-de", "de_AT", "d3", "dé", "abcdefghi", "de AT", "de\n", "e\u{301}"]
        .map { tag in Broken("info[1]/language", .language) { $0.infos[0].language = tag } } + [
            Broken("info[1]/category", .categoryMissing) { $0.infos[0].categories = [] },
            Broken("info[1]/event", .empty) { $0.infos[0].event = "\u{7} " },
            Broken("info[2]/event", .empty) {
                $0.infos.append(.small)
                $0.infos[1].event = ""
            },
            Broken("info[1]/expires", .expired) {
                ($0.infos[0].effective, $0.infos[0].expires) = (nil, sampleTime - 1)
            },
            Broken("info[1]/expires", .expired) { $0.infos[0].effective = sampleTime + 3_601 },
            Broken("info[1]/web", .web) { $0.infos[0].web = URL(string: "/alerts/1") },
            Broken("info[1]/parameter[1]/valueName", .empty) {
                $0.infos[0].parameters[0].name = ""
            },
        ]

    static let areas: [Broken] = [
        .area("areaDesc", .empty) { $0.description = " " },
        .area("geocode[1]/valueName", .empty) { $0.geocodes[0].name = "" },
        .area("altitude", .altitude) { $0.altitude = .nan },
        .area("ceiling", .altitude) { $0.ceiling = .infinity },
        .area("ceiling", .ceilingAlone) { $0.altitude = nil },
        .area("ceiling", .ceilingLow) { $0.ceiling = -13 },
        .area("circle[1]", .radius) { $0.circles[0].radiusKilometres = -0.000_1 },
        .area("circle[1]", .radius) { $0.circles[0].radiusKilometres = .nan },
        .area("circle[1]", .radius) { $0.circles[0].radiusKilometres = 20_039 },
        .area("circle[1]", .offEarth) {
            $0.circles[0].centre = CommonAlert.Point(latitude: .nan, longitude: 0)
        },
        .area("polygon[2]", .open) { $0.polygons[1].removeLast() },
        .polygon(.pointsFew, []),
        .polygon(.pointsFew, ring((0, 0), (0, 1), (0, 0))),
        .polygon(.pointsMany, Array(repeating: square[0], count: 1_001)),
        .polygon(.open, ring((0, 0), (0, 1), (1, 1), (1, 0))),
        .polygon(.offEarth, ring((0, 0), (0, 1), (90.1, 1), (0, 0))),
        .polygon(.offEarth, ring((0, 180.1), (0, 179), (1, 179), (0, 180.1))),
        .polygon(.offEarth, ring((0, .infinity), (0, 179), (1, 179), (0, .infinity))),
        .polygon(.sideWide, ring((0, 179), (0, -179), (1, -179), (1, 179), (0, 179))),
        .polygon(.crossing, Array(repeating: square[0], count: 4)),
        .polygon(.crossing, ring((0, 0), (0, 1), (0, 2), (0, 0))),
        .polygon(.crossing, ring((0, 0), (1, 1), (0, 1), (1, 0), (0, 0))),
        // A spike; two squares that share a corner; a side run over twice.
        .polygon(.crossing, ring((0, 0), (0, 2), (0, 1), (1, 1), (0, 0))),
        .polygon(
            .crossing,
            ring((0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 1), (1, 1), (1, 0), (0, 0))
        ),
        .polygon(
            .crossing,
            ring((0, 0), (0, 4), (2, 4), (2, 3), (0, 3), (0, 1), (2, 1), (2, 0), (0, 0))
        ),
    ]
}

@Suite struct `CAP alert: rules` {
    @Test(arguments: Broken.names + Broken.messages + Broken.infos + Broken.areas)
    func `one broken rule: named with its element`(_ broken: Broken) throws {
        let fault = try #require(broken.alert.fault())
        #expect(fault == CommonAlertFault(element: broken.element, rule: broken.rule))
        #expect(fault.words.hasPrefix(broken.element + " "))
        // Not to be sent, but neither a crash nor ill-formed.
        _ = try XMLDocumentCheck(broken.alert.xml)
    }

    @Test func `every rule: has a test`() {
        let broken = Broken.names + Broken.messages + Broken.infos + Broken.areas
        #expect(Set(broken.map(\.rule)) == Set(Rule.allCases))
    }

    @Test(arguments: Shapes.all) func `sound alert: no fault`(_ shape: Shape) {
        #expect(shape.alert.fault() == nil)
    }
}

@Suite struct `CAP alert: document` {
    @Test func `smallest alert: exact bytes`() {
        let expected = """
            <?xml version="1.0" encoding="UTF-8"?>
            <alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>daybook-1</identifier>
            <sender>dispatch.example.org</sender>
            <sent>2026-11-27T06:00:00-00:00</sent>
            <status>Actual</status>
            <msgType>Alert</msgType>
            <scope>Public</scope>
            </alert>

            """
        #expect(String(decoding: CommonAlert.small.xml, as: UTF8.self) == expected)
    }

    @Test(arguments: [
        "<addresses>crew@example.org &quot;North Post&quot;</addresses>",
        "<references>dispatch.example.org,daybook-0,2026-11-27T05:59:00-00:00 "
            + "other,x,2026-11-27T05:58:00-00:00</references>",
        "<incidents>I-7 &quot;fire at dock 3&quot;</incidents>",
        "<polygon>48,16 48,17 49,17 49,16 48,16</polygon>", "<circle>0,0.00001 0</circle>",
        "<altitude>-12.5</altitude>", "<ceiling>100000</ceiling>", "<category>CBRNE</category>",
        "<responseType>AllClear</responseType>", "<responseType>None</responseType>",
    ]) func `full alert: has the line`(_ line: String) {
        #expect(String(decoding: CommonAlert.full.xml, as: UTF8.self).contains(line + "\n"))
    }
}

struct Shape: Sendable, CustomTestStringConvertible {
    let name: String
    let alert: CommonAlert
    var testDescription: String { name }
}

/// Alerts that may be sent: every word, every text, every shape.
enum Shapes {
    static let all: [Shape] = words + details + polygons + texts

    private static let words: [Shape] = {
        var shapes: [Shape] = []
        for word in CommonAlert.Status.allCases {
            shapes.append(Shape(name: "status-\(word)", alert: .small.with { $0.status = word }))
        }
        for word in CommonAlert.MessageType.allCases {
            shapes.append(Shape(name: "type-\(word)", alert: .full.with { $0.msgType = word }))
        }
        for word in CommonAlert.Scope.allCases {
            let alert = CommonAlert.full.with {
                $0.scope = word
                if word != .restricted { $0.restriction = nil }
            }
            shapes.append(Shape(name: "scope-\(word)", alert: alert))
        }
        shapes += CommonAlert.Urgency.allCases.map { word in info("\(word)") { $0.urgency = word } }
        shapes += CommonAlert.Severity.allCases.map { word in info("\(word)") { $0.severity = word }
        }
        shapes += CommonAlert.Certainty.allCases.map { word in
            info("\(word)") { $0.certainty = word }
        }
        return shapes
    }()

    private static let details: [Shape] = [
        Shape(name: "small", alert: .small),
        Shape(name: "small-info", alert: .small.with { $0.infos = [CommonAlert.Info.small] }),
        Shape(
            name: "three-infos",
            alert: .full.with { $0.infos += [CommonAlert.Info.small, .full] }
        ),
        Shape(name: "apostrophe", alert: .small.with { $0.identifier = "urn:oid:\"2.49'>é🚒" }),
        Shape(name: "blank-note", alert: .full.with { $0.note = "\u{7} \n" }),
        Shape(name: "first-time", alert: .small.with { $0.sent = Date(timeIntervalSince1970: 0) }),
        Shape(
            name: "last-time",
            alert: .small.with {
                $0.sent = Date(timeIntervalSince1970: 253_402_300_799)
            }
        ),
        info("expires-when-sent") { ($0.effective, $0.expires) = (nil, sampleTime) },
        info("long-tag") { $0.language = "zh-Hant-TW-x-a1234567" },
        info("urn") { $0.web = URL(string: "urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8") },
        info("unicode-web") { $0.web = URL(string: "https://bücher.example/ä ö|^`{}<>\"?q=[]#ü") },
        info("altitude-only") { ($0.areas[0].altitude, $0.areas[0].ceiling) = (1e-7, nil) },
        info("altitude-high") {
            ($0.areas[0].altitude, $0.areas[0].ceiling) = (999_999.123_456, 1e6)
        },
    ]

    private static let polygons: [Shape] = [
        polygon("triangle", ring((0, 0), (0, 1), (1, 0), (0, 0))),
        polygon("clockwise", square.reversed()),
        polygon("repeated-point", ring((0, 0), (0, 0), (0, 1), (1, 0), (0, 0), (0, 0))),
        polygon("straight-corner", ring((0, 0), (0, 1), (0, 2), (1, 0), (0, 0))),
        polygon(
            "notch",
            ring((0, 0), (0, 4), (2, 4), (2, 3), (1, 3), (1, 1), (2, 1), (2, 0), (0, 0))
        ),
        polygon("edges-of-earth", ring((-90, 0), (90, 0), (90, 180), (-90, 180), (-90, 0))),
        polygon(
            "world",
            ring(
                (-90, -180),
                (-90, 0),
                (-90, 180),
                (90, 180),
                (90, 0),
                (90, -180),
                (-90, -180)
            )
        ),
        polygon("tiny", ring((1e-6, 0), (0, 1e-6), (0, 0), (1e-6, 0))),
        polygon(
            "star",
            (0...999).map { step in
                let (angle, radius) = (
                    Double(step % 999) * 2 * .pi / 999, step % 999 % 2 == 0 ? 9.0 : 8.9
                )
                return CommonAlert.Point(
                    latitude: radius * cos(angle),
                    longitude: radius * sin(angle)
                )
            }
        ),
    ]

    private static let texts: [Shape] = hostileTexts.enumerated().map { number, text in
        Shape(name: "text-\(number)", alert: CommonAlert.full.saying(text))
    }

    private static func info(
        _ name: String,
        _ change: (inout CommonAlert.Info) -> Void
    ) -> Shape {
        Shape(name: name, alert: .full.with { change(&$0.infos[0]) })
    }

    private static func polygon(_ name: String, _ points: [CommonAlert.Point]) -> Shape {
        info("polygon-\(name)") { $0.areas[0].polygons = [points] }
    }
}
