// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import GRDB
import HTTPTypes
import Logging
import Projections
import TestSupport
import Testing

@testable import Gateway

/// What a start does with a file of accounts that is an earlier day's, or that somebody wrote who has no key.
@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `Accounts that a start finds` {
    private static func path(_ folder: TemporaryFolder) -> String {
        folder.url.appending(path: "ledger/accounts.db").path
    }

    private static func change(_ folder: TemporaryFolder, _ statements: String...) throws {
        try Intruder.change(accounts: path(folder), statements)
    }

    private static func copy(_ folder: TemporaryFolder, to copy: URL) throws {
        let queue = try DatabaseQueue(path: path(folder))
        let target = try DatabaseQueue(path: copy.path)
        try queue.backup(to: target)
        try target.close()
        try queue.close()
    }

    /// Puts an earlier file in the place of the one that is there, as Operations.md says.
    private static func restore(_ copy: URL, in folder: TemporaryFolder) throws {
        for suffix in ["", "-wal", "-shm"] {
            let file = path(folder) + suffix
            if FileManager.default.fileExists(atPath: file) {
                try FileManager.default.removeItem(atPath: file)
            }
        }
        try FileManager.default.copyItem(atPath: copy.path, toPath: path(folder))
    }

    private struct Known: Sendable {
        let id: String
        let token: String
    }

    private static func recordSignIn(_ client: TestGateway.Client) async throws {
        let ledger = client.gateway.ledger
        _ = try await ledger.handler.handle(
            LogIn(UserID(unchecked: client.id), method: .password),
            ledger.context(actor: .ledger, organisation: .main)
        )
    }

    @Test func `give nobody back what had ended`() async throws {
        let (folder, people) = try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let phone = try await gateway.caller("+447712345678", codeBy: amina)
            try await Self.recordSignIn(amina)
            try await Self.recordSignIn(ben)
            // Without the gateway, which would stay open.
            return (gateway.folder, [amina, ben, phone].map { Known(id: $0.id, token: $0.token) })
        }
        let (amina, ben, phone) = (people[0], people[1], people[2])
        let old = folder.url.appending(path: "old.db")
        try Self.copy(folder, to: old)
        try await TestGateway.run(in: folder) { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let end = try await admin.send(.delete, "/v1/devices/\(phone.id)?reason=lost")
            #expect(end.status == 200 || end.status == 204, "\(end.body)")
            let disabled = try await admin.send(
                .patch,
                "/v1/users/\(ben.id)",
                ["disabled": true, "reason": "left"]
            )
            #expect(disabled.status == 200, "\(disabled.body)")
            let here = TestGateway.Client(gateway: gateway, token: amina.token, id: amina.id)
            #expect(try await here.get("/v1/me").status == 200)
            #expect(try await here.post("/v1/auth/logout").status == 200)
        }
        try Self.restore(old, in: folder)
        try await TestGateway.run(in: folder) { gateway in
            for token in [amina.token, ben.token, phone.token] {
                await #expect(throws: AccountError.self) {
                    try await gateway.ledger.accounts.authenticate(token)
                }
            }
            let known = try gateway.ledger.handler.current(User.self, UserID(unchecked: ben.id))
            #expect(known.isDisabled)
            #expect(try await gateway.ledger.accounts.user(id: ben.id).isDisabled)
        }
    }

    /// What ends all that was issued to somebody.
    @Test(
        arguments: [
            ["role": "analyst", "reason": "other work"], ["disabled": true, "reason": "left"],
            [:],
        ] as [[String: any Sendable]]
    )
    func `open no issued token again that ended with another right`(
        change: [String: any Sendable]
    ) async throws {
        let (folder, token) = try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let robot = try await gateway.user(.service, login: "robot")
            let account = try await gateway.ledger.accounts.user(id: robot.id)
            let context = { gateway.ledger.context(actor: .ledger, organisation: .main) }
            let issued = try await gateway.ledger.issueToken(
                of: account,
                life: nil,
                by: .console,
                context()
            )
            let path = "/v1/users/\(robot.id)"
            let answer =
                change.isEmpty
                ? try await admin.post("\(path)/password")
                : try await admin.send(.patch, path, change)
            #expect(answer.status == 200, "\(answer.body)")
            // Put back as it was, so that nothing else differs.
            for back: [String: any Sendable] in [["role": "service"], ["disabled": false]] {
                let back = back.merging(["reason": "back"]) { mine, _ in mine }
                #expect(try await admin.send(.patch, path, back).status == 200)
            }
            // As in accounts.db before it ended.
            let id = issued.id
            try await gateway.ledger.accounts.durably { database in
                try database.execute(
                    sql: "UPDATE main.tokens SET revoked = NULL WHERE id = ?",
                    arguments: [id]
                )
            }
            return (gateway.folder, issued)
        }
        try await TestGateway.run(in: folder) { gateway in
            await #expect(throws: AccountError.tokenRevoked) {
                try await gateway.ledger.accounts.authenticate(token.token)
            }
        }
    }

    @Test func `keep who is signed in elsewhere over a start`() async throws {
        let (folder, token) = try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            try await Self.recordSignIn(amina)
            let other = try await gateway.ledger.accounts.issueToken(forUser: amina.id)
            #expect(try await amina.post("/v1/auth/logout").status == 200)
            return (gateway.folder, other.token)
        }
        try await TestGateway.run(in: folder) { gateway in
            _ = try await gateway.ledger.accounts.authenticate(token)
        }
    }

    @Test func `are not let in because the file says so, not even the last admin`() async throws {
        let folder = try await TestGateway.run { gateway in
            let other = try await gateway.user(.admin, login: "ada")
            let command = ChangeAccount(UserID(unchecked: "admin"), .disabled(reason: "left"))
            let context = gateway.ledger.context(actor: .ledger, organisation: .main)
            _ = try await gateway.ledger.handler.handle(command, context)
            // As in accounts.db before ada was made.
            try await gateway.ledger.accounts.durably { database in
                try database.execute(
                    sql: "DELETE FROM main.tokens WHERE user = ?",
                    arguments: [other.id]
                )
                try database.execute(
                    sql: "DELETE FROM main.users WHERE id = ?",
                    arguments: [other.id]
                )
            }
            return gateway.folder
        }
        try await TestGateway.run(in: folder) { gateway in
            let users = try await gateway.ledger.accounts.users()
            #expect(try #require(users.first { $0.id == "admin" }).isDisabled)
            let known = try gateway.ledger.handler.current(User.self, UserID(unchecked: "admin"))
            #expect(known.isDisabled)
            // Whoever starts it is told the password of another one.
            #expect(users.contains { $0.login == "admin2" && $0.role == .admin && !$0.isDisabled })
        }
    }

    @Test func `make nobody known whom no event made`() async throws {
        let (folder, id) = try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            return (gateway.folder, amina.id)
        }
        try Self.change(
            folder,
            "INSERT INTO users SELECT '9', 'eve', org, 'admin', password, 0, 0, created, 0, NULL FROM users WHERE login = 'amina'",
            "INSERT INTO users SELECT '8', 'crash', org, 'admin', password, 1, 0, created, 0, NULL FROM users WHERE login = 'amina'",
            "UPDATE users SET role = 'admin', org = 'other' WHERE login = 'amina'"
        )
        try await TestGateway.run(in: folder) { gateway in
            let users = try await gateway.ledger.accounts.users()
            #expect(!users.contains { ["8", "9"].contains($0.id) })
            let amina = try #require(users.first { $0.id == id })
            #expect(amina.role == .operator && amina.org == "main" && !amina.isDisabled)
            for id in ["8", "9"] {
                let known = try gateway.ledger.handler.current(User.self, UserID(unchecked: id))
                #expect(known.account == nil)
            }
        }
    }

    /// Somebody put the log of an earlier day in its place, and the accounts stayed.
    @Test func `end as far as an older log does not know them, and the log is told`() async throws {
        let parts = ["log", "index", "read", "checkpoint", "origin.key", "clock"]
        let (folder, amina) = try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            return (gateway.folder, Known(id: amina.id, token: amina.token))
        }
        let (ledger, old) = (
            folder.url.appending(path: "ledger"), folder.url.appending(path: "old")
        )
        try FileManager.default.copyItem(at: ledger, to: old)
        let (ben, phone) = try await TestGateway.run(in: folder) { gateway in
            let ben = try await gateway.user(.operator, login: "ben")
            let phone = try await gateway.caller("+447712345678", codeBy: ben)
            return (
                Known(id: ben.id, token: ben.token), Known(id: phone.id, token: phone.token)
            )
        }
        for part in parts
        where FileManager.default.fileExists(atPath: old.appending(path: part).path) {
            try FileManager.default.removeItem(at: ledger.appending(path: part))
            try FileManager.default.copyItem(
                at: old.appending(path: part),
                to: ledger.appending(path: part)
            )
        }
        let user = UserID(unchecked: ben.id)
        for _ in 0..<2 {
            try await TestGateway.run(in: folder) { gateway in
                #expect(gateway.ledger.log.readOnlyReason == nil)
                let accounts = gateway.ledger.accounts
                for token in [ben.token, phone.token] {
                    await #expect(throws: AccountError.self) {
                        try await accounts.authenticate(token)
                    }
                }
                #expect(try await accounts.authenticate(amina.token).userID == amina.id)
                #expect(try await accounts.user(id: ben.id).isDisabled)
                let told = try gateway.ledger.log.entries(of: .user(user))
                #expect(told.map(\.envelope.kind) == [UserDisabled.kind])
                #expect(told.first?.envelope.actor == .ledger)
            }
        }
    }

    @Test func `with a code of which no event tells register no phone`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let victim = try await gateway.caller("+447712345678", codeBy: amina)
            let account = try #require(try await gateway.ledger.accounts.device(id: victim.id))
            let code = try await gateway.ledger.accounts.makeDeviceCode(
                phoneNumber: "+447799999999",
                person: account.person,
                org: "main",
                giver: amina.id
            )
            let answer = try await gateway.send(
                .post,
                "/v1/devices",
                body: TestGateway.json(["phone": "+447799999999", "code": code])
            )
            #expect(answer.status == 401, "\(answer.body)")
        }
    }

    @discardableResult
    private static func open(_ folder: TemporaryFolder, adopts: Bool = false) throws -> Ledger {
        var configuration = GatewayConfiguration(folder: folder.url.appending(path: "ledger"))
        configuration.origin = "test.example/main"
        configuration.adoptsAccounts = adopts
        return try Ledger.open(configuration, logger: Logger(label: "test"))
    }

    @Test func `are not opened with a trigger, a view, or as a link`() async throws {
        let folder = try await TestGateway.run { $0.folder }
        try Self.change(
            folder,
            "CREATE TRIGGER t AFTER INSERT ON tokens BEGIN UPDATE users SET role = 'admin'; END"
        )
        #expect(throws: StartError.self) { try Self.open(folder) }
        try Self.change(
            folder,
            "DROP TRIGGER t",
            "ALTER TABLE users RENAME TO u",
            "CREATE VIEW users AS SELECT * FROM u"
        )
        #expect(throws: StartError.self) { try Self.open(folder) }
        try FileManager.default.moveItem(atPath: Self.path(folder), toPath: Self.path(folder) + "x")
        try FileManager.default.createSymbolicLink(
            atPath: Self.path(folder),
            withDestinationPath: "accounts.dbx"
        )
        #expect(throws: StartError.self) { try Self.open(folder) }
    }

    @Test func `keep what nobody made who has the key, until a gateway starts`() async throws {
        let folder = try await TestGateway.run { gateway in
            _ = try await gateway.user(.operator, login: "amina")
            return gateway.folder
        }
        try Self.change(folder, "UPDATE users SET password = 'x' WHERE login = 'amina'")
        var configuration = GatewayConfiguration(folder: folder.url.appending(path: "ledger"))
        configuration.origin = "test.example/main"
        configuration.pages = TestGateway.page
        func doctor(_ what: String) throws -> Doctor.Finding {
            try #require(Doctor(configuration).findings().first { $0.what == what })
        }
        for disarms in [false, false, true] {
            let logger = Logger(label: "test")
            #expect(try doctor("accounts").detail.contains("1 of users"))
            let ledger = try Ledger.open(configuration, disarms: disarms, logger: logger)
            #expect(try ledger.accounts.foreignRows() == (disarms ? [:] : ["users": 1]))
            let logins = try await ledger.accounts.users().map(\.login)
            #expect(logins.contains { $0.hasPrefix("found ") } == disarms)
            await ledger.log.close()
        }
        #expect(try doctor("accounts").isWell)
        #expect(try doctor("permissions").isWell)
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o400]
        try FileManager.default.setAttributes(mode, ofItemAtPath: Self.path(folder))
        #expect(try doctor("permissions").detail.contains("accounts.db: the owner may not"))
    }

    /// Whoever can write the folder takes the codes away and plants what they like; the option may have stayed in a unit.
    @Test(arguments: [false, true])
    func `are never adopted behind what the log says of them`(isDamaged: Bool) async throws {
        let (folder, place) = try await TestGateway.run { gateway in
            _ = try await gateway.user(.operator, login: "amina")
            let entries = try gateway.ledger.log.entries(of: .policy(SealedRows.policy))
            return (gateway.folder, try #require(entries.first).envelope.position)
        }
        try Intruder.takeCodesAway(accounts: Self.path(folder))
        try Self.change(
            folder,
            "UPDATE users SET password = 'x'",
            "PRAGMA application_id = \(Int(Date().timeIntervalSince1970 / 60))"
        )
        if isDamaged { _ = try DamagedEntry(at: place, in: folder) }
        for adopts in [true, false] {
            #expect {
                try Self.open(folder, adopts: adopts)
            } throws: { error in
                if case StartError.accountsSealed = error { true } else { false }
            }
        }
        // The way out: they are made anew.
        for suffix in ["", "-wal", "-shm"] {
            let file = Self.path(folder) + suffix
            guard FileManager.default.fileExists(atPath: file) else { continue }
            try FileManager.default.removeItem(atPath: file)
        }
        try await TestGateway.run(in: folder) { gateway in
            let users = try await gateway.ledger.accounts.users()
            #expect(users.contains { $0.login.hasPrefix("lost ") && !$0.hasPassword })
        }
    }

    @Test func `are opened without the journal that lay beside them`() async throws {
        let folder = try await TestGateway.run { $0.folder }
        let journal = Self.path(folder) + "-journal"
        try Data("journal".utf8).write(to: URL(filePath: journal))
        let ledger = try Self.open(folder)
        #expect(!FileManager.default.fileExists(atPath: journal))
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.url.appending(path: "ledger").path
        )
        #expect(names.contains { $0.hasPrefix("accounts.db-journal.foreign-") })
        await ledger.log.close()
    }
}
