// SPDX-License-Identifier: Apache-2.0
import Foundation
import Replay
import TestSupport
import Testing

/// Promise 5, over files that lie in the repository: what was sound or damaged once stays so.
@Suite(.tags(.promise5)) struct `A ledger of the fixtures` {
    @Test(
        .disabled(if: FixtureLogTests.writes),
        arguments: [
            "healthy", "torn-tail", "lost-tail", "flipped-bit", "edited-entry", "wrong-checkpoint",
        ]
    )
    func `has exactly the verdict that stands beside it`(name: String) async throws {
        let fixture = try FixtureLog.read(name)
        let report = try await FixtureLog.verify(with: fixture.change)
        #expect(FixtureLog.Verdict(report) == fixture.expected, "\(report.text())")
    }

    /// Run with `DAYBOOK_WRITE_LOGS=1` after removing fixtures/logs.
    @Test(.enabled(if: FixtureLogTests.writes))
    func `is made from nothing`() async throws {
        try await FixtureLogWriter().write()
    }
}

private enum FixtureLogTests {
    static let writes = ProcessInfo.processInfo.environment["DAYBOOK_WRITE_LOGS"] == "1"
}
