// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Logging
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(1))) struct `A first start` {
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
