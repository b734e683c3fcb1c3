// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `The words of messages` {
    @Test func `have values in the places of variables, which are looked through for no more`()
        throws
    {
        let wording = Wording("alert", "en", nil, "{urgent}{words}, {centre} {and more}\n{centre}")
        let message = try wording.message(["urgent": "", "words": "{centre}{x}", "centre": "A"])
        #expect(message.text == "{centre}{x}, A {and more}\nA")
        #expect(message.subject == "{centre}{x}, A {and more}")
        #expect(throws: Wording.MissingValue(name: "words")) { try wording.message(["urgent": ""]) }
    }

    @Test func `are there for every purpose in every language, with its own variables alone`() {
        let names = Set(Wording.builtIn.map(\.name))
        for language in ["en", "de"] {
            let of = Wording.builtIn.filter { $0.language == language }
            #expect(Set(of.map(\.name)) == names)
            #expect(of.count == names.count)
        }
        for wording in Wording.builtIn {
            let text = wording.text + (wording.subject ?? "")
            #expect(Wording.unknown(in: text, of: wording.name).isEmpty)
        }
    }

    @Test func `are the centre's once it wrote some, until it gives them up`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let desk = try await gateway.user(.operator, login: "amina")
            let session = try await desk.post("/v1/sessions", ["phone": "+447712345678"])
            let cause = "session/\(try session.text("session"))"
            func said(_ template: String, _ more: [String: any Sendable] = [:]) async throws
                -> String
            {
                var body: [String: any Sendable] = [
                    "cause": cause, "severity": "critical", "template": template,
                    "sms": "+447712345754", "deduplicationKey": UUID().uuidString,
                ]
                body.merge(more) { $1 }
                let queued = try await desk.post("/v1/alerts", body)
                guard queued.status == 201 else { return try queued.text("detail") }
                let id = try #require(AlertID(try queued.text("alert")))
                let alert = try gateway.ledger.handler.current(Commands.Alert.self, id)
                let message = try #require(alert.content?.message)
                let keys = gateway.ledger.keys.unrecorded(.delivered)
                return try message.opened(with: keys).value?.text ?? ""
            }
            #expect(try await said("boat-needed") == "URGENT: boat needed\nEmergency centre")
            let own = ["text": "{centre} asks for a boat. {words}"]
            let put = try await admin.send(.put, "/v1/templates/boat-needed/en", own)
            #expect(put.status == 200)
            #expect(
                try await said("boat-needed", ["text": "At pier 4"])
                    == "Emergency centre asks for a boat. At pier 4"
            )
            #expect(try await said("link").contains("{link}"))
            #expect(
                try await said("link", ["values": ["link": "X"], "language": "de"]).contains(
                    "Öffnen Sie X"
                )
            )
            let given = try await admin.send(.put, "/v1/templates/boat-needed/en")
            #expect(given.status == 200)
            #expect(try await said("boat-needed") == "URGENT: boat needed\nEmergency centre")
            #expect(try await desk.send(.put, "/v1/templates/link/en", own).status == 403)
            let unknown = try await admin.send(.put, "/v1/templates/link/en", ["text": "{words}"])
            #expect(unknown.status == 400)
            #expect(try unknown.text("detail").contains("{link}"))
            let items = try await desk.get("/v1/templates", after: gateway.newest).items
            #expect(items.contains { $0["name"] as? String == "instruction-9" })
        }
    }
}
