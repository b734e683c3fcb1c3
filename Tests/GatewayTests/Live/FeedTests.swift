// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Projections
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `The feed of events` {
    @Test func `has every entry byte for byte, and resumes behind a position`() async throws {
        try await TestGateway.run { gateway in
            let otto = try await gateway.user(.auditor, login: "otto")
            let amina = try await gateway.user(.operator, login: "amina")
            _ = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            let size = gateway.ledger.log.size
            let feed = try await otto.get("/v1/events?follow=false")
            let lines = feed.body.split(separator: "\n").prefix(Int(size))
            let entries = try gateway.ledger.log.entries(from: LogPosition(0), limit: Int(size))
            #expect(lines.map { Array($0.utf8) } == entries.map(\.bytes))
            let rest = try await otto.get("/v1/events?follow=false&after=\(size - 3)")
            let first = try #require(rest.body.split(separator: "\n").first)
            #expect(Array(first.utf8) == entries[Int(size) - 2].bytes)
        }
    }

    @Test func `stays live as server-sent events until the gateway stops`() async throws {
        try await TestGateway.run { gateway in
            let otto = try await gateway.user(.auditor, login: "otto")
            let amina = try await gateway.user(.operator, login: "amina")
            let reader = Task {
                try await run(
                    "python3",
                    [tool("feed_reader.py"), "\(gateway.port)", otto.token, "session.created/1"]
                )
            }
            _ = try await gateway.firstEntry(of: "access.read/1") {}
            _ = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            let seen = try await reader.value
            #expect(seen.contains("session.created/1"))
            #expect(seen.contains("resumed"))
        }
    }

    @Test func `ends when its reader is signed out, and shows nothing more`() async throws {
        try await TestGateway.run { gateway in
            let otto = try await gateway.user(.auditor, login: "otto")
            let amina = try await gateway.user(.operator, login: "amina")
            let feed = Task { try await otto.get("/v1/events") }
            _ = try await gateway.firstEntry(of: "access.read/1") {}
            let accounts = gateway.ledger.accounts
            try await accounts.revoke(tokenID: try await accounts.authenticate(otto.token).tokenID)
            _ = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            let shown = try await feed.value
            #expect(shown.status == 200)
            #expect(!shown.body.contains("session.created/1"))
        }
    }

    @Test func `shows who read what without recording that again`() async throws {
        try await TestGateway.run { gateway in
            let otto = try await gateway.user(.auditor, login: "otto")
            _ = try await otto.get("/v1/events?follow=false")
            let read = try #require(try gateway.events("access.read/1").first)
            let count = try gateway.events("access.read/1").count
            let shown = try await otto.get("/v1/events/\(read.envelope.position)")
            #expect(shown.status == 200)
            #expect(try gateway.events("access.read/1").count == count)
        }
    }

    @Test func `tells of its opening and closing`() async throws {
        try await TestGateway.run { gateway in
            let otto = try await gateway.user(.auditor, login: "otto")
            _ = try await otto.get("/v1/events?follow=false")
            let purposes = try gateway.events("access.read/1")
                .compactMap { ($0.fact.payload as? AccessRead)?.purpose }
            #expect(purposes == ["feed-opened", "feed-closed"])
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `The gateway's health` {
    @Test func `is told, with the read models and the metrics`() async throws {
        try await TestGateway.run { gateway in
            #expect(try await gateway.send(.get, "/healthz").status == 200)
            let last = gateway.ledger.log.size - 1
            for state in gateway.ledger.readModels.runner.states {
                try await gateway.ledger.readModels.runner.wait(
                    for: LogPosition(last),
                    on: state.identity.name
                )
            }
            #expect(try await gateway.send(.get, "/readyz").status == 200)
            let metrics = try await gateway.user(.admin, login: "prometheus").get("/metrics")
            #expect(metrics.body.contains("daybook_log_events"))
            // They are the whole ledger's, and a service may be any organisation's.
            for role in [UserRole.service, .organisationAdmin, .supervisor] {
                let other = try await gateway.user(role, login: "the-\(role.rawValue)")
                #expect(try await other.get("/metrics").status == 403)
            }
            #expect(metrics.body.contains("daybook_read_model_behind{model=\"operator-desk\"}"))
        }
    }
}
