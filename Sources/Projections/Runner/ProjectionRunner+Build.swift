// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization
import Threads

extension ProjectionRunner {
    /// Builds read models anew beside the ones that serve; returns when all have taken over.
    ///
    /// Queries see the old rows until then, and never a half-built model. Needs ``run()`` to be running.
    ///
    /// - Parameter names: Which read models; `nil` for all.
    /// - Throws: ``ReadModelError/unknown(_:)`` before anything is built; ``ProjectionError`` when the disk does not take
    ///   a build, and then the old rows go on serving.
    public func rebuild(_ names: [String]? = nil) async throws {
        let wanted = try names?.map { try lane($0) } ?? lanes
        for lane in wanted {
            try await lane.builds.withLock {
                try lane.folder.discard(lane.folder.building)
                try await grow(lane)
            }
        }
    }

    /// Builds a missing read model, or goes on where an earlier build was interrupted.
    func build(_ lane: ProjectionLane) async throws {
        try await lane.builds.withLock {
            // Somebody else's build may have taken over meanwhile.
            guard lane.serving == nil else { return }
            try await grow(lane)
        }
    }

    /// Grows a new file to the level of the serving ones and lets it take over.
    private func grow(_ lane: ProjectionLane) async throws {
        do {
            let build = try lane.openBuild(source, keys: keys)
            try await grow(build, of: lane)
        } catch let fault as ProjectionError where fault.isDamage {
            // The same file would be damaged the next time, too.
            try lane.folder.discard(lane.folder.building)
            throw fault
        }
    }

    private func grow(_ build: ProjectionFile, of lane: ProjectionLane) async throws {
        let decoder = decoder(of: [lane.projector])
        try await catchUp(build, of: lane, decoding: decoder) { [log] in
            log.size - min(log.size, UInt64(ProjectionLimits.bulkPageEntries))
        }
        try await build.finishBuilding()
        try await turn.withLock {
            // Those of the pass stand still now, so the last pages make the build exactly level with them.
            let level = cursor.withLock { $0 } ?? LogPosition(log.size)
            try await catchUp(build, of: lane, decoding: decoder) { level.rawValue }
            try await build.finishBuilding()
            try lane.takeOver(build, origin: source.origin, keys: keys)
            reports(.tookOver(lane.projector.identity, at: level))
        }
    }

    /// Applies pages until the file stands for as many events as asked for, decoding one page ahead.
    private func catchUp(
        _ build: ProjectionFile,
        of lane: ProjectionLane,
        decoding decoder: PageDecoder,
        to goal: @escaping @Sendable () -> UInt64
    ) async throws {
        var page = try await read(from: build.progress().next, to: goal(), decoding: decoder)
        while let current = page {
            async let following = read(from: current.next, to: goal(), decoding: decoder)
            try await build.applyInBulk(current)
            lane.database.noteBuilding(done: current.next.rawValue, of: log.size)
            reports(
                .building(lane.projector.identity, done: current.next.rawValue, of: log.size)
            )
            page = try await following
            try Task.checkCancellation()
        }
    }

    private func read(
        from position: LogPosition,
        to goal: UInt64,
        decoding decoder: PageDecoder
    ) async throws -> EventPage? {
        guard position.rawValue < goal else { return nil }
        let limit = min(UInt64(ProjectionLimits.bulkPageEntries), goal - position.rawValue)
        return try await source.decodedPage(from: position, limit: Int(limit), decoding: decoder)
    }
}
