// SPDX-License-Identifier: Apache-2.0
import Media
import Threads

/// Where stills and public copies of photos are made: a few children with a thread each, and a gate before them.
final class StillDesk: Sendable {
    private let processes: [InspectionProcess]
    private let queue: FairQueue

    /// - Parameters:
    ///   - worker: The program that decodes.
    ///   - limits: How many at once, and how many may wait.
    init(worker: InspectionService.Worker, limits: Limits) {
        let count = max(1, limits.atOnce)
        processes = (0..<count).map { _ in
            InspectionProcess(executable: worker.executable, arguments: worker.arguments)
        }
        queue = FairQueue(
            FairQueue.Limits(
                places: count,
                placesOfHolder: count,
                waiting: limits.waiting,
                ofHolder: limits.ofViewer
            )
        )
    }

    /// How many pictures are made, and how many may wait for that.
    struct Limits: Sendable, Hashable {
        /// At once, each by a child of its own.
        var atOnce: Int
        /// Besides; a further one is refused with 503.
        var waiting: Int
        /// Of both together, those of one viewer; a further one is refused with 429.
        var ofViewer: Int
    }

    /// How many stills are being decoded or wait.
    var waiting: Int {
        let counts = queue.counts
        return counts.taken + counts.waiting
    }

    /// Decodes the picture shown at a time.
    ///
    /// - Parameters:
    ///   - milliseconds: A time on the recording's timeline.
    ///   - index: Where the recording's chunks lie.
    ///   - path: The recording.
    ///   - viewer: Who wants to see it; see ``Principal/holder``.
    /// - Returns: The picture, or why there is none.
    /// - Throws: ``ProblemType/tooManyRequests`` when too many of the viewer wait, and ``ProblemType/unavailable`` when too
    ///   many of all do, both with `Retry-After`.
    func still(
        atMilliseconds milliseconds: Int64,
        in index: RecordingIndex,
        of path: String,
        for viewer: String
    ) async throws -> InspectionOutcome {
        do {
            return try await queue.withPlace(for: viewer) { place in
                await processes[place].still(atMilliseconds: milliseconds, in: index, of: path)
            }
        } catch let full as FairQueue.Full {
            throw full.problem(
                ofHolder: "stills of yours are being decoded or wait; ask again when one is there",
                ofAll: "stills are being decoded or wait; ask again, or play the recording"
            )
        }
    }

    /// Makes a public copy of a photo.
    ///
    /// - Parameters:
    ///   - photo: Reads the photo as it was sent, once there is a place for it.
    ///   - sideMax: The longer side of the copy, in pixels.
    ///   - viewer: Who wants to see it; see ``Principal/holder``.
    /// - Returns: The copy, a JPEG.
    /// - Throws: `PublicCopyFault`; ``ProblemType/tooManyRequests`` and ``ProblemType/unavailable`` as for a still.
    func publicCopy(
        of photo: @Sendable () async throws -> [UInt8],
        sideMax: Int = MediaLimits.publicCopySideMax,
        for viewer: String
    ) async throws -> [UInt8] {
        do {
            return try await queue.withPlace(for: viewer) { place in
                try await processes[place].publicCopy(of: photo(), sideMax: sideMax)
            }
        } catch let full as FairQueue.Full {
            throw full.problem(
                ofHolder: "pictures of yours are being made or wait; ask again when one is there",
                ofAll: "pictures are being made or wait; ask again"
            )
        }
    }
}
