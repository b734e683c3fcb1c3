// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

private let password = "correct horse battery"

/// What a start makes of accounts and phones whose entries somebody damaged who can write the folder (decision 0070).
@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `Damaged entries about accounts` {
    /// A phone or an account without the gateway, which would stay open.
    private struct Known: Sendable {
        let id: String
        let token: String

        init(_ client: TestGateway.Client) { (id, token) = (client.id, client.token) }

        init(id: String, token: String) { (self.id, self.token) = (id, token) }
    }

    private static func last(of subject: Subject, in gateway: TestGateway) throws -> LogPosition {
        let entry = try #require(try gateway.ledger.log.entries(of: subject).last)
        return entry.envelope.position
    }

    private static func subject(ofPhone phone: TestGateway.Client) throws -> Subject {
        .device(try #require(DeviceID(phone.id)))
    }

    private static func isRefused(_ token: String, in gateway: TestGateway) async {
        await #expect(throws: AccountError.accountUnreadable) {
            try await gateway.ledger.accounts.authenticate(token)
        }
    }

    /// What `/readyz` says of them, as warnings.
    private static func warning(of gateway: TestGateway) async throws -> String {
        let groundwork = Groundwork(ledger: gateway.ledger, video: gateway.gateway.video)
        for part in Groundwork.Part.allCases {
            gateway.ledger.standings.begin(part.rawValue, part.need)
        }
        groundwork.look()
        #expect(gateway.ledger.standings.fault(of: "accounts") == nil)
        #expect(Groundwork.Part.accountEntries.need == .toKeepHouse)
        let told = try await gateway.services().first {
            $0["name"] as? String == "entries of accounts"
        }
        return told?["fault"] as? String ?? ""
    }

    /// A phone among the accounts that no event registered.
    private static func strangePhone(in gateway: TestGateway) async throws -> Known {
        let accounts = gateway.ledger.accounts
        let number = "+447700900009"
        let device = "\(gateway.ledger.newID() as DeviceID)"
        let code = try await accounts.makeDeviceCode(
            phoneNumber: number,
            person: "\(gateway.ledger.newID() as PersonID)",
            org: "main",
            device: device
        )
        let made = try await accounts.registerDevice(phoneNumber: number, code: code) { _ in true }
        return Known(id: device, token: made.token.token)
    }

    @Test func `keep no other phone from being followed, and refuse the one that they are of`()
        async throws
    {
        let (folder, damaged, good, strange, place) = try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let damaged = try await gateway.caller("+447700900001", codeBy: amina)
            let place = try Self.last(of: Self.subject(ofPhone: damaged), in: gateway)
            let good = try await gateway.caller("+447700900002", codeBy: amina)
            let strange = try await Self.strangePhone(in: gateway)
            return (gateway.folder, Known(damaged), Known(good), strange, place)
        }
        let entry = try DamagedEntry(at: place, in: folder)
        try await TestGateway.run(in: folder) { gateway in
            let accounts = gateway.ledger.accounts
            await #expect(throws: AccountError.self) {
                try await accounts.authenticate(strange.token)
            }
            let phones = try await accounts.phones()
            #expect(try #require(phones.first { $0.id == strange.id }).isRevoked)
            #expect(try !#require(phones.first { $0.id == damaged.id }).isRevoked)
            #expect(try await accounts.authenticate(good.token).deviceID == good.id)
            await Self.isRefused(damaged.token, in: gateway)
            let warning = try await Self.warning(of: gateway)
            #expect(warning.contains("\(place)") && warning.contains(damaged.id), "\(warning)")
        }
        try entry.restore()
        try await TestGateway.run(in: folder) { gateway in
            let found = try await gateway.ledger.accounts.authenticate(damaged.token)
            #expect(found.deviceID == damaged.id, "nothing of it was ended")
            #expect(try await Self.warning(of: gateway).isEmpty)
        }
    }

    @Test func `let no other end be missed`() async throws {
        let (folder, phones, place) = try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            var phones: [TestGateway.Client] = []
            for number in ["+447700900001", "+447700900002"] {
                phones.append(try await gateway.caller(number, codeBy: amina))
            }
            // The events alone, as if both rows of before had been put back.
            for phone in phones {
                let lost = RevokeDevice(try #require(DeviceID(phone.id)), reason: "lost")
                let context = gateway.ledger.context(actor: .ledger, organisation: .main)
                _ = try await gateway.ledger.handler.handle(lost, context)
            }
            let place = try Self.last(of: Self.subject(ofPhone: phones[0]), in: gateway)
            return (gateway.folder, phones.map { Known($0) }, place)
        }
        _ = try DamagedEntry(at: place, in: folder)
        try await TestGateway.run(in: folder) { gateway in
            await Self.isRefused(phones[0].token, in: gateway)
            await #expect(throws: AccountError.accountDisabled) {
                try await gateway.ledger.accounts.authenticate(phones[1].token)
            }
        }
    }

    /// Of a sign-in, which says nothing of rights.
    @Test func `refuse no start, and let in everybody but whose they are`() async throws {
        let (folder, amina, ben, place) = try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let issued = try await gateway.ledger.issueToken(
                of: try await gateway.ledger.accounts.user(id: amina.id),
                life: nil,
                by: .console,
                gateway.ledger.context(actor: .ledger, organisation: .main)
            )
            _ = try await gateway.ledger.handler.handle(
                LogIn(UserID(unchecked: amina.id), method: .password),
                gateway.ledger.context(actor: .ledger, organisation: .main)
            )
            let place = try Self.last(of: .user(UserID(unchecked: amina.id)), in: gateway)
            // The last entry of all is looked at when the log opens.
            _ = try await gateway.user(.operator, login: "carl")
            return (gateway.folder, Known(id: amina.id, token: issued.token), Known(ben), place)
        }
        let entry = try DamagedEntry(at: place, in: folder)
        try await TestGateway.run(in: folder) { gateway in
            await Self.isRefused(amina.token, in: gateway)
            let login = ["login": "amina", "password": password]
            let answer = try await gateway.send(
                .post,
                "/v1/auth/login",
                body: TestGateway.json(login)
            )
            #expect(answer.status == 500, "\(answer.body)")
            #expect(try answer.problem == "ledger-damaged")
            #expect(try await gateway.ledger.accounts.authenticate(ben.token).userID == ben.id)
            let warning = try await Self.warning(of: gateway)
            #expect(warning.contains("user \(amina.id)"), "\(warning)")
            try await gateway.ledger.followAll()
            #expect(gateway.ledger.accounts.following.fault == nil)
        }
        try entry.restore()
        try await TestGateway.run(in: folder) { gateway in
            let found = try await gateway.ledger.accounts.authenticate(amina.token)
            #expect(found.userID == amina.id, "nothing of it was ended")
        }
    }

    /// Ben made zoe, and nobody else: who stands behind ben matters to her approvals alone.
    @Test func `keep only those from approving who are tied to whom they are of`() async throws {
        let (folder, sue, ben, holds, place) = try await TestGateway.run { gateway in
            let sue = try await gateway.user(.supervisor, login: "sue")
            _ = try await gateway.user(.admin, login: "ada")
            let ben = try await gateway.user(.admin, login: "ben")
            let place = try Self.last(of: .user(UserID(unchecked: ben.id)), in: gateway)
            let maker = try await gateway.ledger.accounts.authenticate(ben.token)
            _ = try await gateway.ledger.createUser(
                login: "zoe",
                role: .supervisor,
                organisation: .main,
                password: password,
                gateway.ledger.context(of: maker)
            )
            let holds = [try await Self.hold(by: sue), try await Self.hold(by: sue)]
            return (gateway.folder, Known(sue), ben.id, holds, place)
        }
        _ = try DamagedEntry(at: place, in: folder)
        try await TestGateway.run(in: folder) { gateway in
            let sue = TestGateway.Client(gateway: gateway, token: sue.token, id: sue.id)
            func lift(_ hold: String, with login: String) async throws -> TestAnswer {
                try await sue.post(
                    "/v1/holds/\(hold)/lift",
                    ["reason": "over", "approver": ["login": login, "password": password]]
                )
            }
            let lifted = try await lift(holds[0], with: "ada")
            #expect(lifted.status == 200, "\(lifted.body)")
            for login in ["zoe", "ben"] {
                let refused = try await lift(holds[1], with: login)
                #expect(refused.status == 500, "\(refused.body)")
                #expect(try refused.problem == "ledger-damaged")
                #expect(login == "ben" || refused.body.contains(ben), "\(refused.body)")
            }
            #expect(try await Self.warning(of: gateway).contains("user \(ben)"))
        }
    }

    private static func hold(by client: TestGateway.Client) async throws -> String {
        let user = UserID(unchecked: client.id)
        let account = try client.gateway.ledger.handler.current(User.self, user).account
        let person = try #require(account?.person)
        let asked: [String: any Sendable] = [
            "scope": "person/\(person)", "reason": "trial", "authority": "court 7",
        ]
        return try await client.post("/v1/holds", asked).text("hold")
    }

    @Test func `of the last admin let a start make another`() async throws {
        let (folder, place) = try await TestGateway.run { gateway in
            (gateway.folder, try Self.last(of: .user(UserID(unchecked: "admin")), in: gateway))
        }
        _ = try DamagedEntry(at: place, in: folder)
        for _ in 0..<2 {
            try await TestGateway.run(in: folder) { gateway in
                let users = try await gateway.ledger.accounts.users()
                #expect(users.map(\.login) == ["admin", "admin2"])
                await #expect(throws: AccountError.lastAdmin) {
                    let other = try #require(users.last)
                    try await gateway.ledger.accounts.refuseLastAdmin(other.id)
                }
            }
        }
    }
}
