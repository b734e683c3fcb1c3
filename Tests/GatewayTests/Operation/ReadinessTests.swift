// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ServiceLifecycle
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `What a stranger learns of a fault` {
    private static let secret = "/srv/daybook/media cannot be used: Permission denied"

    @Test func `is which part has one; why it has, an admin hears`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let others = [
                try await gateway.user(.organisationAdmin, login: "otto"),
                try await gateway.user(.operator, login: "amina"),
            ]
            let standings = gateway.ledger.standings
            standings.begin("archive folder of a test", .toServe)
            _ = standings.fail("archive folder of a test", Fault(code: "test", words: Self.secret))
            var answers = [try await gateway.send(.get, "/readyz")]
            for other in others { answers.append(try await other.get("/readyz")) }
            for answer in answers {
                #expect(answer.status == 503)
                #expect(!answer.body.contains("srv") && !answer.body.contains("fault"))
                let services = try #require(answer.object["services"] as? [[String: Any]])
                let part = services.first { $0["name"] as? String == "archive folder of a test" }
                #expect(part?["isWell"] as? Bool == false)
                let models = try #require(answer.object["readModels"] as? [[String: Any]])
                #expect(models.allSatisfy { Set($0.keys) == ["name", "isWell"] })
                let clock = try #require(answer.object["clock"] as? [String: Any])
                #expect(Set(clock.keys) == ["isFollowed"])
            }
            let told = try await admin.get("/readyz")
            #expect(told.status == 503 && told.body.contains("Permission denied"))
        }
    }

    @Test func `is a warning where there is only no room for what a part does`() async throws {
        try await TestGateway.run { gateway in
            let standings = gateway.ledger.standings
            standings.begin("policy of a test", .toServe)
            let short = EventLogError.reserved(kind: SessionExpired.kind, freeBytes: 1 << 29)
            _ = standings.fail("policy of a test", Fault(short))
            let answer = try await gateway.send(.get, "/readyz")
            #expect(answer.status == 200)
            let warnings = try #require(answer.object["warnings"] as? [String])
            #expect(warnings.contains("policy of a test"))
            _ = standings.fail("policy of a test", Fault(EventLogError.unreadable(detail: "x")))
            #expect(try await gateway.send(.get, "/readyz").status == 503)
        }
    }

    @Test func `is told without a token on the listener of the metrics`() async throws {
        try await TestGateway.run { gateway in
            _ = gateway.ledger.standings.fail("live pages", Fault(code: "test", words: Self.secret))
            let (ports, port) = AsyncStream.makeStream(of: Int.self)
            let server = MetricsServer(host: "127.0.0.1", port: 0).application(
                metrics: gateway.gateway.metrics,
                readiness: Readiness(ledger: gateway.ledger),
                logger: gateway.ledger.logger,
                onListening: { port.yield($0) }
            )
            let group = ServiceGroup(services: [server], logger: gateway.ledger.logger)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await group.run() }
                var found = ports.makeAsyncIterator()
                let number = try #require(await found.next())
                let body = try await run(
                    "curl",
                    ["-s", "http://127.0.0.1:\(number)/readyz"]
                )
                #expect(body.contains("Permission denied"), "\(body)")
                let alive = try await run("curl", ["-s", "http://127.0.0.1:\(number)/healthz"])
                #expect(alive.contains(#""status":"ok""#), "\(alive)")
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
            }
        }
    }

    @Test func `is its kind, whichever part of the machine it is of`() async throws {
        let test = try TestDoor()
        let fault = EventLogError.readOnly(reason: "/srv/daybook/log: Input/output error")
        test.door.router.get("/v1/ledger") { _, _ -> Response in throw fault }
        let answer = try await test.send(.get, "/v1/ledger")
        #expect(answer.status == 503)
        #expect(try answer.problem == "ledger-read-only")
        #expect(!answer.body.contains("srv"), "\(answer.body)")
        let token = try await test.token(role: .admin, login: "ada")
        let told = try await test.send(
            .get,
            "/v1/ledger",
            headers: [.authorization: "Bearer \(token)"]
        )
        #expect(told.body.contains("Input"), "\(told.body)")
    }
}
