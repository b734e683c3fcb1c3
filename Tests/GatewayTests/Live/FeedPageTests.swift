// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `The pages of a feed` {
    @Test(arguments: [0, 1, 399, 400, 1_199, 1_200] as [UInt64])
    func `hold what a look through the whole log finds, from any place`(start: UInt64) async throws
    {
        let (log, folder) = try await Self.ledger()
        let all = try Self.pages(of: log, from: start, subject: nil, kind: nil)
        let subjects: [Subject?] =
            [nil] + Set(all.map(\.envelope.subject)).sorted { $0.text < $1.text }
        let kinds: [Kind?] =
            [nil] + Set(all.map(\.envelope.kind)).sorted { $0.text < $1.text }
        #expect(all.count == Int(log.size - start))
        for subject in subjects.prefix(40) {
            for kind in kinds.prefix(subject == nil ? 60 : 5) {
                let expected = all.filter {
                    $0.envelope.subject == subject ?? $0.envelope.subject
                        && $0.envelope.kind == kind ?? $0.envelope.kind
                }
                let found = try Self.pages(of: log, from: start, subject: subject, kind: kind)
                #expect(
                    found.map(\.envelope.position) == expected.map(\.envelope.position),
                    "\(subject.map { "\($0)" } ?? "-") \(kind.map { "\($0)" } ?? "-")"
                )
            }
        }
        await log.close()
        withExtendedLifetime(folder) {}
    }

    @Test func `read what is shown, not the log`() async throws {
        let (log, folder) = try await Self.ledger()
        let rare = try #require(
            try log.entries(from: LogPosition(0), limit: 5_000).first {
                $0.envelope.subject.category == "patrol_point"
            }
        ).envelope.subject
        var pages = FeedPages(log, from: LogPosition(0), subject: rare, kind: nil)
        let first = try pages.page()
        #expect(first.entries.allSatisfy { $0.envelope.subject == rare } && !first.entries.isEmpty)
        #expect(try pages.page().isEnd)
        // What comes is told from where the log ends, not looked for from the beginning.
        #expect(pages.next == LogPosition(log.size))
        await log.close()
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: [0, 1, 399, 800] as [UInt64])
    func `of a caller hold what is the caller's, and are not looked for among the rest`(
        start: UInt64
    ) async throws {
        let (log, folder) = try await Self.ledger()
        let all = try Self.pages(of: log, from: start, subject: nil, kind: nil)
        let subjects = Set(all.map(\.envelope.subject))
        for own in [Set(subjects.prefix(3)), Set(subjects.prefix(200)), []] {
            for kind in [nil, all[0].envelope.kind] {
                var read = FeedPages(
                    log,
                    from: LogPosition(start),
                    subject: nil,
                    kind: kind,
                    ownSubjects: { own }
                )
                var (found, looked) = ([Entry](), 0)
                while true {
                    let (entries, isEnd) = try read.page()
                    if isEnd { break }
                    looked += entries.count
                    found += entries.filter { own.contains($0.envelope.subject) }
                }
                let expected = all.filter {
                    own.contains($0.envelope.subject)
                        && $0.envelope.kind == kind ?? $0.envelope.kind
                }
                #expect(found.map(\.envelope.position) == expected.map(\.envelope.position))
                #expect(looked == found.count)
            }
        }
        await log.close()
        withExtendedLifetime(folder) {}
    }

    private static func pages(
        of log: EventLog,
        from start: UInt64,
        subject: Subject?,
        kind: Kind?
    ) throws -> [Entry] {
        var pages = FeedPages(log, from: LogPosition(start), subject: subject, kind: kind)
        var found: [Entry] = []
        while true {
            let (entries, isEnd) = try pages.page()
            if isEnd { return found }
            found += entries
        }
    }

    /// A plausible history in a log of its own.
    private static func ledger() async throws -> (EventLog, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let clock = TestClock()
        let log = try EventLog.open(
            folder.url,
            configuration: LogConfiguration(
                origin: "test.example/main",
                keys: SeededKeys(),
                clock: clock.ledgerClock
            )
        )
        var history = PlausibleHistory(seed: SeededGenerator.environmentSeed, events: 1_200)
        while let append = history.next(), log.size < 1_200 {
            clock.advance(to: append.time)
            try await log.append(append.writes, command: append.stamp)
        }
        return (log, folder)
    }
}
