// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A supervised service` {
    private struct Broken: Error, CustomStringConvertible {
        let description = "the disk is full"
    }

    private static func service(
        _ need: ServiceStandings.Need,
        in standings: ServiceStandings,
        isOver: @escaping @Sendable () -> Bool = { false },
        isWell: @escaping @Sendable () -> Bool = { true },
        work: @escaping @Sendable () async throws -> Void
    ) -> Supervised {
        Supervised(
            name: "sample",
            need: need,
            standings: standings,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            pauses: .init(first: .milliseconds(1), longest: .milliseconds(4)),
            isOver: isOver,
            isWell: isWell,
            work: work
        )
    }

    @Test(arguments: [(0, 1), (3, 6), (10, 20), (600, 20), (2_592_000, 20)])
    func `counts as well again after a while, however long it went before it failed`(
        lasted: Int,
        settling: Int
    ) {
        let pauses = Supervised.Pauses()
        #expect(pauses.settling(after: .seconds(lasted)) == .seconds(settling))
    }

    @Test func `begins again after each fault, names it meanwhile, and is well in the end`()
        async throws
    {
        let standings = ServiceStandings()
        let tries = Mutex(0)
        let (seen, note) = AsyncStream.makeStream(of: [ServiceStandings.Standing].self)
        let service = Self.service(.toServe, in: standings) {
            note.yield(standings.all)
            let count = tries.withLock { tries in
                tries += 1
                return tries
            }
            if count < 4 { throw Broken() }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            var failures: [Int] = []
            for await state in seen {
                failures.append(try #require(state.first).failures)
                if failures.count == 4 { break }
            }
            #expect(failures == [0, 1, 2, 3])
            try await eventually("the service is well") { standings.all.first?.fault == nil }
            #expect(standings.canServe)
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test func `has its fault for as long as it still tries what it failed at`() async throws {
        let standings = ServiceStandings()
        let seen = Mutex<[String?]>([])
        let asked: @Sendable () -> Int = { seen.withLock { $0.count } }
        let service = Self.service(
            .toKeepHouse,
            in: standings,
            // Twice not, whatever the time.
            isWell: {
                seen.withLock { seen in
                    seen.append(standings.fault(of: "sample")?.words)
                    return seen.count == 3
                }
            },
            work: {
                if standings.fault(of: "sample") == nil { throw Broken() }
                try await Task.sleep(for: .seconds(3_600))
            }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            try await eventually("the service is well at the third look") {
                asked() == 3 && standings.fault(of: "sample") == nil
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        #expect(seen.withLock { $0 } == Array(repeating: "the disk is full", count: 3))
    }

    @Test func `makes the gateway unready only if a call goes wrong without it`() async throws {
        for (need, canServe) in [
            (ServiceStandings.Need.toServe, false), (.toKeepHouse, true),
        ] {
            let standings = ServiceStandings()
            standings.begin("sample", need)
            let fault = Fault(Broken())
            #expect(standings.fail("sample", fault))
            #expect(!standings.fail("sample", fault), "repeated, it is no news")
            #expect(standings.canServe == canServe)
            #expect(standings.all.map(\.fault?.words) == ["the disk is full"])
            #expect(standings.recover("sample"))
            #expect(standings.canServe)
        }
    }

    @Test func `stops trying once the log is closed`() async throws {
        let standings = ServiceStandings()
        let isOver = Mutex(false)
        let service = Self.service(
            .toServe,
            in: standings,
            isOver: { isOver.withLock { $0 } },
            work: {
                isOver.withLock { $0 = true }
                throw Broken()
            }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            try await eventually("the log is closed") { isOver.withLock { $0 } }
            group.cancelAll()
            try await group.waitForAll()
        }
        #expect(standings.all.map(\.fault) == [nil])
    }
}

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `An erasure that meets a file that stays`
{
    @Test func `is told truly, ends nothing, and is finished by itself once it can be`()
        async throws
    {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let (person, file) = try await Self.personWithPicture(gateway)
            // A folder in its place: nothing deletes it by mistake.
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(
                at: file.appending(path: "inner"),
                withIntermediateDirectories: true
            )
            let erased = try await admin.post("/v1/persons/\(person)/erase", ["reason": "asked"])
            #expect(erased.status == 202)
            let left = try #require(try erased.object["left"] as? [String])
            #expect(left.count == 1 && left[0].hasPrefix("picture "))
            #expect(gateway.ledger.keys.isDestroyed(try #require(PersonID(person))))

            // On a busy machine it waits for a read model first, and says so.
            try await eventually("the file that stays is named") {
                try await Self.fault(gateway)?.contains("could not be deleted") == true
            }
            #expect(try await admin.get("/v1/me").status == 200)

            try FileManager.default.removeItem(at: file)
            try await eventually("the erasure is finished") {
                gateway.ledger.erasureDebt.people.isEmpty
            }
            try await eventually("the fault is taken back") { try await Self.fault(gateway) == nil }
        }
    }

    @Test func `keeps nobody from starting`() async throws {
        let (folder, file) = try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let (person, file) = try await Self.personWithPicture(gateway)
            _ = try await admin.post("/v1/persons/\(person)/erase", ["reason": "asked"])
            return (gateway.folder, file)
        }
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        try await TestGateway.run(in: folder) { gateway in
            let admin = try await gateway.user(.admin, login: "eve")
            try await eventually("the erasure has a fault") { try await Self.fault(gateway) != nil }
            #expect(try await admin.get("/readyz").status == 200)
        }
    }

    /// What the gateway says of erasures.
    private static func fault(_ gateway: TestGateway) async throws -> String? {
        try await gateway.services().first { $0["name"] as? String == "erasures" }?["fault"]
            as? String
    }

    /// Somebody whose session is over, and the file of the picture that they sent.
    private static func personWithPicture(
        _ gateway: TestGateway
    ) async throws -> (person: String, file: URL) {
        let amina = try await gateway.user(.operator, login: "amina")
        let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
        _ = try await amina.post("/v1/sessions/\(session)/claim")
        let sent = try await caller.upload(
            "/v1/sessions/\(session)/pictures",
            try `Pictures in a chat`.fixture("street.png")
        )
        #expect(sent.status == 201)
        let closed = try await amina.post(
            "/v1/sessions/\(session)/close",
            ["disposition": "handled"]
        )
        #expect(closed.status == 200)
        let blobs = gateway.folder.url.appending(path: "ledger/blobs")
        let name = try FileManager.default.subpathsOfDirectory(atPath: blobs.path)
            .first { $0.contains("/") }
        let principal = try await gateway.ledger.accounts.authenticate(caller.token)
        return (
            try #require(principal.personID), blobs.appending(path: try #require(name))
        )
    }
}
