// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import ProjectionsTesting
import TestSupport
import Testing

@testable import Projections

@Suite(.tags(.promise6), .timeLimit(.minutes(10))) struct `The projection runner` {
    private func digests(_ runner: ProjectionRunner) async throws -> [String: SHA256Digest] {
        var digests: [String: SHA256Digest] = [:]
        for lane in runner.lanes {
            let digest = try await lane.database.digest(of: lane.projector)
            digests[lane.projector.identity.name] = digest.digest
        }
        return digests
    }

    @Test func `builds what is missing, then lets a writer read what it wrote`() async throws {
        var evening = try Evening()
        let ledger = try await Ledger(evening.script)
        let runner = ledger.runner()
        let message = try evening.script.say(
            "more",
            in: evening.first.session,
            from: .caller,
            of: evening.first.caller
        )
        let more = evening.script.events.suffix(1)
        let found = try await runner.running {
            try await runner.level(at: ledger.last)
            try await ledger.append(more)
            try await runner.wait(for: ledger.last, on: "conversations")
            return try await Conversations(runner.database("conversations")).message(message)
        }
        #expect(found?.id == message)
        await ledger.log.close()
    }

    @Test func `says how far it is when a position does not come in time`() async throws {
        let ledger = try await Ledger(Evening().script)
        let runner = ledger.runner([ConversationsProjector()])
        await #expect(throws: ReadModelError.self) {
            try await runner.wait(
                for: LogPosition(1_000_000),
                on: "conversations",
                timeout: .milliseconds(1)
            )
        }
        #expect(throws: ReadModelError.unknown("nobody")) { try runner.database("nobody") }
        await #expect(throws: ReadModelError.self) {
            try await Conversations(runner.database("conversations")).history(
                of: PersonID("01890000-0000-7000-8000-000000000000").unsafelyUnwrapped
            )
        }
        await ledger.log.close()
    }

    @Test func `goes on where it stopped and ends in the same rows`() async throws {
        let evening = try Evening()
        let half = evening.script.events.count / 2
        var first = evening
        let ledger = try await Ledger(EventScript(), keys: first.script.keys)
        try await ledger.append(evening.script.events.prefix(half))
        let runner = ledger.runner()
        try await runner.running { try await runner.level(at: ledger.last) }
        try await ledger.append(evening.script.events.dropFirst(half))
        let again = ledger.runner()
        #expect(again.states.allSatisfy { $0.isServing && $0.reached == UInt64(half) })
        try await again.running { try await again.level(at: ledger.last) }
        let continued = try await digests(again)
        try FileManager.default.removeItem(at: ledger.read)
        let fresh = ledger.runner()
        try await fresh.running { try await fresh.level(at: ledger.last) }
        #expect(try await digests(fresh) == continued)
        first.script.now = first.script.now + .seconds(1)
        await ledger.log.close()
    }

    @Test func `builds a file anew that was deleted, damaged or of another history`() async throws {
        let evening = try Evening()
        let ledger = try await Ledger(evening.script)
        let runner = ledger.runner()
        try await runner.running { try await runner.level(at: ledger.last) }
        let expected = try await digests(runner)
        for lane in runner.lanes { try lane.serving?.close() }

        let desk = try #require(
            ProjectionFolder(ledger.read, OperatorDeskProjector().identity).current()
        )
        try FileManager.default.removeItem(at: desk)
        let reports = try #require(
            ProjectionFolder(ledger.read, ReportsProjector().identity).current()
        )
        try Data("this is no database, and never was one".utf8).write(to: reports)
        let registry = try #require(
            ProjectionFolder(ledger.read, RegistryProjector().identity).current()
        )
        let queue = try DatabaseQueue(path: registry.path)
        try await queue.write { try $0.execute(sql: "UPDATE progress SET leaf = 'ff'") }
        try queue.close()

        let again = ledger.runner()
        let missing = again.states.filter { !$0.isServing }.map(\.identity.name)
        #expect(Set(missing) == ["operator-desk", "reports", "registry"])
        try await again.running { try await again.level(at: ledger.last) }
        #expect(try await digests(again) == expected)
        await ledger.log.close()
    }

    @Test func `rebuilds while serving, and takes over level with events that arrive meanwhile`()
        async throws
    {
        var script = EventScript()
        let opened = try script.openSession()
        for number in 0..<300 {
            _ = try script.say("\(number)", in: opened.session, from: .caller, of: opened.caller)
        }
        let events = script.events
        let ledger = try await Ledger(EventScript(), keys: script.keys)
        try await ledger.append(events.prefix(100))
        let runner = ledger.runner([ConversationsProjector()])
        try await runner.running {
            try await runner.level(at: ledger.last)
            async let rebuilt: Void = runner.rebuild(["conversations"])
            let database = try runner.database("conversations")
            var shown = 0
            for event in events.dropFirst(100) {
                try await ledger.append([event])
                let now = try await Conversations(database)
                    .messages(of: CaseReference(opened.session)).count
                // A half-built model would show fewer than before.
                #expect(now >= shown)
                shown = now
            }
            try await rebuilt
            try await runner.level(at: ledger.last)
            #expect(
                try await Conversations(database).messages(of: CaseReference(opened.session)).count
                    == 300
            )
        }
        let rebuilt = try await digests(runner)
        let plain = try ProjectionFile(
            inMemory: ConversationsProjector(),
            origin: EventScript.origin,
            keys: ledger.keys
        )
        _ = try plain.apply(
            try #require(
                try PageDecoder([ConversationsProjector()]).page(of: allEntries(ledger.log))
            )
        )
        #expect(try plain.digest().digest == rebuilt["conversations"])
        await ledger.log.close()
    }

    private func allEntries(_ log: EventLog) throws -> [Entry] {
        var all: [Entry] = []
        while let page = Optional(try log.entries(from: LogPosition(UInt64(all.count)))),
            !page.isEmpty
        {
            all += page
        }
        return all
    }

    @Test func `resumes a build that was interrupted`() async throws {
        let evening = try Evening()
        let ledger = try await Ledger(evening.script)
        let source = EntrySource(ledger.log)
        let projector = RecordingsProjector()
        try FileManager.default.createDirectory(at: ledger.read, withIntermediateDirectories: true)
        let lane = ProjectionLane(projector, in: ledger.read)
        let build = try lane.openBuild(source, keys: ledger.keys)
        let entries = try ledger.log.entries(from: LogPosition(0), limit: 20)
        _ = try build.apply(try #require(try PageDecoder([projector]).page(of: entries)))
        try build.close()
        let resumed = try lane.openBuild(source, keys: ledger.keys)
        #expect(resumed.progress().next == LogPosition(20))
        try resumed.close()
        let runner = ledger.runner([projector])
        try await runner.running { try await runner.level(at: ledger.last) }
        let plain = try ProjectionFile(
            inMemory: projector,
            origin: EventScript.origin,
            keys: ledger.keys
        )
        _ = try plain.apply(
            try #require(try PageDecoder([projector]).page(of: allEntries(ledger.log)))
        )
        #expect(try await digests(runner)["recordings"] == plain.digest().digest)
        await ledger.log.close()
    }
}
