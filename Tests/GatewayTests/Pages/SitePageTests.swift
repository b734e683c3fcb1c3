// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import Gateway

@Suite struct `What a page says of its site` {
    @Test func `is the number to dial, in every link that is marked, and nowhere else`() throws {
        var site = Site()
        site.emergencyNumber = "999"
        let page = try filled(
            """
            <a href="tel:112" data-emergency>112</a> <a class="big" data-emergency href="tel:112">
            <b>Call 112</b></a> <a href="tel:112">the operator's 112</a> room 112
            <a href="sms:112" data-emergency-sms hidden>Text 112</a>
            """,
            site
        )
        #expect(
            page == """
                <a href="tel:999" data-emergency>999</a> <a class="big" data-emergency href="tel:999">
                <b>Call 999</b></a> <a href="tel:112">the operator's 112</a> room 112
                <a href="sms:112" data-emergency-sms hidden>Text 112</a>
                """
        )
    }

    @Test func `has a link for text messages where the number takes them`() throws {
        var site = Site()
        site.emergencySMS = "114"
        let link = #"<a class="button" href="sms:112" data-emergency-sms hidden>Text 112</a>"#
        #expect(
            try filled(link, site)
                == #"<a class="button" href="sms:114" data-emergency-sms>Text 114</a>"#
        )
    }

    @Test func `stands in the head, and closes no attribute and no element`() throws {
        var site = Site()
        site.name = "O'Hara's </head> & \"sons\""
        site.country = "gb"
        site.zone = try #require(TimeZone(identifier: "Europe/London"))
        let page = try filled("<head><title>x</title></head><body></body>", site)
        let found = try #require(
            page.wholeMatch(
                of:
                    #/<head><title>x<\/title><meta name="daybook-site" content='([^'<>]*)'>\n<\/head><body><\/body>/#
            )
        )
        let json = found.1.replacing("&#39;", with: "'").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
        let facts = try JSONDecoder().decode(Facts.self, from: Data(json.utf8))
        #expect(
            facts
                == Facts(
                    name: site.name,
                    emergencyNumber: "112",
                    emergencySMS: nil,
                    country: "GB",
                    dialling: .init(
                        callingCode: "44",
                        trunkPrefix: "0",
                        internationalPrefix: "00",
                        digitsMost: 10
                    ),
                    zone: "Europe/London"
                )
        )
    }

    @Test func `leaves a page alone that is no text`() throws {
        let bytes = Data([0xFF, 0xFE, 0x00])
        #expect(try SitePage(Site()).filled(bytes) == bytes)
    }

    @Test(
        arguments: [
            ("GB", "44", "0", "00"), ("us", "1", nil, "011"), ("ES", "34", nil, "00"),
            ("HU", "36", "06", "00"), ("BR", "55", "0", nil), ("RU", "7", "8", "810"),
            ("AU", "61", "0", "0011"), ("MX", "52", nil, "00"), ("ZW", "263", "0", "00"),
        ] as [(String, String, String?, String?)]
    )
    func `knows how numbers are dialled in a country`(
        code: String,
        calling: String,
        trunk: String?,
        international: String?
    ) throws {
        let country = try #require(Country(code: code))
        #expect(country.callingCode == calling)
        #expect(country.trunkPrefix == trunk)
        #expect(country.internationalPrefix == international)
        #expect((4...15).contains(country.digitsMost))
    }

    @Test func `names every country once, with a code that is one`() {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        let countries = letters.flatMap { first in
            letters.compactMap { Country(code: "\(first)\($0)") }
        }
        #expect(countries.count == 243)
        for country in countries {
            #expect((1...3).contains(country.callingCode.count), "\(country.code)")
            #expect(Int(country.callingCode) != nil, "\(country.code)")
            #expect((4...15).contains(country.digitsMost), "\(country.code)")
        }
    }

    @Test(
        arguments: [
            ("", nil, nil, nil), ("11x", nil, nil, nil), ("1", nil, nil, nil),
            ("١١٢", nil, nil, nil), ("112", "by post", nil, nil), ("112", "+", nil, nil),
            ("112", nil, "UK", nil), ("112", nil, "", nil), ("112", nil, nil, "a\nb"),
            ("112", nil, nil, ""), ("112", nil, nil, String(repeating: "x", count: 81)),
        ] as [(String, String?, String?, String?)]
    )
    func `is refused where a page could not use it`(
        number: String,
        sms: String?,
        country: String?,
        name: String?
    ) {
        var site = Site()
        (site.emergencyNumber, site.emergencySMS) = (number, sms)
        (site.country, site.name) = (country, name)
        let error = #expect(throws: StartError.self) { try site.check() }
        #expect(error?.description.contains(" cannot be ") == true)
    }

    @Test func `is taken as it is set everywhere`() throws {
        var site = Site()
        try site.check()
        (site.emergencyNumber, site.emergencySMS) = ("999", "+447700900112")
        (site.country, site.name) = ("gb", "Seal Rescue, Nordwand")
        try site.check()
    }

    @Test func `is in the pages of this project, and their number is a link`() throws {
        let web = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../web").standardizedFileURL
        var site = Site()
        site.emergencyNumber = "0118999"
        let pages = try PageFolder(at: web, of: site)
        let html = pages.files.filter { $0.key.hasSuffix(".html") }
        #expect(html.count >= 3)
        for (path, page) in html {
            let text = String(buffer: page.bytes)
            #expect(text.firstRange(of: "name=\"daybook-site\"") != nil, "\(path)")
        }
        let front = try #require(pages.files["index.html"])
        #expect(String(buffer: front.bytes).contains(#"href="tel:0118999""#))
    }

    private func filled(_ html: String, _ site: Site) throws -> String {
        String(decoding: try SitePage(site).filled(Data(html.utf8)), as: UTF8.self)
    }

    private struct Facts: Codable, Hashable {
        let name: String?
        let emergencyNumber: String
        let emergencySMS: String?
        let country: String?
        let dialling: Dialling?
        let zone: String

        struct Dialling: Codable, Hashable {
            let callingCode: String
            let trunkPrefix: String?
            let internationalPrefix: String?
            let digitsMost: Int
        }
    }
}
