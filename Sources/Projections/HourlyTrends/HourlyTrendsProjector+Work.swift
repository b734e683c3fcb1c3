// SPDX-License-Identifier: Apache-2.0
import Events

extension HourlyTrendsProjector {
    static let work = Handlers {
        On(StreamStarted.self) { started, event, rows in
            note(activityOf: started.session.description, at: event.time, in: rows)
            count("streams", "", 1, event, in: rows)
        }
        On(StreamChunkArchived.self) { add($0, of: $1, in: $2) }
        On(StreamGapDetected.self) { gap, event, rows in
            count("gaps", "", 1, event, in: rows)
            count("gap_ms", "", gap.toMilliseconds &- gap.fromMilliseconds, event, in: rows)
        }
    }

    /// A chunk counts from the last frame before it, unless more than a second lies between.
    private static func add(
        _ fact: StreamChunkArchived,
        of event: RecordedEvent,
        in rows: RowWriter
    ) {
        let last = rows.first("SELECT last_ms FROM trend_stream WHERE id = ?1", event.subjectName) {
            try $0.integer()
        }
        var start = fact.firstMilliseconds
        if let last, last <= start, start &- last <= 1_000 { start = last }
        count("video_ms", "", fact.lastMilliseconds &- start, event, in: rows)
        rows.run(
            "INSERT OR REPLACE INTO trend_stream VALUES (?1, ?2)",
            event.subjectName,
            fact.lastMilliseconds
        )
    }
}
