// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import ProjectionsTesting
import Synchronization
import TestSupport
import Testing

@testable import Projections

/// A read model that is damaged, removed or locked while others go on (promises 6 and 10).
@Suite(.tags(.promise6), .timeLimit(.minutes(10))) struct `A read model that cannot store` {
    private let projectors: [any Projector] = [
        ConversationsProjector(), OperatorDeskProjector(), RegistryProjector(),
    ]

    /// Two sessions with some messages, and one message more for later.
    private struct Story {
        var script = EventScript()
        let session: SessionID
        let caller: PersonID

        init() throws {
            (session, _, caller) = try script.openSession()
            for number in 0..<40 {
                _ = try script.say("\(number)", in: session, from: .caller, of: caller)
            }
        }

        /// The next message, recorded.
        mutating func more() throws -> [RecordedEvent] {
            _ = try script.say("more", in: session, from: .caller, of: caller)
            return Array(script.events.suffix(1))
        }
    }

    @Test func `is built anew when a page of it was overwritten, and the others do not wait`()
        async throws
    {
        var story = try Story()
        let ledger = try await Ledger(story.script)
        let first = ledger.runner(projectors)
        try await first.running { try await first.level(at: ledger.last) }
        for lane in first.lanes { try lane.serving?.close() }
        try overwrite("message", of: ConversationsProjector().identity, in: ledger.read)

        let runner = ledger.runner(projectors)
        let more = try story.more()
        try await runner.running {
            try await ledger.append(more)
            try await runner.wait(for: ledger.last, on: "operator-desk")
            try await runner.level(at: ledger.last)
            try await settled(runner)
        }
        try await expectEqual(runner, ledger)
        await ledger.log.close()
    }

    @Test func `is built anew when a journal lies beside it, which SQLite would play in`()
        async throws
    {
        let ledger = try await Ledger(try Story().script)
        let first = ledger.runner(projectors)
        try await first.running { try await first.level(at: ledger.last) }
        for lane in first.lanes { try lane.serving?.close() }
        let place = ProjectionFolder(ledger.read, ConversationsProjector().identity)
        let file = try #require(place.current())
        let journal = file.path + "-journal"
        try Data("journal".utf8).write(to: URL(filePath: journal))
        #expect(throws: ForeignNeighbour.self) { try DatabaseCopy(file) }

        let runner = ledger.runner(projectors)
        try await runner.running { try await settled(runner) }
        #expect(!FileManager.default.fileExists(atPath: journal))
        try await expectEqual(runner, ledger)
        await ledger.log.close()
    }

    @Test(arguments: 0..<20)
    func `is not told of when the runner only ends`(turns: Int) async throws {
        let ledger = try await Ledger(try Story().script)
        let faults = Mutex<[ProjectionError]>([])
        let runner = ProjectionRunner(folder: ledger.read, log: ledger.log, keys: ledger.keys) {
            guard case .failed(let fault) = $0 else { return }
            faults.withLock { $0.append(fault) }
        }
        try await runner.running { for _ in 0..<turns * turns { await Task.yield() } }
        #expect(faults.withLock { $0 }.isEmpty)
        await ledger.log.close()
    }

    @Test func `is not thought damaged when it is stopped while SQLite prepares a statement`()
        async throws
    {
        let ledger = try await Ledger(try Story().script)
        let leave = Leave()
        let file = try ProjectionFile(
            inMemory: LeavingProjector(leave: leave),
            origin: EventScript.origin,
            keys: ledger.keys
        )
        let page = try #require(onePage(try Story().script.events))
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let work = Task {
            for await _ in begun { break }
            _ = try await file.applyLater(page)
        }
        leave.task.withLock { $0 = work }
        begin.finish()
        let fault = await #expect(throws: ProjectionError.self) { try await work.value }
        #expect(try #require(fault).description.contains("Cancellation"))
        #expect(try #require(fault).isDamage == false)
        await ledger.log.close()
    }

    @Test func `is built anew when its name is removed while somebody else has it open`()
        async throws
    {
        var story = try Story()
        let ledger = try await Ledger(story.script)
        let runner = ledger.runner(projectors)
        let steps = try (0..<6).map { _ in try story.more() }
        try await runner.running {
            try await runner.level(at: ledger.last)
            for (number, step) in steps.enumerated() {
                let names = try FileManager.default.contentsOfDirectory(atPath: ledger.read.path)
                    .filter { $0.hasPrefix("conversations-") }.sorted()
                let file = ledger.read.appending(path: names[number % names.count])
                let shell = try self.shell(on: ledger.read.appending(path: names[0]))
                try FileManager.default.removeItem(at: file)
                try await ledger.append(step)
                try await runner.wait(for: ledger.last, on: "operator-desk")
                try await eventually("the file has its names") {
                    runner.lanes[0].serving?.hasItsNames == true
                }
                try await runner.level(at: ledger.last)
                try shell.close()
            }
            try await settled(runner)
        }
        try await expectEqual(runner, ledger)
        await ledger.log.close()
    }

    @Test func `waits alone for a lock, says so, and catches up`() async throws {
        var story = try Story()
        let ledger = try await Ledger(story.script)
        let runner = ledger.runner(projectors)
        let more = try story.more() + story.more()
        try await runner.running {
            try await runner.level(at: ledger.last)
            let path = try #require(runner.lanes[0].serving).path
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: path, configuration: configuration)
            try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            try await ledger.append(more)
            try await runner.wait(for: ledger.last, on: "operator-desk")
            try await eventually("the locked model says so") {
                runner.states[0].failure != nil
            }
            #expect(runner.states.map(\.isWell) == [false, true, true])
            #expect(runner.states[0].isServing)
            try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            try await settled(runner)
        }
        try await expectEqual(runner, ledger)
        await ledger.log.close()
    }

    @Test func `comes back when its folder can be written again`() async throws {
        let story = try Story()
        let ledger = try await Ledger(story.script)
        // A file where the folder must be: not even root can make it.
        try Data().write(to: ledger.read)
        let runner = ledger.runner(projectors)
        #expect(runner.states.allSatisfy { !$0.isWell && $0.failure != nil })
        try await runner.running {
            try await eventually("every model says so") {
                runner.states.allSatisfy { $0.failure != nil }
            }
            try FileManager.default.removeItem(at: ledger.read)
            try await settled(runner)
        }
        try await expectEqual(runner, ledger)
        await ledger.log.close()
    }

    @Test func `uses no generation twice and meets no write-ahead log of another file`() throws {
        let folder = try TemporaryFolder()
        let place = ProjectionFolder(folder.url, ConversationsProjector().identity)
        for expected in 3...4 {
            try Data("other".utf8).write(
                to: folder.url.appending(path: "conversations-3.g2.sqlite-wal")
            )
            try Data("x".utf8).write(to: place.building)
            let file = try place.adopt(place.building)
            #expect(file.lastPathComponent == "conversations-3.g\(expected).sqlite")
            try place.discardLink()
        }
        try Data().write(to: URL(filePath: place.building.path + "-journal"))
        try place.removeStale()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    // MARK: What others do to files

    /// Fills the root page of a table with what is no page.
    private func overwrite(
        _ table: String,
        of identity: ProjectorIdentity,
        in folder: URL
    ) throws {
        let url = try #require(ProjectionFolder(folder, identity).current())
        let queue = try DatabaseQueue(path: url.path)
        let (page, size) = try queue.read { database in
            (
                try Int.fetchOne(
                    database,
                    sql: "SELECT rootpage FROM sqlite_master WHERE name = ?",
                    arguments: [table]
                ) ?? 0,
                try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
            )
        }
        try queue.writeWithoutTransaction { database in
            _ = try Int.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try queue.close()
        let file = try FileHandle(forUpdating: url)
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(repeating: 0xA5, count: size))
        try file.close()
    }

    /// Another program that has a read model open, in the middle of reading it.
    private func shell(on file: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN")
            _ = try Int.fetchOne(database, sql: "SELECT next FROM progress")
        }
        return queue
    }

    // MARK: What must come of it

    private func settled(_ runner: ProjectionRunner) async throws {
        try await eventually("every model is well") { runner.states.allSatisfy(\.isWell) }
    }

    private func expectEqual(_ runner: ProjectionRunner, _ ledger: Ledger) async throws {
        for lane in runner.lanes {
            let digest = try await lane.database.digest(of: lane.projector)
            let plain = try await StoredReadModel.rebuilt(
                [lane.projector],
                from: EntrySource(ledger.log),
                through: digest.progress.next,
                keys: ledger.keys
            )
            let stored = try lane.database.readBlocking { try $0.tableDigests(of: lane.projector) }
            #expect(stored == plain[0])
        }
    }
}

/// Who is cancelled in the middle of a page.
private final class Leave: Sendable {
    let task = Mutex<Task<Void, any Error>?>(nil)
}

/// Ends the task that applies it while one of its statements stands on a row and the next is not prepared yet.
private struct LeavingProjector: Projector {
    let leave: Leave
    let identity = ProjectorIdentity("leaving", version: 1)
    let tables = [Table("gone", key: ["number"], columns: ["number INTEGER NOT NULL"])]
    var handlers: Handlers {
        Handlers {
            On(ChatMessageSent.self) { _, _, rows in
                _ = rows.first("SELECT 1 UNION ALL SELECT 2") { row in
                    leave.task.withLock { $0?.cancel() }
                    rows.run("INSERT INTO gone VALUES (?1)", 1)
                    return try row.integer()
                }
            }
        }
    }
}
