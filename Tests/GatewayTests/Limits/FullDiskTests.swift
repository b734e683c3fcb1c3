// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise1), .timeLimit(.minutes(10))) struct `With not a byte free` {
    @Test(arguments: ["keys", "log"])
    func `a command hears 507, and is done once there is room`(file: String) async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let disk = DiskFaults(at: gateway.folder.url.appending(path: "ledger/\(file)"))
            disk.fail(.write, with: ENOSPC)
            let refused = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            #expect(refused.status == 507, "\(refused.body)")
            #expect(try refused.problem == "storage-full")
            disk.heal()
            let opened = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            #expect(opened.status == 201, "\(opened.body)")
        }
    }

    /// What a start looks at in the accounts it does not write, but for the little that opening the file takes.
    @Test func `a gateway starts`() async throws {
        let folder = try await TestGateway.run { gateway in
            _ = try await gateway.user(.operator, login: "amina")
            try await gateway.ledger.accounts.quickly { database in
                for number in 0..<5_000 {
                    try database.execute(
                        sql: "INSERT INTO main.fingerprints VALUES ('a', ?, x'00', ?)",
                        arguments: ["\(number)", Int64.max - Int64(number)]
                    )
                }
            }
            return gateway.folder
        }
        let accounts = folder.url.appending(path: "ledger/accounts.db")
        let disk = DiskFaults(at: folder.url.appending(path: "ledger/accounts.db-wal"))
        disk.fail(.write, with: ENOSPC, after: 60)
        try await TestGateway.run(in: folder) { gateway in
            let users = try await gateway.ledger.accounts.users()
            #expect(users.contains { $0.login == "amina" })
            disk.heal()
        }
        // What somebody wrote there is taken away once there is room.
        let planted = "INSERT INTO users VALUES ('e', 'eve', 'main', 'admin', '', 0, 0, 1, 0, NULL)"
        try Intruder.change(accounts: accounts.path, [planted])
        for (code, error) in [
            (ENOSPC, StartError.noRoom(accounts.path)),
            (EIO, .accountsOutOfReach(accounts.path, reason: "")),
        ] {
            disk.fail(.write, with: code)
            await #expect {
                try await TestGateway.run(in: folder) { _ in }
            } throws: { thrown in
                "\(thrown)".prefix { $0 != "(" } == "\(error)".prefix { $0 != "(" }
            }
            disk.heal()
        }
        try await TestGateway.run(in: folder) { gateway in
            let users = try await gateway.ledger.accounts.users()
            #expect(!users.contains { $0.id == "e" })
        }
    }

    @Test func `every error that says so is a 507`() {
        let errors: [any Error] = [
            DatabaseError(resultCode: .SQLITE_FULL), POSIXError(.ENOSPC), POSIXError(.EDQUOT),
            CocoaError(.fileWriteOutOfSpace), StartError.noRoom("blobs/new"),
        ]
        for error in errors {
            #expect(ProblemTable.problem(for: error).type.status.code == 507, "\(error)")
        }
    }

    @Test func `every error of a disk that does not do what it is asked is a 503`() {
        let errors: [any Error] = [
            DatabaseError(resultCode: .SQLITE_READONLY), DatabaseError(resultCode: .SQLITE_IOERR),
            POSIXError(.EROFS), POSIXError(.EACCES), POSIXError(.EIO),
            CocoaError(.fileWriteVolumeReadOnly), CocoaError(.fileWriteNoPermission),
        ]
        for error in errors {
            let problem = ProblemTable.problem(for: error)
            #expect(problem.type.status.code == 503, "\(error)")
            #expect(problem.headers[.retryAfter] != nil)
        }
        #expect(ProblemTable.problem(for: POSIXError(.EINVAL)).type.status.code == 500)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `With a disk that fails` {
    @Test func `nobody is told that a request went wrong by itself`() {
        let errors: [any Error] = [
            DatabaseError(resultCode: .SQLITE_IOERR), DatabaseError(resultCode: .SQLITE_CORRUPT),
            DatabaseError(resultCode: .SQLITE_NOTADB),
            FileFault(call: "fsync", path: "x", code: EIO),
        ]
        for error in errors {
            #expect(ProblemTable.problem(for: error).type.status.code == 503, "\(error)")
        }
    }

    @Test func `it is not healthy, and says why, until the disk writes again`() async throws {
        try await TestGateway.atRest { gateway in
            let disk = DiskFaults(at: gateway.folder.url.appending(path: "ledger/.alive"))
            let watch = MachineWatch(ledger: gateway.ledger)
            for (call, isHealthy) in [(DiskFaults.Call.write, 503), (.sync, 503)] {
                disk.fail(call, with: EIO)
                await watch.look()
                #expect(try await gateway.send(.get, "/healthz").status == isHealthy)
                let fault = try #require(
                    try await gateway.services().first { $0["name"] as? String == "storage" }
                )
                #expect("\(fault)".contains("Input/output error"), "\(fault)")
                disk.heal()
                await watch.look()
                #expect(try await gateway.send(.get, "/healthz").status == 200)
            }
        }
    }

    @Test func `it is not healthy while the disk does not answer at all`() async throws {
        try await TestGateway.atRest { gateway async throws in
            let thaw = DispatchSemaphore(value: 0)
            let watch = MachineWatch(ledger: gateway.ledger) {
                thaw.wait()
                // Whoever asks later is answered, too.
                thaw.signal()
                return nil
            }
            await watch.look(wait: .zero, patience: .testDeadline)
            #expect(try await gateway.send(.get, "/healthz").status == 200, "it may yet answer")
            await watch.look(wait: .zero, patience: .zero)
            #expect(try await gateway.send(.get, "/healthz").status == 503)
            thaw.signal()
            await watch.look(wait: .testDeadline)
            #expect(try await gateway.send(.get, "/healthz").status == 200)
        }
    }

    @Test func `another folder of the same name is not the one that was opened`() throws {
        let place = try TemporaryFolder().url
        let ledger = place.appending(path: "ledger")
        try FileManager.default.createDirectory(at: ledger, withIntermediateDirectories: true)
        let probe = DiskProbe(folder: try HeldFolder(ledger))
        #expect(probe.fault == nil)
        // As after an unmount: what lies below has the name.
        try FileManager.default.moveItem(at: ledger, to: place.appending(path: "moved"))
        try FileManager.default.createDirectory(at: ledger, withIntermediateDirectories: false)
        #expect(try #require(probe.fault).contains("another folder"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: ledger.path).isEmpty)
    }
}
