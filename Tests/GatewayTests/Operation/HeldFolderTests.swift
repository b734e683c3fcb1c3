// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Projections
import TestSupport
import Testing

@testable import Gateway

/// Moving a folder away does by its name what an unmount does.
@Suite(.tags(.promise1), .timeLimit(.minutes(10)))
struct `While another folder has the name of the ledger's` {
    private let folder: TemporaryFolder
    private var ledger: URL { folder.url.appending(path: "ledger") }
    private var away: URL { folder.url.appending(path: "away") }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A backup takes the place of what is served, with its journals; not what is just being put in place, and may be gone.
    private func swap() throws -> [String: Data] {
        try FileManager.default.moveItem(at: ledger, to: away)
        try FileManager.default.createDirectory(at: ledger, withIntermediateDirectories: false)
        for name in try FileManager.default.contentsOfDirectory(atPath: away.path)
        where !name.hasSuffix(".new") {
            let (from, to) = (away.appending(path: name), ledger.appending(path: name))
            try FileManager.default.copyItem(at: from, to: to)
        }
        return try contents()
    }

    private func contents() throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: ledger.path)
        return names.reduce(into: [:]) { found, name in
            let file = ledger.appending(path: name)
            found[name] = FileManager.default.contents(atPath: file.path) ?? Data()
        }
    }

    private func changes(since before: [String: Data]) throws -> [String] {
        let now = try contents()
        return Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }.sorted()
    }

    @Test func `whoever would change something hears 503, and it goes on when it is back`()
        async throws
    {
        try await TestGateway.run(in: folder) { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            let before = try swap()
            let code: [String: any Sendable] = ["phone": "+447790001234"]
            let refused = try await desk.post("/v1/devices/codes", code)
            #expect(refused.status == 503)
            #expect(try refused.text("detail").contains("another folder"))
            #expect(try refused.text("detail").contains("restarts"))
            #expect(!refused.body.contains(folder.url.path), "where files are is not for everybody")
            // What is open answers; what would be opened by its name does not.
            #expect([200, 503].contains(try await desk.get("/v1/me").status))
            #expect(try changes(since: before).isEmpty)
            try FileManager.default.removeItem(at: ledger)
            try FileManager.default.moveItem(at: away, to: ledger)
            #expect(try await desk.post("/v1/devices/codes", code).status == 201)
        }
    }

    @Test func `nothing is written into it, nor when the gateway ends`() async throws {
        let before = try await TestGateway.run(in: folder) { gateway in
            let desk = try await gateway.user(.operator, login: "amina")
            #expect(try await desk.post("/v1/devices/codes", ["phone": "+447790001"]).status == 201)
            let before = try swap()
            let person = gateway.ledger.newID() as PersonID
            await #expect(throws: (any Error).self) {
                _ = try await gateway.ledger.blobs.keep([1], for: person)
            }
            await #expect(throws: (any Error).self) {
                try await gateway.ledger.readModels.runner.rebuild(["conversations"])
            }
            await #expect(throws: EventLogError.self) {
                try await gateway.ledger.log.makeCheckpoint()
            }
            return before
        }
        #expect(try changes(since: before).isEmpty)
        try FileManager.default.removeItem(at: ledger)
        try FileManager.default.moveItem(at: away, to: ledger)
        try await TestGateway.run(in: folder) { gateway in
            #expect(gateway.ledger.log.readOnlyReason == nil)
        }
    }
}
