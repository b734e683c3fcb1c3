// SPDX-License-Identifier: Apache-2.0
import Events
import Logging
import Media
import ServiceLifecycle

/// Has every archived chunk decoded by child processes, off the path of acknowledgements.
///
/// At most ``ArchiveLimits/inspections`` children at once, a stream each; streams that find none free wait
/// their turn and are then caught up from their files. After a restart each stream goes on at its first chunk
/// that no `stream.chunks_inspected` covers.
actor InspectionService: Service {
    private let archive: Archive
    private let blobs: BlobFolder
    private let worker: Worker
    private let logger: Logger
    private var workers = 0
    private var running: Set<StreamID> = []
    private var waiting: [StreamID] = []
    /// Streams that went on while they were being inspected.
    private var again: Set<StreamID> = []

    /// The program that decodes: this one, called with other arguments.
    struct Worker: Sendable {
        let executable: String
        var arguments = ["inspect-worker"]
    }

    init(archive: Archive, blobs: BlobFolder, worker: Worker, logger: Logger) {
        self.archive = archive
        self.blobs = blobs
        self.worker = worker
        self.logger = logger
    }

    /// Inspects until it is shut down.
    nonisolated func run() async throws {
        let changes = archive.signals.changesOfAll()
        let left = try archive.uninspected()
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for stream in left where await self.begin(stream) {
                    group.addTask { await self.work() }
                }
                for await stream in changes where await self.begin(stream) {
                    group.addTask { await self.work() }
                }
            }
        }
    }

    /// Notes that a stream went on.
    ///
    /// - Returns: Whether one more worker is needed.
    private func begin(_ stream: StreamID) -> Bool {
        guard !running.contains(stream) else {
            again.insert(stream)
            return false
        }
        guard !waiting.contains(stream) else { return false }
        waiting.append(stream)
        guard workers < archive.limits.inspections else { return false }
        workers += 1
        return true
    }

    /// Serves one stream after the other until none waits.
    private nonisolated func work() async {
        while let stream = await next() {
            let isLeft = await inspect(stream)
            await done(stream, isLeft: isLeft)
        }
    }

    private func next() -> StreamID? {
        guard !waiting.isEmpty else {
            workers -= 1
            return nil
        }
        let stream = waiting.removeFirst()
        running.insert(stream)
        again.remove(stream)
        return stream
    }

    private func done(_ stream: StreamID, isLeft: Bool) {
        running.remove(stream)
        if isLeft || again.contains(stream) { waiting.append(stream) }
        again.remove(stream)
    }

    /// - Returns: Whether something is left to do.
    private nonisolated func inspect(_ stream: StreamID) async -> Bool {
        do {
            guard let facts = RecordingFacts(try archive.index(of: stream)) else { return false }
            let process = InspectionProcess(
                executable: worker.executable,
                arguments: worker.arguments
            )
            let inspection = StreamInspection(
                facts: facts,
                archive: archive,
                blobs: blobs,
                process: process
            )
            guard try await inspection.run() == .unavailable else { return false }
            logger.warning("no inspection process", metadata: ["stream": "\(stream)"])
            try await Task.sleep(for: archive.limits.inspectionRetry)
            return true
        } catch is CancellationError {
            return false
        } catch {
            logger.error(
                "inspection failed",
                metadata: ["stream": "\(stream)", "error": "\(error)"]
            )
            return false
        }
    }
}
