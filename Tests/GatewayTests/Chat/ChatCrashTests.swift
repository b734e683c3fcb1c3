// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Gateway

/// Promises 1, 3 and 6, by a real process.
@Suite(.timeLimit(.minutes(10))) struct `A chat` {
    @Test func `survives a kill of the whole process`() async throws {
        let folder = try TemporaryFolder()
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "daybook").path
        let printed = try await run(
            "python3",
            [tool("chat_crash.py"), program, folder.url.appending(path: "ledger").path]
        )
        #expect(printed.contains("ok"))
    }
}
