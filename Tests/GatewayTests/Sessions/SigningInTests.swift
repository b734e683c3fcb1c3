// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `A new ledger` {
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
            #expect(try gateway.events("policy.enabled/1").count == 11)
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

@Suite(.timeLimit(.minutes(10))) struct `Registering a phone` {
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

    @Test func `repeated under its key tells of one phone, and that a token was told again`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let given = try await amina.post("/v1/devices/codes", ["phone": "0044 (0)7712 345678"])
            #expect(try given.text("phone") == "+447712345678")
            let code = try given.text("code")
            func ask(key: String) async throws -> TestAnswer {
                try await gateway.send(
                    .post,
                    "/v1/devices",
                    headers: [.idempotencyKey: key],
                    body: TestGateway.json(["phone": "+447712345678", "code": code])
                )
            }
            let first = try await ask(key: "0199-lost")
            #expect(first.status == 201)
            let again = try await ask(key: "0199-lost")
            #expect(again.status == 201)
            #expect(try again.text("device") == first.text("device"))
            #expect(try await ask(key: "0199-another").status == 401)
            func me(_ answer: TestAnswer) async throws -> Int {
                try await TestGateway.Client(
                    gateway: gateway,
                    token: try answer.text("token"),
                    id: try answer.text("device")
                ).get("/v1/me").status
            }
            // Either may be the one that arrived; whichever is used first ends the other.
            #expect(try await me(again) == 200)
            #expect(try await me(first) == 401)
            #expect(try gateway.events("device.registered/1").count == 1)
            let reads = try gateway.events(AccessRead.kind)
                .compactMap { $0.fact.payload as? AccessRead }
                .filter { $0.purpose == "registration" }
            #expect(reads.map(\.resource.text) == ["device/\(try first.text("device"))"])
        }
    }

    @Test(arguments: ["+0447712345678", "07712345678", "+4477", "00447"])
    func `says of what is no number how to write it`(_ number: String) async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            for path in ["/v1/devices/codes", "/v1/sessions"] {
                let refused = try await amina.post(path, ["phone": number])
                #expect(refused.status == 400)
                #expect(try refused.text("detail").contains("country code"))
                #expect(try refused.text("pointer") == "/phone")
            }
        }
    }
}
