// SPDX-License-Identifier: Apache-2.0
import Events

extension HourlyTrendsProjector {
    func apply(_ fact: SessionEvent, of event: RecordedEvent, to rows: RowWriter) {
        let session = event.subjectName
        switch fact {
        case .created(let created):
            rows.run(
                "INSERT OR REPLACE INTO trend_session VALUES (?1, ?2, ?3, ?4, 'open', NULL, 0, 0)",
                session,
                event.envelope.organisation,
                event.time.hour,
                created.channel.rawValue
            )
        case .activitySignalled(let signalled) where signalled.by == .caller:
            note(activityOf: session, at: event.time, in: rows)
            if signalled.activity == .typing { wait(session, event, in: rows) }
        case .claimed: claim(session, event, in: rows)
        case .released:
            rows.run("UPDATE trend_session SET owned = 0 WHERE id = ?1", session)
        case .expired: end(session, "expired", event, in: rows)
        case .closed(let closed): end(session, outcome(closed), event, in: rows)
        case .requestSent(let sent): ask(sent, of: event, in: rows)
        case .requestOpened(let opened): open(opened, of: event, in: rows)
        case .requestAnswered(let answered): answer(answered, of: event, in: rows)
        case .activitySignalled, .resumed, .linkIssued, .linkOpened, .consentRecorded, .sealed,
            .unsealed, .offered, .offerDeclined, .transferred, .unattended, .linkProposed,
            .linkDeclined, .linkAccepted:
            break
        }
    }

    private func ask(_ fact: SessionRequestSent, of event: RecordedEvent, in rows: RowWriter) {
        count("requests", "\(fact.ask.rawValue)/sent", 1, event, in: rows)
        rows.run(
            "INSERT OR REPLACE INTO trend_request VALUES (?1, ?2, 0)",
            fact.request,
            fact.ask.rawValue
        )
    }

    /// A page that was loaded anew may show a request again.
    private func open(_ fact: SessionRequestOpened, of event: RecordedEvent, in rows: RowWriter) {
        let ask = rows.first(
            "SELECT ask FROM trend_request WHERE id = ?1 AND opened = 0",
            fact.request
        ) { try $0.text() }
        guard let ask else { return }
        count("requests", "\(ask)/opened", 1, event, in: rows)
        rows.run("UPDATE trend_request SET opened = 1 WHERE id = ?1", fact.request)
    }

    private func answer(
        _ fact: SessionRequestAnswered,
        of event: RecordedEvent,
        in rows: RowWriter
    ) {
        let ask = rows.first("SELECT ask FROM trend_request WHERE id = ?1", fact.request) {
            try $0.text()
        }
        guard let ask else { return }
        count("requests", "\(ask)/\(fact.answer.rawValue)", 1, event, in: rows)
    }

    private func claim(_ session: String, _ event: RecordedEvent, in rows: RowWriter) {
        let first = rows.first(
            "SELECT active_at FROM trend_session WHERE id = ?1 AND claims = 0",
            session
        ) { try $0.optionalTime() }
        if let active = first ?? nil {
            sample("claim_wait", session, from: active, to: event, in: rows)
        }
        rows.run(
            "UPDATE trend_session SET claims = claims + 1, owned = 1 WHERE id = ?1",
            session
        )
        leave("chats", session, at: event.time, in: rows)
    }

    /// The words that the console offers; whatever else somebody wrote is no dimension of a table.
    private func outcome(_ closed: SessionClosed) -> String {
        let known = ["handled", "transferred", "false_alarm", "no_contact"]
        return known.contains(closed.disposition) ? closed.disposition : "other"
    }

    private func end(
        _ session: String,
        _ outcome: String,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run(
            "UPDATE trend_session SET outcome = ?2, owned = 1 WHERE id = ?1",
            session,
            outcome
        )
        leave("chats", session, at: event.time, in: rows)
    }

    /// A caller's writing waits while nobody owns the session and it has not ended.
    private func wait(_ session: String, _ event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            """
            INSERT OR REPLACE INTO trend_queue SELECT 'chats', ?1, org, ?2, ?3, NULL FROM trend_session
            WHERE id = ?1 AND owned = 0 AND NOT EXISTS (SELECT 1 FROM trend_queue
            WHERE queue = 'chats' AND item = ?1 AND until_at IS NULL)
            """,
            session,
            event.time,
            event.position
        )
    }

    func apply(_ fact: ChatEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        case .messageSent(let sent): add(sent.message, from: sent.from, event, in: rows)
        case .attachmentAdded(let added): add(added.message, from: added.from, event, in: rows)
        case .messageDelivered(let delivered): deliver(delivered, of: event, in: rows)
        case .messageSeen(let seen): see(seen, of: event, in: rows)
        case .messageRejected: break
        }
    }

    private func add(
        _ message: MessageID,
        from party: Party,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        let session = event.subjectName
        rows.run(
            "INSERT OR REPLACE INTO trend_message VALUES (?1, ?2, ?3, ?4, ?5, NULL, 0)",
            session,
            event.position,
            message,
            party.rawValue,
            event.time
        )
        guard party == .caller else { return }
        note(activityOf: session, at: event.time, in: rows)
        wait(session, event, in: rows)
    }

    private func deliver(_ fact: ChatMessageDelivered, of event: RecordedEvent, in rows: RowWriter)
    {
        let sent = rows.first(
            "SELECT sent_at FROM trend_message WHERE id = ?1 AND delivered_at IS NULL",
            fact.message
        ) { try $0.time() }
        guard let sent else { return }
        sample("sent_to_delivered", fact.message.description, from: sent, to: event, in: rows)
        rows.run(
            "UPDATE trend_message SET delivered_at = ?2 WHERE id = ?1",
            fact.message,
            event.time
        )
    }

    /// All earlier messages of the other side are seen with the one that is named.
    private func see(_ fact: ChatMessageSeen, of event: RecordedEvent, in rows: RowWriter) {
        for sender in fact.by.others {
            rows.run(
                """
                INSERT OR IGNORE INTO trend_sample
                SELECT ?6, ?4, 'delivered_to_seen', (?5 - delivered_at) / 1000, id FROM trend_message
                INDEXED BY trend_message_by_session_seen_sender
                WHERE session = ?1 AND sender = ?2 AND seen = 0 AND delivered_at IS NOT NULL
                AND position <= (SELECT position FROM trend_message WHERE id = ?3)
                """,
                event.subjectName,
                sender.rawValue,
                fact.upTo,
                event.time.hour,
                event.time,
                event.envelope.organisation
            )
            rows.run(
                """
                UPDATE trend_message INDEXED BY trend_message_by_session_seen_sender SET seen = 1
                WHERE session = ?1 AND sender = ?2 AND seen = 0
                AND position <= (SELECT position FROM trend_message WHERE id = ?3)
                """,
                event.subjectName,
                sender.rawValue,
                fact.upTo
            )
        }
    }
}
