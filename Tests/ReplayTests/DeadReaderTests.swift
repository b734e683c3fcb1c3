// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Events

/// What `verify` and `export` leave behind when they are killed must not keep a gateway's file growing.
@Suite struct `A reader that was killed` {
    @Test(.timeLimit(.minutes(10)))
    func `gives up its place, so that pages are used again`() async throws {
        // More than the pipe and the reader's buffer hold, so that it stands within its read transaction.
        let ledger = try await AuditedLedger(events: 6_000)
        // Readers enter themselves only beside whoever serves the folder.
        let served = try FolderLock(ledger.url)
        defer { served.release() }
        let store = try EntryStore(
            path: ledger.url.appending(path: "log").path,
            access: .readWrite,
            map: MapSize(bytes: 1 << 30)
        )
        let walk = Process()
        walk.executableURL = URL(fileURLWithPath: try AuditedLedger.daybook)
        walk.arguments = ["walk", "log", "--data", ledger.url.path]
        let output = Pipe()
        walk.standardOutput = output
        try walk.run()
        #expect(try output.fileHandleForReading.read(upToCount: 65_536)?.isEmpty == false)
        #expect(store.environment.dropDeadReaders() == 0)
        kill(walk.processIdentifier, SIGKILL)
        walk.waitUntilExit()
        #expect(store.environment.dropDeadReaders() == 1)
        #expect(store.environment.dropDeadReaders() == 0)
        store.environment.close()
    }
}
