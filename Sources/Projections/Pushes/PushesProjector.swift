// SPDX-License-Identifier: Apache-2.0
public import Events

/// Builds ``Pushes``.
public struct PushesProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("pushes", version: 2)
    public var tables: [Table] { PushesTables.all }
    public let kinds: Set<Kind> = [
        SessionCreated.kind, SessionExpired.kind, SessionClosed.kind, SessionRequestSent.kind,
        SessionRequestAnswered.kind, ChatMessageSent.kind, ChatAttachmentAdded.kind,
        ChatMessageDelivered.kind,
        LocationReported.kind, StreamStarted.kind, PushSubscribed.kind, PushUnsubscribed.kind,
        PushExpired.kind, DeviceRevoked.kind, PersonErased.kind, AlertQueued.kind,
        AlertDeliveryAttempted.kind, AlertSent.kind, AlertFailed.kind,
    ]

    public func apply(_ event: RecordedEvent, to rows: RowWriter) {
        switch event.fact {
        case .session(let fact): apply(fact, of: event, to: rows)
        case .chat(let fact): apply(fact, of: event, to: rows)
        case .location(.reported): start(event.subjectName, in: rows)
        case .stream(.started(let fact)): start(fact.session.description, in: rows)
        case .device(let fact): apply(fact, of: event, to: rows)
        case .person(.erased(let fact)):
            rows.run("DELETE FROM device WHERE person = ?1", fact.person)
        case .alert(let fact): apply(fact, of: event, to: rows)
        case .incident, .user, .stream, .location, .report, .patrol, .access, .hold, .policy,
            .clock:
            break
        }
    }

    private func apply(_ fact: SessionEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        case .created(let created):
            rows.run(
                "INSERT OR REPLACE INTO session VALUES (?1, ?2, ?3)",
                event.subjectName,
                created.caller,
                event.time
            )
            guard created.openedBy == .operator else { return }
            due(.opening, nil, until: created.expiresAt, event, in: rows)
        case .requestSent(let sent):
            guard sent.ask != .stopVideo else { return }
            due(.request, sent.request.description, until: sent.expiresAt, event, in: rows)
        case .requestAnswered(let answered):
            rows.run("DELETE FROM due WHERE item = ?1", answered.request)
        case .expired, .closed:
            rows.run("DELETE FROM due WHERE session = ?1", event.subjectName)
            rows.run("DELETE FROM session WHERE id = ?1", event.subjectName)
        case .sealed, .unsealed, .offered, .offerDeclined, .transferred, .unattended, .linkProposed,
            .linkDeclined, .linkAccepted, .claimed,
            .released, .resumed, .activitySignalled, .requestOpened, .linkIssued, .linkOpened,
            .consentRecorded:
            break
        }
    }

    private func apply(_ fact: ChatEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        case .messageSent(let sent): due(sent.message, from: sent.from, event, in: rows)
        case .attachmentAdded(let added): due(added.message, from: added.from, event, in: rows)
        case .messageDelivered(let delivered):
            guard delivered.to == .caller else { return }
            rows.run("DELETE FROM due WHERE item = ?1", delivered.message)
        case .messageRejected, .messageSeen: break
        }
    }

    private func due(
        _ message: MessageID,
        from party: Party,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        guard party == .operator else { return }
        due(.message, message.description, until: nil, event, in: rows)
    }

    private func due(
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
    private func start(_ session: String, in rows: RowWriter) {
        rows.run("DELETE FROM due WHERE session = ?1 AND cause = 'opening'", session)
    }

    private func apply(_ fact: DeviceEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        case .pushSubscribed(let subscribed):
            rows.run(
                "INSERT OR REPLACE INTO device VALUES (?1, ?2, ?3)",
                event.subjectName,
                subscribed.person,
                subscribed.subscription
            )
        case .pushUnsubscribed(let ended): forget(ended.subscription, event, in: rows)
        case .pushExpired(let ended): forget(ended.subscription, event, in: rows)
        case .revoked: rows.run("DELETE FROM device WHERE id = ?1", event.subjectName)
        case .codeIssued, .admitted, .registered: break
        }
    }

    private func forget(
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
    private func apply(_ fact: AlertEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        case .queued(let queued): insert(queued, of: event, into: rows)
        case .deliveryAttempted(let begun) where begun.channel == .push:
            rows.run(
                "UPDATE delivery SET state = 'under_way' WHERE alert = ?1",
                event.subjectName
            )
        case .sent(let sent) where sent.channel == .push:
            end("done", sent.attempt, nil, event, in: rows)
        case .failed(let failed) where failed.channel == .push:
            let isOver = failed.permanence == .permanent
            let retryAt = failed.retryAfterSeconds.map { seconds in
                event.time + .seconds(min(max(0, seconds), ProjectionLimits.alertLifeSecondsMax))
            }
            end(isOver ? "done" : "queued", failed.attempt, retryAt, event, in: rows)
        case .deliveryAttempted, .sent, .failed: break
        }
    }

    private func insert(_ fact: AlertQueued, of event: RecordedEvent, into rows: RowWriter) {
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

    private func end(
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
