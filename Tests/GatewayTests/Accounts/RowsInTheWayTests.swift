// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Projections
import TestSupport
import Testing

@testable import Gateway

private let password = "correct horse battery"

/// Rows that somebody planted, without a key, where the gateway is about to write its own: they count as none (decision 0060).
@Suite(.timeLimit(.minutes(10))) struct `Rows planted in the way` {
    private let test: TestDoor
    private var accounts: AccountStore { test.accounts }
    private let number = "+447700900001"
    private let origin = SignInOrigin(address: "127.0.0.1")

    init() throws {
        test = try TestDoor { $0.accounts.endedTokensAtOnce = 2 }
    }

    private func plant(_ statements: String...) throws {
        try Intruder.change(accounts: accounts.pool.path, statements)
    }

    private func inPages(of index: String, _ statements: String...) throws {
        try Intruder.change(accounts: accounts.pool.path, pagesOf: index, statements)
    }

    private func reopened() throws -> AccountStore {
        try AccountStore(
            path: accounts.pool.path,
            fingerprintKey: DerivedKey(of: .random(), for: "test"),
            rowKey: DerivedKey(of: TestDoor.masterKey, for: "rows"),
            now: { [clock = test.clock] in clock.now }
        )
    }

    private func user(_ login: String, id: String? = nil) async throws -> UserAccount {
        try await accounts.createUser(
            login: login,
            password: password,
            role: .operator,
            org: "centre",
            id: id,
            isTemporary: false
        )
    }

    private func phone(_ device: String) async throws -> Registration {
        let code = try await accounts.makeDeviceCode(
            phoneNumber: number,
            person: "p1",
            org: "centre",
            device: device
        )
        return try await accounts.registerDevice(phoneNumber: number, code: code) { _ in true }
    }

    @Test func `stop no code and no registration, and are nobody's phone`() async throws {
        try plant(
            "INSERT INTO device_codes VALUES ('d1', '+1', 'p2', 'other', 'caller', 'h', 9000000000000, 0, NULL, NULL, NULL, NULL)"
        )
        let code = try await accounts.makeDeviceCode(
            phoneNumber: number,
            person: "p1",
            org: "centre",
            device: "d1",
            session: "s1"
        )
        try plant(
            "INSERT INTO devices VALUES ('d1', 'p2', '+1', 'other', 'caller', 1, NULL, 0, NULL, NULL)",
            "INSERT INTO device_sessions VALUES ('d1', 's1', 'd1', NULL), ('d1', 's2', NULL, NULL)",
            "INSERT INTO tokens VALUES ('t', x'00', NULL, 'd1', '', 1, 9000000000000, NULL, 1, NULL, NULL, NULL)"
        )
        let made = try await accounts.registerDevice(phoneNumber: number, code: code) { _ in true }
        let principal = try await accounts.authenticate(made.token.token)
        #expect(principal.personID == "p1" && principal.org == "centre")
        #expect(try await accounts.devices(admittedTo: "s1") == ["d1"])
        #expect(try await accounts.devices(admittedTo: "s2").isEmpty)
        #expect(try accounts.foreignRows() == ["tokens": 1])
    }

    @Test func `stop no link`() async throws {
        let values = "x'00', 'h', 's', 'p2', '+1', 'other', 9000000000000, 0, NULL, NULL"
        try plant("INSERT INTO links VALUES ('l1', \(values))")
        let purpose = LinkPurpose(
            id: "l1",
            session: "s1",
            person: "p1",
            phoneNumber: number,
            org: "centre"
        )
        let link = try await accounts.makeLink(
            for: purpose,
            until: test.clock.now + .seconds(60)
        )
        try plant(
            "INSERT INTO devices VALUES ('g1', 'p2', '+1', 'other', 'caller', 1, NULL, 0, NULL, NULL)"
        )
        let used = try await accounts.useLink(link.link, code: link.code, deviceID: "g1")
        #expect(used.purpose == purpose)
        #expect(try await accounts.authenticate(used.token.token).personID == "p1")
        #expect(try accounts.foreignRows().isEmpty)
    }

    @Test func `stop no account, and give it nothing`() async throws {
        let values = "'other', 'admin', 'x', 0, 0, 1, 0, NULL"
        try plant(
            "INSERT INTO users VALUES ('17', 'eve', \(values)), ('18', 'AMINA', \(values))",
            "INSERT INTO tokens VALUES ('t', x'00', '17', NULL, '', 1, 9000000000000, NULL, 1, NULL, NULL, NULL)",
            "INSERT INTO tokens VALUES ('u', x'01', '18', NULL, '', 1, 9000000000000, NULL, 1, NULL, NULL, NULL)"
        )
        let amina = try await user("amina", id: "17")
        let (found, token) = try await accounts.signIn(
            login: "amina",
            password: password,
            from: origin
        )
        #expect(found == amina && found.role == .operator)
        #expect(try await accounts.authenticate(token.token).org == "centre")
        #expect(try await accounts.users().map(\.id) == ["17"])
        await #expect(throws: AccountError.loginTaken("Amina")) { try await user("Amina") }
        await #expect(throws: AccountError.userIDTaken("17")) { try await user("ben", id: "17") }
        // What belongs to one that was planted keeps none from going.
        try await accounts.forget(user: (try await user("ben", id: "19")).id)
        let gone = try await user("carl", id: "20")
        try plant(
            "INSERT INTO tokens VALUES ('v', x'02', '20', NULL, '', 1, 9000000000000, NULL, 1, NULL, NULL, NULL)"
        )
        try await accounts.forget(user: gone.id)
        #expect(try await accounts.users().map(\.id) == ["17"])
    }

    @Test func `stop no sign-in by the places that it knows, and no push`() async throws {
        _ = try await user("amina")
        func signIn() async throws -> SignInThrottle.Place {
            let signedIn = try await accounts.signIn(
                login: "amina",
                password: password,
                from: origin
            )
            return try await accounts.place(of: origin, for: signedIn.user)
        }
        #expect(try await signIn().isKnown)
        try plant("UPDATE places SET used = 1")
        #expect(try await signIn().isKnown)
        let device = try #require(DeviceID("01890000-0000-7000-8000-000000000001"))
        _ = try await phone("\(device)")
        try plant(
            "INSERT INTO push_subscriptions VALUES ('\(device)', 'i', 'e', x'00', x'00', 1, NULL)"
        )
        let id = try #require(PushSubscriptionID("01890000-0000-7000-8000-000000000002"))
        let subscription = PushSubscription(
            id: id,
            device: device,
            endpoint: "https://push.example/1",
            receiver: PushReceiver(publicKey: Data([4]), secret: Data([5]))
        )
        try await accounts.keep(subscription)
        #expect(try await accounts.pushSubscription(of: device) == subscription)
        #expect(try accounts.foreignRows().isEmpty)
    }

    @Test func `stop nobody from being let into a session`() async throws {
        _ = try await phone("d1")
        test.clock.move(by: .seconds(60))
        _ = try await phone("d2")
        try plant("INSERT INTO device_sessions VALUES ('d2', 's1', 'd1', NULL)")
        #expect(try await accounts.devices(admittedTo: "s1").isEmpty)
        try await accounts.admit(device: "d2", to: "s1", through: nil)
        try await accounts.admit(device: "d1", to: "s2", through: nil)
        try plant("INSERT INTO device_sessions VALUES ('d2', 's2', NULL, NULL)")
        try await accounts.admit(device: "d2", toAllOf: "d1")
        #expect(try await accounts.devices(admittedTo: "s1") == ["d2"])
        #expect(try await accounts.devices(admittedTo: "s2") == ["d1", "d2"])
        #expect(try accounts.foreignRows().isEmpty)
    }

    @Test func `stop no end of an account, and no change of the clock`() async throws {
        let amina = try await user("amina")
        let (_, token) = try await accounts.signIn(login: "amina", password: password, from: origin)
        try plant(
            "INSERT INTO users VALUES ('18', 'erased \(amina.id)', 'other', 'admin', 'x', 0, 0, 1, 0, NULL)",
            "INSERT INTO tokens VALUES ('t', x'00', '18', NULL, '', 9223372036854775806, 9223372036854775807, NULL, 1, NULL, NULL, NULL)"
        )
        try await accounts.postponeSignIns(by: .seconds(60))
        _ = try await accounts.authenticate(token.token)
        try await accounts.end([amina.id])
        let ended = try await accounts.user(id: amina.id)
        #expect(ended.login == "erased \(amina.id)" && ended.isDisabled)
    }

    /// An index that does not name a row lets another have its key.
    @Test
    func `behind an index that was edited are gone at a start, and nothing of ours with them`()
        async throws
    {
        let amina = try await user("amina")
        let (_, token) = try await accounts.signIn(login: "amina", password: password, from: origin)
        let own = try await phone("d1")
        try await accounts.admit(device: "d1", to: "s1", through: nil)
        for index in ["users_1", "users_2", "devices_1", "tokens_1"] {
            try inPages(of: "sqlite_autoindex_\(index)", "DELETE FROM pages")
        }
        try plant(
            "INSERT INTO users VALUES ('\(amina.id)', 'amina', 'other', 'admin', 'x', 0, 0, 1, 0, NULL)",
            "INSERT INTO devices VALUES ('d1', 'p2', '+1', 'other', 'caller', 1, NULL, 0, NULL, NULL)",
            "INSERT INTO tokens SELECT id, randomblob(8), user, device, '', 1, 9000000000000, NULL, 1, NULL, NULL, code FROM tokens"
        )
        // The gateway that runs signs in by what it made itself.
        _ = try await accounts.provePassword(login: "amina", password: password, from: origin)
        let again = try reopened()
        #expect(again.opening.indexFault?.contains("4 rows stood in the way") == true)
        #expect(try again.foreignRows().isEmpty)
        #expect(try await again.users() == [amina])
        #expect(try await again.authenticate(token.token).role == .operator)
        #expect(try await again.authenticate(own.token.token).personID == "p1")
        #expect(try await again.devices(admittedTo: "s1") == ["d1"])
        #expect(try reopened().opening.indexFault == nil)
    }

    /// Nobody can tell which of them is of today.
    @Test func `of two with good codes neither stays`() async throws {
        let amina = try await user("amina")
        let ben = try await user("ben")
        let old = try await accounts.read { database in
            try String.fetchOne(
                database,
                sql: """
                    SELECT quote(id) || ',' || quote(login) || ',' || quote(org) || ',' || quote(role) || ',' ||
                        quote(password) || ',' || quote(temporary) || ',' || quote(disabled) || ',' ||
                        quote(created) || ',' || quote(password_at) || ',' || quote(code)
                    FROM users WHERE login = 'amina'
                    """
            )
        }
        try await accounts.setDisabled(true, user: amina.id)
        for index in ["users_1", "users_2"] {
            try inPages(of: "sqlite_autoindex_\(index)", "DELETE FROM pages")
        }
        // The triggers ask for a function that makes no codes; then the code of before is written.
        let values = try #require(old)
        let code = try #require(values.split(separator: ",").last)
        try plant(
            "INSERT INTO users VALUES (\(values))",
            "UPDATE users SET code = \(code) WHERE login = 'amina' AND disabled = 0"
        )
        #expect(try await reopened().users() == [ben])
    }

    @Test func `in an index alone stop no account`() async throws {
        _ = try await user("amina")
        try inPages(
            of: "sqlite_autoindex_users_2",
            "INSERT INTO pages SELECT 'newcomer', place FROM pages"
        )
        let new = try await user("newcomer")
        let signedIn = try await accounts.signIn(
            login: "newcomer",
            password: password,
            from: origin
        )
        #expect(signedIn.user == new)
        #expect(try reopened().opening.indexFault == nil)
    }

    @Test func `stop no sign-in where an index does not lead to what is to be forgotten`()
        async throws
    {
        let amina = try await user("amina")
        for _ in 0..<3 {
            let issued = try await accounts.issueToken(forUser: amina.id)
            try await accounts.revoke(tokenID: issued.id)
        }
        try inPages(of: "tokens_by_user", "DELETE FROM pages")
        test.clock.move(by: accounts.limits.tokenLife + accounts.limits.endedTokenMemory)
        test.clock.move(by: .seconds(1))
        let (_, token) = try await accounts.signIn(login: "amina", password: password, from: origin)
        #expect(try await accounts.authenticate(token.token).role == .operator)
    }
}
