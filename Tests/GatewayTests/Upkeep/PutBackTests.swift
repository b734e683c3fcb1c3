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

/// Good rows of an earlier day that somebody put back, code and all, and rows that are gone: in rights the ledger counts.
@Suite(.timeLimit(.minutes(2))) struct `Rows of an earlier day` {
    private static func change(
        _ gateway: TestGateway,
        _ sql: String,
        _ arguments: StatementArguments = []
    ) async throws {
        try await gateway.ledger.accounts.durably { database in
            try database.execute(sql: sql, arguments: arguments)
        }
    }

    /// A phone without the gateway, which would stay open.
    private struct Known: Sendable {
        let id: String
        let token: String
    }

    private static func signIn(
        _ gateway: TestGateway,
        _ login: String,
        _ password: String
    ) async throws -> TestAnswer {
        try await gateway.send(
            .post,
            "/v1/auth/login",
            body: TestGateway.json(["login": login, "password": password])
        )
    }

    /// A token that ended, good again in the file, and in use.
    private static func putBack(_ token: String, _ gateway: TestGateway) async throws {
        let digest = IssuedToken.digest(of: token)
        try await change(gateway, "UPDATE main.tokens SET revoked = NULL WHERE hash = ?", [digest])
        _ = try await gateway.ledger.accounts.authenticate(token)
        try await change(
            gateway,
            "UPDATE main.tokens SET used = used + 60000 WHERE hash = ?",
            [digest]
        )
    }

    @Test func `sign nobody in again, over any number of starts, and sign nobody out elsewhere`()
        async throws
    {
        let (folder, gone, stays) = try await TestGateway.run { gateway in
            _ = try await gateway.user(.supervisor, login: "sue")
            var tokens: [String] = []
            for _ in 0..<2 {
                let answer = try await Self.signIn(gateway, "sue", password)
                tokens.append(try answer.text("token"))
            }
            let id = try #require(
                try await gateway.ledger.accounts.users().first { $0.login == "sue" }
            )
            let first = TestGateway.Client(gateway: gateway, token: tokens[0], id: id.id)
            #expect(try await first.post("/v1/auth/logout").status == 200)
            return (gateway.folder, tokens[0], tokens[1])
        }
        for _ in 0..<2 {
            try await TestGateway.run(in: folder) { gateway in
                _ = try await gateway.ledger.accounts.authenticate(stays)
                await #expect(throws: AccountError.tokenRevoked) {
                    try await gateway.ledger.accounts.authenticate(gone)
                }
                try await Self.putBack(gone, gateway)
            }
        }
        try await TestGateway.run(in: folder) { gateway in
            let id = try await gateway.ledger.accounts.authenticate(stays).userID ?? ""
            let last = TestGateway.Client(gateway: gateway, token: stays, id: id)
            #expect(try await last.post("/v1/auth/logout").status == 200)
            try await Self.putBack(gone, gateway)
        }
        try await TestGateway.run(in: folder) { gateway in
            await #expect(throws: AccountError.tokenRevoked) {
                try await gateway.ledger.accounts.authenticate(gone)
            }
        }
    }

    @Test(arguments: [true, false])
    func `open nothing by a password of before, with the gateway running and behind a start`(
        isReset: Bool
    ) async throws {
        let (folder, id) = try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let sue = try await gateway.user(.supervisor, login: "sue")
            let accounts = gateway.ledger.accounts
            let old = try await accounts.read { database in
                try String.fetchOne(
                    database,
                    sql: "SELECT password FROM users WHERE id = ?",
                    arguments: [sue.id]
                )
            }
            let signedIn = try await Self.signIn(gateway, "sue", password).text("token")
            let own = TestGateway.Client(gateway: gateway, token: signedIn, id: sue.id)
            let new = "another horse battery"
            let done =
                isReset
                ? try await admin.post("/v1/users/\(sue.id)/password")
                : try await own.post("/v1/auth/password", ["old": password, "new": new])
            #expect(done.status == 200, "\(done.body)")
            #expect(try await own.get("/v1/me").status == (isReset ? 401 : 200))
            let now = isReset ? try done.text("temporaryPassword") : new
            #expect(try await Self.signIn(gateway, "sue", now).status == 200)
            try await Self.change(
                gateway,
                "UPDATE main.users SET password = ?, password_at = 0 WHERE id = ?",
                [old, sue.id]
            )
            #expect(try await Self.signIn(gateway, "sue", password).status == 401)
            // As if it had been let in all the same.
            _ = try await accounts.issueToken(forUser: sue.id)
            return (gateway.folder, sue.id)
        }
        try await TestGateway.run(in: folder) { gateway in
            let accounts = gateway.ledger.accounts
            #expect(try await Self.signIn(gateway, "sue", password).status == 401)
            #expect(try await !accounts.user(id: id).hasPassword)
            #expect(try await accounts.goodTokens(ofUser: id).isEmpty)
            // The way back in.
            let admin = try await gateway.user(.admin, login: "bob")
            let reset = try await admin.post("/v1/users/\(id)/password")
            let told = try reset.text("temporaryPassword")
            #expect(try await Self.signIn(gateway, "sue", told).status == 200)
        }
        try await TestGateway.run(in: folder) { gateway in
            let sue = try await gateway.ledger.accounts.user(id: id)
            #expect(sue.hasPassword)
        }
    }

    @Test func `keep the sign-in that changed the password, over a start`() async throws {
        let (folder, token) = try await TestGateway.run { gateway in
            let sue = try await gateway.user(.supervisor, login: "sue")
            let body = ["old": password, "new": "another horse battery"]
            #expect(try await sue.post("/v1/auth/password", body).status == 200)
            return (gateway.folder, sue.token)
        }
        try await TestGateway.run(in: folder) { gateway in
            _ = try await gateway.ledger.accounts.authenticate(token)
            #expect(try await Self.signIn(gateway, "sue", "another horse battery").status == 200)
        }
    }

    @Test func `of the last admin's password let a start make another admin`() async throws {
        let folder = try await TestGateway.run { gateway in
            let context = gateway.ledger.context(actor: .ledger, organisation: .main)
            // As a crash leaves it between the event and the accounts.
            let command = ChangeAccount(UserID(unchecked: "admin"), .passwordChanged(.own))
            _ = try await gateway.ledger.handler.handle(command, context)
            return gateway.folder
        }
        try await TestGateway.run(in: folder) { gateway in
            let users = try await gateway.ledger.accounts.users()
            #expect(try #require(users.first { $0.id == "admin" }).hasPassword == false)
            #expect(users.contains { $0.login == "admin2" && $0.role == .admin && $0.hasPassword })
        }
    }

    @Test func `of phones that no event registered, or not so, act no more`() async throws {
        let (folder, unknown, other) = try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let other = try await gateway.caller("+447700900001", codeBy: amina)
            let victim = try await gateway.caller("+447700900002", codeBy: amina)
            let accounts = gateway.ledger.accounts
            let person = try #require(try await accounts.device(id: victim.id)).person
            let code = try await accounts.makeDeviceCode(
                phoneNumber: "+447700900003",
                person: person,
                org: "main"
            )
            let made = try await accounts.registerDevice(
                phoneNumber: "+447700900003",
                code: code
            ) { _ in true }
            try await Self.change(
                gateway,
                "UPDATE main.devices SET person = ? WHERE id = ?",
                [person, other.id]
            )
            return (gateway.folder, made.token.token, Known(id: other.id, token: other.token))
        }
        try await TestGateway.run(in: folder) { gateway in
            for token in [unknown, other.token] {
                await #expect(throws: AccountError.self) {
                    try await gateway.ledger.accounts.authenticate(token)
                }
            }
            let device = try #require(DeviceID(other.id))
            #expect(try gateway.ledger.handler.current(Device.self, device).isRevoked)
        }
    }

    @Test func `are ended by their id, whether the ledger or the accounts alone know them`()
        async throws
    {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let amina = try await gateway.user(.operator, login: "amina")
            let phone = try await gateway.caller("+447700900001", codeBy: amina)
            let accounts = gateway.ledger.accounts
            let code = try await accounts.makeDeviceCode(
                phoneNumber: "+447700900003",
                person: try #require(try await accounts.device(id: phone.id)).person,
                org: "main",
                device: "\(gateway.ledger.newID() as DeviceID)"
            )
            let made = try await accounts.registerDevice(
                phoneNumber: "+447700900003",
                code: code
            ) { _ in true }
            for table in [
                "tokens WHERE device", "device_sessions WHERE device", "devices WHERE id",
            ] {
                try await Self.change(gateway, "DELETE FROM main.\(table) = ?", [phone.id])
            }
            for id in [made.device.id, phone.id] {
                let answer = try await admin.send(.delete, "/v1/devices/\(id)?reason=lost")
                #expect(answer.status == 204, "\(answer.body)")
            }
            await #expect(throws: AccountError.self) {
                try await accounts.authenticate(made.token.token)
            }
            let device = try #require(DeviceID(phone.id))
            #expect(try gateway.ledger.handler.current(Device.self, device).isRevoked)
            let none = try await admin.send(
                .delete,
                "/v1/devices/01890000-0000-7000-8000-000000000000?reason=lost"
            )
            #expect(none.status == 404)
        }
    }

    /// Beside a gateway that serves: at the next request, and at the next sign-in.
    @Test(arguments: ["role = 'admin'", "org = 'other'"])
    func `give no rights that the ledger does not give`(change: String) async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let set = "UPDATE main.users SET \(change) WHERE id = ?"
            try await Self.change(gateway, set, [amina.id])
            #expect(try await amina.get("/v1/me").status == 401)
            for _ in 0..<2 {
                let accounts = gateway.ledger.accounts
                let row = try await accounts.user(id: amina.id)
                #expect(row.role == .operator && row.org == "main")
                try await Self.change(gateway, set, [amina.id])
                let token = try await Self.signIn(gateway, "amina", password).text("token")
                let principal = try await accounts.authenticate(token)
                #expect(principal.role == .operator && principal.org == "main")
            }
        }
    }

    @Test(arguments: [true, false])
    func `let nobody in who is disabled, and keep nobody out who is not`(isDisabled: Bool)
        async throws
    {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let amina = try await gateway.user(.operator, login: "amina")
            if isDisabled {
                let away: [String: any Sendable] = ["disabled": true, "reason": "left"]
                #expect(try await admin.send(.patch, "/v1/users/\(amina.id)", away).status == 200)
            }
            let set = "UPDATE main.users SET disabled = ? WHERE id = ?"
            try await Self.change(gateway, set, [!isDisabled, amina.id])
            let answer = try await Self.signIn(gateway, "amina", password)
            #expect(answer.status == (isDisabled ? 401 : 200), "\(answer.body)")
            let row = try await gateway.ledger.accounts.user(id: amina.id)
            #expect(row.isDisabled == isDisabled)
        }
    }

    @Test func `that are gone are made anew without a password, and phones end a day behind that`()
        async throws
    {
        let clock = TestClock()
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.clock = clock.ledgerClock
        }
        let (folder, amina, ben, phone) = try await TestGateway.run(adjust: adjust) { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.supervisor, login: "ben")
            let phone = try await gateway.caller("+447700900001", codeBy: amina)
            let away: [String: any Sendable] = ["disabled": true, "reason": "left"]
            #expect(try await admin.send(.patch, "/v1/users/\(ben.id)", away).status == 200)
            return (gateway.folder, amina.id, ben.id, phone.id)
        }
        let device = try #require(DeviceID(phone))
        clock.advance(by: .seconds(60))
        let lost = try Self.takeAway(of: folder)
        try await TestGateway.run(in: folder, adjust: adjust) { gateway in
            let users = try await gateway.ledger.accounts.users()
            let found = try #require(users.first { $0.id == amina })
            #expect(found.login == "lost \(amina)" && found.role == .operator)
            #expect(!found.isDisabled && !found.hasPassword)
            #expect(try #require(users.first { $0.id == ben }).isDisabled)
            for password in [password, ""] {
                let refused = try await Self.signIn(gateway, found.login, password)
                #expect(refused.status == 401 || refused.status == 400, "\(refused.body)")
            }
            #expect(users.contains { $0.login == "admin" && $0.role == .admin && $0.hasPassword })
            let admin = try await gateway.user(.admin, login: "eva")
            let reset = try await admin.post("/v1/users/\(amina)/password")
            let told = try reset.text("temporaryPassword")
            #expect(try await Self.signIn(gateway, found.login, told).status == 200)
            // The file that was lost may turn up.
            try await gateway.ledger.tellLostPhones()
            #expect(try !gateway.ledger.handler.current(Device.self, device).isRevoked)
        }
        #expect(!lost.isEmpty)
        let size = try await TestGateway.run(in: folder, adjust: adjust) { gateway in
            #expect(try !gateway.ledger.handler.current(Device.self, device).isRevoked)
            clock.advance(by: .seconds(86_400))
            try await gateway.ledger.tellLostPhones()
            #expect(try gateway.ledger.handler.current(Device.self, device).isRevoked)
            return gateway.ledger.log.size
        }
        // It owes nothing more.
        let again = try await TestGateway.run(in: folder, adjust: adjust) { $0.ledger.log.size }
        #expect(again == size)
    }

    @Test func `that turn up within a day have their phones again`() async throws {
        let clock = TestClock()
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.clock = clock.ledgerClock
        }
        let (folder, phone) = try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let phone = try await gateway.caller("+447700900001", codeBy: amina)
            return (gateway.folder, Known(id: phone.id, token: phone.token))
        }
        clock.advance(by: .seconds(60))
        let lost = try Self.takeAway(of: folder)
        try await TestGateway.run(in: folder, adjust: adjust) { gateway in
            let phones = try await gateway.ledger.accounts.phones()
            #expect(phones.isEmpty)
        }
        clock.advance(by: .seconds(80_000))
        _ = try Self.takeAway(of: folder)
        for (name, bytes) in lost {
            try bytes.write(to: folder.url.appending(path: "ledger/\(name)"))
        }
        try await TestGateway.run(in: folder, adjust: adjust) { gateway in
            let found = try await gateway.ledger.accounts.authenticate(phone.token)
            #expect(found.deviceID == phone.id)
            clock.advance(by: .seconds(86_400))
            try await gateway.ledger.tellLostPhones()
            let device = try #require(DeviceID(phone.id))
            #expect(try !gateway.ledger.handler.current(Device.self, device).isRevoked)
        }
    }

    /// Takes the accounts of a ledger away that nobody serves.
    ///
    /// - Returns: The files, by name.
    private static func takeAway(of folder: TemporaryFolder) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for suffix in ["", "-wal", "-shm"] {
            let file = folder.url.appending(path: "ledger/accounts.db\(suffix)")
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            files[file.lastPathComponent] = try Data(contentsOf: file)
            try FileManager.default.removeItem(at: file)
        }
        return files
    }
}
