// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `What the log keeps to itself` {
    private static func fault(_ part: String, _ gateway: TestGateway) async throws -> String? {
        let services = try await gateway.services()
        let shown = try #require(services.first { $0["name"] as? String == part })
        // It is named, and nobody is sent away for it.
        #expect(shown["isNeeded"] as? Bool == false)
        return shown["fault"] as? String
    }

    private static func number(_ name: String, _ gateway: TestGateway) throws -> Double? {
        try LedgerMetrics(ledger: gateway.ledger, metrics: gateway.gateway.metrics).noteSigning()
        return gateway.gateway.metrics.text().split(separator: "\n")
            .first { $0.hasPrefix(name + " ") }
            .flatMap { Double($0.dropFirst(name.count + 1)) }
    }

    @Test func `is told while nothing can be signed, and taken back when it goes on`()
        async throws
    {
        try await TestGateway.run { gateway in
            let watch = LedgerWatch(ledger: gateway.ledger)
            watch.look()
            #expect(try await Self.fault("signing", gateway) == nil)
            // Where the key is written before it takes its name.
            let place = gateway.ledger.folder.root.appending(path: ".origin.key.new")
            // The gateway may be signing at this very moment.
            try await eventually("nothing is being signed") {
                mkdir(place.path, 0o755) == 0
            }
            _ = try await gateway.user(.operator, login: "amina")
            await #expect(throws: EventLogError.self) {
                try await gateway.ledger.log.makeCheckpoint()
            }
            watch.look()
            let fault = try await Self.fault("signing", gateway)
            #expect(fault?.contains("the checkpoint could not be kept") == true)
            #expect(try Self.number("daybook_unsigned_events", gateway) ?? 0 > 0)
            #expect(try Self.number("daybook_unsigned_seconds", gateway) ?? 0 > 0)
            try FileManager.default.removeItem(at: place)
            try await gateway.ledger.log.makeCheckpoint()
            watch.look()
            #expect(try await Self.fault("signing", gateway) == nil)
            #expect(try Self.number("daybook_unsigned_events", gateway) == 0)
        }
    }

    @Test(arguments: [Duration.seconds(7_200), .seconds(-7_200)])
    func `is told while the wall clock and the ledger's time differ`(by step: Duration)
        async throws
    {
        let clock = TestClock()
        let adjust = { (configuration: inout GatewayConfiguration) in
            configuration.clock = clock.ledgerClock
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let watch = LedgerWatch(ledger: gateway.ledger)
            watch.look()
            #expect(try await Self.fault("clock", gateway) == nil)
            clock.step(by: step)
            watch.look()
            #expect(try await Self.fault("clock", gateway)?.contains("put it right") == true)
            let lead = try #require(try Self.number("daybook_clock_lead_seconds", gateway))
            #expect(abs(lead - step / .seconds(1)) < 2)
            clock.step(by: .zero - step)
            watch.look()
            #expect(try await Self.fault("clock", gateway) == nil)
        }
    }
}
