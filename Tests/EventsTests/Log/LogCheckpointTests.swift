// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import TestSupport
import Testing

/// Promise 5: a log that lost its tail, or was made anew, does not pass for what was signed.
@Suite(.tags(.promise5)) struct `A log and its checkpoints` {
    let folder: TemporaryFolder
    let configuration: LogConfiguration

    init() throws {
        folder = try TemporaryFolder()
        configuration = LogConfiguration(
            origin: "daybook.example.org/test",
            keys: NoKeys(),
            signer: try NoteSigner(
                name: "daybook.example.org/test",
                seed: Array(repeating: 7, count: 32)
            )
        )
    }

    private func append(_ count: Int, seed: UInt64) async throws {
        var samples = SampleEvents(seed: seed)
        let log = try EventLog.open(folder.url, configuration: configuration)
        for _ in 0..<count {
            try await log.append(
                [SubjectWrite(samples.subject(), [samples.signal()])],
                command: samples.stamp()
            )
        }
        await log.close()
    }

    @Test func `closing signs one over everything, kept in the log and in a file`() async throws {
        try await append(300, seed: 1)
        let file = try String(contentsOf: folder.url.appending(path: "checkpoint"), encoding: .utf8)
        let signer = try #require(configuration.signer)
        let checkpoint = try Checkpoint(
            verifying: try SignedNote(file),
            with: [signer.verifier],
            origin: configuration.origin
        )
        #expect(checkpoint.size == 300)
        let store = try EntryStore.open(folder.url)
        #expect(try store.newestCheckpointNote() == file)
        var frontier = MerkleFrontier()
        try store.page(from: LogPosition(0), limit: 1_000) { _, bytes in
            frontier.append(MerkleHash.leaf(bytes))
            return true
        }
        #expect(frontier.root == checkpoint.root)
    }

    @Test func `many asked for at once leave the newest in the file`() async throws {
        let log = try EventLog.open(folder.url, configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in UInt64(1)...50 {
                group.addTask {
                    var samples = SampleEvents(seed: seed)
                    try await log.append(
                        [SubjectWrite(samples.subject(), [samples.signal()])],
                        command: samples.stamp()
                    )
                    try await log.makeCheckpoint()
                }
            }
            try await group.waitForAll()
        }
        let file = try String(contentsOf: folder.url.appending(path: "checkpoint"), encoding: .utf8)
        #expect(try Checkpoint(text: SignedNote(file).text).size == 50)
        #expect(file == log.checkpointNote)
        await log.close()
    }

    @Test func `a log shorter than the file beside it is read-only`() async throws {
        try await append(20, seed: 1)
        let checkpoint = folder.url.appending(path: "checkpoint")
        let signed = try Data(contentsOf: checkpoint)
        for part in ["log", "index", "checkpoint"] {
            try FileManager.default.removeItem(at: folder.url.appending(path: part))
        }
        try await append(10, seed: 1)
        try signed.write(to: checkpoint)
        try await expectReadOnly()
    }

    @Test func `a log made anew with another event is read-only`() async throws {
        try await append(20, seed: 1)
        let checkpoint = folder.url.appending(path: "checkpoint")
        let signed = try Data(contentsOf: checkpoint)
        for part in ["log", "index", "checkpoint"] {
            try FileManager.default.removeItem(at: folder.url.appending(path: part))
        }
        try await append(25, seed: 2)
        // The newer signature over other events must not hide the older one.
        try FileManager.default.removeItem(at: folder.url.appending(path: "log"))
        try FileManager.default.removeItem(at: folder.url.appending(path: "index"))
        try signed.write(to: checkpoint)
        try await expectReadOnly()
    }

    private func expectReadOnly() async throws {
        var samples = SampleEvents(seed: 3)
        let log = try EventLog.open(folder.url, configuration: configuration)
        let size = log.size
        let error = await #expect(throws: EventLogError.self) {
            try await log.append(
                [SubjectWrite(samples.subject(), [samples.signal()])],
                command: samples.stamp()
            )
        }
        guard case .readOnly = error else {
            Issue.record("expected a read-only log, got \(String(describing: error))")
            return
        }
        #expect(log.size == size)
        await log.close()
    }
}
