// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(2))) struct `A new ledger` {
    @Test func `lets its first admin in with a password that must be changed`() async throws {
        try await TestGateway.run { gateway in
            let users = try await gateway.ledger.accounts.users()
            #expect(users.map(\.login) == ["admin"])
            try await gateway.ledger.accounts.resetPassword(ofUser: "admin", to: "temporary secret")
            let login = try await gateway.send(
                .post,
                "/v1/auth/login",
                body: TestGateway.json(["login": "admin", "password": "temporary secret"])
            )
            #expect(login.status == 200)
            let admin = TestGateway.Client(
                gateway: gateway,
                token: try login.text("token"),
                id: "admin"
            )
            #expect(try await admin.get("/v1/users").problem == "password-must-change")
            let changed = try await admin.post(
                "/v1/auth/password",
                ["old": "temporary secret", "new": "a better secret"]
            )
            #expect(changed.status == 200)
            let made = try await admin.post(
                "/v1/users",
                ["login": "amina", "role": "operator"]
            )
            #expect(made.status == 201)
            #expect(try await admin.get("/v1/users").items.count == 2)
            #expect(try await admin.get("/v1/me").text("role") == "admin")
            let left = try await admin.post("/v1/auth/logout")
            #expect(left.status == 200)
            #expect(try await admin.get("/v1/me").status == 401)
            #expect(try gateway.events("user.logged_in/1").count == 1)
            #expect(try gateway.events("user.logged_out/1").count == 1)
            let refused = try await gateway.send(
                .post,
                "/v1/auth/login",
                body: TestGateway.json(["login": "admin", "password": "wrong"])
            )
            #expect(refused.status == 401)
        }
    }

    @Test func `opens again with the same name and keys, and with no others`() async throws {
        let folder = try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            _ = try await gateway.openChat("+447712345678", codeBy: amina)
            return gateway.folder
        }
        try await TestGateway.run(in: folder) { gateway in
            #expect(try await gateway.ledger.accounts.users().count == 2)
            #expect(try gateway.events("policy.enabled/1").count == 4)
            let ledger = try await gateway.send(.get, "/v1/ledger")
            #expect(try ledger.text("origin") == "test.example/main")
        }
        await #expect(throws: StartError.self) {
            func adjust(_ configuration: inout GatewayConfiguration) {
                configuration.origin = "other/main"
            }
            try await TestGateway.run(in: folder, adjust: adjust) { _ in }
        }
    }

    @Test func `keeps its master key outside of its folder`() async throws {
        try await TestGateway.run { gateway in
            let inside = gateway.ledger.folder.root.appending(path: "key")
            #expect(throws: StartError.masterKeyInside(inside.path)) {
                _ = try MasterKeyPlace.file(inside).key(for: gateway.ledger.folder)
            }
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct `Registering a phone` {
    @Test func `takes a code once, and tells who gave it`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let caller = try await gateway.caller("+447712345678", codeBy: amina)
            let registered = try #require(try gateway.events("device.registered/1").first)
            let fact = try #require(registered.fact.payload as? DeviceRegistered)
            #expect(fact.codeGivenBy?.text == amina.id)
            #expect(registered.envelope.actor.text == "device/\(caller.id)")
            #expect(try await caller.get("/v1/me").text("phone") == "+447712345678")
            let wrong = try await gateway.send(
                .post,
                "/v1/devices",
                body: TestGateway.json(["phone": "+447712345678", "code": "AAAAAA"])
            )
            #expect(wrong.status == 401)
            let again = try await gateway.caller("+447712345678", codeBy: amina)
            let persons = Set(
                try gateway.events("device.registered/1")
                    .compactMap { ($0.fact.payload as? DeviceRegistered)?.person }
            )
            #expect(persons.count == 1, "one number, one person")
            #expect(again.id != caller.id)
        }
    }
}
