// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Logging
import Media
import Metrics
import Synchronization

/// The archive of video: one growing WebM for each stream, its chunks in the log.
///
/// ```swift
/// let archive = Archive(volumes: volumes, ledger: ledger, keys: keys, room: room, logger: logger)
/// // run it as a service: it recovers, finalises what stopped, and writes what waits too long
/// let recording = try archive.recording(of: stream)
/// let receipt = try await recording.accept(bytes, part: 0, offset: 0)   // synced and logged below `through`
/// ```
///
/// **Promises.** Nothing is told to be archived before its bytes are synced and its event is on disk. A crash
/// loses nothing that was told, and what was synced is logged at the next start, if it carries the archive's seal; what
/// does not is set aside. Nothing is said of logged bytes that are not held against their digest. The cooperative pool never
/// waits for a disk of the archive.
final class Archive: Sendable {
    let ledger: ArchiveLedger
    /// Seals what is written until it is logged.
    let keys: RecordingKeys
    let folder: ArchiveFolder
    /// The site's zone, in which files are named.
    let timeZone: TimeZone
    let limits: ArchiveLimits
    let signals = StreamSignals()
    let faults = StreamFaults()
    let budget: IngestBudget
    let room: ArchiveRoom
    let metrics: ArchiveMetrics
    let logger: Logger
    private let threads: ArchiveThreads
    private let recordings = Mutex<[StreamID: LiveRecording]>([:])

    init(
        volumes: Volumes,
        ledger: ArchiveLedger,
        keys: RecordingKeys,
        timeZone: TimeZone = .gmt,
        limits: ArchiveLimits = ArchiveLimits(),
        room: ArchiveRoom,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        logger: Logger
    ) {
        self.metrics = ArchiveMetrics(metrics)
        self.folder = ArchiveFolder(volumes)
        budget = IngestBudget(limits)
        self.room = room
        self.ledger = ledger
        self.keys = keys
        self.timeZone = timeZone
        self.limits = limits
        self.logger = logger
        threads = ArchiveThreads(count: limits.writingThreads, name: "archive")
    }

    /// What the log says of a stream.
    ///
    /// - Throws: ``ArchiveError/unknown(_:)``; what the ledger throws.
    func index(of stream: StreamID) throws -> StreamIndex {
        let index = try ledger.index(of: stream)
        guard index.start != nil else { throw ArchiveError.unknown(stream) }
        return index
    }

    /// The path of a stream's file.
    func path(of index: StreamIndex) -> String {
        folder.volumes.path(of: index.start?.file ?? "")
    }

    /// The recording of a stream that is not over.
    ///
    /// - Throws: ``ArchiveError``, also where its volume may be away; what the ledger throws.
    func recording(of stream: StreamID) throws -> LiveRecording {
        if let known = recordings.withLock({ $0[stream] }) { return known }
        let index = try index(of: stream)
        guard index.finalized == nil, let facts = RecordingFacts(index) else {
            throw ArchiveError.stopped(stream)
        }
        try folder.volumes.check(facts.file)
        let place = folder.volumes.place(of: facts.file)
        let fresh = LiveRecording(
            facts,
            path: place?.path ?? path(of: index),
            seal: RecordingSeal(key: keys.key(of: stream)),
            ledger: ledger,
            limits: limits,
            signals: signals,
            faults: faults,
            budget: budget,
            room: place?.volume.room ?? room,
            metrics: metrics,
            thread: threads.take(),
            logger: logger
        )
        return try recordings.withLock { recordings in
            if let other = recordings[stream] { return other }
            guard recordings.count < limits.recordings else {
                throw ArchiveError.tooManyRecordings(max: limits.recordings)
            }
            recordings[stream] = fresh
            return fresh
        }
    }

    /// Every recording that is held open, or was a moment ago.
    var open: [LiveRecording] { recordings.withLock { Array($0.values) } }

    /// Forgets a recording that is complete, or whose file has long been closed.
    func forget(_ stream: StreamID) {
        recordings.withLock { _ = $0.removeValue(forKey: stream) }
    }
}
