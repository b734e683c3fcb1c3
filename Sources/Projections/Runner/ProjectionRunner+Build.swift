// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

extension ProjectionRunner {
    /// Builds read models anew beside the ones that serve; returns when all have taken over.
    ///
    /// Queries see the old rows until then, and never a half-built model. Needs ``run()`` to be running.
    ///
    /// - Parameter names: Which read models; `nil` for all.
    /// - Throws: ``ReadModelError/unknown(_:)`` before anything is built.
    public func rebuild(_ names: [String]? = nil) async throws {
        let wanted = try names?.map { try lane($0) } ?? lanes
        for lane in wanted {
            try await lane.builds.withTurn {
                try lane.folder.discard(lane.folder.building)
                try await grow(lane)
            }
        }
    }

    /// Builds a missing read model, or goes on where an earlier build was interrupted.
    func build(_ lane: ProjectionLane) async throws {
        try await lane.builds.withTurn { try await grow(lane) }
    }

    /// Grows a new file to the level of the serving ones and lets it take over.
    private func grow(_ lane: ProjectionLane) async throws {
        let build = try lane.openBuild(source, keys: keys)
        let decoder = PageDecoder([lane.projector])
        try await finish(build, of: lane, decoding: decoder) { [log] in
            log.size - min(log.size, UInt64(ProjectionLimits.bulkPageEntries))
        }
        try await turn.withTurn {
            // Those who serve stand still now, so the last pages make the build exactly level with them.
            let level = cursor.withLock { $0 } ?? LogPosition(log.size)
            try await finish(build, of: lane, decoding: decoder) { level.rawValue }
            try lane.takeOver(build, origin: source.origin, keys: keys)
            reports(.tookOver(lane.projector.identity, at: level))
        }
    }

    /// Applies what is missing and commits all of it, as often as it takes.
    private func finish(
        _ build: ProjectionFile,
        of lane: ProjectionLane,
        decoding decoder: PageDecoder,
        to goal: @escaping @Sendable () -> UInt64
    ) async throws {
        while true {
            try await catchUp(build, of: lane, decoding: decoder, to: goal)
            do {
                try await build.finishBuilding()
                return
            } catch let failure as ProjectionError {
                reports(.failed(failure))
                try await Task.sleep(for: ProjectionLimits.retryPause)
            }
        }
    }

    /// Applies pages until the file stands for as many events as asked for, decoding one page ahead.
    private func catchUp(
        _ build: ProjectionFile,
        of lane: ProjectionLane,
        decoding decoder: PageDecoder,
        to goal: @escaping @Sendable () -> UInt64
    ) async throws {
        var next = build.progress().next
        var page = try await read(from: next, to: goal(), decoding: decoder)
        while let current = page {
            async let following = read(from: current.next, to: goal(), decoding: decoder)
            next = try await apply(current, to: build)
            lane.database.noteBuilding(done: next.rawValue, of: log.size)
            reports(.building(lane.projector.identity, done: next.rawValue, of: log.size))
            // A page that could not be stored leaves the build further back than the page read ahead.
            let ahead = try await following
            page =
                next == current.next
                ? ahead : try await read(from: next, to: goal(), decoding: decoder)
            try Task.checkCancellation()
        }
    }

    /// Applies a page and gives the place to go on from; after a fault, where the last commit ended.
    private func apply(_ page: EventPage, to build: ProjectionFile) async throws -> LogPosition {
        do {
            try await build.applyInBulk(page)
            return page.next
        } catch let failure as ProjectionError {
            reports(.failed(failure))
            try await Task.sleep(for: ProjectionLimits.retryPause)
            return build.progress().next
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
