// SPDX-License-Identifier: Apache-2.0
import Events

extension HourlyTrendsProjector {
    static let sessions = Handlers {
        On(SessionCreated.self) { created, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO trend_session VALUES (?1, ?2, ?3, ?4, 'open', NULL, 0, 0, 0)",
                event.subjectName,
                event.envelope.organisation,
                event.time.hour,
                created.channel.rawValue
            )
        }
        On(SessionActivitySignalled.self) { signalled, event, rows in
            guard signalled.by == .caller else { return }
            note(activityOf: event.subjectName, at: event.time, in: rows)
            if signalled.activity == .typing { wait(event.subjectName, event, in: rows) }
        }
        On(SessionClaimed.self) { claim($1.subjectName, $1, in: $2) }
        On(SessionReleased.self) { _, event, rows in
            rows.run("UPDATE trend_session SET owned = 0 WHERE id = ?1", event.subjectName)
        }
        On(SessionExpired.self) { end($1.subjectName, "expired", $1, in: $2) }
        On(SessionClosed.self) { end($1.subjectName, outcome($0), $1, in: $2) }
        On(SessionRequestSent.self) { ask($0, of: $1, in: $2) }
        On(SessionRequestOpened.self) { open($0, of: $1, in: $2) }
        On(SessionRequestAnswered.self) { answer($0, of: $1, in: $2) }
    }

    static let chats = Handlers {
        On(ChatMessageSent.self) { add($0.message, from: $0.from, $1, in: $2) }
        On(ChatAttachmentAdded.self) { add($0.message, from: $0.from, $1, in: $2) }
        On(ChatMessageDelivered.self) { deliver($0, of: $1, in: $2) }
        On(ChatMessageSeen.self) { see($0, of: $1, in: $2) }
    }

    private static func ask(_ fact: SessionRequestSent, of event: RecordedEvent, in rows: RowWriter)
    {
        count("requests", "\(fact.ask.rawValue)/sent", 1, event, in: rows)
        rows.run(
            "INSERT OR REPLACE INTO trend_request VALUES (?1, ?2, 0)",
            fact.request,
            fact.ask.rawValue
        )
    }

    /// A page that was loaded anew may show a request again.
    private static func open(
        _ fact: SessionRequestOpened,
        of event: RecordedEvent,
        in rows: RowWriter
    ) {
        let ask = rows.first(
            "SELECT ask FROM trend_request WHERE id = ?1 AND opened = 0",
            fact.request
        ) { try $0.text() }
        guard let ask else { return }
        count("requests", "\(ask)/opened", 1, event, in: rows)
        rows.run("UPDATE trend_request SET opened = 1 WHERE id = ?1", fact.request)
    }

    private static func answer(
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

    private static func claim(_ session: String, _ event: RecordedEvent, in rows: RowWriter) {
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
    private static func outcome(_ closed: SessionClosed) -> String {
        let known = ["handled", "transferred", "false_alarm", "no_contact"]
        return known.contains(closed.disposition) ? closed.disposition : "other"
    }

    private static func end(
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
    private static func wait(_ session: String, _ event: RecordedEvent, in rows: RowWriter) {
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

    private static func add(
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
        if party == .operator { answer(session, event, in: rows) }
        guard party == .caller else { return }
        note(activityOf: session, at: event.time, in: rows)
        wait(session, event, in: rows)
    }

    /// The first words of an operator to a caller who did something before.
    private static func answer(_ session: String, _ event: RecordedEvent, in rows: RowWriter) {
        let active = rows.first(
            "SELECT active_at FROM trend_session WHERE id = ?1 AND is_answered = 0",
            session
        ) { try $0.optionalTime() }
        guard let active = active ?? nil else { return }
        sample("first_answer", session, from: active, to: event, in: rows)
        rows.run("UPDATE trend_session SET is_answered = 1 WHERE id = ?1", session)
    }

    private static func deliver(
        _ fact: ChatMessageDelivered,
        of event: RecordedEvent,
        in rows: RowWriter
    ) {
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
    private static func see(_ fact: ChatMessageSeen, of event: RecordedEvent, in rows: RowWriter) {
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
