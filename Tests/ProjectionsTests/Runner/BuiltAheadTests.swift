// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import ProjectionsTesting
import TestSupport
import Testing

@testable import Projections

/// A new version of a read model, before its runner begins.
@Suite(.tags(.promise6, .promise7), .timeLimit(.minutes(10)))
struct `A read model that is built ahead` {
    /// The conversations of the next version of Daybook.
    private struct NextConversations: Projector {
        private let before = ConversationsProjector()
        var identity: ProjectorIdentity {
            ProjectorIdentity(before.identity.name, version: before.identity.version + 1)
        }
        var tables: [Table] { before.tables }
        var searchTables: [SearchTable] { before.searchTables }
        var handlers: Handlers { before.handlers }
    }

    @Test func `disturbs nobody, and is taken by the next start without being built again`()
        async throws
    {
        var evening = try Evening()
        let ledger = try await Ledger(evening.script)
        let old = ledger.runner([ConversationsProjector()])
        _ = try evening.script.say(
            "more",
            in: evening.first.session,
            from: .caller,
            of: evening.first.caller
        )
        let more = evening.script.events.suffix(1)
        try await old.running {
            try await old.level(at: ledger.last)
            let serving = try Self.files(in: ledger.read)
            let built = try await StoredReadModel.buildAhead(
                NextConversations(),
                in: ledger.read,
                from: EntrySource(ledger.log),
                keys: ledger.keys
            )
            #expect(built == ledger.log.size)
            #expect(try Self.files(in: ledger.read).isSuperset(of: serving))
            try await ledger.append(more)
            try await old.wait(for: ledger.last, on: "conversations")
            let again = try await StoredReadModel.buildAhead(
                NextConversations(),
                in: ledger.read,
                from: EntrySource(ledger.log),
                keys: ledger.keys
            )
            #expect(again == nil)
        }
        let before = try await old.database("conversations").digest(of: ConversationsProjector())
        let new = ledger.runner([NextConversations()])
        #expect(new.states.map(\.isServing) == [true])
        #expect(new.states.map(\.reached) == [ledger.log.size - 1])
        try await new.running { try await new.level(at: ledger.last) }
        let after = try await new.database("conversations").digest(of: NextConversations())
        #expect(after.digest == before.digest)
        #expect(try Self.files(in: ledger.read).allSatisfy { !$0.hasPrefix("conversations-1.") })
        await ledger.log.close()
    }

    @Test func `forgets, by the time it is level, whom the log erased since it was built`()
        async throws
    {
        let phone = "+447710000057"
        var script = EventScript()
        let caller = try script.openSession(phone: phone).caller
        _ = try script.openSession(phone: "+447710000056")
        let ledger = try await Ledger(script)
        let before = script.events.count
        _ = try await StoredReadModel.buildAhead(
            OperatorDeskProjector(),
            in: ledger.read,
            from: EntrySource(ledger.log),
            keys: ledger.keys
        )
        #expect(try traces(of: phone, in: ledger.read) > 0)

        try script.erase(caller)
        try await ledger.append(script.events.dropFirst(before))
        let runner = ProjectionRunner(
            folder: ledger.read,
            log: ledger.log,
            projectors: [OperatorDeskProjector()],
            keys: script.keys
        )
        #expect(runner.states.map(\.reached) == [UInt64(before)])
        try await runner.running {
            try await runner.level(at: ledger.last)
            // It is paid beside the pass.
            try await eventually("no trace of the caller is left") {
                try traces(of: phone, in: ledger.read) == 0
            }
        }
        #expect(try traces(of: phone, in: ledger.read) == 0)
        #expect(try traces(of: "+447710000056", in: ledger.read) > 0)
        await ledger.log.close()
    }

    private static func files(in folder: URL) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    }
}
