// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import ProjectionsTesting
import Synchronization
import TestSupport
import Testing

@testable import Projections

/// Taking what was erased out of the unused space of a file, when that does not work at once.
@Suite(.timeLimit(.minutes(10))) struct `What a file owes to erased people` {
    private static let phone = "+447710000003"
    private let folder: TemporaryFolder
    private let keys: [PersonID: PersonKey]
    private let before: [RecordedEvent]
    private let erasure: RecordedEvent
    /// Two more events after the erasure, of other people.
    private let after: [RecordedEvent]

    init() throws {
        folder = try TemporaryFolder()
        var script = EventScript()
        var people: [PersonID] = []
        for number in 0..<6 {
            people.append(try script.openSession(phone: "+44771000000\(3 + number)").caller)
        }
        before = script.events
        keys = script.keys
        try script.erase(people[0])
        erasure = try #require(script.events.last)
        let count = script.events.count
        _ = try script.openSession(phone: nil)
        after = Array(script.events.dropFirst(count).prefix(2))
    }

    private var url: URL { folder.url.appending(path: "desk.sqlite") }

    private func open(
        faults: @escaping @Sendable (ProjectionError) -> Void = { _ in }
    ) throws -> ProjectionFile {
        try ProjectionFile(
            OperatorDeskProjector(),
            at: url,
            mode: .serving,
            origin: EventScript.origin,
            keys: keys,
            faults: faults
        )
    }

    private func pragma(_ name: String, of file: ProjectionFile) throws -> Int? {
        try writing(file.connections) {
            try Int.fetchOne($0, sql: "PRAGMA \(name)")
        }
    }

    private func traces() throws -> Int {
        try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
            .filter { !$0.path.hasSuffix("-shm") }
            .count { try Data(contentsOf: $0).range(of: Data(Self.phone.utf8)) != nil }
    }

    @Test func `is kept in the file when it cannot be paid, reported, and paid after reopening`()
        async throws
    {
        let faults = Mutex<[ProjectionError]>([])
        let file = try open { fault in faults.withLock { $0.append(fault) } }
        _ = try file.apply(try #require(onePage(before)))
        // A statement that is not at its end keeps SQLite from rewriting the file.
        let unfinished = Unfinished()
        try writing(file.connections) { database in
            unfinished.rows = try Row.fetchCursor(database, sql: "SELECT * FROM session")
            _ = try unfinished.rows?.next()
        }
        let progress = try file.apply(try #require(onePage(before + [erasure])))
        #expect(progress.next == erasure.envelope.position.next)
        #expect(file.progress() == progress)
        try await file.eraseOwed()
        #expect(faults.withLock { $0.count } == 1)
        #expect(try pragma("user_version", of: file) == ErasingDebt.rewriting.rawValue)
        writing(file.connections) { _ in unfinished.rows = nil }
        try file.close()

        let again = try open()
        try await again.eraseOwed()
        #expect(try pragma("user_version", of: again) == ErasingDebt.none.rawValue)
        #expect(try traces() == 0)
        #expect(again.progress() == progress)
        try again.close()
    }

    @Test func `is only the write-ahead log while a reader needs it, and no page rewrites again`()
        async throws
    {
        let file = try open()
        _ = try file.apply(try #require(onePage(before)))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: url.path, configuration: configuration)
        try writing(reader) { database in
            try database.execute(sql: "BEGIN")
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM session")
        }
        _ = try file.apply(try #require(onePage(before + [erasure])))
        #expect(try pragma("user_version", of: file) == ErasingDebt.rewriting.rawValue)
        try await file.eraseOwed()
        #expect(try pragma("user_version", of: file) == ErasingDebt.truncation.rawValue)
        // Each rewriting of a file gives its schema another number.
        let rewritten = try pragma("schema_version", of: file)
        for count in 1...after.count {
            let page = try #require(onePage(before + [erasure] + after.prefix(count)))
            _ = try file.apply(page)
            try await file.eraseOwed()
        }
        #expect(try pragma("schema_version", of: file) == rewritten)
        #expect(try pragma("user_version", of: file) == ErasingDebt.truncation.rawValue)
        try writing(reader) { try $0.execute(sql: "COMMIT") }
        try reader.close()
        try file.close()

        let again = try open()
        let reopened = try pragma("schema_version", of: again)
        try await again.eraseOwed()
        #expect(try pragma("user_version", of: again) == ErasingDebt.none.rawValue)
        #expect(try pragma("schema_version", of: again) == reopened)
        #expect(try traces() == 0)
        try again.close()
    }

    @Test func `is paid by a runner that finds it, without a new event`() async throws {
        var script = EventScript()
        let opened = try script.openSession(phone: Self.phone)
        let all = script.keys
        try script.erase(opened.caller)
        let ledger = try await Ledger(script, keys: all)
        let projector = OperatorDeskProjector()
        let first = ledger.runner([projector])
        try await first.running { try await first.level(at: ledger.last) }
        let owing = try #require(first.lanes.first?.serving)
        try writing(owing.connections) { try ErasingDebt.rewriting.write($0) }
        try owing.close()

        let second = ledger.runner([projector])
        let file = try #require(second.lanes.first?.serving)
        try await second.running {
            try await eventually("the debt is paid") { try pragma("user_version", of: file) == 0 }
        }
        await ledger.log.close()
    }
}

/// Runs on the writing connection and blocks, which an asynchronous test has to ask for.
private func writing<Value>(
    _ connections: any DatabaseWriter,
    _ body: (Database) throws -> Value
) rethrows -> Value {
    try connections.writeWithoutTransaction(body)
}

/// A query of the writing connection that stays at its first row.
private final class Unfinished: @unchecked Sendable {
    // Touched on the writing queue only.
    var rows: RowCursor?
}
