// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import ProjectionsTesting
import TestSupport
import Testing

@testable import Projections

/// Most events are of no kind of most read models: these pass them without a transaction, and lose nothing by it.
@Suite(.tags(.promise6), .timeLimit(.minutes(10))) struct `Entries that a read model passes` {
    /// A ledger at whose end are so many messages of one session.
    private static func ledger(messages: Int) async throws -> (Ledger, EventScript, SessionID) {
        var script = EventScript()
        let opened = try script.openSession()
        for number in 0..<messages {
            _ = try script.say("\(number)", in: opened.session, from: .caller, of: opened.caller)
        }
        return (try await Ledger(script), script, opened.session)
    }

    /// What the file of each model says on disk.
    private static func stored(in folder: URL) throws -> [String: UInt64] {
        try allProjectors.reduce(into: [:]) { stored, projector in
            let model = try StoredReadModel.read(projector, in: folder)
            stored[projector.identity.name] = model?.progress.next.rawValue
        }
    }

    private static func tables(in folder: URL) throws -> [[StoredReadModel.TableDigest]] {
        try allProjectors.map { try StoredReadModel.read($0, in: folder)?.tables ?? [] }
    }

    /// Follows a second half of the events live, and copies the files as a crash in that moment would leave them.
    private static func crashed(
        _ ledger: Ledger,
        while more: some Sequence<RecordedEvent> & Sendable
    ) async throws -> TemporaryFolder {
        let runner = ledger.runner()
        let copy = try TemporaryFolder()
        try await runner.running {
            try await runner.level(at: ledger.last)
            for event in more {
                try await ledger.append([event])
                // One page each, as live messages come.
                try await runner.level(at: ledger.last)
            }
            try FileManager.default.copyItem(
                at: ledger.read,
                to: copy.url.appending(path: "read")
            )
        }
        return copy
    }

    @Test func `are not noted on disk one by one, and all are when the runner ends`() async throws {
        let (ledger, script, _) = try await Self.ledger(messages: 60)
        let whole = script.events
        let half = try await Ledger(EventScript(), keys: script.keys)
        try await half.append(whole.prefix(20))
        let copy = try await Self.crashed(half, while: Array(whole.dropFirst(20)))
        let left = try Self.stored(in: copy.url.appending(path: "read"))
        #expect(left["conversations"] == half.log.size)
        let behind = left.filter { $0.value < half.log.size }
        // Those that handle messages are level; the others have not written anything for them.
        #expect(behind.count >= allProjectors.count / 2, "\(left)")
        let settled = try Self.stored(in: half.read)
        #expect(settled.values.allSatisfy { $0 == half.log.size }, "\(settled)")
        await half.log.close()
        await ledger.log.close()
    }

    @Test func `are read again after a crash, and end in the same rows`() async throws {
        let (ledger, script, _) = try await Self.ledger(messages: 40)
        let half = try await Ledger(EventScript(), keys: script.keys)
        try await half.append(script.events.prefix(20))
        let copy = try await Self.crashed(half, while: Array(script.events.dropFirst(20)))
        try FileManager.default.removeItem(at: half.read)
        try FileManager.default.copyItem(at: copy.url.appending(path: "read"), to: half.read)
        let again = half.runner()
        let start = again.states.map(\.reached).min() ?? 0
        #expect(start < half.log.size)
        try await again.running { try await again.level(at: half.last) }
        let resumed = try Self.tables(in: half.read)
        // Of the same log: another one has other times.
        try FileManager.default.removeItem(at: half.read)
        let fresh = half.runner()
        try await fresh.running { try await fresh.level(at: half.last) }
        #expect(try Self.tables(in: half.read) == resumed)
        await half.log.close()
        await ledger.log.close()
    }

    @Test func `are at most as many as a start may read again`() async throws {
        let (ledger, _, _) = try await Self.ledger(messages: 30)
        let projector = CheckInsProjector()
        try FileManager.default.createDirectory(at: ledger.read, withIntermediateDirectories: true)
        let place = ledger.read.appending(path: "one.sqlite")
        func open() throws -> ProjectionFile {
            try ProjectionFile(
                projector,
                at: place,
                mode: .serving,
                origin: EventScript.origin,
                keys: ledger.keys
            )
        }
        func onDisk(_ file: ProjectionFile) throws -> UInt64? {
            try file.connections.read {
                try ProjectionProgress.read(from: ReadTransaction($0))?.next.rawValue
            }
        }
        try ProjectionFile(
            projector,
            at: place,
            mode: .building,
            origin: EventScript.origin,
            keys: ledger.keys
        ).finishAndClose()
        let file = try open()
        let decoder = PageDecoder(allProjectors)
        for position in 0..<ledger.log.size {
            let entries = try ledger.log.entries(from: LogPosition(position), limit: 1)
            let page = try #require(try decoder.page(of: entries))
            let progress = try await file.applyLater(page, passing: 8)
            #expect(progress.next.rawValue == position + 1)
            let written = try #require(try onDisk(file))
            #expect(position + 1 - written <= 8)
        }
        try file.close()
        let again = try open()
        #expect(again.progress().next.rawValue == ledger.log.size)
        try again.close()
        await ledger.log.close()
    }

    /// Processor time of every model taking live messages, one a page, as it was and as it is; `DAYBOOK_PASSED=100000` for a
    /// figure that one can quote.
    @Test(.timeLimit(.minutes(30))) func `cost next to nothing`() async throws {
        let wanted =
            ProcessInfo.processInfo.environment["DAYBOOK_PASSED"].flatMap { Int($0) } ?? 300
        let (ledger, _, _) = try await Self.ledger(messages: min(wanted, 2_000))
        let entries = try ledger.log.entries(from: LogPosition(0), limit: Int(ledger.log.size))
        let decoder = PageDecoder(allProjectors)
        let pages = try entries.map { try #require(try decoder.page(of: [$0])) }
        var seconds: [Double] = []
        for passing in [0, ProjectionLimits.entriesUnwrittenMax] {
            var spent = 0.0
            for round in 0..<max(1, wanted / pages.count) {
                let folder = try TemporaryFolder()
                let files = try allProjectors.map { projector in
                    let place = folder.url.appending(
                        path: "\(round)-\(projector.identity.fileStem)"
                    )
                    try ProjectionFile(
                        projector,
                        at: place,
                        mode: .building,
                        origin: EventScript.origin,
                        keys: ledger.keys
                    ).finishAndClose()
                    return try ProjectionFile(
                        projector,
                        at: place,
                        mode: .serving,
                        origin: EventScript.origin,
                        keys: ledger.keys
                    )
                }
                let before = Self.processorSeconds()
                for page in pages {
                    for file in files { _ = try await file.applyLater(page, passing: passing) }
                }
                spent += Self.processorSeconds() - before
                for file in files { try file.close() }
            }
            seconds.append(spent)
        }
        let count = Double(pages.count * max(1, wanted / pages.count))
        let each = seconds.map { String(format: "%.1f", $0 / count * 1e6) }
        print(
            "live messages: \(Int(count)), processor time an event \(each[0]) µs noted one by one, \(each[1]) µs passed, ratio \(String(format: "%.2f", seconds[1] / seconds[0]))"
        )
        await ledger.log.close()
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension ProjectionFile {
    fileprivate func finishAndClose() throws {
        try finish()
        try close()
    }
}
