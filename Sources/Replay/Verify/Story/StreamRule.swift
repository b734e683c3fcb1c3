// SPDX-License-Identifier: Apache-2.0
import Events

/// What may happen to a stream once it started, as it was decided: what came live stops with the stream, and what was
/// received before may be archived until the recording is final.
struct StreamRule {
    private var chunks = 0
    private var bytes = 0
    /// Where the last chunk ends in the file.
    private var end = 0
    private var inspected = 0
    private var isOver = false
    private var isFinal = false

    /// Takes the next event.
    ///
    /// - Returns: The rules that it breaks, in words.
    mutating func apply(_ fact: StreamEvent) -> [String] {
        switch fact {
        case .chunkArchived(let chunk): return archive(chunk)
        case .chunksInspected(let seen):
            defer { inspected = max(inspected, seen.lastChunk &+ 1) }
            return broken([
                (seen.firstChunk == inspected, "looks at the next chunks"),
                (seen.lastChunk < chunks, "is archived first"),
            ])
        case .stopped(let stopped):
            defer { isOver = true }
            // Of the file, or of its chunks alone: both were counted by some program.
            let isCounted = stopped.chunks == chunks && [bytes, end].contains(stopped.bytes)
            return broken([(!isOver, "stops once"), (isCounted, "counts")])
        case .finalized:
            defer { isFinal = true }
            return broken([(isOver, "is stopped first"), (!isFinal, "is final once")])
        case .gapDetected, .recordingFailed: return broken([(!isFinal, "is not final yet")])
        case .interrupted, .resumed, .qualityChanged, .cameraSwitched, .torchToggled:
            return broken([(!isOver, "is live")])
        case .started: return ["starts once"]
        case .viewed: return []
        }
    }

    private mutating func archive(_ chunk: StreamChunkArchived) -> [String] {
        defer {
            chunks += 1
            // A forged log may name any numbers.
            bytes &+= chunk.length
            end = chunk.offset &+ chunk.length
        }
        return broken([
            (!isFinal, "is not final yet"), (chunk.number == chunks, "is the next chunk"),
            (chunk.offset >= end, "stands behind the last one"),
        ])
    }

    private func broken(_ rules: [(holds: Bool, rule: String)]) -> [String] {
        rules.filter { !$0.holds }.map(\.rule)
    }
}
