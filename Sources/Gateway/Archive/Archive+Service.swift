// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Logging
import Media
import ServiceLifecycle

extension Archive: Service {
    /// Recovers what a crash left, then finalises what stops and writes what waits, until it is shut down.
    ///
    /// On a graceful shutdown every frame that came whole is written and logged.
    ///
    /// - Throws: What keeps it from reading the log, or from making its folder; run again, it goes on where it stood.
    func run() async throws {
        let from = LogPosition(ledger.log.size)
        try room.checkFolder()
        try await folder.prepare()
        try await recover()
        do {
            try await cancelWhenGracefulShutdown {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await self.finishStopped(from: from) }
                    group.addTask { await self.tick() }
                    try await group.waitForAll()
                }
            }
        } catch {
            await flush()
            throw error
        }
        await flush()
    }

    /// Takes up every recording that is not final: logs what was synced, cuts off what is torn.
    ///
    /// Streams that have stopped are finalised; the others wait for their sender. A recording that cannot be
    /// recovered is noted as failed and keeps nobody from starting.
    ///
    /// - Throws: What keeps it from asking the log which they are.
    func recover() async throws {
        for stream in try unfinished() { await recover(stream) }
    }

    /// Takes up one recording; what keeps it from that is noted, and tried again if it can pass.
    func recover(_ stream: StreamID) async {
        await noting("recovering a recording failed", stream, tryingAgain: true) {
            try await self.ledger.settle(stream)
            guard try self.index(of: stream).finalized == nil else { return self.forget(stream) }
            let recording = try self.recording(of: stream)
            if try self.ledger.standing(of: stream).isOver {
                try await recording.finish()
                self.forget(stream)
            } else {
                try await recording.recover()
                // Its sender may be back already; then it goes on, and keeps its file open.
                guard await !recording.isHeld else { return }
                try await recording.interrupt(.disconnected)
                try await recording.flush()
                await recording.close()
                if await !recording.isHeld { self.forget(stream) }
            }
        }
    }

    /// The streams without a final recording, oldest first; from the log's index of kinds, page by page.
    private func unfinished() throws -> [StreamID] {
        var open: [Subject] = []
        let finished = Set(try subjects(of: StreamFinalized.kind))
        for subject in try subjects(of: StreamStarted.kind) where !finished.contains(subject) {
            open.append(subject)
        }
        return open.compactMap { StreamID(String($0.name)) }
    }

    /// The streams with chunks that no decoder has looked at: of those that are not final, and of the newest.
    func uninspected() throws -> [StreamID] {
        let newest = try subjects(of: StreamStarted.kind).suffix(64)
            .compactMap { StreamID(String($0.name)) }
        return try Set(unfinished() + newest).filter { stream in
            let standing = try ledger.standing(of: stream)
            return standing.inspected < standing.chunks
        }
    }

    private func subjects(of kind: Kind) throws -> [Subject] {
        var found: [Subject] = []
        var next = LogPosition(0)
        while true {
            // A recording whose beginning cannot be read keeps no other from being taken up.
            let page = try ledger.log.entriesPastDamage(of: kind, from: next)
            guard let behind = page.next else { return found }
            found += page.entries.map(\.envelope.subject)
            next = behind
        }
    }

    /// Follows the log, and finalises every stream that stops, whoever stopped it.
    private func finishStopped(from position: LogPosition) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            do {
                for try await page in ledger.log.follow(from: position) {
                    for entry in page where entry.envelope.kind == StreamStopped.kind {
                        guard let stream = StreamID(String(entry.envelope.subject.name)) else {
                            continue
                        }
                        group.addTask { await self.finish(stream) }
                    }
                }
            } catch is CancellationError {
                // The gateway stops; what is being finalised is brought to its end.
            }
        }
    }

    private func finish(_ stream: StreamID) async {
        signals.raise(stream)
        await noting("finalising a recording failed", stream, tryingAgain: true) {
            guard try self.index(of: stream).finalized == nil else { return }
            try await self.recording(of: stream).finish()
            self.forget(stream)
        }
    }

    private func tick() async {
        while await pause(limits.tick) {
            await withDiscardingTaskGroup { group in
                for recording in open {
                    group.addTask {
                        await self.noting(
                            "a recording could not be written",
                            recording.facts.stream
                        ) {
                            try await recording.tick()
                        }
                        if await recording.isForgettable { self.forget(recording.facts.stream) }
                    }
                }
            }
        }
    }

    /// Writes and logs what waits in every recording.
    private func flush() async {
        for recording in open {
            await noting("the last frames could not be written", recording.facts.stream) {
                try await recording.flush()
            }
        }
    }

    /// - Returns: `false` when the task was cancelled.
    private func pause(_ duration: Duration) async -> Bool {
        do {
            try await Task.sleep(for: duration)
            return true
        } catch {
            return false
        }
    }

    /// Runs what has no caller to tell, and writes its error to the log of the process, once for as long as it is the same.
    private func noting(
        _ failure: Logger.Message,
        _ stream: StreamID,
        tryingAgain: Bool = false,
        _ operation: @Sendable () async throws -> Void
    ) async {
        do {
            try await operation()
            faults.clear(stream, isPaid: tryingAgain)
        } catch is CancellationError {
            return
        } catch {
            // A recording that is damaged stays so, and the ledger has been told.
            let isOwed = tryingAgain && (error as? RecordingError)?.canPass ?? true
            let isNews = faults.note(Fault(error), of: stream, isOwed: isOwed)
            logger.log(
                level: isNews ? .error : .debug,
                failure,
                metadata: ["stream": "\(stream)", "error": "\(error)"]
            )
        }
    }
}
