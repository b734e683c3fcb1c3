// SPDX-License-Identifier: Apache-2.0
import Events

/// Builds ``AlertQueue``.
public struct AlertQueueProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("alert-queue", version: 3)
    public var tables: [Table] { AlertQueueTables.all }
    public var handlers: Handlers { Self.handlers }

    private static let handlers = Handlers {
        On(AlertQueued.self) { insert($0, of: $1, into: $2) }
        On(AlertSent.self) { sent, event, rows in
            rows.run(
                """
                UPDATE alert_part SET state = 'sent', attempts = ?3, error = NULL, provider_id = ?4,
                changed_at = ?5 WHERE alert = ?1 AND channel = ?2
                """,
                event.subjectName,
                sent.channel.rawValue,
                sent.attempt,
                sent.providerID,
                event.time
            )
            settle(event, in: rows)
        }
        On(AlertFailed.self) { failed, event, rows in
            rows.run(
                """
                UPDATE alert_part SET state = ?6, attempts = ?3, error = ?4, changed_at = ?5
                WHERE alert = ?1 AND channel = ?2 AND state <> 'sent'
                """,
                event.subjectName,
                failed.channel.rawValue,
                failed.attempt,
                failed.error,
                event.time,
                failed.permanence == .permanent ? "failed" : "queued"
            )
            settle(event, in: rows)
        }
    }

    private static func insert(_ fact: AlertQueued, of event: RecordedEvent, into rows: RowWriter) {
        rows.run(
            "INSERT OR REPLACE INTO alert VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
            event.subjectName,
            event.position,
            event.envelope.organisation,
            fact.cause,
            fact.severity.rawValue,
            fact.template,
            fact.contact,
            fact.sms,
            fact.email,
            fact.push,
            fact.deduplicationKey,
            event.time,
            event.time
                + .seconds(
                    min(max(0, fact.timeToLiveSeconds), ProjectionLimits.alertLifeSecondsMax)
                ),
            AlertState.queued.rawValue,
            event.envelope.id
        )
        let channels: [AlertChannel?] = [
            fact.sms == nil ? nil : .sms, fact.email == nil ? nil : .email,
            fact.push == nil ? nil : .push,
        ]
        for channel in channels.compactMap(\.self) {
            rows.run(
                "INSERT OR REPLACE INTO alert_part VALUES (?1, ?2, 'queued', 0, NULL, NULL, ?3)",
                event.subjectName,
                channel.rawValue,
                event.time
            )
        }
    }

    /// The alert leaves the queue when no part is open; a part that was tried goes to the back.
    private static func settle(_ event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            """
            UPDATE alert SET place = ?2, state = (SELECT CASE
            WHEN sum(state = 'queued') > 0 AND sum(state = 'sent') > 0 THEN 'partly_sent'
            WHEN sum(state = 'queued') > 0 THEN 'queued'
            WHEN sum(state = 'sent') > 0 THEN 'sent' ELSE 'failed' END
            FROM alert_part WHERE alert = ?1) WHERE id = ?1
            """,
            event.subjectName,
            event.position
        )
    }
}
