// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// Builds ``Recordings``.
public struct RecordingsProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("recordings", version: 3)
    public var tables: [Table] { RecordingTables.all }
    public var searchTables: [SearchTable] { RecordingTables.search }
    public var handlers: Handlers { Self.handlers }

    private static let handlers = Handlers {
        On(SessionCreated.self) { note($0, of: $1, in: $2) }
        On(SessionClaimed.self) { claim($1.subjectName, by: $0.owner, in: $2) }
        On(SessionTransferred.self) { claim($1.subjectName, by: $0.to, in: $2) }
        On(IncidentSessionLinked.self) { move($0.session, to: $1.subjectName, in: $2) }
        On(IncidentAddressSet.self) { setAddress($0.address, of: $1.subjectName, in: $2) }
        On(UserCreated.self) { name($0, of: $1, in: $2) }
        On(PersonErased.self) { forget($0, in: $2) }
        On(StreamStarted.self) { insert($0, of: $1, into: $2) }
        On(StreamChunkArchived.self) { insert($0, of: $1, into: $2) }
        On(StreamChunksInspected.self) { insert($0, of: $1, into: $2) }
        On(StreamGapDetected.self) { gap, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO gap VALUES (?1, ?2, ?3, ?4, ?5)",
                event.subjectName,
                event.position,
                gap.fromMilliseconds,
                gap.toMilliseconds,
                gap.cause
            )
        }
        On(StreamQualityChanged.self) { change, event, rows in
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
        }
        On(StreamCameraSwitched.self) { switched, event, rows in
            rows.run(
                "UPDATE stream SET camera = ?2 WHERE id = ?1",
                event.subjectName,
                switched.camera
            )
        }
        On(StreamInterrupted.self) { enter("interrupted", $1, in: $2) }
        On(StreamResumed.self) { enter("live", $1, in: $2) }
        On(StreamStopped.self) { stop($0, of: $1, in: $2) }
        On(StreamFinalized.self) { finalize($0, of: $1, in: $2) }
        On(StreamRecordingFailed.self) { failed, event, rows in
            rows.run(
                "UPDATE stream SET failure = ?2 WHERE id = ?1",
                event.subjectName,
                "\(failed.reasonCode): \(failed.text)"
            )
        }
    }

    private static func enter(_ state: String, _ event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            "UPDATE stream SET state = ?2 WHERE id = ?1 AND state IN ('live', 'interrupted')",
            event.subjectName,
            state
        )
    }

    private static func stop(_ fact: StreamStopped, of event: RecordedEvent, in rows: RowWriter) {
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

    private static func finalize(
        _ fact: StreamFinalized,
        of event: RecordedEvent,
        in rows: RowWriter
    ) {
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

    private static func insert(
        _ fact: StreamChunkArchived,
        of event: RecordedEvent,
        into rows: RowWriter
    ) {
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

    private static func insert(
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
