// SPDX-License-Identifier: Apache-2.0

import EventsTesting
import Foundation
import Replay
import TestSupport

@testable import Events

/// A ledger on disk as a gateway leaves it: closed, with checkpoints, index, description.
struct AuditedLedger {
    static let origin = "daybook.example.org/audit"
    let folder: TemporaryFolder
    let signer: NoteSigner

    var url: URL { folder.url }

    /// Records a plausible history with several checkpoints.
    init(events: Int, seed: UInt64 = 1, keys: any PersonKeys = SeededKeys()) async throws {
        folder = try TemporaryFolder()
        signer = try NoteSigner(name: Self.origin, seed: [UInt8](repeating: 7, count: 32))
        let clock = TestClock()
        let log = try EventLog.open(
            folder.url,
            configuration: LogConfiguration(
                origin: Self.origin,
                keys: keys,
                signer: signer,
                clock: clock.ledgerClock
            )
        )
        var history = PlausibleHistory(seed: seed, events: events)
        var signed: Timestamp?
        while let append = history.next() {
            clock.advance(to: append.time)
            try await log.append(append.writes, command: append.stamp)
            // As a gateway does: one a minute while events arrive.
            guard signed.map({ clock.now - $0 >= .seconds(60) }) ?? true else { continue }
            try await log.makeCheckpoint()
            signed = clock.now
        }
        try await log.makeCheckpoint()
        await log.close()
        try LedgerDescription(origin: Self.origin, vkey: signer.verifier.vkey).write(to: folder.url)
    }

    /// Takes a folder that other code filled.
    init(_ folder: TemporaryFolder, _ signer: NoteSigner) {
        self.folder = folder
        self.signer = signer
    }

    /// The executable that the tests belong to.
    static var daybook: String {
        get throws {
            let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(fileURLWithPath: own).deletingLastPathComponent()
                .appending(path: "daybook").path
        }
    }

    /// Options that walk with that executable, and miss nothing that only a gateway makes.
    static var options: VerifyOptions {
        get throws {
            var options = VerifyOptions()
            options.without = [.keys, .accounts, .media, .blobs]
            options.program = WalkProgram(path: try daybook)
            return options
        }
    }

    func verify(_ change: (inout VerifyOptions) -> Void = { _ in }) async throws -> VerifyReport {
        var options = try Self.options
        change(&options)
        return try await Verify.ledger(at: url, options: options)
    }

    /// All entries, read without any of the parts under test.
    func entries() throws -> [[UInt8]] {
        let store = try EntryStore.open(url)
        defer { store.environment.close() }
        var entries: [[UInt8]] = []
        while entries.count < Int(try store.size()) {
            try store.page(from: LogPosition(UInt64(entries.count))) { _, bytes in
                entries.append([UInt8](bytes))
                return true
            }
        }
        return entries
    }

    /// Runs `daybook` and waits for it.
    static func run(_ arguments: String...) throws -> FinishedProgram {
        try run(program: daybook, arguments)
    }

    static func run(program: String, _ arguments: [String]) throws -> FinishedProgram {
        try FinishedProgram(blockingOn: program, arguments)
    }
}
