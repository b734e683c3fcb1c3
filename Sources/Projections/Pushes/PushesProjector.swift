// SPDX-License-Identifier: Apache-2.0
import Events

/// Builds ``Pushes``.
public struct PushesProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("pushes", version: 2)
    public var tables: [Table] { PushesTables.all }
    public var handlers: Handlers { Self.handlers }

    private static let handlers = Handlers {
        On(SessionCreated.self) { created, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO session VALUES (?1, ?2, ?3)",
                event.subjectName,
                created.caller,
                event.time
            )
            guard created.openedBy == .operator else { return }
            due(.opening, nil, until: created.expiresAt, event, in: rows)
        }
        On(SessionRequestSent.self) { sent, event, rows in
            guard sent.ask != .stopVideo else { return }
            due(.request, sent.request.description, until: sent.expiresAt, event, in: rows)
        }
        On(SessionRequestAnswered.self) { answered, _, rows in
            rows.run("DELETE FROM due WHERE item = ?1", answered.request)
        }
        On(SessionExpired.self) { end($1.subjectName, in: $2) }
        On(SessionClosed.self) { end($1.subjectName, in: $2) }
        On(ChatMessageSent.self) { due($0.message, from: $0.from, $1, in: $2) }
        On(ChatAttachmentAdded.self) { due($0.message, from: $0.from, $1, in: $2) }
        On(ChatMessageDelivered.self) { delivered, _, rows in
            guard delivered.to == .caller else { return }
            rows.run("DELETE FROM due WHERE item = ?1", delivered.message)
        }
        On(LocationReported.self) { start($1.subjectName, in: $2) }
        On(StreamStarted.self) { start($0.session.description, in: $2) }
        On(PushSubscribed.self) { subscribed, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO device VALUES (?1, ?2, ?3)",
                event.subjectName,
                subscribed.person,
                subscribed.subscription
            )
        }
        On(PushUnsubscribed.self) { forget($0.subscription, $1, in: $2) }
        On(PushExpired.self) { forget($0.subscription, $1, in: $2) }
        On(DeviceRevoked.self) { $2.run("DELETE FROM device WHERE id = ?1", $1.subjectName) }
        On(PersonErased.self) { $2.run("DELETE FROM device WHERE person = ?1", $0.person) }
        alerts
    }

    private static func end(_ session: String, in rows: RowWriter) {
        rows.run("DELETE FROM due WHERE session = ?1", session)
        rows.run("DELETE FROM session WHERE id = ?1", session)
    }

    private static func due(
        _ message: MessageID,
        from party: Party,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        guard party == .operator else { return }
        due(.message, message.description, until: nil, event, in: rows)
    }

    private static func due(
        _ cause: PushCause.Word,
        _ item: String?,
        until expiresAt: Timestamp?,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run(
            """
            INSERT OR REPLACE INTO due SELECT ?1, id, person, ?3, ?4, ?5, created_at, ?6, ?7, ?8
            FROM session WHERE id = ?2
            """,
            event.envelope.id,
            event.subjectName,
            event.envelope.organisation,
            cause.rawValue,
            item,
            event.time,
            expiresAt,
            event.position
        )
    }

    /// Something started in the session: its opening needs no telling any more.
    private static func start(_ session: String, in rows: RowWriter) {
        rows.run("DELETE FROM due WHERE session = ?1 AND cause = 'opening'", session)
    }

    private static func forget(
        _ subscription: PushSubscriptionID,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run(
            "DELETE FROM device WHERE id = ?1 AND subscription = ?2",
            event.subjectName,
            subscription
        )
    }
}

extension PushesProjector {
    private static let alerts = Handlers {
        On(AlertQueued.self) { insert($0, of: $1, into: $2) }
        On(AlertDeliveryAttempted.self) { begun, event, rows in
            guard begun.channel == .push else { return }
            rows.run(
                "UPDATE delivery SET state = 'under_way' WHERE alert = ?1",
                event.subjectName
            )
        }
        On(AlertSent.self) { sent, event, rows in
            guard sent.channel == .push else { return }
            settle("done", sent.attempt, nil, event, in: rows)
        }
        On(AlertFailed.self) { failed, event, rows in
            guard failed.channel == .push else { return }
            let isOver = failed.permanence == .permanent
            let retryAt = failed.retryAfterSeconds.map { seconds in
                event.time + .seconds(min(max(0, seconds), ProjectionLimits.alertLifeSecondsMax))
            }
            settle(isOver ? "done" : "queued", failed.attempt, retryAt, event, in: rows)
        }
    }

    private static func insert(_ fact: AlertQueued, of event: RecordedEvent, into rows: RowWriter) {
        guard let device = fact.push else { return }
        rows.run(
            """
            INSERT OR REPLACE INTO delivery
            SELECT ?1, event, ?2, session, org, cause, item, created_at, 'queued', 0, NULL, ?3, ?4
            FROM due WHERE event = ?5
            """,
            event.subjectName,
            device,
            event.position,
            event.envelope.id,
            event.envelope.causation
        )
    }

    private static func settle(
        _ state: String,
        _ attempt: Int,
        _ retryAt: Timestamp?,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run(
            "UPDATE delivery SET state = ?2, attempts = ?3, retry_at = ?4 WHERE alert = ?1",
            event.subjectName,
            state,
            attempt,
            retryAt
        )
    }
}
