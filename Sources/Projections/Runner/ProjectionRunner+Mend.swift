// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Synchronization
import Threads

/// What becomes of a read model that left the pass, or was never in it.
extension ProjectionRunner {
    /// Looks at the files of all that serve, a second apart, until cancelled: somebody may have removed or changed one.
    func watch(_ noteAiling: @escaping @Sendable (ProjectionLane) -> Void) async throws {
        while true {
            for lane in lanes {
                if lane.wound != nil {
                    // Whoever takes over changes the names, and has the turn meanwhile.
                    let fault = await turn.withLock { lane.leaveIfWounded() }
                    if let fault { report(fault, of: lane) }
                }
                if lane.isForsaken { noteAiling(lane) }
            }
            try await Task.sleep(for: ProjectionLimits.retryPause)
        }
    }

    /// Mends whatever is handed in, each beside the others.
    func mendAll(_ ailing: AsyncStream<ProjectionLane>) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await lane in ailing {
                group.addTask { try await self.mend(lane) }
            }
        }
    }

    /// Brings one model level with the others, as often as it takes: a disk that is full today has room tomorrow.
    ///
    /// - Throws: `CancellationError`, or why the log cannot be read.
    private func mend(_ lane: ProjectionLane) async throws {
        guard lane.beginMending() else { return }
        defer { lane.endMending() }
        var pause = ProjectionLimits.retryPause
        while lane.inPass == nil {
            do {
                if lane.serving == nil { try await build(lane) } else { try await catchUp(lane) }
            } catch let fault where isEnding(fault, of: lane) {
                throw CancellationError()
            } catch let fault where !isOfLog(fault) {
                lane.leave(because: fault)
                report(fault, of: lane)
                try await Task.sleep(for: pause)
                pause = min(pause * 2, ProjectionLimits.retryPauseMax)
            }
        }
    }

    /// Takes a model that stood still on from where it stands, and back into the pass.
    private func catchUp(_ lane: ProjectionLane) async throws {
        guard let file = lane.serving else { return }
        let decoder = decoder(of: [lane.projector])
        try await follow(file, of: lane, decoding: decoder) { [log] in
            log.size - min(log.size, UInt64(ProjectionLimits.pageEntriesMax))
        }
        try await turn.withLock {
            // Those of the pass stand still now.
            let level = cursor.withLock { $0 } ?? LogPosition(log.size)
            try await follow(file, of: lane, decoding: decoder) { level.rawValue }
            lane.join(file)
        }
    }

    private func follow(
        _ file: ProjectionFile,
        of lane: ProjectionLane,
        decoding decoder: PageDecoder,
        to goal: @escaping @Sendable () -> UInt64
    ) async throws {
        var next = file.progress().next
        while next.rawValue < goal() {
            let limit = min(UInt64(ProjectionLimits.pageEntriesMax), goal() - next.rawValue)
            guard
                let page = try await source.decodedPage(
                    from: next,
                    limit: Int(limit),
                    decoding: decoder
                )
            else { return }
            next = try await file.applyLater(page).next
            lane.gate.advance(to: next)
            try Task.checkCancellation()
        }
    }

    func report(_ fault: any Error, of lane: ProjectionLane) {
        reports(.failed(lane.projectionError(fault)))
    }

    /// Whether a fault is only the end of this runner, which ends a statement of SQLite in its middle, too: nothing is
    /// wrong with the model, and there is nothing to tell.
    func isEnding(_ fault: any Error, of lane: ProjectionLane) -> Bool {
        fault is CancellationError || Task.isCancelled && !lane.projectionError(fault).isDamage
    }

    /// Whether a fault is the log's, or the end of this runner; all others are of one read model.
    private func isOfLog(_ fault: any Error) -> Bool {
        switch fault {
        case is CancellationError, is EventLogError, is EventDecodingError: true
        case ProjectionError.unknownKind, ProjectionError.logTooShort: true
        default: false
        }
    }
}
