// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Following` {
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
