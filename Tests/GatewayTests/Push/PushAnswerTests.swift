// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise8), .timeLimit(.minutes(10))) struct `What a push service answers` {
    @Test(arguments: [404, 410])
    func `ends a subscription that it does not know any more`(status: Int) async throws {
        try await LoopbackPushService.run([.status(status)]) { service, origin in
            try await PushScene.run(at: origin) { scene in
                let session = try await scene.open()
                _ = try await service.next()
                let failed = try await scene.gateway.wait(for: 1, of: AlertFailed.kind)
                #expect((failed[0].fact.payload as? AlertFailed)?.permanence == .permanent)
                let expired = try #require(
                    try scene.gateway.events(PushExpired.kind).first?.fact.payload as? PushExpired
                )
                #expect(expired.status == status)
                let device = try #require(DeviceID(scene.phone.id))
                #expect(try await scene.gateway.ledger.accounts.pushSubscription(of: device) == nil)
                _ = try await scene.ask("start_video", in: session)
                service.say([.status(201)])
                #expect(try await scene.subscribe().status == 200)
                // What still waits is told to the new subscription: the opening was given up, the request was not told yet.
                let push = try await service.next()
                #expect(try push.members(for: scene.keys)["message_type"] == "video_call")
                _ = try await scene.gateway.wait(for: 1, of: AlertSent.kind)
                #expect(service.count == 2)
            }
        }
    }

    @Test(arguments: [(429, 30, 30), (503, 30, 30), (500, nil, 1)] as [(Int, Int?, Int)])
    func `puts an attempt off, for as long as it says`(
        status: Int,
        asked: Int?,
        waited: Int
    ) async throws {
        let clock = TestClock()
        let answers: [LoopbackPushService.Answer] = [
            .status(status, retryAfter: asked), .status(201),
        ]
        try await LoopbackPushService.run(answers) { service, origin in
            try await PushScene.run(at: origin, clock: clock) { scene in
                _ = try await scene.open()
                let failed = try await scene.gateway.wait(for: 1, of: AlertFailed.kind)
                let fault = try #require(failed[0].fact.payload as? AlertFailed)
                #expect(fault.permanence == .temporary)
                #expect(fault.retryAfterSeconds == waited)
                #expect(service.count == 1)
                clock.advance(by: .seconds(waited))
                let sent = try await scene.gateway.wait(for: 1, of: AlertSent.kind)
                #expect((sent[0].fact.payload as? AlertSent)?.attempt == 2)
                #expect(service.count == 2)
            }
        }
    }

    @Test(arguments: [301, 307, 400, 401, 403, 413])
    func `ends a push that it will never take, and leads nowhere else`(status: Int) async throws {
        try await LoopbackPushService.run([.status(status)]) { service, origin in
            try await PushScene.run(at: origin) { scene in
                _ = try await scene.open()
                let failed = try await scene.gateway.wait(for: 1, of: AlertFailed.kind)
                let fault = try #require(failed[0].fact.payload as? AlertFailed)
                #expect(fault.permanence == .permanent)
                #expect(fault.error == "the push service answered \(status)")
                #expect(service.count == 1)
                #expect(try scene.gateway.events(PushExpired.kind).isEmpty)
            }
        }
    }

    @Test func `may be nothing: no answer in its time, and it is tried again`() async throws {
        try await LoopbackPushService.run([.hang]) { service, origin in
            try await PushScene.run(
                at: origin,
                adjust: { configuration in
                    configuration.push.timeLimit = .milliseconds(300)
                    configuration.push.firstRetry = .zero
                }
            ) { scene in
                _ = try await scene.open()
                let failed = try await scene.gateway.wait(for: 2, of: AlertFailed.kind)
                for failure in failed {
                    let fault = try #require(failure.fact.payload as? AlertFailed)
                    #expect(fault.permanence == .temporary)
                    // On a busy machine its address, too, may not come in this time.
                    #expect(fault.error.contains("in time"), "\(fault.error)")
                }
            }
        }
    }

    @Test func `may be nothing: nobody is there, and it is tried again`() async throws {
        let port = try SilentPort()
        defer { withExtendedLifetime(port) {} }
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.push.firstRetry = .zero
        }
        try await PushScene.run(
            at: "http://127.0.0.1:\(port.number)",
            adjust: adjust
        ) { scene in
            _ = try await scene.open()
            let failed = try await scene.gateway.wait(
                for: PushLimits.attempts,
                of: AlertFailed.kind
            )
            let faults = failed.compactMap { $0.fact.payload as? AlertFailed }
            #expect(faults.map(\.attempt) == Array(1...PushLimits.attempts))
            #expect(faults.last?.permanence == .permanent)
        }
    }
}

/// A port of the loopback that is taken, and that nobody listens on: connections are refused.
private final class SilentPort {
    let number: Int
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { [descriptor] in
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        try #require(code == 0)
        number = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(descriptor) }
}
