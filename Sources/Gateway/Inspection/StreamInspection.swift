// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Logging
import Media

/// Looks at the chunks of one stream, from the first that nobody looked at, until all have been.
///
/// It waits its turn for each few chunks, and keeps its child between turns: a decoder knows the pictures before.
struct StreamInspection: Sendable {
    let facts: RecordingFacts
    let archive: Archive
    let blobs: BlobFolder
    let turns: InspectionTurns
    let shelf: DecoderShelf

    /// What is left to do when it returns.
    enum End: Hashable, Sendable {
        /// Everything that is logged has been looked at and reported, and nothing more came for a while.
        case level
        /// The child could not be had; ask again later.
        case unavailable
    }

    /// How far it has come.
    private struct Progress {
        /// The first chunk that nobody looked at.
        var next: Int
        /// What was seen and is not yet reported.
        var findings: Findings?
        /// Where the newest picture that was kept stands on the recording's timeline, in milliseconds.
        var keptAt: Int64?
        var isUnavailable = false
        /// The first chunk that is not as it was archived: nothing is said of it, nor of what comes behind it.
        var damage: RecordingError?
        var lastWork = ContinuousClock.now
    }

    /// What one turn is about.
    private struct Batch: Sendable {
        let chunks: [IndexedChunk]
        /// Whether more came than one turn takes.
        let isMore: Bool
        let isOver: Bool
        let now: Timestamp
    }

    private var limits: ArchiveLimits { archive.limits }

    /// Inspects what is there and what comes, until nothing has come for a while.
    ///
    /// - Throws: What keeps the findings out of the log; `RecordingError.damaged` for a chunk that is not as the log has it;
    ///   `CancellationError`.
    func run() async throws -> End {
        defer { shelf.end(facts.stream) }
        var progress = Progress(next: try archive.index(of: facts.stream).inspected)
        while true {
            let batch = try batch(from: progress.next)
            if !batch.chunks.isEmpty {
                progress = try await turn(batch, progress)
                if progress.isUnavailable || progress.damage != nil {
                    try await report(&progress)
                    if let damage = progress.damage { throw damage }
                    return .unavailable
                }
                if batch.isMore { continue }
            } else if batch.isOver {
                try await report(&progress)
                return .level
            }
            let reportAt = progress.findings.map { $0.since + limits.inspectionDelay }
            let until = reportAt ?? progress.lastWork + limits.inspectionRest
            if try await isMore(than: progress.next, before: until) { continue }
            guard progress.findings != nil else { return .level }
            try await report(&progress)
        }
    }

    /// The chunks of the next turn; what is held of the index stays small, for it grows meanwhile.
    private func batch(from next: Int) throws -> Batch {
        let index = try archive.index(of: facts.stream)
        let left = index.chunks.count - next
        return Batch(
            chunks: Array(index.chunks.dropFirst(next).prefix(limits.inspectionTurn)),
            isMore: left > limits.inspectionTurn,
            isOver: index.stopped != nil && left <= 0,
            now: archive.ledger.now()
        )
    }

    /// Looks at a few chunks when it may.
    private func turn(_ batch: Batch, _ before: Progress) async throws -> Progress {
        guard let first = batch.chunks.first else { return before }
        let isFresh = batch.now - first.archivedAt < limits.inspectionFresh
        return try await turns.take(of: facts.session, isFresh: isFresh) {
            let (process, isNew) = shelf.take(facts.stream)
            defer { shelf.rest(facts.stream) }
            if isNew { try await warmUp(process, before: before.next) }
            var progress = before
            let begun = ContinuousClock.now
            for chunk in batch.chunks where .now - begun < limits.inspectionTurnTime {
                let result = await process.inspect(chunk.logged, of: path)
                if result == .notDecoded(.notAsLogged) {
                    progress.damage = damage(of: chunk)
                    break
                }
                guard !result.isUnavailable else {
                    progress.isUnavailable = true
                    break
                }
                noteAttempt(result, at: chunk)
                archive.metrics.noteInspected(after: archive.ledger.now() - chunk.archivedAt)
                try await add(chunk, result, to: &progress)
            }
            progress.lastWork = .now
            return progress
        }
    }

    /// Gives a fresh decoder the chunks from the key frame on that the next one needs.
    private func warmUp(_ process: InspectionProcess, before next: Int) async throws {
        let index = try archive.index(of: facts.stream)
        guard next > 0, next < index.chunks.count else { return }
        let first = index.chunks[next].place
        guard !first.startsWithKeyFrame else { return }
        var before: [IndexedChunk] = []
        for chunk in index.chunks[..<next].suffix(limits.inspectionWarmUp).reversed()
        where chunk.place.part == first.part {
            before.append(chunk)
            if chunk.place.startsWithKeyFrame { break }
        }
        for chunk in before.reversed() {
            let outcome = await process.inspect(chunk.logged, of: path)
            // What the next chunk continues is not what came: its pictures would be called undecodable.
            guard outcome != .notDecoded(.notAsLogged) else { throw damage(of: chunk) }
        }
    }

    private var path: String { archive.folder.volumes.path(of: facts.file) }

    private func damage(of chunk: IndexedChunk) -> RecordingError {
        .damaged(path: path, chunk: chunk.place.index, offset: chunk.place.offset)
    }

    /// Says that a decoder tried what none does, which the kernel ended it for: somebody's video may have taken it over.
    private func noteAttempt(_ result: InspectionOutcome, at chunk: IndexedChunk) {
        guard case .notDecoded(.childDied(let status)) = result, status & 0x7F == SIGSYS else {
            return
        }
        archive.logger.critical(
            "a decoder was ended for a call that it may not make; keep the recording and ask who sent it",
            metadata: [
                "category": "security", "stream": "\(facts.stream)",
                "chunk": "\(chunk.place.index)",
            ]
        )
    }

    // MARK: - Reporting

    private func add(
        _ chunk: IndexedChunk,
        _ result: InspectionOutcome,
        to progress: inout Progress
    ) async throws {
        let at = chunk.place.firstMilliseconds
        let isDue = progress.keptAt.map { abs(at - $0) >= limits.thumbnailMilliseconds } ?? true
        if isDue, result.pictures?.jpeg != nil { progress.keptAt = at }
        if progress.findings?.join(chunk: progress.next, result, keepsPicture: isDue) != true {
            try await report(&progress)
            progress.findings = Findings(chunk: progress.next, result, keepsPicture: isDue)
        }
        progress.next += 1
        if let full = progress.findings, full.count >= limits.inspectionBatch {
            try await report(&progress)
        }
    }

    private func report(_ progress: inout Progress) async throws {
        guard let findings = progress.findings else { return }
        var digest: SHA256Digest?
        if let picture = findings.thumbnail {
            digest = try await blobs.keep(picture, for: facts.caller)
        }
        try await archive.ledger.record(
            RecordInspection(findings.event(thumbnail: digest), of: facts.stream),
            id: "inspect~\(facts.stream)~\(findings.firstChunk)",
            of: facts,
            by: .inspection
        )
        if digest != nil { archive.ledger.named(facts.caller) }
        progress.findings = nil
    }

    /// Waits for a further chunk or the end of the stream.
    ///
    /// - Returns: Whether one came before the deadline.
    private func isMore(
        than known: Int,
        before deadline: ContinuousClock.Instant
    ) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await _ in archive.signals.changes(of: facts.stream) {
                    let index = try archive.index(of: facts.stream)
                    if index.chunks.count > known || index.stopped != nil { return true }
                }
                return false
            }
            group.addTask {
                try await Task.sleep(until: deadline)
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
    }
}

extension InspectionOutcome {
    /// Whether nobody looked, so that the chunk is to be tried again.
    fileprivate var isUnavailable: Bool {
        switch self {
        case .notDecoded(.unavailable), .notDecoded(.overloaded): true
        case .decoded, .notDecoded: false
        }
    }
}
