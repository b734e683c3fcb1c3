// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Projections
import TestSupport
import Testing

@testable import Gateway

/// Rows of `accounts.db` that somebody wrote who has no key (decision 0059).
@Suite(.timeLimit(.minutes(10))) struct `Rows without their code` {
    private let test: TestDoor
    private var accounts: AccountStore { test.accounts }
    private let planted = "planted"
    private let origin = SignInOrigin(address: "127.0.0.1")

    init() throws {
        test = try TestDoor()
    }

    private func digest(_ secret: String) -> String {
        "x'\(IssuedToken.digest(of: secret).map { String(format: "%02x", $0) }.joined())'"
    }

    private func change(_ statements: String...) throws {
        try Intruder.change(accounts: accounts.pool.path, statements)
    }

    /// Takes away what nobody made who has the key, as a start does.
    ///
    /// - Returns: What there was of it.
    private func disarmed(_ store: AccountStore, told: Set<String> = []) throws -> [String: Int] {
        let foreign = try store.foreignRows()
        try store.disarmForeignRows { told.contains($0) }
        return foreign
    }

    private func reopened(
        _ adoption: AccountStore.RowAdoption = AccountStore.RowAdoption()
    ) throws -> AccountStore {
        try AccountStore(
            path: accounts.pool.path,
            fingerprintKey: DerivedKey(of: .random(), for: "test"),
            rowKey: DerivedKey(of: TestDoor.masterKey, for: "rows"),
            adoption: adoption,
            now: { [clock = test.clock] in clock.now }
        )
    }

    @Test func `sign nobody in, whoever the token is said to be of`() async throws {
        _ = try await test.token(role: .admin, login: "ada")
        try change(
            "INSERT INTO tokens SELECT 'p', \(digest(planted)), user, NULL, '', created, expires, NULL, used, NULL, NULL, code FROM tokens"
        )
        await #expect(throws: AccountError.tokenUnknown) {
            try await accounts.authenticate(planted)
        }
        let again = try reopened()
        #expect(try disarmed(again) == ["tokens": 1])
        await #expect(throws: AccountError.tokenUnknown) { try await again.authenticate(planted) }
        #expect(try again.foreignRows().isEmpty)
    }

    @Test(arguments: [
        "UPDATE tokens SET expires = expires * 2", "UPDATE tokens SET scopes = 'session/1'",
        "UPDATE users SET role = 'admin'", "UPDATE users SET org = 'other'",
        "UPDATE tokens SET expires = expires * 2, code = (SELECT code FROM users)",
        "UPDATE tokens SET id = id || char(0)", "UPDATE users SET role = role || char(0, 65)",
    ])
    func `are what a row becomes that is changed`(statement: String) async throws {
        let token = try await test.token()
        #expect(try await accounts.authenticate(token).role == .operator)
        try change(statement)
        await #expect(throws: (any Error).self) { try await accounts.authenticate(token) }
        // What is done with it gives it none.
        try await accounts.quickly { try $0.execute(sql: "UPDATE main.tokens SET used = used + 1") }
        await #expect(throws: (any Error).self) { try await accounts.authenticate(token) }
    }

    @Test func `give no password`() async throws {
        let user = try await accounts.createUser(
            login: "amina",
            password: "correct horse battery",
            role: .operator,
            org: "centre",
            isTemporary: false
        )
        let intruders = "of the intruder's own"
        let hash = try await accounts.hash(intruders)
        try change("UPDATE users SET password = '\(hash.text)'")
        await #expect(throws: (any Error).self) {
            try await accounts.signIn(login: "amina", password: intruders, from: origin)
        }
        let again = try reopened()
        #expect(try disarmed(again, told: [user.id]) == ["users": 1])
        // The account is there, for the ledger to say what it may, and under no name that somebody chose.
        let found = try await again.user(id: user.id)
        #expect(found.isDisabled && found.login == "found \(user.id)")
        for password in [intruders, "correct horse battery", ""] {
            await #expect(throws: (any Error).self) {
                try await again.signIn(login: "amina", password: password, from: origin)
            }
        }
    }

    @Test func `open no phone, no session and no link`() async throws {
        try change(
            "INSERT INTO devices VALUES ('d', 'p', '+447700900001', 'main', 'caller', 1, NULL, 0, NULL, NULL)",
            "INSERT INTO device_sessions VALUES ('d', 's', NULL, NULL)",
            "INSERT INTO tokens VALUES ('p', \(digest(planted)), NULL, 'd', '', 1, 9000000000000, NULL, 1, NULL, NULL, NULL)",
            "INSERT INTO links VALUES ('l', \(digest(AccountStore.normal(planted))), 'h', 's', 'p', '+44', 'main', 9000000000000, 0, NULL, NULL)"
        )
        await #expect(throws: AccountError.tokenUnknown) {
            try await accounts.authenticate(planted)
        }
        #expect(try await accounts.device(id: "d") == nil)
        let fault = await #expect(throws: AccountError.self) {
            try await accounts.useLink(planted, code: "000000", deviceID: "g")
        }
        #expect(fault == .linkRefused(.unknown))
        let again = try reopened()
        #expect(
            try disarmed(again)
                == ["devices": 1, "device_sessions": 1, "tokens": 1, "links": 1]
        )
        #expect(try again.foreignRows().isEmpty)
    }

    /// Nobody keeps a gateway from starting by names that two would have.
    @Test func `are taken away, whatever they are called`() async throws {
        for login in ["amina", "ben", "eve"] { _ = try await test.token(login: login) }
        let ids = try await accounts.users().sorted { $0.login < $1.login }.map(\.id)
        let values = "'main', 'admin', 'x', 0, 0, 1, 0, NULL"
        try change(
            "UPDATE users SET password = 'x' WHERE id <> '\(ids[2])'",
            "INSERT INTO users VALUES ('z', 'found \(ids[0])', \(values))",
            "INSERT INTO users VALUES ('ab', 'z1', \(values))",
            "INSERT INTO users VALUES ('AB', 'z2', \(values))",
            "INSERT INTO tokens VALUES ('p', x'00', 'ab', NULL, '', 1, 2, NULL, 1, NULL, NULL, NULL)",
            "INSERT INTO places VALUES ('AB', x'00', 1, NULL)"
        )
        // Somebody who has the name that one of them would get.
        try await accounts.durably { [eve = ids[2], ben = ids[1]] database in
            try database.execute(
                sql: "UPDATE main.users SET login = ? WHERE id = ?",
                arguments: ["FOUND \(ben)", eve]
            )
        }
        let again = try reopened()
        #expect(try disarmed(again, told: Set(ids)) == ["users": 5, "tokens": 1, "places": 1])
        #expect(try again.foreignRows().isEmpty)
        let users = try await again.users()
        #expect(Set(users.map(\.id)) == Set(ids))
        #expect(try await again.user(id: ids[0]).login == "found \(ids[0])")
        #expect(try await again.user(id: ids[1]).login.hasPrefix("found "))
        #expect(try await again.user(id: ids[2]).login == "FOUND \(ids[1])")
    }

    /// A training ledger may have the master key of the one that counts.
    @Test func `are those of another ledger under the same master key`() async throws {
        let token = try await test.token(role: .admin)
        let key = MasterKey.random()
        let (one, other) = (
            SealedRows.key(of: key, ledger: "a.example/main"),
            SealedRows.key(of: key, ledger: "a.example/training")
        )
        #expect(one.code(of: [1]) != other.code(of: [1]))
        let foreign = try AccountStore(
            path: accounts.pool.path,
            fingerprintKey: one,
            rowKey: SealedRows.key(of: TestDoor.masterKey, ledger: "another"),
            now: { [clock = test.clock] in clock.now }
        )
        await #expect(throws: AccountError.tokenUnknown) { try await foreign.authenticate(token) }
        #expect(try foreign.foreignRows() == ["users": 1, "tokens": 1])
    }

    @Test func `are all of a file that an earlier program wrote, until it is adopted`() async throws
    {
        let token = try await test.token()
        try Intruder.takeCodesAway(accounts: accounts.pool.path)
        #expect {
            try reopened()
        } throws: { error in
            if case StartError.accountsUncoded = error { true } else { false }
        }
        let doubted = AccountStore.RowAdoption(isAsked: true, isDoubted: true)
        #expect(throws: StartError.adoptionDoubted(accounts.pool.path)) { try reopened(doubted) }
        let asked = AccountStore.RowAdoption(isAsked: true)
        let adopted = try reopened(asked)
        #expect(adopted.opening.adoption == .done(["users": 1, "tokens": 1]))
        _ = try await adopted.authenticate(token)
        _ = try await reopened().authenticate(token)
        // The same command, after a crash before the log said so, and behind that; not for ever.
        #expect(try reopened(asked).opening.adoption == .doneBefore)
        let again = AccountStore.RowAdoption(
            isAsked: true,
            areSealed: true,
            sealedAt: test.clock.now
        )
        #expect(try reopened(again).opening.adoption == .doneBefore)
        test.clock.move(by: .seconds(2 * 86_400))
        #expect(throws: StartError.nothingToAdopt(accounts.pool.path)) { try reopened(again) }
    }

    /// It would run with the gateway's own function.
    @Test func `are not sealed by a trigger beside a running gateway`() async throws {
        let token = try await test.token()
        try change(
            "CREATE TRIGGER t AFTER UPDATE ON tokens BEGIN UPDATE users SET role = 'admin'; END"
        )
        test.clock.move(by: .seconds(3600))
        await #expect(throws: DatabaseError.self) { try await accounts.probe() }
        _ = try? await accounts.authenticate(token)
        try change("DROP TRIGGER t", "PRAGMA schema_version = \(accounts.opening.schema)")
        await #expect(throws: DatabaseError.self) { try await accounts.probe() }
        #expect(accounts.writeFault?.words.contains("changed its tables") == true)
        await #expect(throws: DatabaseError.self) { try await accounts.users() }
        let again = try reopened()
        try await again.probe()
        #expect(try await again.users().map(\.role) == [.operator])
    }

    @Test func `are not sealed by a view in a table's place`() async throws {
        _ = try await test.token()
        try change(
            "ALTER TABLE users RENAME TO u",
            """
            CREATE VIEW users AS SELECT id, login, org, 'admin' AS role, password, temporary, disabled, created, password_at,
                row_code('users', id, login, org, 'admin', password, temporary, disabled, created, password_at) AS code FROM u
            """
        )
        await #expect(throws: (any Error).self) { try await accounts.users() }
    }

    /// Whoever edits the pages of an index leads a search to another row.
    @Test func `are not reached by an index that was edited`() async throws {
        let (own, other) = (
            try await test.token(), try await test.token(role: .admin, login: "ada")
        )
        #expect(try await accounts.authenticate(other).role == .admin)
        try swapEntries(of: "sqlite_autoindex_tokens_2")
        try await areUnknown(own, other)
        try swapEntries(of: "sqlite_autoindex_tokens_2")
        #expect(try await accounts.authenticate(own).role == .operator)
        try swapEntries(of: "sqlite_autoindex_users_1")
        try await areUnknown(own, other)
    }

    private func areUnknown(_ tokens: String...) async throws {
        for token in tokens {
            await #expect(throws: AccountError.tokenUnknown) {
                try await accounts.authenticate(token)
            }
        }
    }

    @Test func `are not written by an index that was edited`() async throws {
        let bert = try await user("bert", .operator)
        let ada = try await user("ada", .admin)
        _ = try await accounts.issueToken(forUser: ada)
        let before = try await rows()
        try swapEntries(of: "sqlite_autoindex_users_1")
        let acts: [@Sendable (AccountStore) async throws -> Void] = [
            { try await $0.resetPassword(ofUser: bert, to: "of the intruder's own") },
            { try await $0.setRole(.admin, ofUser: bert) },
            { try await $0.setDisabled(true, user: bert) },
            { try await $0.bring(bert, to: .admin, of: "other", isDisabled: false) },
            { try await $0.bar([bert]) },
            { try await $0.end([bert]) },
        ]
        for act in acts {
            await #expect(throws: (any Error).self) { try await act(accounts) }
            #expect(try await rows() == before)
        }
        // A start makes the indexes anew, and what is owed is done, to nobody else.
        let again = try reopened()
        try await again.end([bert])
        #expect(Set(try await again.users().map(\.login)) == ["erased \(bert)", "ada"])
        #expect(try again.foreignRows().isEmpty)
    }

    @Test func `note no use of a token that an edited index leads to`() async throws {
        let own = try await test.token()
        _ = try await test.token(role: .admin, login: "ada")
        try swapEntries(of: "sqlite_autoindex_tokens_1")
        let before = try await rows(of: "tokens")
        test.clock.move(by: .seconds(3600))
        #expect(try await accounts.authenticate(own).role == .operator)
        #expect(try await rows(of: "tokens") == before)
    }

    private func user(_ login: String, _ role: Role) async throws -> String {
        try await accounts.createUser(
            login: login,
            password: "correct horse battery",
            role: role,
            org: "centre",
            isTemporary: false
        ).id
    }

    private func rows(of table: String = "users") async throws -> [String] {
        try await accounts.pool.read { database in
            try Row.fetchAll(database, sql: "SELECT *, hex(code) FROM main.\(table) ORDER BY +id")
                .map(\.description)
        }
    }

    /// Of other kinds than a strict table takes, in the table that has no code in each row.
    @Test(arguments: ["digest = 7", "digest = 'abc'"])
    func `of requests hold up no key`(change: String) async throws {
        let request = RequestFingerprint(method: "POST", path: "/", body: Data())
        try await accounts.claim(key: "one", of: "operator/1", for: request)
        try Intruder.change(
            accounts: accounts.pool.path,
            pagesOf: "fingerprints",
            as: "(actor, key, digest, created, PRIMARY KEY (actor, key)) WITHOUT ROWID",
            ["UPDATE pages SET \(change)"]
        )
        try await accounts.claim(key: "one", of: "operator/1", for: request)
    }

    /// Has each of the two entries of an index lead to the other's row.
    private func swapEntries(of index: String) throws {
        try inPages(
            of: index,
            "CREATE TEMP TABLE swapped AS SELECT one.name, other.place FROM pages AS one, pages AS other WHERE one.name <> other.name",
            "DELETE FROM pages",
            "INSERT INTO pages SELECT * FROM swapped"
        )
    }

    private func inPages(of index: String, _ statements: String...) throws {
        try Intruder.change(accounts: accounts.pool.path, pagesOf: index, statements)
    }

    /// Somebody who may take it out of an index beside a running gateway.
    @Test func `end though an index does not lead to them`() async throws {
        let token = try await test.token()
        let user = try #require(try await accounts.users().first)
        try inPages(of: "tokens_by_user", "DELETE FROM pages")
        #expect(try await accounts.authenticate(token).role == .operator)
        try await accounts.setDisabled(true, user: user.id)
        await #expect(throws: AccountError.tokenRevoked) { try await accounts.authenticate(token) }
        // A start makes them anew.
        let again = try reopened()
        #expect(again.opening.indexFault != nil)
        #expect(try await again.tokens(ofUser: user.id).count == 1)
        #expect(try reopened().opening.indexFault == nil)
    }

    /// A column that no code covers is anybody's to change.
    @Test func `differ in any column`() async throws {
        for table in SealedRows.tables {
            let columns = try await accounts.pool.read { database in
                try database.columns(in: table.name, in: "main").map(\.name)
            }
            #expect(Set(columns) == Set(table.columns + ["code"]), "\(table.name)")
        }
        let tables = try await accounts.pool.read { database in
            try String.fetchSet(
                database,
                sql:
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            )
        }
        #expect(
            tables.subtracting(SealedRows.tables.map(\.name))
                == ["fingerprints", "grdb_migrations"]
        )
    }
}
