// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

/// An operator, and a phone whose browser takes pushes.
struct PushScene: Sendable {
    let gateway: TestGateway
    let desk: TestGateway.Client
    let phone: TestGateway.Client
    let keys: BrowserKeys
    let endpoint: String
    static let number = "+447712345678"

    /// Runs a gateway by whose rules push services may be on the loopback.
    @discardableResult
    static func run<Value: Sendable>(
        at origin: String,
        in folder: TemporaryFolder? = nil,
        clock: TestClock? = nil,
        adjust: (inout GatewayConfiguration) -> Void = { _ in },
        _ body: @Sendable (PushScene) async throws -> Value
    ) async throws -> Value {
        try await gateway(in: folder, clock: clock, adjust: adjust) { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            let phone = try await gateway.caller(number, codeBy: desk)
            let scene = PushScene(
                gateway: gateway,
                desk: desk,
                phone: phone,
                keys: BrowserKeys(),
                endpoint: origin + "/a-secret-path"
            )
            let answer = try await scene.subscribe()
            #expect(answer.status == 200, "\(answer.body)")
            return try await body(scene)
        }
    }

    /// Runs a gateway alone, as a second start of the same ledger does.
    @discardableResult
    static func gateway<Value: Sendable>(
        in folder: TemporaryFolder? = nil,
        clock: TestClock? = nil,
        adjust: (inout GatewayConfiguration) -> Void = { _ in },
        _ body: @Sendable (TestGateway) async throws -> Value
    ) async throws -> Value {
        try await TestGateway.run(
            in: folder,
            adjust: { configuration in
                configuration.push.reach = .machine
                if let clock { configuration.clock = clock.ledgerClock }
                adjust(&configuration)
            },
            body
        )
    }

    func subscribe() async throws -> TestAnswer {
        try await phone.send(.put, "/v1/devices/me/push", keys.subscription(at: endpoint))
    }

    /// The operator opens a session for the phone's number.
    func open() async throws -> String {
        try await desk.post("/v1/sessions", ["phone": Self.number]).text("session")
    }

    /// The operator asks for something.
    func ask(_ ask: String, in session: String) async throws -> TestAnswer {
        try await desk.post("/v1/sessions/\(session)/requests", ["ask": ask])
    }
}

extension TestGateway {
    /// Waits until so many events of a kind are in the log.
    func wait(for count: Int, of kind: Kind) async throws -> [RecordedEvent] {
        var found: [RecordedEvent] = []
        for try await page in ledger.log.follow(from: LogPosition(0)) {
            for entry in page where entry.envelope.kind == kind {
                found.append(try EventDecoder().decode(entry))
            }
            if found.count >= count { return found }
        }
        throw CancellationError()
    }
}
