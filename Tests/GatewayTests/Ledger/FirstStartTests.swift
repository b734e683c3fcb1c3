// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import GRDB
import Logging
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `A first start` {
    @Test func `makes nothing where the log would take nothing`() throws {
        let folder = try TemporaryFolder()
        let ledger = LedgerFolder(root: folder.url.appending(path: "deep/ledger"))
        let refusal = #expect(throws: StartError.self) {
            try ledger.checkRoom { path in
                #expect(path == folder.url.path)
                return (1 << 30) - 1
            }
        }
        #expect(
            refusal == .tooLittleRoom(ledger.root.path, mebibytes: 1_023, needed: 1_024)
        )
        try ledger.checkRoom { _ in 1 << 30 }
        // A ledger that is there is opened, whatever room it has: closings are taken.
        try ledger.make()
        try Data("{}".utf8).write(to: ledger.identity)
        try ledger.checkRoom { _ in 0 }
    }

    /// A ledger that was served, closed.
    private static func served() async throws -> TemporaryFolder {
        try await TestGateway.run { gateway in
            _ = try await gateway.user(.operator, login: "amina")
            return gateway.folder
        }
    }

    private static func refusal(
        in folder: TemporaryFolder,
        isFirst: Bool = false
    ) async throws -> StartError? {
        let ledger = folder.url.appending(path: "ledger")
        let before = FileManager.default.subpaths(atPath: folder.url.path)
        let refusal = await #expect(throws: StartError.self) {
            try await TestGateway.run(in: folder) {
                $0.isFirst = isFirst
            } _: { _ in
            }
        }
        #expect(FileManager.default.subpaths(atPath: folder.url.path) == before)
        let found = Doctor(GatewayConfiguration(folder: ledger)).findings()
        #expect(found.map(\.isWell) == [false])
        return refusal
    }

    @Test(arguments: [false, true])
    func `makes no ledger beside what is left of another`(isFirst: Bool) async throws {
        let folder = try await Self.served()
        let ledger = folder.url.appending(path: "ledger")
        let gone: Set = [
            "log", "index", "read", "checkpoint", "daybook.json", "origin.key", "accounts.db",
            "accounts.db-wal", "accounts.db-shm",
        ]
        for name in gone {
            let file = ledger.appending(path: name)
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            try FileManager.default.removeItem(at: file)
        }
        let refusal = try await Self.refusal(in: folder, isFirst: isFirst)
        guard case .remnants(_, let names) = refusal else {
            Issue.record("it says \(String(describing: refusal))")
            return
        }
        #expect(names.contains("keys"))
    }

    @Test(arguments: [
        "keys", "accounts.db", "push.key", "patrol.key", "checkpoint", "clock", "marked",
        "media/daybook.json", "blobs/daybook.json", "log/lock.mdb",
    ])
    func `takes any one thing for what is left of a ledger`(name: String) async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "ledger/\(name)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data([1]).write(to: file)
        let top = try #require(name.split(separator: "/").first)
        let path = folder.url.appending(path: "ledger").path
        #expect(try await Self.refusal(in: folder) == .remnants(path, names: [String(top)]))
    }

    @Test(arguments: [["origin.key"], ["origin.key", "checkpoint", "clock"]])
    func `takes no signature that lies there alone for a ledger`(names: [String]) async throws {
        let folder = try await Self.served()
        let ledger = folder.url.appending(path: "ledger")
        let away = folder.url.appending(path: "away")
        try FileManager.default.moveItem(at: ledger, to: away)
        try FileManager.default.createDirectory(at: ledger, withIntermediateDirectories: false)
        for name in names {
            try FileManager.default.copyItem(
                at: away.appending(path: name),
                to: ledger.appending(path: name)
            )
        }
        let refusal = await #expect(throws: StartError.self) {
            try await TestGateway.run(in: folder) { _ in }
        }
        let left = names.count == 1 ? names : Array(names.dropFirst())
        #expect(refusal == .remnants(ledger.path, names: left))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: ledger.path).sorted()
                == names.sorted()
        )
    }

    @Test(arguments: [false, true])
    func `makes no ledger where the disk of one is not mounted`(isPoint: Bool) async throws {
        let folder = try await Self.served()
        let (ledger, away) = (
            folder.url.appending(path: "ledger"), folder.url.appending(path: "away")
        )
        try FileManager.default.moveItem(at: ledger, to: away)
        if isPoint {
            try FileManager.default.createDirectory(
                at: ledger.appending(path: "lost+found"),
                withIntermediateDirectories: true
            )
        }
        let key = ledger.path + ".master-key"
        #expect(try await Self.refusal(in: folder) == .noLedgerYet(ledger.path, masterKey: key))
        if isPoint { try FileManager.default.removeItem(at: ledger) }
        try FileManager.default.moveItem(at: away, to: ledger)
        try await TestGateway.run(in: folder) { gateway in
            #expect(gateway.ledger.log.readOnlyReason == nil)
        }
    }

    @Test func `with a key that was there before is made when it is said to be the first`()
        async throws
    {
        let folder = try TemporaryFolder()
        let ledger = folder.url.appending(path: "ledger")
        let key = folder.url.appending(path: "ledger.master-key")
        _ = try MasterKey.create(at: key)
        // Where disks of their own are to be mounted.
        try FileManager.default.createDirectory(
            at: ledger.appending(path: "media"),
            withIntermediateDirectories: true
        )
        #expect(
            try await Self.refusal(in: folder) == .noLedgerYet(ledger.path, masterKey: key.path)
        )
        for isFirst in [true, true, false] {
            try await TestGateway.run(in: folder) {
                $0.isFirst = isFirst
            } _: { gateway in
                #expect(gateway.ledger.log.readOnlyReason == nil)
            }
        }
    }

    @Test func `with a name that cannot be an origin leaves no master key`() async throws {
        let folder = try TemporaryFolder()
        await #expect(throws: StartError.originUnusable("no origin")) {
            try await TestGateway.run(in: folder) {
                $0.origin = "no origin"
            } _: { _ in
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        try await TestGateway.run(in: folder) { _ in }
    }

    private static func open(_ folder: TemporaryFolder) throws -> Ledger {
        var configuration = GatewayConfiguration(folder: folder.url.appending(path: "ledger"))
        configuration.origin = "test.example/main"
        configuration.limits.accounts.passwordCost = PasswordCost(
            logRounds: 4,
            blockSize: 8,
            parallelism: 1
        )
        return try Ledger.open(configuration, logger: Logger(label: "test"))
    }

    @Test func `that finds no room for what it owes the log serves, and tells it later`()
        async throws
    {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let ledger = try Self.open(folder)
        let admin = UserID(unchecked: "admin")
        // What a crash leaves between the accounts and the log.
        try await ledger.accounts.createUser(
            login: admin.text,
            password: "told to nobody",
            role: .admin,
            org: "main",
            id: admin.text,
            isTemporary: true
        )
        let disk = DiskFaults(at: ledger.folder.root.appending(path: "log"))
        disk.fail(.write, with: ENOSPC)
        let told = try #require(try await ledger.ensureFirstAdmin())
        try await ledger.orOwe { try await ledger.enablePolicies() }
        #expect(ledger.wordsOwed.isOwed && ledger.log.size == 0)
        try await ledger.tellOwed()
        #expect(ledger.wordsOwed.isOwed, "there is no room yet")
        disk.heal()
        try await ledger.tellOwed()
        #expect(!ledger.wordsOwed.isOwed)
        #expect(try ledger.handler.current(User.self, admin).account != nil)
        #expect(try !ledger.log.entries(of: PolicyEnabled.kind, from: LogPosition(0)).isEmpty)
        // Whoever started it was told this one.
        _ = try await ledger.accounts.verifyPassword(
            login: told.user.login,
            password: told.password,
            from: SignInOrigin(address: "127.0.0.1")
        )
        await ledger.log.close()
    }

    @Test
    func `that finds no room for phones that are lost tells of them as soon as there is some`()
        async throws
    {
        let (folder, id) = try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let phone = try await gateway.caller("+447700900001", codeBy: amina)
            for table in [
                "tokens WHERE device", "device_sessions WHERE device", "devices WHERE id",
            ] {
                try await gateway.ledger.accounts.durably { database in
                    try database.execute(
                        sql: "DELETE FROM main.\(table) = ?",
                        arguments: [phone.id]
                    )
                }
            }
            return (gateway.folder, phone.id)
        }
        defer { withExtendedLifetime(folder) {} }
        let device = try #require(DeviceID(id))
        let ledger = try Self.open(folder)
        let disk = DiskFaults(at: ledger.folder.root.appending(path: "log"))
        disk.fail(.write, with: ENOSPC)
        #expect(try await ledger.ensureFirstAdmin() == nil)
        try await ledger.tellOwed()
        #expect(ledger.wordsOwed.isOwed, "there is no room yet")
        disk.heal()
        try await ledger.tellOwed()
        #expect(!ledger.wordsOwed.isOwed)
        #expect(try ledger.handler.current(Device.self, device).isRevoked)
        await ledger.log.close()
    }

    @Test func `that finds no room for an admin serves, and the next one makes it`() async throws {
        let folder = try await Self.served()
        defer { withExtendedLifetime(folder) {} }
        let ledger = try Self.open(folder)
        try await ledger.record(
            .disabled(reason: "left"),
            of: try await ledger.accounts.user(id: "admin"),
            ledger.context(actor: .ledger, organisation: .main)
        )
        let disk = DiskFaults(at: ledger.folder.root.appending(path: "log"))
        disk.fail(.write, with: ENOSPC)
        #expect(try await ledger.ensureFirstAdmin() == nil)
        #expect(try await ledger.accounts.users().allSatisfy { $0.role != .admin || $0.isDisabled })
        disk.heal()
        #expect(try await ledger.ensureFirstAdmin()?.user.role == .admin)
        await ledger.log.close()
    }

    @Test func `names the port that another listens on`() async throws {
        try await TestGateway.run { gateway in
            let port = gateway.port
            let refusal = await #expect(throws: StartError.self) {
                var configuration = GatewayConfiguration(
                    folder: gateway.folder.url.appending(path: "other")
                )
                configuration.port = port
                try await Gateway(configuration, logger: Logger(label: "test")).run { _ in }
            }
            guard case .cannotListen("127.0.0.1:\(port)", _) = refusal else {
                Issue.record("it says \(String(describing: refusal))")
                return
            }
        }
    }

    @Test func `that failed behind the account tells a password at the next one`() async throws {
        let folder = try TemporaryFolder()
        var configuration = GatewayConfiguration(folder: folder.url.appending(path: "ledger"))
        configuration.origin = "test.example/main"
        configuration.limits.accounts.passwordCost = PasswordCost(
            logRounds: 4,
            blockSize: 8,
            parallelism: 1
        )
        let ledger = try Ledger.open(configuration, logger: Logger(label: "test"))
        // What a start leaves whose log took nothing.
        try await ledger.accounts.createUser(
            login: "admin",
            password: "nobody was told this",
            role: .admin,
            org: "main",
            id: "admin"
        )
        let told = try #require(try await ledger.ensureFirstAdmin())
        let user = try await ledger.accounts.verifyPassword(
            login: "admin",
            password: told.password,
            from: SignInOrigin(address: "127.0.0.1")
        )
        #expect(user.isTemporary && user.id == "admin")
        #expect(try ledger.handler.current(User.self, UserID(unchecked: "admin")).account != nil)
        #expect(try await ledger.ensureFirstAdmin() == nil)
        await ledger.log.close()
    }

    @Test func `of entries that know an admin, without accounts, tells a password`() async throws {
        let folder = try await TestGateway.run { gateway in
            _ = try await gateway.user(.operator, login: "amina")
            return gateway.folder
        }
        // As after an import, or a disk that took the accounts away.
        for name in ["accounts.db", "accounts.db-wal", "accounts.db-shm"] {
            let file = folder.url.appending(path: "ledger/\(name)")
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            try FileManager.default.removeItem(at: file)
        }
        var configuration = GatewayConfiguration(folder: folder.url.appending(path: "ledger"))
        configuration.limits.accounts.passwordCost = PasswordCost(
            logRounds: 4,
            blockSize: 8,
            parallelism: 1
        )
        let ledger = try Ledger.open(configuration, logger: Logger(label: "test"))
        let told = try #require(try await ledger.ensureFirstAdmin())
        let user = try await ledger.accounts.verifyPassword(
            login: "admin",
            password: told.password,
            from: SignInOrigin(address: "127.0.0.1")
        )
        #expect(user.isTemporary && user.role == .admin)
        #expect(user.id != "admin", "that one's key may be lost with the accounts")
        #expect(try ledger.handler.current(User.self, UserID(unchecked: user.id)).account != nil)
        #expect(try await ledger.ensureFirstAdmin() == nil)
        await ledger.log.close()
    }
}
