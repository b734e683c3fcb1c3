// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

private let password = "correct horse battery"

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A change of an account` {
    /// Whoever has used up what one may write.
    private static func spent(_ admin: TestGateway.Client) async throws {
        let dummy = try await admin.gateway.user(.operator, login: "dummy")
        for number in 0..<200 {
            let answer = try await admin.send(
                .patch,
                "/v1/users/\(dummy.id)",
                ["disabled": number.isMultiple(of: 2), "reason": "again"]
            )
            if answer.status == 429 { return }
        }
        Issue.record("nothing was too much")
    }

    @Test func `is not made when it cannot be recorded`() async throws {
        let clock = TestClock()
        try await TestGateway.run { configuration in
            configuration.clock = clock.ledgerClock
            configuration.limits.budgetOfUser = ActorBudget(
                eventsPerMinute: 40,
                bytesPerHour: 1 << 20
            )
        } _: { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let amina = try await gateway.user(.operator, login: "amina")
            let sue = try await gateway.user(.supervisor, login: "sue")
            let caller = try await gateway.caller("+447712345678", codeBy: amina)
            try await Self.spent(admin)
            let accounts = gateway.ledger.accounts
            let before = try await accounts.users()
            let keys = gateway.ledger.keys.count
            let (path, token) = (
                "/v1/users/\(amina.id)", try await accounts.tokens(ofUser: amina.id)[0].id
            )
            let answers = [
                try await admin.send(.patch, path, ["disabled": true, "reason": "left"]),
                try await admin.send(.patch, path, ["role": "supervisor", "reason": "more"]),
                try await admin.post("\(path)/password"),
                try await admin.send(.delete, "\(path)/tokens/\(token)"),
                try await admin.send(.delete, "/v1/devices/\(caller.id)?reason=lost"),
                try await admin.post("/v1/users", ["login": "new", "role": "operator"]),
                try await admin.post(
                    "/v1/auth/password",
                    ["old": password, "new": "another horse battery"]
                ),
            ]
            for answer in answers {
                #expect(answer.status == 429, "\(answer.body)")
                #expect(try answer.problem == "over-budget")
            }
            #expect(try await accounts.users() == before)
            #expect(gateway.ledger.keys.count == keys)
            for client in [admin, amina, sue, caller] {
                #expect(try await client.get("/v1/me").status == 200)
            }
            for login in ["ada", "amina"] {
                let proof = try await accounts.verifyPassword(
                    login: login,
                    password: password,
                    from: SignInOrigin(address: "192.0.2.9")
                )
                #expect(!proof.isTemporary)
            }
            // When there is room again, all of it is done.
            clock.advance(by: .seconds(61))
            let done = try await admin.send(.patch, path, ["disabled": true, "reason": "left"])
            #expect(done.status == 200, "\(done.body)")
            #expect(try await amina.get("/v1/me").status == 401)
        }
    }

    @Test func `is not made for a reason that cannot be recorded`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let amina = try await gateway.user(.operator, login: "amina")
            let caller = try await gateway.caller("+447712345678", codeBy: amina)
            let long = String(repeating: "a", count: 30_000)
            let answer = try await admin.send(
                .patch,
                "/v1/users/\(amina.id)",
                ["disabled": true, "reason": long]
            )
            #expect(answer.status == 422, "\(answer.body)")
            #expect(try await amina.get("/v1/me").status == 200)
            let phone = try await admin.send(.delete, "/v1/devices/\(caller.id)?reason=\(long)")
            #expect((400..<500).contains(phone.status))
            #expect(try await caller.get("/v1/me").status == 200)
        }
    }

    @Test func `that a crash kept from the accounts is made at the next start`() async throws {
        let (folder, login, tokens) = try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let caller = try await gateway.caller("+447712345678", codeBy: amina)
            let token = try await gateway.ledger.accounts.tokens(ofUser: admin.id)[0].id
            let changes: [(String, ChangeAccount.Change)] = [
                (amina.id, .disabled(reason: "left")), (ben.id, .role(.supervisor, reason: "more")),
                (admin.id, .tokenRevoked(token)),
            ]
            // The events alone, as if the process had ended behind each.
            let context = { gateway.ledger.context(actor: .ledger, organisation: .main) }
            for (user, change) in changes {
                let command = ChangeAccount(UserID(unchecked: user), change)
                _ = try await gateway.ledger.handler.handle(command, context())
            }
            let device = try #require(DeviceID(caller.id))
            let lost = RevokeDevice(device, reason: "lost")
            _ = try await gateway.ledger.handler.handle(lost, context())
            return (gateway.folder, ben.id, [admin.token, caller.token, amina.token])
        }
        try await TestGateway.run(in: folder) { gateway in
            let accounts = gateway.ledger.accounts
            for token in tokens {
                await #expect(throws: AccountError.self) { try await accounts.authenticate(token) }
            }
            let role = try await accounts.user(id: login).role
            #expect(role == .supervisor)
        }
    }

    @Test func `opens no account that ended with its person`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ledger = gateway.ledger
            let id = UserID(unchecked: amina.id)
            let person = try #require(try ledger.handler.current(User.self, id).account?.person)
            let people = ["admin", "ada"].map { UserID(unchecked: $0) }
            let context = { ledger.context(actor: .ledger, organisation: .main) }
            let erasure = ErasePerson(person, approvedBy: people, within: .ledger, reason: "asked")
            _ = try await ledger.handler.handle(erasure, context())
            // As an earlier version left it, or an opening that came in between.
            let opening = ChangeAccount(id, .enabled(reason: "back"))
            _ = try await ledger.handler.handle(opening, context())
            try await ledger.followAll()
            #expect(try await ledger.accounts.user(id: amina.id).isDisabled)
            #expect(try ledger.handler.current(User.self, id).isDisabled)
            #expect(try await amina.get("/v1/me").status == 401)
        }
    }
}

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `Accounts that cannot be written` {
    @Test(arguments: [(ENOSPC, 507), (EROFS, 503)])
    func `refuse what would change them with words, and let in who is signed in`(
        error: Int32,
        status: Int
    ) async throws {
        try await TestGateway.run { configuration in
            configuration.limits.accounts.lastUseGrain = .zero
        } _: { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let amina = try await gateway.user(.operator, login: "amina")
            let groundwork = Groundwork(ledger: gateway.ledger, video: gateway.gateway.video)
            for part in Groundwork.Part.allCases {
                gateway.ledger.standings.begin(part.rawValue, part.need)
            }
            let disk = DiskFaults(at: gateway.folder.url.appending(path: "ledger/accounts.db"))
            disk.fail(.write, with: error)
            // Their last use cannot be noted; that is no reason to send them away.
            #expect(try await amina.get("/v1/me").status == 200)
            let size = try gateway.events(UserDisabled.kind).count
            let answers = [
                try await gateway.send(
                    .post,
                    "/v1/auth/login",
                    body: TestGateway.json(["login": "amina", "password": password])
                ),
                try await admin.send(
                    .patch,
                    "/v1/users/\(amina.id)",
                    ["disabled": true, "reason": "left"]
                ),
                try await admin.post("/v1/users", ["login": "new", "role": "operator"]),
            ]
            for answer in answers {
                #expect(answer.status == status, "\(answer.body)")
                #expect(!answer.body.contains(gateway.folder.url.path))
            }
            #expect(try gateway.events(UserDisabled.kind).count == size)
            groundwork.look()
            let told = try await gateway.services().first { $0["name"] as? String == "accounts" }
            #expect((told?["fault"] as? String)?.contains("accounts.db") == true)
            #expect(told?["isNeeded"] as? Bool == true)
            #expect(try await gateway.send(.get, "/readyz").status == 503)
            disk.heal()
            await groundwork.tryAccountsAgain()
            groundwork.look()
            #expect(gateway.ledger.standings.fault(of: "accounts") == nil)
            let done = try await admin.send(
                .patch,
                "/v1/users/\(amina.id)",
                ["disabled": true, "reason": "left"]
            )
            #expect(done.status == 200)
        }
    }

    @Test func `follow what was recorded, as soon as they can be written again`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ledger = gateway.ledger
            let groundwork = Groundwork(ledger: ledger, video: gateway.gateway.video)
            let command = ChangeAccount(UserID(unchecked: amina.id), .disabled(reason: "left"))
            let context = ledger.context(actor: .ledger, organisation: .main)
            let disk = DiskFaults(at: gateway.folder.url.appending(path: "ledger/accounts.db"))
            await #expect(throws: DatabaseError.self) {
                try await ledger.accounts.following.change {
                    _ = try await ledger.handler.handle(command, context)
                    disk.fail(.write, with: EROFS)
                } making: {
                    try await ledger.follow(amina.id)
                }
            }
            await groundwork.tryAccountsAgain()
            #expect(ledger.accounts.writeFault != nil)
            disk.heal()
            // Somebody else's write, before anybody looks.
            try await ledger.accounts.probe()
            #expect(ledger.accounts.writeFault == nil)
            await groundwork.tryAccountsAgain()
            #expect(ledger.accounts.following.fault == nil)
            #expect(try await amina.get("/v1/me").status == 401)
        }
    }

    @Test func `are behind until all is made, whatever else fails or goes well`() async throws {
        struct Failed: Error {}
        let following = Following()
        await #expect(throws: Failed.self) {
            try await following.change {
                throw Failed()
            } making: {
            }
        }
        #expect(following.fault == nil, "what was refused changes nothing")
        let failures = following.failures
        await #expect(throws: Failed.self) {
            try await following.change {
            } making: {
                throw Failed()
            }
        }
        following.catchUp(since: failures)
        #expect(following.fault != nil, "it failed meanwhile")
        following.catchUp(since: following.failures)
        #expect(following.fault == nil)
    }
}
