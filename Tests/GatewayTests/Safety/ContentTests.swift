// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `Texts for everybody` {
    private let shelter: [String: any Sendable] = [
        "section": "resources", "language": "en", "title": "Night shelter",
        "text": "Open from **six**.", "latitude": 52.48, "longitude": -1.89, "isShown": true,
    ]

    @Test func `are written by the administrator, and read by strangers as long as they are shown`()
        async throws
    {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let id: ContentID = gateway.ledger.newID()
            #expect(try await admin.send(.put, "/v1/content/\(id)", shelter).status == 201)
            let shown = try await gateway.send(.get, "/v1/public/content")
            #expect(try shown.items.map { $0["title"] as? String } == ["Night shelter"])
            #expect(try shown.items[0]["latitude"] as? Double == 52.48)
            var hidden = shelter
            hidden["isShown"] = false
            #expect(try await admin.send(.put, "/v1/content/\(id)", hidden).status == 200)
            #expect(try await gateway.send(.get, "/v1/public/content").items.isEmpty)
            let all = try await admin.get("/v1/content")
            #expect(try all.items.map { $0["isShown"] as? Bool } == [false])
        }
    }

    @Test func `are the admin's of the site alone`() async throws {
        try await TestGateway.run { gateway in
            let sam = try await gateway.user(.organisationAdmin, login: "sam")
            let id: ContentID = gateway.ledger.newID()
            #expect(try await sam.send(.put, "/v1/content/\(id)", shelter).status == 403)
            #expect(try await sam.get("/v1/content").status == 403)
        }
    }
}
