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
        On(AlertQueued.self) { queued, event, rows in
            let alert = event.subjectName
            count("alerts", "queued", 1, event, in: rows)
            enter("alerts", alert, event, in: rows)
            if queued.sms != nil { open(.sms, of: alert, in: rows) }
            if queued.email != nil { open(.email, of: alert, in: rows) }
            if queued.push != nil { open(.push, of: alert, in: rows) }
            settle(alert, event, in: rows)
        }
        On(AlertSent.self) { sent, event, rows in
            count("alerts", "sent", 1, event, in: rows)
            close(sent.channel, of: event.subjectName, in: rows)
            settle(event.subjectName, event, in: rows)
        }
        On(AlertFailed.self) { failed, event, rows in
            count("alerts", "failed", 1, event, in: rows)
            guard failed.permanence == .permanent else { return }
            close(failed.channel, of: event.subjectName, in: rows)
            settle(event.subjectName, event, in: rows)
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

    private static func open(_ channel: AlertChannel, of alert: String, in rows: RowWriter) {
        rows.run("INSERT OR IGNORE INTO trend_alert_part VALUES (?1, ?2)", alert, channel.rawValue)
    }

    private static func close(_ channel: AlertChannel, of alert: String, in rows: RowWriter) {
        rows.run(
            "DELETE FROM trend_alert_part WHERE alert = ?1 AND channel = ?2",
            alert,
            channel.rawValue
        )
    }

    /// An alert leaves the queue when no part of it is to go any more.
    private static func settle(_ alert: String, _ event: RecordedEvent, in rows: RowWriter) {
        let open = rows.first("SELECT count(*) FROM trend_alert_part WHERE alert = ?1", alert) {
            try $0.integer()
        }
        if open == 0 { leave("alerts", alert, at: event.time, in: rows) }
    }
}
