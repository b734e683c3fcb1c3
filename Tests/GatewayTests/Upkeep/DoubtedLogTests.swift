// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import TestSupport
import Testing

@testable import Gateway

/// Somebody put the log of an hour before in its place; what was signed says so, and it is served for reading only (decision 0070).
@Suite(.timeLimit(.minutes(10))) struct `A log that is older than the accounts, and in doubt` {
    private struct Known: Sendable {
        let id: String
        let token: String

        init(_ client: TestGateway.Client) { (id, token) = (client.id, client.token) }
    }

    /// A ledger whose log was taken back: it knows amina, and neither ben nor the phone.
    private struct TakenBack {
        private static let parts = ["log", "index", "read"]

        let folder: TemporaryFolder
        let amina: Known
        let ben: Known
        let phone: Known

        init() async throws {
            (folder, amina) = try await TestGateway.run { gateway in
                (gateway.folder, Known(try await gateway.user(.operator, login: "amina")))
            }
            try Self.copy(folder, from: "ledger", to: "old")
            (ben, phone) = try await TestGateway.run(in: folder) { gateway in
                let ben = try await gateway.user(.operator, login: "ben")
                let phone = try await gateway.caller("+447712345678", codeBy: ben)
                return (Known(ben), Known(phone))
            }
            try Self.copy(folder, from: "ledger", to: "new")
            try put("old")
        }

        /// Puts the log of an hour in its place.
        func put(_ hour: String) throws {
            for part in Self.parts {
                let place = folder.url.appending(path: "ledger/\(part)")
                try FileManager.default.removeItem(at: place)
                try FileManager.default.copyItem(
                    at: folder.url.appending(path: "\(hour)/\(part)"),
                    to: place
                )
            }
        }

        private static func copy(
            _ folder: TemporaryFolder,
            from name: String,
            to other: String
        ) throws {
            try FileManager.default.copyItem(
                at: folder.url.appending(path: name),
                to: folder.url.appending(path: other)
            )
        }
    }

    @Test func `lets nobody in whom it does not know, and takes nothing away`() async throws {
        let ledger = try await TakenBack()
        try await TestGateway.run(in: ledger.folder) { gateway in
            #expect(gateway.ledger.log.isDoubted)
            let accounts = gateway.ledger.accounts
            #expect(try await accounts.authenticate(ledger.amina.token).userID == ledger.amina.id)
            for token in [ledger.ben.token, ledger.phone.token] {
                await #expect(throws: AccountError.accountUntold) {
                    try await accounts.authenticate(token)
                }
            }
            let ben = TestGateway.Client(
                gateway: gateway,
                token: ledger.ben.token,
                id: ledger.ben.id
            )
            let answer = try await ben.get("/v1/me")
            #expect(answer.status == 503, "\(answer.body)")
            #expect(try answer.problem == "ledger-read-only")
        }
        try ledger.put("new")
        try await TestGateway.run(in: ledger.folder) { gateway in
            #expect(!gateway.ledger.log.isDoubted)
            let accounts = gateway.ledger.accounts
            let ben = try await accounts.authenticate(ledger.ben.token)
            let phone = try await accounts.authenticate(ledger.phone.token)
            #expect(ben.userID == ledger.ben.id && phone.deviceID == ledger.phone.id)
        }
    }

    /// The console needs nobody who is signed in; behind it the log counts, and what it does not know ends.
    @Test func `is decided on at the console, whomever it knows`() async throws {
        let ledger = try await TakenBack()
        let place = ledger.folder.url.appending(path: "ledger")
        var configuration = GatewayConfiguration(folder: place)
        configuration.origin = "test.example/main"
        _ = try NewOrigin.begin(configuration)
        try await TestGateway.run(in: ledger.folder) { gateway in
            #expect(!gateway.ledger.log.isDoubted)
            let accounts = gateway.ledger.accounts
            let amina = try await accounts.authenticate(ledger.amina.token)
            #expect(amina.userID == ledger.amina.id)
            await #expect(throws: AccountError.self) {
                try await accounts.authenticate(ledger.ben.token)
            }
            let ben = try await accounts.user(id: ledger.ben.id)
            #expect(ben.isDisabled)
        }
    }
}
