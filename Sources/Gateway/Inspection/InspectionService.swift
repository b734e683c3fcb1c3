// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Logging
import Media
import ServiceLifecycle
import Synchronization

/// Has every archived chunk decoded by child processes, off the path of acknowledgements.
///
/// Every stream with something to look at has a task; ``InspectionTurns`` lets a few of them decode at a time, a few
/// chunks a turn, so that the twentieth caller is looked at while the first nineteen go on. After a restart
/// each stream goes on at its first chunk that no `stream.chunks_inspected` covers.
actor InspectionService: Service {
    private let archive: Archive
    private let blobs: BlobFolder
    private let logger: Logger
    private nonisolated let turns: InspectionTurns
    private nonisolated let shelf: DecoderShelf
    private nonisolated let executable: String
    /// Whether the last try to decode found no process for it.
    private nonisolated let hasNoProcess = Mutex(false)
    /// Streams that could not be looked at.
    nonisolated let faults = StreamFaults()
    private var running: Set<StreamID> = []
    /// Streams that went on while their task was about to end.
    private var again: Set<StreamID> = []

    /// The program that decodes: this one, called with other arguments.
    struct Worker: Sendable {
        let executable: String
        var arguments = ["inspect-worker"]
    }

    init(archive: Archive, blobs: BlobFolder, worker: Worker, logger: Logger) {
        self.archive = archive
        self.blobs = blobs
        self.logger = logger
        turns = InspectionTurns(archive.limits)
        executable = worker.executable
        shelf = DecoderShelf(worker: worker, most: archive.limits.inspectionChildren)
    }

    /// Why nothing is decoded just now: the program is gone, or no process of it began.
    nonisolated var fault: Fault? {
        guard access(executable, X_OK) == 0 else {
            let code = errno
            return Fault(
                code: "program \(code)",
                words: "\(executable) cannot be run: \(String(cString: strerror(code)))"
            )
        }
        if hasNoProcess.withLock({ $0 }) {
            return Fault(code: "process", words: "no process of \(executable) could be begun")
        }
        guard !faults.owed.isEmpty else { return nil }
        let left = faults.summary
        return Fault(code: left.code, words: "pictures could not be looked at: \(left.words)")
    }

    /// Streams that wait for their turn, and children that are kept.
    nonisolated var load: (waiting: Int, children: Int) { (turns.waiting, shelf.count) }

    /// Inspects until it is shut down.
    nonisolated func run() async throws {
        let changes = archive.signals.changesOfAll()
        let left = try archive.uninspected()
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for stream in left where await self.begin(stream) {
                    group.addTask { await self.work(on: stream) }
                }
                for await stream in changes where await self.begin(stream) {
                    group.addTask { await self.work(on: stream) }
                }
            }
        }
    }

    /// Notes that a stream went on.
    ///
    /// - Returns: Whether it needs a task.
    private func begin(_ stream: StreamID) -> Bool {
        guard !running.contains(stream) else {
            again.insert(stream)
            return false
        }
        running.insert(stream)
        return true
    }

    private nonisolated func work(on stream: StreamID) async {
        repeat {
            await forgetSignals(of: stream)
            var pause = archive.limits.inspectionRetry
            while await inspect(stream, pausing: pause) {
                pause = min(pause * 2, archive.limits.inspectionRetryMax)
            }
        } while await !end(stream)
    }

    private func forgetSignals(of stream: StreamID) { again.remove(stream) }

    /// - Returns: Whether the task may end: nothing came since it last looked.
    private func end(_ stream: StreamID) -> Bool {
        guard again.contains(stream), !Task.isCancelled else {
            running.remove(stream)
            again.remove(stream)
            return true
        }
        return false
    }

    /// Looks at what nobody has looked at; what fails is tried again, after a pause.
    ///
    /// - Returns: Whether something is left to do.
    private nonisolated func inspect(_ stream: StreamID, pausing pause: Duration) async -> Bool {
        do {
            guard let facts = RecordingFacts(try archive.index(of: stream)) else { return false }
            let inspection = StreamInspection(
                facts: facts,
                archive: archive,
                blobs: blobs,
                turns: turns,
                shelf: shelf
            )
            let isUnavailable = try await inspection.run() == .unavailable
            hasNoProcess.withLock { $0 = isUnavailable }
            guard isUnavailable else {
                faults.clear(stream, isPaid: true)
                return false
            }
            logger.warning("no inspection process", metadata: ["stream": "\(stream)"])
            return await rest(pause)
        } catch is CancellationError {
            return false
        } catch {
            let isNews = faults.note(Fault(error), of: stream, isOwed: true)
            logger.log(
                level: isNews ? .error : .debug,
                "inspection failed",
                metadata: ["stream": "\(stream)", "error": "\(error)"]
            )
            return await rest(pause)
        }
    }

    /// - Returns: `false` when the task was cancelled.
    private nonisolated func rest(_ pause: Duration) async -> Bool {
        do {
            try await Task.sleep(for: pause)
            return true
        } catch {
            return false
        }
    }
}
