// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import Threads

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A code for one's own number` {
    private func run(
        _ play: @Sendable (TestGateway, (String) async throws -> TestAnswer) async throws -> Void
    ) async throws {
        try await TestGateway.run {
            $0.limits.proofOfWorkMax = 50
        } _: { gateway in
            try await play(gateway) { key in
                let body: [String: any Sendable] = [
                    "phone": "+447712345750", "proof": try await gateway.proof(),
                ]
                var headers: HTTPFields = [:]
                headers[.idempotencyKey] = key
                return try await gateway.send(
                    .post,
                    "/v1/public/phone-codes",
                    headers: headers,
                    body: try TestGateway.json(body)
                )
            }
        }
    }

    private let sms: [String: any Sendable] = [
        "isOn": true, "host": "127.0.0.1", "port": 9, "security": "none", "user": "kannel",
        "password": "correct horse", "from": "8888",
    ]

    @Test func `comes by SMS and registers a phone, on nobody's word but its own`() async throws {
        try await run { gateway, ask in
            #expect(try await ask("before-there-is-sms").problem == "codes-closed")
            let admin = try await gateway.user(.admin, login: "ada")
            #expect(try await admin.send(.put, "/v1/senders/sms", sms).status == 200)
            #expect(try await ask("first-key-of-mine").status == 202)
            let keys = gateway.ledger.keys.unrecorded(.compared)
            let queued = try #require(try gateway.events(AlertQueued.kind).last)
            guard case .alert(.queued(let alert)) = queued.fact else {
                Issue.record("the newest alert is not the code's")
                return
            }
            #expect(try alert.sms?.opened(with: keys).value?.text == "+447712345750")
            let words = try #require(try alert.message?.opened(with: keys).value?.text)
            let code = try #require(words.firstMatch(of: /[0-9A-Z]{6}/).map { String($0.0) })
            let answer = try await gateway.send(
                .post,
                "/v1/devices",
                body: TestGateway.json(["phone": "+447712345750", "code": code])
            )
            #expect(answer.status == 201, "\(answer.body)")
            guard
                case .device(.registered(let fact)) = try #require(
                    try gateway.events(DeviceRegistered.kind).last
                ).fact
            else {
                Issue.record("no phone was registered")
                return
            }
            #expect(fact.verification == .sms && fact.codeGivenBy == nil)
        }
    }

    @Test func `is not sent to a number that said STOP, and ends no earlier code`() async throws {
        try await run { gateway, ask in
            let admin = try await gateway.user(.admin, login: "ada")
            #expect(try await admin.send(.put, "/v1/senders/sms", sms).status == 200)
            #expect(try await ask("key-number-1").status == 202)
            let alert = try #require(
                try gateway.events(AlertQueued.kind).last.flatMap {
                    AlertID(String($0.envelope.subject.name))
                }
            )
            _ = try await gateway.ledger.handler.handle(
                AnswerAlert(alert, by: .sms, .stopped),
                gateway.ledger.context(actor: .policy("alert-delivery"), organisation: .main)
            )
            let refused = try await ask("key-number-2")
            #expect(refused.status == 409)
            #expect(try refused.problem == "codes-stopped")
            #expect(try gateway.events(DeviceCodeIssued.kind).count == 1)
        }
    }

    @Test func `costs others nothing where it is refused`() async throws {
        try await TestGateway.run {
            $0.limits.proofOfWorkMax = 50
            $0.limits.codesOfAll = Rate(burst: 4, perSecond: 1 / 86_400)
        } _: { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            #expect(try await admin.send(.put, "/v1/senders/sms", sms).status == 200)
            var answers: [Int] = []
            for (key, number) in (1...6).map({ ($0, "+447712345750") }) + [(7, "+447712345751")] {
                let body: [String: any Sendable] = [
                    "phone": number, "proof": try await gateway.proof(),
                ]
                var headers: HTTPFields = [:]
                headers[.idempotencyKey] = "key-number-\(key)"
                let answer = try await gateway.send(
                    .post,
                    "/v1/public/phone-codes",
                    headers: headers,
                    body: try TestGateway.json(body)
                )
                answers.append(answer.status)
            }
            #expect(answers == [202, 202, 202, 429, 429, 429, 202])
        }
    }

    @Test func `is sent three times, and then only after a while`() async throws {
        try await run { gateway, ask in
            let admin = try await gateway.user(.admin, login: "ada")
            #expect(try await admin.send(.put, "/v1/senders/sms", sms).status == 200)
            for number in 1...3 { #expect(try await ask("key-number-\(number)").status == 202) }
            #expect(try await ask("key-number-4").status == 429)
            #expect(try gateway.events(DeviceCodeIssued.kind).count == 3)
        }
    }
}
