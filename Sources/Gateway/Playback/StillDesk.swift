// SPDX-License-Identifier: Apache-2.0
import Media
import Synchronization

/// Where stills are decoded: a few children with a thread each, and a gate before them.
final class StillDesk: Sendable {
    private let processes: [InspectionProcess]
    private let waitingMax: Int
    /// How many stills each child has to do, the one it is at included.
    private let load: Mutex<[Int]>

    /// - Parameters:
    ///   - worker: The program that decodes.
    ///   - limits: How many at once, and how many may wait.
    init(worker: InspectionService.Worker, limits: ArchiveLimits) {
        processes = (0..<max(1, limits.stills)).map { _ in
            InspectionProcess(executable: worker.executable, arguments: worker.arguments)
        }
        waitingMax = limits.stillsWaiting
        load = Mutex(Array(repeating: 0, count: processes.count))
    }

    /// How many stills are being decoded or wait.
    var waiting: Int { load.withLock { $0.reduce(0, +) } }

    /// Decodes the picture shown at a time.
    ///
    /// - Parameters:
    ///   - milliseconds: A time on the recording's timeline.
    ///   - index: Where the recording's chunks lie.
    ///   - path: The recording.
    /// - Returns: The picture, or why there is none.
    /// - Throws: ``ProblemType/unavailable`` with `Retry-After` when too many wait.
    func still(
        atMilliseconds milliseconds: Int64,
        in index: RecordingIndex,
        of path: String
    ) async throws -> InspectionOutcome {
        let place = try enter()
        defer { load.withLock { $0[place] -= 1 } }
        return await processes[place].still(atMilliseconds: milliseconds, in: index, of: path)
    }

    private func enter() throws -> Int {
        try load.withLock { load in
            let under = load.reduce(0, +)
            guard under < processes.count + waitingMax,
                let place = load.indices.min(by: { load[$0] < load[$1] })
            else {
                throw Problem.tryLater(
                    .unavailable,
                    "\(under) stills are being decoded or wait; ask again, or play the recording"
                )
            }
            load[place] += 1
            return place
        }
    }
}
