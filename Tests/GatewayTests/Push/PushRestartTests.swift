// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import Logging
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise8), .timeLimit(.minutes(10))) struct `Pushes over a restart` {
    @Test(arguments: [false, true])
    func `are told once, also when the read models are built again`(
        rebuilding: Bool
    ) async throws {
        let clock = TestClock()
        try await LoopbackPushService.run { service, origin in
            let folder = try await PushScene.run(at: origin, clock: clock) { scene in
                _ = try await scene.open()
                _ = try await scene.gateway.wait(for: 1, of: AlertSent.kind)
                return scene.gateway.folder
            }
            if rebuilding {
                try FileManager.default.removeItem(at: folder.url.appending(path: "ledger/read"))
            }
            try await PushScene.gateway(in: folder, clock: clock) { gateway in
                let session = try #require(try gateway.events("session.created/1").first)
                let desk = try await gateway.user(.supervisor, login: "sue")
                _ = desk
                let ledger = gateway.ledger
                let owner = try #require(
                    try ledger.handler.current(
                        Session.self,
                        SessionID(String(session.envelope.subject.name)) ?? ledger.newID()
                    ).owner
                )
                _ = try await ledger.handler.handle(
                    SendRequest(
                        try #require(SessionID(String(session.envelope.subject.name))),
                        by: owner,
                        ask: .sendLocation
                    ),
                    ledger.context(actor: .user(owner, as: .operator), organisation: .main)
                )
                _ = try await gateway.wait(for: 2, of: AlertSent.kind)
                #expect(service.count == 2)
                #expect(try gateway.events(AlertQueued.kind).count == 2)
            }
        }
    }

    /// What a crash leaves: an attempt that began, and no word of its end.
    @Test(arguments: [10, 200])
    func `are told again after an unknown end only while it is worth it`(
        secondsAway: Int
    ) async throws {
        let clock = TestClock()
        try await LoopbackPushService.run([.status(503, retryAfter: 5)]) { service, origin in
            let (folder, alert) = try await PushScene.run(at: origin, clock: clock) { scene in
                _ = try await scene.open()
                let failed = try await scene.gateway.wait(for: 1, of: AlertFailed.kind)
                return (scene.gateway.folder, String(failed[0].envelope.subject.name))
            }
            try await begin(try #require(AlertID(alert)), in: folder, clock)
            clock.advance(by: .seconds(secondsAway))
            service.say([.status(201)])
            try await PushScene.gateway(in: folder, clock: clock) { gateway in
                let isOpen = secondsAway < 120
                if isOpen {
                    _ = try await gateway.wait(for: 1, of: AlertSent.kind)
                } else {
                    _ = try await gateway.wait(for: 3, of: AlertFailed.kind)
                }
                let ends = try gateway.events(AlertFailed.kind)
                    .compactMap { ($0.fact.payload as? AlertFailed)?.permanence }
                #expect(
                    ends == (isOpen ? [.temporary, .unknown] : [.temporary, .unknown, .permanent])
                )
                #expect(service.count == (isOpen ? 2 : 1))
            }
        }
    }

    /// Records that an attempt began, as a process that then ends does.
    private func begin(_ alert: AlertID, in folder: TemporaryFolder, _ clock: TestClock)
        async throws
    {
        var configuration = GatewayConfiguration(folder: folder.url.appending(path: "ledger"))
        configuration.clock = clock.ledgerClock
        let ledger = try Ledger.open(configuration, logger: Logger(label: "test"))
        _ = try await ledger.handler.handle(
            BeginAlertAttempt(alert, by: .push, attempt: 2),
            ledger.context(actor: .policy(PushPolicy.name), organisation: .main)
        )
        await ledger.log.close()
    }

    @Test func `keep the key that browsers know, for its owner alone`() async throws {
        let folder = try TemporaryFolder()
        let first = try await PushScene.gateway(in: folder) { $0.ledger.pushIdentity.publicKey }
        let second = try await PushScene.gateway(in: folder) { $0.ledger.pushIdentity.publicKey }
        #expect(first == second)
        let file = folder.url.appending(path: "ledger/push.key")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: file)
        await #expect(throws: StartError.self) { try await PushScene.gateway(in: folder) { _ in } }
    }
}
