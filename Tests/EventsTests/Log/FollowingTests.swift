// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Events

@Suite(.tags(.promise2), .timeLimit(.minutes(10))) struct `Following` {
    let folder: TemporaryFolder
    let configuration = LogConfiguration(origin: "daybook.example.org/test", keys: NoKeys())

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `catches up, then stays live, without a gap`() async throws {
        var samples = SampleEvents()
        let log = try EventLog.open(folder.url, configuration: configuration)
        for _ in 0..<10 {
            try await log.append(
                [SubjectWrite(samples.subject(), [samples.signal()])],
                command: samples.stamp()
            )
        }
        let follower = Task {
            var seen: [UInt64] = []
            for try await page in log.follow(from: LogPosition(3), pageLimit: 4) {
                seen += page.map(\.envelope.position.rawValue)
                if seen.count == 57 { break }
            }
            return seen
        }
        for _ in 0..<50 {
            try await log.append(
                [SubjectWrite(samples.subject(), [samples.signal()])],
                command: samples.stamp()
            )
        }
        #expect(try await follower.value == Array(3..<60))
        await log.close()
    }

    @Test func `shows nothing that is on disk and not published, since no subject has it yet`()
        async throws
    {
        var samples = SampleEvents()
        let log = try EventLog.open(folder.url, configuration: configuration)
        let subject = samples.subject()
        try await log.append([SubjectWrite(subject, [samples.signal()])], command: samples.stamp())
        let first = try #require(try log.store.bytes(at: LogPosition(0)))
        // As the writer's transaction leaves it a moment before the writer says so.
        let transaction = try log.store.environment.beginWrite()
        let room = try log.store.reserve(LogPosition(1), byteCount: first.count, in: transaction)
        first.withUnsafeBytes { room.copyMemory(from: $0) }
        try transaction.commit()

        #expect(try log.store.size() == 2)
        #expect(try log.entries(of: subject).count == 1)
        #expect(try log.entries(from: LogPosition(0)).count == 1)
        #expect(try log.entries(from: LogPosition(1)).isEmpty)
        #expect(try log.entry(at: LogPosition(1)) == nil)
        var pages = log.follow(from: LogPosition(0)).makeAsyncIterator()
        #expect(try await pages.next()?.count == 1)
        await log.close()
        #expect(try await pages.next() == nil)
    }

    @Test func `ends when the log closes`() async throws {
        let log = try EventLog.open(folder.url, configuration: configuration)
        let follower = Task {
            for try await _ in log.follow(from: LogPosition(0)) {}
            return log.isClosed
        }
        await log.close()
        #expect(try await follower.value)
    }

    @Test func `can be given up while nothing arrives`() async throws {
        let log = try EventLog.open(folder.url, configuration: configuration)
        let follower = Task {
            for try await _ in log.follow(from: LogPosition(0)) {}
        }
        follower.cancel()
        await #expect(throws: CancellationError.self) { try await follower.value }
        await log.close()
    }
}
