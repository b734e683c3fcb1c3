// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite struct `What everybody sees of a report` {
    @Test func `comes half an hour late, with a rough place and the hour`() async throws {
        let clock = TestClock()
        try await TestGateway.run {
            $0.clock = clock.ledgerClock
            $0.pages = nil
        } _: { gateway in
            let rescuer = try await gateway.user(.rescuer, login: "rosa")
            try await `Reports over HTTP`.agency(of: rescuer, gateway)
            let reporter = try await gateway.user(.reporter, login: "rita")
            let dog = `Reports over HTTP`.dog(latitude: 52.4849)
            let id = try await reporter.post("/v1/reports", dog).text("report")
            _ = try await rescuer.get("/v1/reports", after: gateway.newest)
            let path = "/v1/public/reports.geojson"
            #expect(try await gateway.send(.get, path).features.isEmpty)
            #expect(try await gateway.send(.get, "/rescues/\(id)").status == 404)

            clock.advance(by: PublicRescue.delay + PublicRescue.freshness)
            let answer = try await gateway.send(.get, path)
            let feature = try #require(try answer.features.first)
            let geometry = try #require(feature["geometry"] as? [String: Any])
            #expect(geometry["coordinates"] as? [Double] == [-1.89, 52.48])
            let properties = try #require(feature["properties"] as? [String: Any])
            #expect((properties["submittedAt"] as? String)?.hasSuffix(":00:00.000000Z") == true)
            #expect(!answer.body.contains("limps") && !answer.body.contains("rita"))
            // What somebody wrote in place of an animal's name is for staff.
            #expect(properties["species"] as? String == "other")
            #expect(try await gateway.send(.get, "/rescues/\(id)").status == 200)
        }
    }

    @Test(arguments: [
        ("near", "91,0"), ("near", "36.8"), ("near", "a,b"), ("state", "all"),
    ])
    func `is asked for by a place and a state, or not at all`(name: String, text: String)
        async throws
    {
        try await TestGateway.run { gateway in
            let answer = try await gateway.send(.get, "/rescues?\(name)=\(text)")
            #expect(try answer.problem == "malformed-request")
        }
    }
}

@Suite struct `The words of public pages` {
    @Test(arguments: [
        ("de", PublicWords.Language.de), ("de-AT, en;q=0.5", .de),
        ("fr, en-GB;q=0.8, de;q=0.7", .en),
        ("en;q=0.1, de;q=0.9", .de), ("de;q=0", .en), ("de;q=many, en", .en), ("", .en),
    ])
    func `are those that the browser wishes most`(wish: String, language: PublicWords.Language) {
        #expect(PublicWords.Language(wished: [wish]) == language)
    }

    @Test func `escape what comes from outside, and nothing twice`() {
        let name = "<b title='x'>\"A & B\"</b>"
        let inner: HTML = "<i>\(name)</i>"
        let outer: HTML = "<p>\(inner)\([inner])\(nil as HTML?)</p>"
        let escaped = "<i>&lt;b title=&#39;x&#39;&gt;&quot;A &amp; B&quot;&lt;/b&gt;</i>"
        #expect(outer.text == "<p>\(escaped)\(escaped)</p>")
    }
}

extension TestAnswer {
    fileprivate var features: [[String: Any]] {
        get throws { try #require(try object["features"] as? [[String: Any]]) }
    }
}
