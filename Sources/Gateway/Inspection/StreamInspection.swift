// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Logging
import Media

/// Looks at the chunks of one stream, from the first that nobody looked at, until all have been.
struct StreamInspection: Sendable {
    let facts: RecordingFacts
    let archive: Archive
    let blobs: BlobFolder
    let process: InspectionProcess

    /// What is left to do when it returns.
    enum End: Hashable, Sendable {
        /// Everything that is logged has been looked at and reported.
        case level
        /// The child could not be had; ask again later.
        case unavailable
    }

    /// Inspects what is there, and waits a little for more, so that findings travel together.
    func run() async throws -> End {
        var index = try archive.index(of: facts.stream)
        await warmUp(index)
        var next = index.inspected
        var findings: Findings?
        while true {
            while next < index.chunks.count {
                let result = await look(at: index.chunks[next].place)
                if result.isUnavailable {
                    try await report(findings)
                    return .unavailable
                }
                findings = try await add(next, result, to: findings)
                next += 1
            }
            // The child is kept a while for chunks to come: its decoder knows the pictures before them.
            let since = findings?.since ?? .now
            index = try await more(than: next, until: since + archive.limits.inspectionDelay)
            guard next == index.chunks.count else { continue }
            guard findings != nil else { return .level }
            try await report(findings)
            findings = nil
        }
    }

    /// Gives the decoder the chunks from the key frame on that the first one needs; a restart comes here.
    private func warmUp(_ index: StreamIndex) async {
        guard index.inspected > 0, index.inspected < index.chunks.count else { return }
        let first = index.chunks[index.inspected].place
        guard !first.startsWithKeyFrame else { return }
        var before: [ChunkPlace] = []
        for chunk in index.chunks[..<index.inspected].reversed()
        where chunk.place.part == first.part {
            before.append(chunk.place)
            if chunk.place.startsWithKeyFrame { break }
        }
        for place in before.reversed() { _ = await look(at: place) }
    }

    private func look(at place: ChunkPlace) async -> InspectionOutcome {
        await process.inspect(place, of: archive.folder.path + "/" + facts.file)
    }

    private func add(
        _ chunk: Int,
        _ result: InspectionOutcome,
        to known: Findings?
    ) async throws -> Findings? {
        var findings = known
        if findings?.join(chunk: chunk, result) != true {
            try await report(findings)
            findings = Findings(chunk: chunk, result)
        }
        guard let full = findings, full.count >= archive.limits.inspectionBatch else {
            return findings
        }
        try await report(full)
        return nil
    }

    private func report(_ findings: Findings?) async throws {
        guard let findings else { return }
        var digest: SHA256Digest?
        if let picture = findings.thumbnail {
            digest = try await blobs.keep(picture, for: facts.caller)
        }
        try await archive.ledger.record(
            RecordInspection(findings.event(thumbnail: digest), of: facts.stream),
            id: "inspect~\(facts.stream)~\(findings.firstChunk)",
            of: facts,
            by: ArchiveLedger.inspection
        )
    }

    /// Waits for a further chunk, the end of the stream, or a time.
    private func more(
        than known: Int,
        until deadline: ContinuousClock.Instant
    ) async throws -> StreamIndex {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in archive.signals.changes(of: facts.stream) {
                    let index = try archive.index(of: facts.stream)
                    if index.chunks.count > known || index.stopped != nil { return }
                }
            }
            group.addTask { try await Task.sleep(until: deadline) }
            try await group.next()
            group.cancelAll()
        }
        return try archive.index(of: facts.stream)
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
