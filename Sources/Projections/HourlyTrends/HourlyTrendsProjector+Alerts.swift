// SPDX-License-Identifier: Apache-2.0
import Events

extension HourlyTrendsProjector {
    static let alerts = Handlers {
        On(AlertQueued.self) { queued, event, rows in
            count("alerts", "queued", 1, event, in: rows)
            enter("alerts", event.subjectName, event, in: rows)
            let channels: [AlertChannel?] = [
                queued.sms == nil ? nil : .sms, queued.email == nil ? nil : .email,
                queued.push == nil ? nil : .push, queued.browser == nil ? nil : .browser,
            ]
            for channel in channels.compactMap(\.self) {
                rows.run(
                    "INSERT OR IGNORE INTO trend_alert_part VALUES (?1, ?2, ?3, ?4, 1)",
                    event.subjectName,
                    channel.rawValue,
                    queued.cause,
                    event.time
                )
            }
            settle(event, in: rows)
        }
        On(AlertSent.self) { send($0.channel, $1, in: $2) }
        On(AlertFailed.self) { failed, event, rows in
            count("alerts", "failed", 1, event, in: rows)
            let isEnd = failed.permanence == .permanent
            let result = "\(failed.channel.rawValue)/\(isEnd ? "given_up" : "failed")"
            count("alert_parts", result, 1, event, in: rows)
            if isEnd { close(failed.channel, event, in: rows) }
        }
        On(AlertReported.self) { reported, event, rows in
            // A report that overtook the server's answer is all that tells of the sending.
            if isOpen(reported.channel, event, in: rows) { send(reported.channel, event, in: rows) }
            guard reported.outcome != .accepted else { return }
            let result = "\(reported.channel.rawValue)/\(reported.outcome.rawValue)"
            count("alert_parts", result, 1, event, in: rows)
            guard reported.outcome == .delivered else { return }
            measure("alert_delivered", reported.channel, event, in: rows)
        }
        On(AlertAnswered.self) { answered, event, rows in
            count("alert_answers", answered.answer.rawValue, 1, event, in: rows)
            guard answered.answer == .acknowledged else { return }
            measure("alert_answered", nil, event, in: rows)
            rows.run(
                "UPDATE trend_alert_part SET is_open = 0 WHERE alert = ?1",
                event.subjectName
            )
            settle(event, in: rows)
        }
        On(CallOutEnded.self) { ended, event, rows in
            guard ended.end != .exhausted else { return }
            rows.run(
                """
                UPDATE trend_queue SET until_at = ?2 WHERE queue = 'alerts' AND until_at IS NULL
                AND item IN (SELECT alert FROM trend_alert_part WHERE cause = ?1)
                """,
                event.envelope.subject,
                event.time
            )
            rows.run(
                "UPDATE trend_alert_part SET is_open = 0 WHERE cause = ?1",
                event.envelope.subject
            )
        }
    }

    private static func send(
        _ channel: AlertChannel,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        count("alerts", "sent", 1, event, in: rows)
        count("alert_parts", "\(channel.rawValue)/sent", 1, event, in: rows)
        measure("alert_sent", channel, event, in: rows)
        close(channel, event, in: rows)
    }

    private static func isOpen(
        _ channel: AlertChannel,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) -> Bool {
        rows.first(
            "SELECT is_open FROM trend_alert_part WHERE alert = ?1 AND channel = ?2",
            event.subjectName,
            channel.rawValue
        ) { try $0.integer() } == 1
    }

    /// The time since the alert was queued.
    private static func measure(
        _ metric: String,
        _ channel: AlertChannel?,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        let queued = rows.first(
            "SELECT min(queued_at) FROM trend_alert_part WHERE alert = ?1",
            event.subjectName
        ) { try $0.optionalTime() }
        guard let queued = queued ?? nil else { return }
        let item = event.subjectName + (channel.map { "/\($0.rawValue)" } ?? "")
        sample(metric, item, from: queued, to: event, in: rows)
    }

    private static func close(
        _ channel: AlertChannel,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run(
            "UPDATE trend_alert_part SET is_open = 0 WHERE alert = ?1 AND channel = ?2",
            event.subjectName,
            channel.rawValue
        )
        settle(event, in: rows)
    }

    /// An alert leaves the queue when no part of it is to go any more.
    private static func settle(_ event: RecordedEvent, in rows: RowWriter) {
        let open = rows.first(
            "SELECT count(*) FROM trend_alert_part WHERE alert = ?1 AND is_open = 1",
            event.subjectName
        ) { try $0.integer() }
        if open == 0 { leave("alerts", event.subjectName, at: event.time, in: rows) }
    }
}
