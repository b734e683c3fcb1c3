// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Synchronization
import Threads

extension ProjectionRunner {
    /// Follows the log until it closes or the task is cancelled.
    ///
    /// One pass takes each page to all read models that are level. One that cannot take a page leaves the pass: after a
    /// full disk or a lock it catches up by itself, when it is damaged or removed it is withdrawn and built anew. The
    /// others do not wait for it.
    ///
    /// - Throws: ``ProjectionError/unknownKind(_:at:)``, ``EventDecodingError`` or ``EventLogError`` when the log cannot
    ///   be read; nothing else ends it.
    public func run() async throws {
        defer { for lane in lanes { lane.settle() } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            let start = LogPosition(start)
            cursor.withLock { $0 = start }
            let (ailing, noteAiling) = AsyncStream.makeStream(of: ProjectionLane.self)
            for lane in lanes where lane.serving == nil { noteAiling.yield(lane) }
            group.addTask { try await self.mendAll(ailing) }
            group.addTask {
                // Also ends the task above.
                defer { noteAiling.finish() }
                try await self.beside {
                    noteAiling.yield($0)
                } while: {
                    try await self.follow(from: start) { noteAiling.yield($0) }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Looks after files as long as the body runs, and ends with it.
    private func beside(
        _ noteAiling: @escaping @Sendable (ProjectionLane) -> Void,
        while body: () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.watch(noteAiling) }
            group.addTask { try await self.payDebts(noteAiling) }
            group.addTask { for lane in self.lanes { await lane.check() } }
            try await body()
            group.cancelAll()
        }
    }

    /// Pays what files still owe to erased people, until cancelled: each out of the pass, since rewriting a file takes as long
    /// as it is large, and the others do not wait for it.
    private func payDebts(_ noteAiling: @Sendable (ProjectionLane) -> Void) async throws {
        while true {
            for lane in lanes {
                guard let file = lane.serving, try await file.owesErasing(), lane.beginMending()
                else { continue }
                await turn.withLock { lane.pause() }
                defer {
                    lane.endMending()
                    noteAiling(lane)
                }
                try await file.eraseOwed()
            }
            try await Task.sleep(for: ProjectionLimits.retryPause)
        }
    }

    /// Where the pass begins: behind the serving model that is least far, or at the live end without any.
    private var start: UInt64 {
        lanes.filter { $0.serving != nil }.map(\.gate.reached).min() ?? log.size
    }

    private func follow(
        from start: LogPosition,
        noteAiling: @escaping @Sendable (ProjectionLane) -> Void
    ) async throws {
        let decoder = decoder(of: lanes.map(\.projector))
        var pages = log.follow(from: start).makeAsyncIterator()
        var next = start
        while let run = try await pages.nextRun() {
            let page = try await decode(run, from: next, with: decoder)
            next = LogPosition(run.next)
            guard let page else { continue }
            await turn.withLock {
                await apply(page, noteAiling)
                cursor.withLock { $0 = page.next }
            }
            try Task.checkCancellation()
        }
    }

    /// Decodes for projectors, past what somebody changed, which the log names from then on.
    func decoder(of projectors: [any Projector]) -> PageDecoder {
        PageDecoder(projectors) { [log] in log.noteUnreadable($0) }
    }

    @concurrent
    private func decode(
        _ run: ReadableRun,
        from position: LogPosition,
        with decoder: PageDecoder
    ) async throws -> EventPage? {
        try decoder.page(of: run, from: position)
    }

    /// Takes a page to every model of the pass; those that cannot take it leave.
    private func apply(
        _ page: EventPage,
        _ noteAiling: @escaping @Sendable (ProjectionLane) -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for lane in lanes {
                guard let file = lane.inPass else { continue }
                group.addTask {
                    do {
                        let progress = try await file.applyLater(page)
                        lane.gate.advance(to: progress.next)
                    } catch let fault where self.isEnding(fault, of: lane) {
                        // The file stands where its last commit left it; the next start goes on there.
                    } catch {
                        lane.leave(because: error)
                        self.report(error, of: lane)
                        noteAiling(lane)
                    }
                }
            }
        }
    }
}
