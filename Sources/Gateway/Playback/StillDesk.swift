// SPDX-License-Identifier: Apache-2.0
import Media
import Synchronization

/// Where stills are decoded: a few children with a thread each, and a gate before them.
final class StillDesk: Sendable {
    private let processes: [InspectionProcess]
    private let waitingMax: Int
    private let viewerMax: Int
    private let state: Mutex<State>

    private struct State {
        /// How many stills each child has to do, the one it is at included.
        var load: [Int]
        /// How many of them are whose; see ``Principal/holder``.
        var viewers: [String: Int] = [:]
    }

    /// - Parameters:
    ///   - worker: The program that decodes.
    ///   - limits: How many at once, and how many may wait.
    init(worker: InspectionService.Worker, limits: ArchiveLimits) {
        processes = (0..<max(1, limits.stills)).map { _ in
            InspectionProcess(executable: worker.executable, arguments: worker.arguments)
        }
        waitingMax = limits.stillsWaiting
        viewerMax = limits.stillsOfViewer
        state = Mutex(State(load: Array(repeating: 0, count: processes.count)))
    }

    /// How many stills are being decoded or wait.
    var waiting: Int { state.withLock { $0.load.reduce(0, +) } }

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
        let place = try enter(viewer)
        defer { leave(place, viewer) }
        return await processes[place].still(atMilliseconds: milliseconds, in: index, of: path)
    }

    private func enter(_ viewer: String) throws -> Int {
        try state.withLock { state in
            let own = state.viewers[viewer, default: 0]
            guard own < viewerMax else {
                throw Problem.tooManyRequests(
                    "\(own) stills of yours are being decoded or wait; ask again when one is there",
                    wait: .seconds(1)
                )
            }
            let under = state.load.reduce(0, +)
            guard under < processes.count + waitingMax,
                let place = state.load.indices.min(by: { state.load[$0] < state.load[$1] })
            else {
                throw Problem.tryLater(
                    .unavailable,
                    "\(under) stills are being decoded or wait; ask again, or play the recording"
                )
            }
            state.load[place] += 1
            state.viewers[viewer] = own + 1
            return place
        }
    }

    private func leave(_ place: Int, _ viewer: String) {
        state.withLock { state in
            state.load[place] -= 1
            let others = state.viewers[viewer, default: 1] - 1
            state.viewers[viewer] = others == 0 ? nil : others
        }
    }
}
