// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Events

/// Promise 1 under a disk that fails: what was acknowledged is there, what is refused is not, and nobody is told otherwise.
@Suite(.tags(.promise1), .timeLimit(.minutes(10))) struct `When the disk fails, the log` {
    let folder: TemporaryFolder
    let configuration: LogConfiguration
    let logDisk: DiskFaults
    let indexDisk: DiskFaults

    init() throws {
        folder = try TemporaryFolder()
        configuration = LogConfiguration(
            origin: "daybook.example.org/test",
            keys: NoKeys(),
            freeBytesMin: 0
        )
        logDisk = DiskFaults(at: folder.url.appending(path: "log"))
        indexDisk = DiskFaults(at: folder.url.appending(path: "index"))
    }

    private func open() throws -> EventLog {
        try EventLog.open(folder.url, configuration: configuration)
    }

    private func append(
        _ samples: inout SampleEvents,
        to log: EventLog
    ) async throws(EventLogError) {
        try await log.append(
            [SubjectWrite(samples.subject(), [samples.signal()])],
            command: samples.stamp()
        )
    }

    @Test(arguments: [0.5, 0.02])
    func `is not opened where its file was cut short, and says so`(part: Double) async throws {
        var samples = SampleEvents()
        let log = try open()
        for _ in 0..<400 { try await append(&samples, to: log) }
        await log.close()
        let file = folder.url.appending(path: "log/data.mdb").path
        let size = try #require(
            FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
        )
        try #require(truncate(file, Int(Double(size) * part)) == 0)
        let refusal = #expect(throws: EventLogError.self) { _ = try open() }
        guard case .cannotOpen(let path, let reason) = refusal else {
            Issue.record("expected a refusal to open, got \(String(describing: refusal))")
            return
        }
        #expect(path == file)
        #expect(reason.contains("where its newest commit needs"), "\(reason)")
        #expect(reason.contains("run daybook verify"))
    }

    @Test func `is begun in a file without a byte, as a crash at its making leaves it`() throws {
        let log = folder.url.appending(path: "log")
        try FileManager.default.createDirectory(at: log, withIntermediateDirectories: true)
        try Data().write(to: log.appending(path: "data.mdb"))
        #expect(try open().size == 0)
    }

    @Test func `does not know what a failed sync kept, and appends no more`() async throws {
        var samples = SampleEvents()
        let log = try open()
        try await append(&samples, to: log)
        let (subject, event, stamp) = (samples.subject(), samples.signal(), samples.stamp())
        logDisk.fail(.sync, with: EIO)
        let unknown = await #expect(throws: EventLogError.self) {
            try await log.append([SubjectWrite(subject, [event])], command: stamp)
        }
        guard case .outcomeUnknown = unknown else {
            Issue.record("expected an unknown outcome, got \(String(describing: unknown))")
            return
        }
        logDisk.heal()
        let refused = await #expect(throws: EventLogError.self) {
            try await append(&samples, to: log)
        }
        guard case .poisoned = refused, case .poisoned = log.readOnlyReason else {
            Issue.record("expected a log that appends no more, got \(String(describing: refused))")
            return
        }
        await log.close()
        // Whatever was kept: the same id has one outcome from now on.
        let again = try open()
        #expect(1...2 ~= again.size)
        let receipt = try await again.append([SubjectWrite(subject, [event])], command: stamp)
        #expect(receipt.first == LogPosition(1) && again.size == 2)
        await again.close()
    }

    @Test(arguments: [
        (DiskFaults.Call.write, ENOSPC), (.sync, ENOSPC), (.write, EDQUOT), (.write, ENOMEM),
    ])
    func `refuses what has no room, and goes on by itself`(
        call: DiskFaults.Call,
        error: Int32
    ) async throws {
        var samples = SampleEvents()
        let log = try open()
        try await append(&samples, to: log)
        let (subject, event, stamp) = (samples.subject(), samples.signal(), samples.stamp())
        logDisk.fail(call, with: error)
        let refusal = await #expect(throws: EventLogError.self) {
            try await log.append([SubjectWrite(subject, [event])], command: stamp)
        }
        guard case .full = refusal else {
            Issue.record("expected a refusal as full, got \(String(describing: refusal))")
            return
        }
        #expect(log.size == 1 && log.readOnlyReason == nil)
        #expect(try log.entries(of: subject).isEmpty)
        logDisk.heal()
        let receipt = try await log.append([SubjectWrite(subject, [event])], command: stamp)
        #expect(receipt.first == LogPosition(1) && !receipt.repeated)
        await log.close()
    }

    @Test func `tells each of a batch its own reason`() async throws {
        var samples = SampleEvents()
        let log = try open()
        let (subject, first, once) = (samples.subject(), samples.signal(), samples.stamp())
        let (fits, stale, stamps) = (
            samples.signal(), samples.signal(), (samples.stamp(), samples.stamp())
        )
        logDisk.hold()
        async let held = log.append([SubjectWrite(subject, [first])], command: once)
        try await logDisk.holds()
        // These wait while the first one syncs, and make one batch.
        async let full = answer { () async throws(EventLogError) in
            try await log.append([SubjectWrite(subject, [fits])], command: stamps.0)
        }
        async let refused = answer { () async throws(EventLogError) in
            try await log.append(
                [SubjectWrite(subject, [stale])],
                when: [Condition(subject, .absent)],
                command: stamps.1
            )
        }
        async let repeated = answer { () async throws(EventLogError) in
            try await log.append([SubjectWrite(subject, [first])], command: once)
        }
        // Whatever happens below, those above get an answer.
        defer { logDisk.heal() }
        try await eventually("three appends wait") { log.state.withLock { $0.waiting.count } == 3 }
        // The held commit still has its meta page to write.
        logDisk.fail(.write, with: ENOSPC, after: 1)
        logDisk.release()
        #expect(try await held.first == LogPosition(0))
        guard case .failure(.full) = await full else {
            Issue.record("expected a refusal as full, got \(await full)")
            return
        }
        #expect(
            await refused == .failure(.stale(subject, expected: nil, actual: Revision(0)))
        )
        #expect(try await repeated.get().repeated)
        #expect(log.size == 1 && log.readOnlyReason == nil)
        logDisk.heal()
        await log.close()
    }

    @Test func `refuses as busy whoever comes when too many wait`() async throws {
        var samples = SampleEvents()
        let log = try open()
        let subject = samples.subject()
        let prepared = try (0...LogLimits.appendsWaitingMax + 1).map { _ in
            try log.prepare([SubjectWrite(subject, [samples.signal()])], command: samples.stamp())
        }
        logDisk.hold()
        let held = Task { try await log.append(prepared[0]) }
        try await logDisk.holds()
        let waiting = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for append in prepared.dropFirst().dropLast() {
                    group.addTask { try await log.append(append) }
                }
                try await group.waitForAll()
            }
        }
        try await eventually("as many appends wait as may") {
            log.state.withLock { $0.waiting.count } == LogLimits.appendsWaitingMax
        }
        await #expect(throws: EventLogError.busy(waiting: LogLimits.appendsWaitingMax)) {
            try await log.append(prepared[prepared.count - 1])
        }
        logDisk.heal()
        _ = try await held.value
        try await waiting.value
        #expect(log.size == UInt64(LogLimits.appendsWaitingMax + 1))
        await log.close()
    }

    @Test func `answers without its index, waits for it at last, and catches up`() async throws {
        var samples = SampleEvents()
        let log = try open()
        let subject = samples.subject()
        indexDisk.fail(.write, with: ENOSPC)
        let each = EventLimits.eventsPerAppendMax
        while log.size < UInt64(LogLimits.eventsUnindexedMax) {
            let events = (0..<each).map { _ in samples.signal() }
            try await log.append([SubjectWrite(subject, events)], command: samples.stamp())
        }
        #expect(try log.index.progress().size == 0)
        let last = Revision(UInt64(LogLimits.eventsUnindexedMax) - 1)
        #expect(try log.revision(of: subject) == last)
        #expect(try log.entries(of: subject, from: last).count == 1)
        // One more would have to wait for the index; it is told that it waits in vain.
        let refusal = await #expect(throws: EventLogError.self) {
            try await append(&samples, to: log)
        }
        guard case .full(let detail) = refusal, detail.contains("index") else {
            Issue.record("expected a refusal for the index, got \(String(describing: refusal))")
            return
        }
        indexDisk.heal()
        // Flushes the index, though nobody signs.
        try await log.makeCheckpoint()
        #expect(try log.index.progress().size == log.size)
        try await append(&samples, to: log)
        await log.close()
        let again = try open()
        #expect(try again.revision(of: subject) == last)
        await again.close()
    }

    @Test func `keeps nothing of an index commit that its map has no room for`() throws {
        let small = MapSize(bytes: 1 << 18, bytesMax: 1 << 18)
        let index = try LogIndex(path: folder.url.path, map: small)
        let items = (0..<5_000).map { IndexItems.item(at: UInt64($0)) }
        var tree = TileBuilder()
        let error = #expect(throws: LMDBError.self) { try index.add(items, to: &tree) }
        #expect(error?.isMapFull == true && tree.size == 0)
        #expect(try index.progress().size == 0)
        #expect(index.environment.fullMapReason.contains("cannot grow"))
        index.environment.close()
        let larger = try LogIndex(path: folder.url.path, map: MapSize(bytes: 1 << 18))
        try larger.add(items, to: &tree)
        #expect(try larger.progress().size == 5_000)
        larger.environment.close()
    }

    private func answer(
        _ append: () async throws(EventLogError) -> Receipt
    ) async -> Result<Receipt, EventLogError> {
        do {
            return .success(try await append())
        } catch {
            return .failure(error)
        }
    }
}

/// Events as the index takes them.
private enum IndexItems {
    static func item(at position: UInt64) -> UnindexedTail.Item {
        let stamp = CommandStamp(
            actor: Actor(unchecked: "operator/1"),
            command: CommandID(unchecked: "c-\(position)")
        )
        var chance = SeededGenerator(seed: position)
        return UnindexedTail.Item(
            id: EventID(at: Timestamp(microseconds: Int64(position)), using: &chance),
            position: LogPosition(position),
            revision: Revision(0),
            subject: Subject(unchecked: "session/\(position)"),
            kind: SessionActivitySignalled.kind,
            links: [],
            leafHash: MerkleHash.leaf([]),
            command: CommandKey(stamp),
            count: 1
        )
    }
}
