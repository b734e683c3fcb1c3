// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite struct `A check-in` {
    static let place: [String: any Sendable] = [
        "site": "North", "name": "Gate", "latitude": 52.48, "longitude": -1.89,
        "radiusMetres": 50.0,
    ]

    /// A code of the same point that its secret did not make.
    private static func forged(_ code: String) -> String {
        String(code.dropLast()) + (code.hasSuffix("0") ? "1" : "0")
    }

    @Test func `counts once in five minutes; twice, from afar and forged are recorded as refused`()
        async throws
    {
        try await TestGateway.run { gateway in
            let chief = try await gateway.user(.supervisor, login: "sue")
            let guardian = try await gateway.user(.guard, login: "gita")
            let defined = try await chief.post("/v1/patrol-points", Self.place)
            let point = try defined.text("point")
            let code = try await chief.get("/v1/patrol-points/\(point)/qr").text("code")

            let far: [String: any Sendable] = ["latitude": 53.0, "longitude": -1.89]
            let answers = [
                try await guardian.post("/v1/check-ins", ["code": code, "fix": far]),
                try await guardian.post("/v1/check-ins", ["code": code]),
                try await guardian.post("/v1/check-ins", ["code": code]),
                try await guardian.post("/v1/check-ins", ["code": Self.forged(code)]),
            ]
            #expect(answers.map(\.status) == [409, 201, 409, 422])
            #expect(
                try answers.map { try $0.problem } == [
                    "check-in-too-far", nil, "check-in-duplicate", "check-in-bad-code",
                ]
            )
            let refused = try gateway.events(PatrolCheckInRefused.kind).map {
                event -> PatrolCheckInRefused.Reason? in
                if case .patrol(.checkInRefused(let refused)) = event.fact {
                    return refused.reason
                }
                return nil
            }
            #expect(refused == [.tooFar, .duplicate, .badCode])
            #expect(try gateway.events(PatrolCheckedIn.kind).count == 1)
            #expect(try gateway.events(AccessRefused.kind).isEmpty)
        }
    }

    @Test func `needs a patrol code and a guard`() async throws {
        try await TestGateway.run { gateway in
            let chief = try await gateway.user(.supervisor, login: "sue")
            let guardian = try await gateway.user(.guard, login: "gita")
            let other = try await guardian.post("/v1/check-ins", ["code": "https://example.org"])
            #expect(try other.problem == "not-a-patrol-code")
            #expect(try await chief.post("/v1/check-ins", ["code": "x"]).status == 403)
            #expect(try await guardian.post("/v1/patrol-points", Self.place).status == 403)
            #expect(try gateway.events(PatrolCheckInRefused.kind).isEmpty)
        }
    }

    @Test func `with another organisation's code is as with a forged one`() async throws {
        try await TestGateway.run { gateway in
            let chief = try await gateway.user(.supervisor, login: "sue")
            let stranger = try await gateway.user(.guard, login: "nils", org: "north")
            let point = try await chief.post("/v1/patrol-points", Self.place).text("point")
            let code = try await chief.get("/v1/patrol-points/\(point)/qr").text("code")
            for text in [code, Self.forged(code)] {
                let refused = try await stranger.post("/v1/check-ins", ["code": text])
                #expect(try refused.problem == "check-in-bad-code")
            }
            #expect(try gateway.events(PatrolCheckedIn.kind).isEmpty)
            let subjects = try gateway.events(PatrolCheckInRefused.kind).map(\.envelope.subject)
            #expect(Set(subjects.map(\.text)) == ["user/\(stranger.id)"])
        }
    }

    @Test func `is accepted with the code that was printed before a restart`() async throws {
        let (folder, code) = try await TestGateway.run { gateway in
            let chief = try await gateway.user(.supervisor, login: "sue")
            let point = try await chief.post("/v1/patrol-points", Self.place).text("point")
            let text = try await chief.get("/v1/patrol-points/\(point)/qr").text("code")
            return (gateway.folder, text)
        }
        try await TestGateway.run(in: folder) { gateway in
            let guardian = try await gateway.user(.guard, login: "gita")
            #expect(try await guardian.post("/v1/check-ins", ["code": code]).status == 201)
        }
    }

    @Test func `is refused with a code that was renewed, and accepted with the new one`()
        async throws
    {
        try await TestGateway.run { gateway in
            let chief = try await gateway.user(.supervisor, login: "sue")
            let guardian = try await gateway.user(.guard, login: "gita")
            let point = try await chief.post("/v1/patrol-points", Self.place).text("point")
            let old = try await chief.get("/v1/patrol-points/\(point)/qr").text("code")
            let path = "/v1/patrol-points/\(point)/code"
            #expect(try await guardian.post(path).status == 403)
            let renewed = try await chief.post(path, key: "lost-label").text("code")
            // Two who renew the same code renew it once.
            let second = try await chief.post(path, ["code": old])
            #expect(try second.text("code") == renewed)
            #expect(try await chief.post(path, ["code": Self.forged(old)]).status == 422)
            // Who asks again after a lost answer reads the same code.
            #expect(try await chief.post(path, key: "lost-label").text("code") == renewed)
            #expect(renewed != old && old.wholeMatch(of: /DAYBOOK-PATROL:\w{26}\.\w{16}/) != nil)
            let refused = try await guardian.post("/v1/check-ins", ["code": old])
            #expect(refused.status == 409)
            #expect(try refused.problem == "check-in-code-renewed")
            let typed = ["code": renewed.lowercased()]
            #expect(try await guardian.post("/v1/check-ins", typed).status == 201)
            let list = try await chief.get("/v1/check-ins", after: gateway.newest).items
            #expect(list.map { $0["refusal"] as? String } == [nil, "code_renewed"])
        }
    }

    @Test func `at a place set up twice with one key is at one place`() async throws {
        try await TestGateway.run { gateway in
            let chief = try await gateway.user(.supervisor, login: "sue")
            let first = try await chief.post("/v1/patrol-points", Self.place, key: "gate")
            let again = try await chief.post("/v1/patrol-points", Self.place, key: "gate")
            #expect(try first.text("point") == again.text("point"))
            #expect(try gateway.events(PatrolPointDefined.kind).count == 1)
        }
    }
}
