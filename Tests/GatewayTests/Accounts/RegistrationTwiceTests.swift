// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import TestSupport
import Testing

@testable import Gateway

private let number = "+447712345678"

/// Whoever did not hear an answer asks again, perhaps before the first request is done (decision 0063).
@Suite(.timeLimit(.minutes(10))) struct `A registration that is under way twice` {
    @Test func `by a code gives one phone`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let code = try await amina.post("/v1/devices/codes", ["phone": number]).text("code")
            let answers = try await gateway.atOnce(4) {
                try await gateway.send(
                    .post,
                    "/v1/devices",
                    headers: [.idempotencyKey: "0199-twice"],
                    body: TestGateway.json(["phone": number, "code": code])
                )
            }
            try await gateway.expectOnePhone(of: answers)
        }
    }

    @Test func `by a link gives one phone`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let session = try await amina.post("/v1/sessions", ["phone": number]).text("session")
            let link = try await amina.post("/v1/sessions/\(session)/links")
            let body = ["link": try link.text("path"), "code": try link.text("code")]
            let answers = try await gateway.atOnce(4) {
                try await gateway.send(
                    .post,
                    "/v1/links/use",
                    headers: [.idempotencyKey: "0199-twice"],
                    body: TestGateway.json(body)
                )
            }
            try await gateway.expectOnePhone(of: answers)
            #expect(try gateway.events("session.link_opened/1").count == 1)
        }
    }

    /// The phone gave it up, and asked again; then it arrives.
    @Test(arguments: ["/v1/devices", "/v1/links/use"])
    func `and arrives behind its repetition takes nothing from the phone, over a start, too`(
        path: String
    ) async throws {
        let (folder, used, late) = try await TestGateway.run { gateway in
            let body = try await gateway.key(to: path)
            func ask() async throws -> String {
                try await gateway.send(
                    .post,
                    path,
                    headers: [.idempotencyKey: "0199-late"],
                    body: body
                ).text("token")
            }
            _ = try await ask()
            let used = try await ask()
            _ = try await gateway.ledger.accounts.authenticate(used)
            return (gateway.folder, used, try await ask())
        }
        try await TestGateway.run(in: folder) { gateway in
            let accounts = gateway.ledger.accounts
            for _ in 0..<2 {
                _ = try await accounts.authenticate(used)
                await #expect(throws: AccountError.tokenRevoked) {
                    try await accounts.authenticate(late)
                }
            }
        }
    }

    /// The full disk of a moment, say.
    @Test func `leaves its code good where the ledger did not take it`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let code = try await amina.post("/v1/devices/codes", ["phone": number]).text("code")
            let failed = try await gateway.registration(code, "0199-a")
            await #expect(throws: Untold.self) {
                try await gateway.register(under: "0199-a", failed) { throw Untold() }
            }
            #expect(try await gateway.ledger.accounts.device(id: failed.device.id) != nil)
            #expect(try await gateway.ledger.accounts.phones().isEmpty)
            let answer = try await gateway.send(
                .post,
                "/v1/devices",
                headers: [.idempotencyKey: "0199-b"],
                body: TestGateway.json(["phone": number, "code": code])
            )
            #expect(answer.status == 201, "\(answer.body)")
            #expect(try answer.text("device") == failed.device.id)
        }
    }

    @Test func `is not undone by the one that failed while the other goes on`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let code = try await amina.post("/v1/devices/codes", ["phone": number]).text("code")
            let (accounts, key) = (gateway.ledger.accounts, "0199-a")
            let other = gateway.ledger.registrations.begin(key)
            let failed = try await gateway.registration(code, key)
            await #expect(throws: Untold.self) {
                try await gateway.register(under: key, failed) { throw Untold() }
            }
            let again = try await gateway.registration(code, key)
            #expect(again.isAgain && again.device == failed.device)
            _ = try await accounts.authenticate(again.token.token)
            #expect(gateway.ledger.registrations.end(other, leaving: nil).count == 1)
        }
    }

    /// Between the accounts and the event: there was no answer, and the code is asked for again.
    @Test func `by a crash in the middle is asked for again behind a start`() async throws {
        let (folder, code, device) = try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let code = try await amina.post("/v1/devices/codes", ["phone": number]).text("code")
            let torn = try await gateway.registration(code, "0199-a")
            return (gateway.folder, code, torn.device.id)
        }
        try await TestGateway.run(in: folder) { gateway in
            #expect(try await gateway.ledger.accounts.phones().isEmpty)
            let answer = try await gateway.send(
                .post,
                "/v1/devices",
                headers: [.idempotencyKey: "0199-a"],
                body: TestGateway.json(["phone": number, "code": code])
            )
            #expect(answer.status == 201, "\(answer.body)")
            #expect(try answer.text("device") == device)
        }
    }
}

/// What keeps the ledger from hearing of a phone.
private struct Untold: Error {}

extension TestGateway {
    /// What a phone is registered by, as a route takes it.
    fileprivate func key(to path: String) async throws -> String {
        let amina = try await user(.operator, login: "amina")
        guard path == "/v1/links/use" else {
            let code = try await amina.post("/v1/devices/codes", ["phone": number]).text("code")
            return try TestGateway.json(["phone": number, "code": code])
        }
        let session = try await amina.post("/v1/sessions", ["phone": number]).text("session")
        let link = try await amina.post("/v1/sessions/\(session)/links")
        return try TestGateway.json(["link": link.text("path"), "code": link.text("code")])
    }

    /// Registers a phone with the accounts alone.
    fileprivate func registration(_ code: String, _ key: String) async throws -> Registration {
        try await ledger.accounts.registerDevice(
            phoneNumber: number,
            code: code,
            request: "\(key) "
        ) { _ in true }
    }

    fileprivate func register(
        under key: String,
        _ made: Registration,
        telling tell: () async throws -> Void
    ) async throws {
        let device = try #require(DeviceID(made.device.id))
        _ = try await ledger.registering(under: key) {
            device
        } naming: {
            ($0, nil)
        } telling: { _ in
            try await tell()
            return Response(status: .noContent)
        }
    }

    fileprivate func atOnce(
        _ count: Int,
        _ ask: @escaping @Sendable () async throws -> TestAnswer
    ) async throws -> [TestAnswer] {
        try await withThrowingTaskGroup(of: TestAnswer.self) { group in
            for _ in 0..<count { group.addTask { try await ask() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// All were told the same phone, and one token of it is good.
    fileprivate func expectOnePhone(of answers: [TestAnswer]) async throws {
        for answer in answers { #expect(answer.status == 201, "\(answer.body)") }
        #expect(Set(try answers.map { try $0.text("device") }).count == 1)
        var good = 0
        for answer in answers {
            do {
                _ = try await ledger.accounts.authenticate(try answer.text("token"))
                good += 1
            } catch AccountError.tokenRevoked {}
        }
        #expect(good == 1)
        #expect(try events("device.registered/1").count == 1)
        #expect(try await ledger.accounts.phones().count == 1)
    }
}
