// SPDX-License-Identifier: Apache-2.0
public import Events
import Foundation

/// Builds ``Recordings``.
public struct RecordingsProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("recordings", version: 3)
    public var tables: [Table] { RecordingTables.all }
    public var searchTables: [SearchTable] { RecordingTables.search }
    public let kinds: Set<Kind> = [
        SessionCreated.kind, SessionClaimed.kind, SessionTransferred.kind,
        IncidentSessionLinked.kind,
        IncidentAddressSet.kind, UserCreated.kind, StreamStarted.kind, StreamChunkArchived.kind,
        StreamChunksInspected.kind, StreamGapDetected.kind, StreamQualityChanged.kind,
        StreamCameraSwitched.kind, StreamInterrupted.kind, StreamResumed.kind, StreamStopped.kind,
        StreamFinalized.kind, StreamRecordingFailed.kind, PersonErased.kind,
    ]

    public func apply(_ event: RecordedEvent, to rows: RowWriter) {
        switch event.fact {
        case .stream(let fact): apply(fact, of: event, to: rows)
        case .session(.created(let fact)): note(fact, of: event, in: rows)
        case .session(.claimed(let fact)): claim(event.subjectName, by: fact.owner, in: rows)
        case .session(.transferred(let fact)): claim(event.subjectName, by: fact.to, in: rows)
        case .incident(.sessionLinked(let fact)):
            move(fact.session, to: event.subjectName, in: rows)
        case .incident(.addressSet(let fact)):
            setAddress(fact.address, of: event.subjectName, in: rows)
        case .user(.created(let fact)): name(fact, of: event, in: rows)
        case .person(.erased(let fact)): forget(fact, in: rows)
        case .session, .incident, .user, .device, .chat, .location, .report, .alert, .patrol,
            .access, .hold, .policy, .clock:
            break
        }
    }

    private func apply(_ fact: StreamEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        case .started(let started): insert(started, of: event, into: rows)
        case .chunkArchived(let chunk): insert(chunk, of: event, into: rows)
        case .chunksInspected(let inspected): insert(inspected, of: event, into: rows)
        case .gapDetected(let gap):
            rows.run(
                "INSERT OR REPLACE INTO gap VALUES (?1, ?2, ?3, ?4, ?5)",
                event.subjectName,
                event.position,
                gap.fromMilliseconds,
                gap.toMilliseconds,
                gap.cause
            )
        case .qualityChanged(let change):
            rows.run(
                """
                UPDATE stream SET quality = ?2, width = ?3, height = ?4, fps = ?5, kbps = ?6,
                camera = coalesce(?7, camera) WHERE id = ?1
                """,
                event.subjectName,
                change.quality.rawValue,
                change.width,
                change.height,
                change.framesPerSecond,
                change.kilobitsPerSecond,
                change.camera
            )
        case .cameraSwitched(let switched):
            rows.run(
                "UPDATE stream SET camera = ?2 WHERE id = ?1",
                event.subjectName,
                switched.camera
            )
        case .interrupted: enter("interrupted", event, in: rows)
        case .resumed: enter("live", event, in: rows)
        case .stopped(let stopped): stop(stopped, of: event, in: rows)
        case .finalized(let final): finalize(final, of: event, in: rows)
        case .recordingFailed(let failed):
            rows.run(
                "UPDATE stream SET failure = ?2 WHERE id = ?1",
                event.subjectName,
                "\(failed.reasonCode): \(failed.text)"
            )
        case .torchToggled, .viewed: break
        }
    }

    private func enter(_ state: String, _ event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            "UPDATE stream SET state = ?2 WHERE id = ?1 AND state IN ('live', 'interrupted')",
            event.subjectName,
            state
        )
    }

    private func stop(_ fact: StreamStopped, of event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            """
            UPDATE stream SET state = 'stopped', stopped_at = ?2, stop_reason = ?3, stopped_by = ?4,
            duration_ms = ?5 WHERE id = ?1
            """,
            event.subjectName,
            event.time,
            fact.reason,
            fact.by.rawValue,
            fact.durationMilliseconds
        )
    }

    private func finalize(_ fact: StreamFinalized, of event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            """
            UPDATE stream SET state = 'finalized', duration_ms = ?2, sha256 = ?3, final_bytes = ?4
            WHERE id = ?1
            """,
            event.subjectName,
            fact.durationMilliseconds,
            fact.sha256,
            fact.bytes
        )
    }

    private func insert(_ fact: StreamChunkArchived, of event: RecordedEvent, into rows: RowWriter)
    {
        rows.run(
            "INSERT OR REPLACE INTO chunk VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
            event.subjectName,
            fact.number,
            fact.file,
            fact.offset,
            fact.length,
            fact.sha256,
            fact.firstMilliseconds,
            fact.lastMilliseconds,
            fact.keyFrame,
            fact.part,
            fact.through,
            event.position,
            event.time
        )
        rows.run(
            """
            UPDATE stream SET chunks = chunks + 1, bytes = bytes + ?2,
            first_ms = coalesce(first_ms, ?3), last_ms = ?4, last_chunk_at = ?5, part = ?6,
            through = ?7 WHERE id = ?1
            """,
            event.subjectName,
            fact.length,
            fact.firstMilliseconds,
            fact.lastMilliseconds,
            event.time,
            fact.part,
            fact.through
        )
    }

    private func insert(
        _ fact: StreamChunksInspected,
        of event: RecordedEvent,
        into rows: RowWriter
    ) {
        rows.run(
            "INSERT OR REPLACE INTO inspection VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            event.subjectName,
            event.position,
            fact.firstChunk,
            fact.lastChunk,
            fact.outcome.rawValue,
            fact.frames,
            fact.undecodable,
            fact.width,
            fact.height,
            fact.meanLuma,
            fact.thumbnail
        )
    }
}
