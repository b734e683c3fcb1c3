// SPDX-License-Identifier: Apache-2.0
import Events

extension OperatorDeskProjector {
    static let sessions = Handlers {
        On(SessionCreated.self) { created, event, rows in
            insert(created, of: event, into: rows)
            find(created, event, in: rows)
        }
        On(SessionExpired.self) { end($1.subjectName, as: .expired, at: $1.time, in: $2) }
        On(SessionClaimed.self) { claim($1.subjectName, by: $0.owner, at: $1.time, in: $2) }
        On(SessionReleased.self) { release($1.subjectName, $0, at: $1.time, in: $2) }
        On(SessionTransferred.self) { claim($1.subjectName, by: $0.to, at: $1.time, in: $2) }
        On(SessionOffered.self) { offer($1.subjectName, $0, in: $2) }
        On(SessionAssigned.self) { assigned, event, rows in
            withdrawOffer(event.subjectName, in: rows)
            rows.run(
                "UPDATE session SET offered_to = ?2, offer_until = ?3 WHERE id = ?1",
                event.subjectName,
                assigned.to,
                assigned.expiresAt
            )
        }
        On(SessionOfferDeclined.self) { withdrawOffer($1.subjectName, in: $2) }
        On(SessionLinkProposed.self) { propose($0, of: $1, in: $2) }
        On(SessionLinkDeclined.self) { answer($0.from, of: $1.subjectName, in: $2) }
        On(SessionLinkAccepted.self) { answer($0.from, of: $1.subjectName, in: $2) }
        On(SessionUnattended.self) { leave($1.subjectName, $0, at: $1.time, in: $2) }
        On(SessionResumed.self) { resumed, event, rows in
            active(event.subjectName, at: event.time, in: rows)
            if resumed.by == .operator { attend(event.subjectName, in: rows) }
        }
        On(SessionActivitySignalled.self) { note($0, of: $1, in: $2) }
        On(SessionVideoWished.self) { wished, event, rows in
            rows.run(
                "UPDATE session SET wishes_video_until = ?2 WHERE id = ?1",
                event.subjectName,
                wished.expiresAt
            )
            active(event.subjectName, at: event.time, in: rows)
            pend(event.subjectName, at: event.time, in: rows)
        }
        On(SessionVideoWishWithdrawn.self) { _, event, rows in
            withdrawWish(of: event.subjectName, at: event.time, in: rows)
        }
        On(SessionMuteSet.self) { set, event, rows in
            rows.run(
                "UPDATE session SET is_muted = ?2 WHERE id = ?1",
                event.subjectName,
                set.isMuted
            )
        }
        On(SIPMessageReceived.self) { received, event, rows in
            find(received, event, in: rows)
            rows.run(
                "UPDATE session SET telephone = ?2 WHERE id = ?1",
                event.subjectName,
                received.sender
            )
        }
        On(SessionSealed.self) { seal($1.subjectName, true, in: $2) }
        On(SessionUnsealed.self) { seal($1.subjectName, false, in: $2) }
        On(SessionRequestSent.self) { sent, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO request VALUES (?1, ?2, ?3, ?4, ?5, NULL, NULL, NULL)",
                sent.request,
                event.subjectName,
                sent.ask.rawValue,
                event.time,
                sent.expiresAt
            )
        }
        On(SessionRequestOpened.self) { opened, event, rows in
            rows.run(
                "UPDATE request SET opened_at = ?2 WHERE id = ?1 AND opened_at IS NULL",
                opened.request,
                event.time
            )
        }
        On(SessionRequestAnswered.self) { answered, event, rows in
            rows.run(
                "UPDATE request SET answer = ?2, answered_at = ?3 WHERE id = ?1",
                answered.request,
                answered.answer.rawValue,
                event.time
            )
        }
        On(SessionConsentRecorded.self) { consent, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO consent VALUES (?1, ?2, ?3, ?4, ?5)",
                event.subjectName,
                consent.scope.rawValue,
                consent.decision.rawValue,
                consent.textVersion,
                event.time
            )
        }
        On(SessionClosed.self) { closed, event, rows in
            end(event.subjectName, as: .closed, at: event.time, in: rows)
            rows.run(
                "UPDATE session SET disposition = ?2, note = ?3 WHERE id = ?1",
                event.subjectName,
                closed.disposition,
                closed.note
            )
        }
    }

    static let chats = Handlers {
        On(ChatMessageSent.self) { sent, event, rows in
            add(sent.message, from: sent.from, words: sent.text, event, in: rows)
            find(sent, event, in: rows)
        }
        On(ChatAttachmentAdded.self) { added, event, rows in
            add(added.message, from: added.from, words: nil, event, in: rows)
        }
        On(ChatMessageSeen.self) { seen, event, rows in
            for sender in seen.by.others {
                rows.run(
                    """
                    UPDATE message SET seen = 1 WHERE session = ?1 AND seen = 0 AND sender = ?2
                    AND position <= (SELECT position FROM message WHERE message = ?3)
                    """,
                    event.subjectName,
                    sender.rawValue,
                    seen.upTo
                )
            }
        }
    }

    private static func insert(
        _ fact: SessionCreated,
        of event: RecordedEvent,
        into rows: RowWriter
    ) {
        let state: SessionState = fact.expiresAt == nil ? .open : .waiting
        let phone = rows.open(fact.phone)?.text
        rows.run(
            """
            INSERT OR REPLACE INTO session VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, NULL, NULL,
            ?13, ?14, ?15, NULL, NULL, ?13, NULL, NULL, NULL, NULL, 0,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
            coalesce((SELECT who FROM caller WHERE person = ?3), ?3), NULL, 0)
            """,
            event.subjectName,
            fact.incident,
            fact.caller,
            event.envelope.organisation,
            fact.device,
            fact.channel.rawValue,
            fact.openedBy.rawValue,
            fact.openedByUser,
            phone,
            fact.phone?.person,
            fact.phone,
            state.rawValue,
            event.time,
            event.position,
            fact.expiresAt
        )
        rows.run(
            """
            INSERT INTO caller VALUES (?1, ?2, ?3, 1, ?4, ?5, ?6, ?1) ON CONFLICT (person) DO UPDATE SET
            phone = coalesce(excluded.phone, phone),
            sealed_phone = coalesce(excluded.sealed_phone, sealed_phone),
            sessions = sessions + 1, last_session = ?4, last_at = ?5
            """,
            fact.caller,
            phone,
            fact.phone,
            event.subjectName,
            event.time,
            event.envelope.organisation
        )
    }

    private static func end(
        _ session: String,
        as state: SessionState,
        at time: Timestamp,
        in rows: RowWriter
    ) {
        rows.run(
            """
            UPDATE session SET state = ?2, ended_at = ?3, pending_since = NULL, owner = NULL,
            last_owner = coalesce(owner, last_owner) WHERE id = ?1
            """,
            session,
            state.rawValue,
            time
        )
        forgetOwner(session, in: rows)
    }

    private static func claim(
        _ session: String,
        by owner: UserID,
        at time: Timestamp,
        in rows: RowWriter
    ) {
        rows.run(
            """
            UPDATE session SET owner = ?2, last_owner = ?2, claimed_at = ?3, activity_at = ?3,
            pending_since = NULL WHERE id = ?1
            """,
            session,
            owner,
            time
        )
        forgetOwner(session, in: rows)
    }

    private static func seal(_ session: String, _ isSealed: Bool, in rows: RowWriter) {
        rows.run("UPDATE session SET sealed = ?2 WHERE id = ?1", session, isSealed)
    }

    /// A released session waits again when its owner gave it back or was signed out rather than left it, when the caller films, and when
    /// the caller wrote something that no operator has seen.
    private static func release(
        _ session: String,
        _ fact: SessionReleased,
        at time: Timestamp,
        in rows: RowWriter
    ) {
        rows.run(
            """
            UPDATE session SET owner = NULL, activity_at = ?2, pending_since = CASE WHEN ?3
            OR EXISTS (SELECT 1 FROM stream WHERE session = ?1 AND state <> 'stopped')
            OR EXISTS (SELECT 1 FROM message WHERE session = ?1 AND seen = 0 AND sender = 'caller')
            THEN ?2 END WHERE id = ?1
            """,
            session,
            time,
            fact.reason != .leftOpen
        )
        forgetOwner(session, in: rows)
    }

    private static func offer(_ session: String, _ fact: SessionOffered, in rows: RowWriter) {
        rows.run(
            """
            UPDATE session SET offered_to = ?2, offered_by = ?3, offer_reason = ?4, offer_until = ?5
            WHERE id = ?1
            """,
            session,
            fact.to,
            fact.by,
            fact.reason,
            fact.expiresAt
        )
    }

    private static func withdrawOffer(_ session: String, in rows: RowWriter) {
        rows.run(
            """
            UPDATE session SET offered_to = NULL, offered_by = NULL, offer_reason = NULL,
            offer_until = NULL WHERE id = ?1
            """,
            session
        )
    }

    /// One asks; of those who asked before, the newest stay.
    private static func propose(
        _ fact: SessionLinkProposed,
        of event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run(
            "INSERT OR REPLACE INTO proposal VALUES (?1, ?2, ?3, ?4, ?5)",
            event.subjectName,
            fact.from,
            fact.by,
            fact.expiresAt,
            event.position
        )
        rows.run(
            """
            DELETE FROM proposal WHERE session = ?1 AND position NOT IN
            (SELECT position FROM proposal WHERE session = ?1 ORDER BY position DESC LIMIT ?2)
            """,
            event.subjectName,
            ProjectionLimits.proposalsOfSessionMax
        )
    }

    private static func answer(_ asker: SessionID, of session: String, in rows: RowWriter) {
        rows.run("DELETE FROM proposal WHERE session = ?1 AND asker = ?2", session, asker)
    }

    /// Nobody is there for the caller, who waits from then on, though the session keeps its owner.
    private static func leave(
        _ session: String,
        _ fact: SessionUnattended,
        at time: Timestamp,
        in rows: RowWriter
    ) {
        rows.run(
            """
            UPDATE session SET unattended_at = ?2, take_over_at = ?3, pending_since = ?2
            WHERE id = ?1
            """,
            session,
            time,
            fact.takeOverAt
        )
    }

    /// The owner is back.
    private static func attend(_ session: String, in rows: RowWriter) {
        rows.run(
            """
            UPDATE session SET unattended_at = NULL, take_over_at = NULL, pending_since = NULL
            WHERE id = ?1 AND unattended_at IS NOT NULL
            """,
            session
        )
    }

    /// What was said of an owner ends with the ownership.
    private static func forgetOwner(_ session: String, in rows: RowWriter) {
        withdrawOffer(session, in: rows)
        rows.run("DELETE FROM proposal WHERE session = ?1", session)
        rows.run(
            "UPDATE session SET unattended_at = NULL, take_over_at = NULL WHERE id = ?1",
            session
        )
    }

    private static func note(
        _ fact: SessionActivitySignalled,
        of event: RecordedEvent,
        in rows: RowWriter
    ) {
        active(event.subjectName, at: event.time, in: rows)
        if fact.by == .caller, fact.activity == .typing {
            pend(event.subjectName, at: event.time, in: rows)
        }
    }

    /// The caller does something while nobody has the session: from then on it waits, until it is claimed or ends.
    static func pend(_ session: String, at time: Timestamp, in rows: RowWriter) {
        rows.run(
            """
            UPDATE session SET pending_since = ?2 WHERE id = ?1 AND owner IS NULL
            AND pending_since IS NULL AND state IN ('waiting', 'open')
            """,
            session,
            time
        )
    }

    /// The wish leaves the queue; the session stays there if the caller also wrote, filmed or told a place.
    private static func withdrawWish(
        of session: String,
        at time: Timestamp,
        in rows: RowWriter
    ) {
        rows.run(
            """
            UPDATE session SET wishes_video_until = NULL, activity_at = ?2, pending_since = CASE WHEN
            EXISTS (SELECT 1 FROM stream WHERE session = ?1 AND state <> 'stopped')
            OR EXISTS (SELECT 1 FROM message WHERE session = ?1 AND sender = 'caller')
            OR EXISTS (SELECT 1 FROM location WHERE session = ?1 AND fix IS NOT NULL)
            THEN pending_since END WHERE id = ?1
            """,
            session,
            time
        )
    }

    private static func add(
        _ message: MessageID,
        from party: Party,
        words: Sealed<String>?,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run(
            "INSERT OR REPLACE INTO message VALUES (?1, ?2, ?3, ?4, 0)",
            event.subjectName,
            event.position,
            message,
            party.rawValue
        )
        guard party == .caller else {
            return active(event.subjectName, at: event.time, in: rows)
        }
        rows.run(
            """
            UPDATE session SET activity_at = ?2, first_words = coalesce(first_words, ?3),
            last_words = coalesce(?3, last_words) WHERE id = ?1
            """,
            event.subjectName,
            event.time,
            words
        )
        started(event.subjectName, at: event.time, in: rows)
        pend(event.subjectName, at: event.time, in: rows)
    }
}
