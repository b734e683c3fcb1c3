// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

/// A citizen with a registered phone and two contacts: Nina, who reads English, has a telephone, and Jan, who reads German, both.
struct Street {
    let gateway: TestGateway
    let clock: TestClock
    let staff: TestGateway.Client
    let sam: TestGateway.Client
    let nina: ContactID
    let jan: ContactID

    init(_ gateway: TestGateway, _ clock: TestClock) async throws {
        (self.gateway, self.clock) = (gateway, clock)
        staff = try await gateway.user(.operator, login: "amina")
        sam = try await gateway.caller("+447712345750", codeBy: staff)
        (nina, jan) = (gateway.ledger.newID(), gateway.ledger.newID())
        let name = ["name": "Sam Smith"]
        #expect(try await sam.send(.put, "/v1/me/safety", name).status == 200)
        let contacts: [(ContactID, [String: any Sendable])] = [
            (nina, ["name": "Nina", "mobile": "+447712345751"]),
            (
                jan,
                [
                    "name": "Jan", "mobile": "+447712345752", "email": "jan@example.org",
                    "language": "de",
                ]
            ),
        ]
        for (id, contact) in contacts {
            #expect(try await sam.send(.put, "/v1/me/contacts/\(id)", contact).status == 201)
        }
    }

    static let fix: [String: any Sendable] = [
        "latitude": 52.4825, "longitude": -1.89, "accuracyMetres": 12,
    ]

    /// Calls for help.
    func raise(
        _ id: SOSID,
        at fix: [String: any Sendable]? = fix,
        isDrill: Bool = false
    ) async throws -> TestAnswer {
        var body: [String: any Sendable] = ["trigger": "swipe", "isDrill": isDrill]
        body["fix"] = fix
        return try await sam.send(.put, "/v1/me/sos/\(id)", body)
    }

    /// What was queued for contacts: wording, address and words.
    func told() throws -> [(template: String, sms: String?, email: String?, text: String)] {
        let keys = gateway.ledger.keys.unrecorded(.compared)
        return try gateway.events(AlertQueued.kind).compactMap { event in
            guard case .alert(.queued(let queued)) = event.fact else { return nil }
            return (
                queued.template, try queued.sms?.opened(with: keys).value?.text,
                try queued.email?.opened(with: keys).value,
                try queued.message?.opened(with: keys).value?.text ?? ""
            )
        }
    }

    /// The links of the alerts, in the order of the contacts.
    func links() throws -> [String] {
        try gateway.events(AlertQueued.kind).compactMap { event in
            AlertID(String(event.envelope.subject.name)).map {
                "/v1/answers/" + gateway.ledger.deliverySecrets.answerCode($0)
            }
        }
    }

    static func run(
        _ adjust: (inout GatewayConfiguration) -> Void = { _ in },
        _ play: @Sendable (Street) async throws -> Void
    ) async throws {
        let clock = TestClock()
        try await TestGateway.run {
            $0.clock = clock.ledgerClock
            adjust(&$0)
        } _: { gateway in
            try await play(try await Street(gateway, clock))
        }
    }
}
