// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import GRDB
import Projections
import Replay
import TestSupport
import Testing

/// Who may act is what the events say: the file of accounts is held against them.
@Suite(.tags(.promise5), .timeLimit(.minutes(10))) struct `Verifying accounts` {
    private let ledger: AuditedLedger
    private let keys = SeededKeys()
    private let person: PersonID
    private let phone: DeviceID
    private let lost: DeviceID
    private let until = Timestamp(microseconds: 1_800_000_000_000_000)

    /// An admin whom the ledger made, an operator whom the admin made and disabled, a phone, and one that was revoked.
    init() async throws {
        let folder = try TemporaryFolder()
        let seed = [UInt8](repeating: 7, count: 32)
        let signer = try NoteSigner(name: AuditedLedger.origin, seed: seed)
        ledger = AuditedLedger(folder, signer)
        var samples = SampleEvents()
        (person, phone, lost) = (samples.id(), samples.id(), samples.id())
        let log = try EventLog.open(
            folder.url,
            configuration: LogConfiguration(
                origin: AuditedLedger.origin,
                keys: keys,
                signer: signer
            )
        )
        func made(_ role: Role) -> UserEvent {
            .created(
                UserCreated(
                    organisation: .main,
                    role: role,
                    person: person,
                    mustChangePassword: false
                )
            )
        }
        let number = try #require(PhoneNumber("+447700900123"))
        let registered = DeviceRegistered(
            person: person,
            phone: .open(number, of: person),
            verification: .operatorCode
        )
        let revoked = DeviceRevoked(person: person, reason: "lost")
        let (boss, amina) = (Subject(unchecked: "user/1"), Subject(unchecked: "user/2"))
        let admin = Actor(unchecked: "admin/1")
        for (subject, actor, fact) in [
            (boss, Actor.ledger, Fact.user(made(.admin))), (amina, admin, .user(made(.operator))),
            (boss, admin, .user(.tokenIssued(UserTokenIssued(token: "t1", expires: until)))),
            (.device(phone), admin, .device(.registered(registered))),
            (.device(lost), admin, .device(.registered(registered))),
            (.device(lost), admin, .device(.revoked(revoked))),
            (amina, admin, .user(.tokenIssued(UserTokenIssued(token: "t3", expires: until)))),
            (amina, admin, .user(.disabled(UserDisabled(reason: "left")))),
            (
                Subject(unchecked: "user/8"), Actor.ledger,
                .user(.disabled(UserDisabled(reason: "no event made it")))
            ),
        ] {
            try await log.append(
                [SubjectWrite(subject, [Event(id: samples.id(), fact: fact)])],
                command: samples.stamp(actor)
            )
        }
        try await log.makeCheckpoint()
        await log.close()
        try LedgerDescription(origin: AuditedLedger.origin, vkey: signer.verifier.vkey)
            .write(to: folder.url)
        let queue = try DatabaseQueue(path: accounts.path)
        try AccountSchema.migrator.migrate(queue)
        try queue.close()
        try change(
            "INSERT INTO users VALUES ('1', 'boss', 'main', 'admin', '', 0, 0, 1, 0, NULL)",
            "INSERT INTO users VALUES ('2', 'amina', 'main', 'operator', '', 0, 1, 1, 0, NULL)",
            "INSERT INTO devices VALUES ('\(phone)', '\(person)', '\(number)', 'main', 'caller', 1, NULL, 0, NULL, NULL)",
            "INSERT INTO devices VALUES ('\(lost)', '\(person)', '\(number)', 'main', 'caller', 1, 5, 0, NULL, NULL)",
            "INSERT INTO tokens VALUES ('t1', x'01', '1', NULL, '', 1, \(until.microseconds / 1_000), NULL, 1, NULL, NULL, NULL)",
            "INSERT INTO tokens VALUES ('t2', x'02', '2', NULL, '', 1, 7, NULL, 1, NULL, NULL, NULL)",
            "INSERT INTO tokens VALUES ('t3', x'03', '2', NULL, '', 1, 7, NULL, 1, 5, NULL, NULL)"
        )
    }

    private var accounts: URL { ledger.url.appending(path: "accounts.db") }

    private func change(_ statements: String...) throws {
        try Intruder.change(accounts: accounts.path, statements)
    }

    private func verify(_ keys: (any PersonKeys)?) async throws -> VerifyReport {
        try await ledger.verify { options in
            options.without = [.keys, .media, .blobs, .read]
            options.keys = keys
        }
    }

    @Test func `finds them as the events say, and names what no event says`() async throws {
        let report = try await verify(keys)
        #expect(report.verdict == .soundAsFarAsLookedAt, "\(report.text())")
        #expect(report.checks.contains { $0.summary == "2 accounts, 2 phones, 2 issued tokens" })
        #expect(report.notLookedAt.contains { $0.contains("passwords") && $0.contains("1 tokens") })
        let unkeyed = try await verify(nil)
        #expect(unkeyed.verdict == .soundAsFarAsLookedAt, "\(unkeyed.text())")
        #expect(unkeyed.notLookedAt.contains { $0.contains("the numbers of 2 phones (no keys)") })
    }

    @Test(arguments: [
        (
            "INSERT INTO users VALUES ('9', 'eve', 'main', 'admin', '', 0, 0, 1, 0, NULL)",
            "no event made it"
        ),
        (
            "INSERT INTO users VALUES ('9', 'eve', 'main', 'admin', '', 0, 1, 1, 0, NULL)",
            "it is there, disabled, and no event made it"
        ),
        ("UPDATE users SET role = 'admin' WHERE id = '2'", "its events say operator"),
        ("UPDATE users SET org = 'other' WHERE id = '2'", "its events say main"),
        ("UPDATE users SET disabled = 0 WHERE id = '2'", "its events say that it is disabled"),
        ("DELETE FROM users WHERE id = '2'", "accounts never go"),
        ("UPDATE devices SET revoked = NULL", "its events say that it was revoked"),
        ("UPDATE devices SET role = 'admin'", "which no phone is given"),
        ("UPDATE devices SET person = 'other'", "it was registered for"),
        (
            "INSERT INTO devices VALUES ('d', 'p', '+44', 'main', 'caller', 1, NULL, 0, NULL, NULL)",
            "no event registered"
        ),
        ("UPDATE tokens SET expires = expires + 60000", "longer than its event says"),
        ("UPDATE tokens SET user = '2' WHERE id = 't1'", "is of another account than 1"),
        ("UPDATE tokens SET revoked = NULL WHERE id = 't3'", "its events say that it has ended"),
        ("DELETE FROM devices", "it is gone, and nobody ended it"),
        (
            "UPDATE users SET password = 'h', password_at = 7 WHERE id = '1'",
            "its password is not the last one"
        ),
        ("DROP TABLE users", "is not in it"),
        ("CREATE TABLE evil (x)", "it has the table evil"),
        ("DELETE FROM grdb_migrations", "which is not as this program makes it"),
        ("INSERT INTO grdb_migrations VALUES ('evil')", "it took the step evil"),
        (
            "CREATE TRIGGER t AFTER INSERT ON tokens BEGIN UPDATE users SET role = 'admin'; END",
            "it has the trigger t"
        ),
    ])
    func `is damage after`(statement: String, fact: String) async throws {
        try change(statement)
        let report = try await verify(nil)
        #expect(report.verdict == .damage, "\(report.text())")
        #expect(
            report.findings.contains { $0.place == "accounts.db" && $0.fact.contains(fact) },
            "\(report.text())"
        )
    }

    /// A log of an earlier day than the accounts was put back, and a start told it of an account that it does not know.
    @Test func `is sound with an account that no event made, and one ended`() async throws {
        try change(
            "INSERT INTO users VALUES ('8', 'ben', 'main', 'operator', '', 0, 1, 1, 0, NULL)"
        )
        let report = try await verify(keys)
        #expect(report.verdict == .soundAsFarAsLookedAt, "\(report.text())")
        #expect(report.text().contains("account 8 was found by a start"))
        try change("UPDATE users SET disabled = 0 WHERE id = '8'")
        try await isDamage("it may sign in as operator of main, and no event made it")
    }

    @Test func `knows the number of a phone by the keys`() async throws {
        try change("UPDATE devices SET phone = '+447700900999'")
        #expect(try await verify(nil).verdict == .soundAsFarAsLookedAt)
        let report = try await verify(keys)
        #expect(report.verdict == .damage)
        #expect(report.findings.contains { $0.fact.contains("its number is not the one") })
    }

    private func isDamage(_ fact: String) async throws {
        let report = try await verify(nil)
        #expect(report.verdict == .damage, "\(report.text())")
        #expect(
            report.findings.contains { $0.place == "accounts.db" && $0.fact.contains(fact) },
            "\(report.text())"
        )
    }

    @Test func `is damage with a view in place of a table`() async throws {
        try change("ALTER TABLE users RENAME TO u", "CREATE VIEW users AS SELECT * FROM u")
        try await isDamage("not as this program makes it")
    }

    @Test func `is damage with a journal beside the file, which a gateway would play in`()
        async throws
    {
        try Data("journal".utf8).write(to: URL(filePath: accounts.path + "-journal"))
        try await isDamage("accounts.db-journal lies beside it")
    }

    @Test func `is damage as a link, beside whose target another log may lie`() async throws {
        let target = ledger.url.appending(path: "x.db")
        try FileManager.default.moveItem(at: accounts, to: target)
        try FileManager.default.createSymbolicLink(
            atPath: accounts.path,
            withDestinationPath: "x.db"
        )
        try await isDamage("accounts.db is a link")
    }

    @Test func `is damage without the file, for from one without rows nothing more is gone`()
        async throws
    {
        try FileManager.default.removeItem(at: accounts)
        try await isDamage("it is gone, and by the log there are 2 accounts")
    }

    /// Behind a loss the gateway makes the accounts anew, and waits for a day before it tells of phones.
    @Test func `is a note of phones while the file of before may turn up`() async throws {
        let made = Int64(Date().timeIntervalSince1970 * 1_000) + 60_000
        try change("DELETE FROM devices", "UPDATE users SET created = \(made)")
        let report = try await verify(keys)
        #expect(report.verdict == .soundAsFarAsLookedAt, "\(report.text())")
        #expect(report.text().contains("1 phones are gone with accounts that were lost"))
        // One account that is as old as the ledger, and it is the same file.
        try change("UPDATE users SET created = 1 WHERE id = '2'")
        try await isDamage("it is gone, and nobody ended it")
    }
}
