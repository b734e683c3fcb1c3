// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Logging
import Media
import Threads

/// One stream on its way to disk and log: takes bytes of its parts, and answers when they are safe.
///
/// Pinned to a thread of the archive, for it writes and syncs. Its operations take turns, so that chunks
/// enter the log in the order in which they lie in the file. **Promise:** what ``PartReceipt/through``
/// covers is synced and logged.
actor LiveRecording {
    nonisolated let facts: RecordingFacts
    nonisolated let path: String
    let seal: RecordingSeal
    let ledger: ArchiveLedger
    let limits: ArchiveLimits
    let signals: StreamSignals
    let faults: StreamFaults
    let budget: IngestBudget
    let room: ArchiveRoom
    let metrics: ArchiveMetrics
    let logger: Logger
    private let thread: DedicatedThread

    /// `nil` while the file is closed.
    var writer: RecordingWriter?
    /// Chunks that are on disk and not yet in the log, oldest first.
    var unlogged: [ArchivedChunk] = []
    /// Where the log has the newest chunk of each part.
    var positions: [UInt32: LogPosition] = [:]
    /// The newest picture that is logged, in milliseconds.
    var timelineEnd: Int64?
    /// Who sent bytes last: whose budget pays for what is recorded of them.
    var sender: Actor?
    /// What the sender said last about its picture.
    var settings: StreamSettings?
    var lastHeard = ContinuousClock.now
    /// The failure that was recorded last, with its minute.
    var toldFailure: (minute: Int64, error: RecordingError)?
    /// When the tick writes again after it failed; a sender's next bytes do not wait for it.
    var triesAgainAt: ContinuousClock.Instant?
    /// Sockets of the sender that are open.
    private var connections = 0
    private let turn = AsyncLock()

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Makes one that has no file yet.
    ///
    /// - Parameters:
    ///   - facts: Which stream.
    ///   - path: Its file.
    ///   - seal: Vouches for what is in the file and not in the log.
    ///   - ledger: Where what happens to it is recorded.
    ///   - limits: Those of the archive.
    ///   - signals: Tell viewers of new chunks.
    ///   - faults: Hear of what somebody has to look at.
    ///   - budget: What all senders share.
    ///   - room: Whether the disk takes more video.
    ///   - metrics: What it measures.
    ///   - thread: Where it blocks.
    ///   - logger: Where faults are logged.
    init(
        _ facts: RecordingFacts,
        path: String,
        seal: RecordingSeal,
        ledger: ArchiveLedger,
        limits: ArchiveLimits,
        signals: StreamSignals,
        faults: StreamFaults,
        budget: IngestBudget,
        room: ArchiveRoom,
        metrics: ArchiveMetrics,
        thread: DedicatedThread,
        logger: Logger
    ) {
        self.facts = facts
        self.path = path
        self.seal = seal
        self.ledger = ledger
        self.limits = limits
        self.signals = signals
        self.faults = faults
        self.budget = budget
        self.room = room
        self.metrics = metrics
        self.thread = thread
        self.logger = logger
    }

    /// Takes bytes of a part; returns once every cluster that they complete is synced and logged.
    ///
    /// The first bytes of a new part, at offset 0, begin it. Bytes that are known already get the same answer. Who
    /// sends much faster than the bit rate that it named waits here. What is recorded of the video counts in its sender's
    /// budget.
    ///
    /// - Throws: ``ArchiveError``; `RecordingError`; what the ledger throws, such as that the budget is used up.
    func accept(
        _ bytes: [UInt8],
        part: UInt32,
        offset: UInt64,
        by sender: Actor? = nil
    ) async throws -> PartReceipt {
        try await keepPace(bytes.count)
        if let sender, !bytes.isEmpty {
            try await ledger.checkBudget(of: sender, facts)
            self.sender = sender
        }
        return try await inTurn {
            lastHeard = .now
            try refuseWhenOver()
            try room.check()
            let writer = try await opened()
            try await makeRoom(for: bytes.count, in: writer)
            try await logWaiting()
            if writer.progress(of: part) == nil {
                guard offset == 0 else {
                    throw RecordingError.gap(part: part, expected: 0, offset: offset)
                }
                _ = try writer.begin(part: part, placement: .live(atMilliseconds: elapsed))
            }
            defer { budget.note(writer.waitingBytes, of: facts) }
            let since = writer.pendingSince ?? lastHeard
            try await guarding {
                unlogged += try writer.accept(
                    bytes,
                    part: part,
                    offset: offset,
                    until: elapsed + limits.aheadMillisecondsMax
                ).chunks
                if isFlushDue { unlogged += try writer.flush() }
            }
            let chunks = unlogged.count
            try await logWaiting()
            metrics.noteArchived(chunks, since: since)
            return receipt(of: part)
        }
    }

    /// Where others' unfinished pictures leave a stream only its own little, its whole pictures are written before
    /// anything is refused: they need not wait for their cluster.
    private func makeRoom(for bytes: Int, in writer: RecordingWriter) async throws {
        do {
            try budget.checkWaiting(writer.waitingBytes + bytes, of: facts)
        } catch .tooMuchUnfinished {
            try await guarding { unlogged += try writer.flush() }
            budget.note(writer.waitingBytes, of: facts)
            try budget.checkWaiting(writer.waitingBytes + bytes, of: facts)
        }
    }

    private func keepPace(_ bytes: Int) async throws {
        if settings == nil { settings = try ledger.index(of: facts.stream).settings }
        let wait = budget.pace(
            bytes,
            of: facts,
            kilobitsPerSecond: settings?.kilobitsPerSecond
                ?? Quality.low.kilobitsPerSecondDefault
        )
        if wait > .zero { try await Task.sleep(for: wait) }
    }

    /// Says where a part belongs that was kept while the connection was gone (ruling 30).
    ///
    /// Of no effect for a part that has begun.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - millisecondsAgo: How long ago it began, up to now.
    ///   - next: The part that followed it: where that one has begun, its place on the timeline decides.
    /// - Returns: How much of the part is here.
    /// - Throws: ``ArchiveError`` for a stream that is over or unreadable; `RecordingError` for too many parts.
    func placeLate(
        part: UInt32,
        millisecondsAgo: Int64,
        before next: NextPart? = nil
    ) async throws -> PartReceipt {
        try await inTurn {
            try refuseWhenOver()
            let most = limits.lateMillisecondsMax
            let writer = try await opened()
            let begin =
                next.flatMap { next in
                    writer.shift(of: next.part).map { $0 - min(max(0, next.milliseconds), most) }
                } ?? elapsed - min(max(0, millisecondsAgo), most)
            _ = try writer.begin(part: part, placement: .late(atMilliseconds: begin))
            return receipt(of: part)
        }
    }

    /// Ends a part: what waits of it is written; more bytes of it are refused.
    func end(part: UInt32) async throws -> PartReceipt {
        try await inTurn {
            let writer = try await opened()
            try await guarding { unlogged += try writer.end(part: part).chunks }
            try await logWaiting()
            return receipt(of: part)
        }
    }

    /// Writes and logs whatever waits for its cluster to be complete.
    func flush() async throws {
        try await inTurn {
            guard let writer else { return }
            let since = writer.pendingSince ?? .now
            try await guarding { unlogged += try writer.flush() }
            let chunks = unlogged.count
            try await logWaiting()
            metrics.noteArchived(chunks, since: since)
        }
    }

    /// How far each part has come, by its number.
    func receipts() async throws -> [PartReceipt] {
        try await inTurn {
            let writer = try await opened()
            return writer.progress.keys.sorted().map { receipt(of: $0) }
        }
    }

    /// Opens the file, which finds what a crash left, and logs it.
    func recover() async throws {
        try await inTurn {
            _ = try await opened()
            try await logWaiting()
        }
    }

    // MARK: - Connections

    /// Notes a connection of the sender.
    func connected() {
        connections += 1
        lastHeard = .now
    }

    /// A connection is gone: what waits is written, and unless another one is open, the stream is interrupted.
    ///
    /// One that is dead and still counts is found out by its silence.
    func disconnected() async throws {
        connections -= 1
        try await flush()
        guard connections == 0 else { return }
        try await interrupt(.disconnected)
    }

    /// How long the stream has run, in milliseconds.
    var elapsed: Int64 { max(0, (ledger.now() - facts.start) / .milliseconds(1)).rounded64 }

    var isFlushDue: Bool {
        guard let since = writer?.pendingSince else { return false }
        return .now - since >= limits.flushAfter
    }

    /// Whether somebody has the turn.
    var isBusy: Bool { turn.isTaken }

    /// Whether a sender is there.
    var isHeld: Bool { connections > 0 }

    /// Whether nobody needs it any more: the file is closed, and no sender is there.
    var isForgettable: Bool {
        writer == nil && !isBusy && !isHeld
            && ContinuousClock.now - lastHeard >= limits.releaseAfter
    }

    /// Notes a request that sends bytes; its end interrupts nothing, for the next one may follow.
    func hold() { connections += 1 }

    /// The request is over.
    func letGo() { connections -= 1 }

    func refuseWhenOver() throws {
        guard try !ledger.standing(of: facts.stream).isOver else {
            throw ArchiveError.stopped(facts.stream)
        }
    }

    /// Runs one operation at a time, in the order of arrival.
    func inTurn<Value: Sendable>(_ operation: () async throws -> Value) async rethrows -> Value {
        try await turn.withLock(operation)
    }

    private func receipt(of part: UInt32) -> PartReceipt {
        let progress = writer?.progress(of: part)
        return PartReceipt(
            part: part,
            received: progress?.received ?? 0,
            through: progress?.through ?? 0,
            hasEnded: progress?.hasEnded ?? false,
            position: positions[part]
        )
    }
}

/// How much of a part is safe.
struct PartReceipt: Hashable, Sendable {
    let part: UInt32
    /// Bytes that came, on disk or in memory: where a sender that is still connected goes on.
    let received: UInt64
    /// The bytes below this are synced and logged.
    let through: UInt64
    let hasEnded: Bool
    /// Where the log has the newest chunk of the part; `nil` before the first.
    let position: LogPosition?
}

extension Double {
    /// The nearest whole number.
    fileprivate var rounded64: Int64 { Int64(rounded()) }
}
