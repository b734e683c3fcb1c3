// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10)))
struct `Somebody of whom the ledger has not heard` {
    @Test func `leaves nothing when the session that would name them is refused`() async throws {
        let clock = TestClock()
        try await TestGateway.run { configuration in
            configuration.clock = clock.ledgerClock
            configuration.limits.budgetOfUser = ActorBudget(
                eventsPerMinute: 20,
                bytesPerHour: 1 << 20
            )
        } _: { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            func open(_ number: Int) async throws -> TestAnswer {
                try await amina.post("/v1/sessions", ["phone": "+4477123\(10_000 + number)"])
            }
            var (number, status) = (0, 201)
            while status != 429 {
                let opened = try await open(number)
                (number, status) = (number + 1, opened.status)
                guard status == 201 else { continue }
                _ = try await amina.post("/v1/sessions/\(opened.text("session"))/close")
            }
            let file = gateway.ledger.folder.personKeys
            let (size, known) = (try Data(contentsOf: file).count, gateway.ledger.keys.count)
            for other in 1...20 {
                let refused = try await open(number + other)
                #expect(refused.status == 429, "\(refused.body)")
            }
            let code = try await amina.post("/v1/devices/codes", ["phone": "+447712399999"])
            #expect(code.status == 429)
            #expect(try Data(contentsOf: file).count == size)
            #expect(gateway.ledger.keys.count == known)
            // What is recorded has its key, once.
            clock.advance(by: .seconds(61))
            let taken = try await amina.post("/v1/devices/codes", ["phone": "+447712399999"])
            #expect(taken.status == 201, "\(taken.body)")
            #expect(gateway.ledger.keys.count == known + 1)
        }
    }
}
