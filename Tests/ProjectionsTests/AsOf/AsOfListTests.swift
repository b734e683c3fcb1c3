// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import ProjectionsTesting
import TestSupport
import Testing

@testable import Projections

@Suite(.timeLimit(.minutes(10))) struct `A list as of a point` {
    @Test(arguments: 0..<3 as Range<UInt64>)
    func `shows each session as the desk did then, in random histories`(number: UInt64) async throws
    {
        let (log, folder) = try await Self.ledger(seed: SeededGenerator.environmentSeed &+ number)
        let all = try Self.entries(of: log)
        let asOf = AsOf(EntrySource(log), keys: SeededKeys())
        let decoder = PageDecoder([OperatorDeskProjector()])
        let whole = try #require(try decoder.page(of: all))
        let today = OperatorDesk(
            try await rows(of: OperatorDeskProjector(), whole.events, keys: SeededKeys())
        )
        for count in stride(from: 1, through: all.count, by: max(1, all.count / 12)) {
            let page = try #require(try decoder.page(of: Array(all.prefix(count))))
            let then = OperatorDesk(
                try await rows(of: OperatorDeskProjector(), page.events, keys: SeededKeys())
            )
            let point = AsOf.Point.position(LogPosition(UInt64(count - 1)))
            var filter = OperatorDesk.Filter()
            filter.limit = ProjectionLimits.listRowsMax
            let expected = try await then.sessions(filter, in: .wholeLedger)
            let candidates = try await today.candidates(
                filter,
                in: .wholeLedger,
                at: point,
                time: all[count - 1].envelope.time
            )
            #expect(candidates.map(\.session) == expected.map(\.id))
            let desk = try await asOf.operatorDesk(of: candidates.map(\.session), at: point)
            for session in expected {
                #expect(try await desk.session(session.id) == session, "at \(count - 1)")
            }
            for state in SessionState.allCases {
                filter.state = state
                let fitting = Set(
                    try await today.candidates(
                        filter,
                        in: .wholeLedger,
                        at: point,
                        time: all[count - 1].envelope.time
                    ).map(\.session)
                )
                for session in expected where session.state == state {
                    #expect(fitting.contains(session.id), "\(state) at \(count - 1)")
                }
            }
        }
        await log.close()
        withExtendedLifetime(folder) {}
    }

    /// A plausible history in a log of its own.
    private static func ledger(seed: UInt64) async throws -> (EventLog, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let clock = TestClock()
        let log = try EventLog.open(
            folder.url,
            configuration: LogConfiguration(
                origin: EventScript.origin,
                keys: SeededKeys(),
                clock: clock.ledgerClock
            )
        )
        var history = PlausibleHistory(seed: seed, events: 900)
        while let append = history.next() {
            clock.advance(to: append.time)
            try await log.append(append.writes, command: append.stamp)
        }
        return (log, folder)
    }

    private static func entries(of log: EventLog) throws -> [Entry] {
        var all: [Entry] = []
        while let page = Optional(try log.entries(from: LogPosition(UInt64(all.count)))),
            !page.isEmpty
        {
            all += page
        }
        return all
    }
}
