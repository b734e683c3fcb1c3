// SPDX-License-Identifier: Apache-2.0
import Events

extension HourlyTrendsProjector {
    func apply(_ fact: StreamEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        case .started(let started):
            note(activityOf: started.session.description, at: event.time, in: rows)
            count("streams", "", 1, event, in: rows)
        case .chunkArchived(let chunk): add(chunk, of: event, in: rows)
        case .gapDetected(let gap):
            count("gaps", "", 1, event, in: rows)
            count("gap_ms", "", gap.toMilliseconds &- gap.fromMilliseconds, event, in: rows)
        case .chunksInspected, .qualityChanged, .cameraSwitched, .torchToggled, .interrupted,
            .resumed, .stopped, .finalized, .recordingFailed, .viewed:
            break
        }
    }

    /// A chunk counts from the last frame before it, unless more than a second lies between.
    private func add(_ fact: StreamChunkArchived, of event: RecordedEvent, in rows: RowWriter) {
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

    func apply(_ fact: AlertEvent, of event: RecordedEvent, to rows: RowWriter) {
        let alert = event.subjectName
        switch fact {
        case .queued(let queued):
            count("alerts", "queued", 1, event, in: rows)
            enter("alerts", alert, event, in: rows)
            if queued.sms != nil { open(.sms, of: alert, in: rows) }
            if queued.email != nil { open(.email, of: alert, in: rows) }
            if queued.push != nil { open(.push, of: alert, in: rows) }
            settle(alert, event, in: rows)
        case .deliveryAttempted: break
        case .sent(let sent):
            count("alerts", "sent", 1, event, in: rows)
            close(sent.channel, of: alert, in: rows)
            settle(alert, event, in: rows)
        case .failed(let failed):
            count("alerts", "failed", 1, event, in: rows)
            guard failed.permanence == .permanent else { return }
            close(failed.channel, of: alert, in: rows)
            settle(alert, event, in: rows)
        }
    }

    private func open(_ channel: AlertChannel, of alert: String, in rows: RowWriter) {
        rows.run("INSERT OR IGNORE INTO trend_alert_part VALUES (?1, ?2)", alert, channel.rawValue)
    }

    private func close(_ channel: AlertChannel, of alert: String, in rows: RowWriter) {
        rows.run(
            "DELETE FROM trend_alert_part WHERE alert = ?1 AND channel = ?2",
            alert,
            channel.rawValue
        )
    }

    /// An alert leaves the queue when no part of it is to go any more.
    private func settle(_ alert: String, _ event: RecordedEvent, in rows: RowWriter) {
        let open = rows.first("SELECT count(*) FROM trend_alert_part WHERE alert = ?1", alert) {
            try $0.integer()
        }
        if open == 0 { leave("alerts", alert, at: event.time, in: rows) }
    }
}
