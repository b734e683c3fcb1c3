// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

extension ProjectionRunner {
    /// Follows the log until it closes or the task is cancelled.
    ///
    /// Read models that are missing, or whose files somebody removes, are built beside the pass that keeps the others
    /// level.
    ///
    /// - Throws: ``ProjectionError/unknownKind(_:at:)``, ``EventDecodingError`` or ``EventLogError`` when the log cannot
    ///   be read; a full disk only makes it wait.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let missing = lanes.filter { $0.serving == nil }
            let start = LogPosition(start)
            cursor.withLock { $0 = start }
            for lane in missing {
                group.addTask { try await self.build(lane) }
            }
            let (removed, noteRemoved) = AsyncStream.makeStream(of: ProjectionLane.self)
            group.addTask {
                for await lane in removed { try await self.build(lane) }
            }
            group.addTask {
                // Also ends the task above.
                defer { noteRemoved.finish() }
                try await self.erasing {
                    try await self.follow(from: start) { noteRemoved.yield($0) }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Pays, while the body runs, what files still owe to erased people.
    private func erasing(during body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    for lane in self.lanes { try await lane.serving?.eraseOwed() }
                    // Until cancelled below.
                    try await Task.sleep(for: ProjectionLimits.erasingPause)
                }
            }
            try await body()
            group.cancelAll()
        }
    }

    /// Where the pass begins: behind the serving model that is least far, or at the live end without any.
    private var start: UInt64 {
        lanes.filter { $0.serving != nil }.map(\.gate.reached).min() ?? log.size
    }

    private func follow(
        from start: LogPosition,
        noteRemoved: @Sendable (ProjectionLane) -> Void
    ) async throws {
        let decoder = PageDecoder(lanes.map(\.projector))
        for try await entries in log.follow(from: start) {
            guard let page = try await decode(entries, with: decoder) else { continue }
            try await turn.withTurn {
                for lane in lanes where lane.isRemoved {
                    try lane.withdraw()
                    noteRemoved(lane)
                }
                try await apply(page)
                cursor.withLock { $0 = page.next }
            }
            try Task.checkCancellation()
        }
    }

    @concurrent
    private func decode(_ entries: [Entry], with decoder: PageDecoder) async throws -> EventPage? {
        try decoder.page(of: entries)
    }

    private func apply(_ page: EventPage) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in lanes {
                guard let file = lane.serving else { continue }
                group.addTask { try await self.apply(page, to: file, of: lane) }
            }
            try await group.waitForAll()
        }
    }

    /// Applies a page, as often as it takes: a disk that is full today has room tomorrow.
    private func apply(_ page: EventPage, to file: ProjectionFile, of lane: ProjectionLane)
        async throws
    {
        while true {
            do {
                let progress = try await file.applyLater(page)
                lane.note(nil)
                lane.gate.advance(to: progress.next)
                return
            } catch let failure as ProjectionError {
                lane.note(failure)
                reports(.failed(failure))
                try await Task.sleep(for: ProjectionLimits.retryPause)
            }
        }
    }
}
