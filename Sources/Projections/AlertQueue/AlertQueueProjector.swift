// SPDX-License-Identifier: Apache-2.0
import Events

/// Builds ``AlertQueue``.
public struct AlertQueueProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("alert-queue", version: 5)
    public var tables: [Table] { AlertQueueTables.all }
    public var handlers: Handlers { Self.handlers }

    private static let handlers = Handlers {
        callOuts
        webhooks
        On(AlertQueued.self) { insert($0, of: $1, into: $2) }
        On(AlertSent.self) { sent, event, rows in
            rows.run(
                """
                UPDATE alert_part SET state = 'sent', attempts = ?3, error = NULL, provider_id = ?4,
                changed_at = ?5 WHERE alert = ?1 AND channel = ?2 AND report IS NOT 'undeliverable'
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
                UPDATE alert_part SET state = ?6, attempts = ?3, error = ?4, changed_at = ?5,
                retry_at = ?7 WHERE alert = ?1 AND channel = ?2 AND state NOT IN ('sent', 'cancelled')
                """,
                event.subjectName,
                failed.channel.rawValue,
                failed.attempt,
                failed.error,
                event.time,
                failed.permanence == .permanent ? "failed" : "queued",
                event.time + pause(failed.retryAfterSeconds ?? 0)
            )
            settle(event, in: rows)
        }
        On(TemplateDefined.self) { defined, _, rows in
            if defined.isRetired {
                rows.run(
                    "DELETE FROM template WHERE name = ?1 AND language = ?2",
                    defined.name,
                    defined.language
                )
            } else {
                rows.run(
                    "INSERT OR REPLACE INTO template VALUES (?1, ?2, ?3, ?4)",
                    defined.name,
                    defined.language,
                    defined.subject,
                    defined.text
                )
            }
        }
        On(PersonErased.self) {
            $2.run("UPDATE alert_part SET phone = NULL WHERE contact = ?1", $0.keyText)
        }
        On(AlertReported.self) { reported, event, rows in report(reported, event, in: rows) }
        On(AlertAnswered.self) { answered, event, rows in
            rows.run(
                """
                UPDATE alert SET answer = ?2, answered_at = ?3, acknowledged_at = CASE WHEN ?2 =
                'acknowledged' THEN coalesce(acknowledged_at, ?3) ELSE acknowledged_at END WHERE id = ?1
                """,
                event.subjectName,
                answered.answer.rawValue,
                event.time
            )
            if answered.answer == .acknowledged {
                rows.run(
                    """
                    UPDATE alert_part SET state = 'cancelled', changed_at = ?2
                    WHERE alert = ?1 AND state = 'queued'
                    """,
                    event.subjectName,
                    event.time
                )
                settle(event, in: rows)
            }
        }
    }

    private static func insert(_ fact: AlertQueued, of event: RecordedEvent, into rows: RowWriter) {
        rows.run(
            """
            INSERT OR REPLACE INTO alert VALUES
            (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, NULL, NULL, NULL)
            """,
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
            event.time + pause(fact.timeToLiveSeconds),
            AlertState.queued.rawValue,
            event.envelope.id
        )
        let channels: [AlertChannel?] = [
            fact.sms == nil ? nil : .sms, fact.email == nil ? nil : .email,
            fact.push == nil ? nil : .push, fact.browser == nil ? nil : .browser,
        ]
        for channel in channels.compactMap(\.self) {
            rows.run(
                """
                INSERT OR REPLACE INTO alert_part VALUES
                (?1, ?2, 'queued', 0, NULL, NULL, ?3, ?4, ?5, ?3, NULL, ?6)
                """,
                event.subjectName,
                channel.rawValue,
                event.time,
                fact.contact,
                event.position,
                channel == .sms ? rows.open(fact.sms)?.text : nil
            )
        }
    }

    /// What is worth sending no longer than a week waits no longer, either.
    private static func pause(_ seconds: Int) -> Duration {
        .seconds(min(max(0, seconds), ProjectionLimits.alertLifeSecondsMax))
    }

    /// A later outcome replaces an earlier one, never the other way round; what was delivered was sent.
    private static func report(
        _ reported: AlertReported,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run(
            """
            UPDATE alert_part SET report = ?3, changed_at = ?4,
            state = CASE WHEN ?3 = 'undeliverable' THEN 'failed' ELSE 'sent' END,
            error = CASE WHEN ?3 = 'undeliverable' THEN 'reported as undeliverable' END
            WHERE alert = ?1 AND channel = ?2 AND (report IS NULL OR
            (report = 'accepted' AND ?3 <> 'accepted') OR (report = 'undeliverable' AND ?3 = 'delivered'))
            """,
            event.subjectName,
            reported.channel.rawValue,
            reported.outcome.rawValue,
            event.time
        )
        settle(event, in: rows)
    }

    /// What tells of a call-out that is over goes no more; what nobody answered may still be read.
    static func cancelAlerts(of callOut: RecordedEvent, in rows: RowWriter) {
        let cause = callOut.envelope.subject
        rows.run(
            """
            UPDATE alert_part SET state = 'cancelled', changed_at = ?2
            WHERE state = 'queued' AND alert IN (SELECT id FROM alert WHERE cause = ?1)
            """,
            cause,
            callOut.time
        )
        settle(callOut, about: cause, in: rows)
    }

    /// An alert leaves the queue when no part is open; one that was tried goes to the back.
    private static func settle(
        _ event: RecordedEvent,
        about cause: Subject? = nil,
        in rows: RowWriter
    ) {
        rows.run(
            """
            UPDATE alert SET place = ?2, state = (SELECT CASE
            WHEN sum(part.state = 'queued') > 0 AND sum(part.state = 'sent') > 0 THEN 'partly_sent'
            WHEN sum(part.state = 'queued') > 0 THEN 'queued'
            WHEN sum(part.state = 'cancelled') = count(*) THEN 'cancelled'
            WHEN sum(part.state IN ('sent', 'cancelled')) = count(*) THEN 'sent'
            WHEN sum(part.state = 'sent') > 0 THEN 'sent_in_part' ELSE 'failed' END
            FROM alert_part part WHERE part.alert = alert.id)
            WHERE id IN (SELECT ?1 UNION ALL SELECT id FROM alert WHERE cause = ?3)
            """,
            event.subjectName,
            event.position,
            cause
        )
    }
}
