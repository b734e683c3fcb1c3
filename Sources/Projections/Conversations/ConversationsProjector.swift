// SPDX-License-Identifier: Apache-2.0
public import Events

/// Builds ``Conversations``.
public struct ConversationsProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("conversations", version: 2)
    public var tables: [Table] { ConversationTables.all }
    public let kinds: Set<Kind> = [
        SessionCreated.kind, SessionClaimed.kind, SessionTransferred.kind, SessionExpired.kind,
        SessionClosed.kind,
        IncidentSessionLinked.kind, ChatMessageSent.kind, ChatAttachmentAdded.kind,
        ChatMessageRejected.kind,
        ChatMessageDelivered.kind, ChatMessageSeen.kind,
    ]

    public func apply(_ event: RecordedEvent, to rows: RowWriter) {
        switch event.fact {
        case .chat(let fact): apply(fact, of: event, to: rows)
        case .session(let fact): apply(fact, of: event, to: rows)
        case .incident(.sessionLinked(let fact)):
            rows.run(
                "UPDATE conversation SET incident = ?2 WHERE session = ?1",
                fact.session,
                event.subjectName
            )
        case .incident, .device, .user, .stream, .location, .report, .alert, .patrol, .access,
            .person, .hold, .policy, .clock:
            break
        }
    }

    private func apply(_ fact: SessionEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        case .created(let created):
            rows.run(
                "INSERT OR REPLACE INTO conversation VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL, NULL)",
                event.subjectName,
                created.incident,
                created.caller,
                event.envelope.organisation,
                created.channel.rawValue,
                event.time
            )
        case .claimed(let claimed): own(event.subjectName, by: claimed.owner, in: rows)
        case .transferred(let fact): own(event.subjectName, by: fact.to, in: rows)
        case .expired, .closed:
            rows.run(
                "UPDATE conversation SET ended_at = ?2 WHERE session = ?1",
                event.subjectName,
                event.time
            )
        case .sealed, .unsealed, .released, .resumed, .activitySignalled, .requestSent,
            .requestOpened,
            .requestAnswered, .linkIssued, .linkOpened, .consentRecorded, .offered, .offerDeclined,
            .unattended, .linkProposed, .linkDeclined, .linkAccepted:
            break
        }
    }

    private func own(_ session: String, by owner: UserID, in rows: RowWriter) {
        rows.run("UPDATE conversation SET owner = ?2 WHERE session = ?1", session, owner)
    }

    private func apply(_ fact: ChatEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        case .messageSent(let sent): insert(sent, of: event, into: rows)
        case .attachmentAdded(let added): insert(added, of: event, into: rows)
        case .messageRejected(let rejected):
            rows.run(
                "INSERT OR REPLACE INTO rejection VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                event.subjectName,
                event.position,
                rejected.temporaryID,
                rejected.from.rawValue,
                rejected.reason,
                event.time
            )
        case .messageDelivered(let delivered):
            rows.run(
                """
                UPDATE message SET delivered_at = ?3 WHERE session = ?1 AND delivered_at IS NULL
                AND position = (SELECT position FROM message WHERE id = ?2)
                """,
                event.subjectName,
                delivered.message,
                event.time
            )
        case .messageSeen(let seen):
            for sender in seen.by.others {
                rows.run(
                    """
                    UPDATE message SET seen_at = ?4 WHERE session = ?1 AND sender = ?2
                    AND seen_at IS NULL AND position <= (SELECT position FROM message WHERE id = ?3)
                    """,
                    event.subjectName,
                    sender.rawValue,
                    seen.upTo,
                    event.time
                )
            }
        }
    }

    private func insert(_ fact: ChatMessageSent, of event: RecordedEvent, into rows: RowWriter) {
        rows.run(
            """
            INSERT OR REPLACE INTO message VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, NULL, NULL,
            NULL, NULL, NULL, NULL, NULL, NULL)
            """,
            event.subjectName,
            event.position,
            fact.message,
            fact.temporaryID,
            fact.from.rawValue,
            event.envelope.actor,
            fact.text,
            fact.clientTimestamp,
            fact.channel.rawValue,
            event.time
        )
    }

    private func insert(
        _ fact: ChatAttachmentAdded,
        of event: RecordedEvent,
        into rows: RowWriter
    ) {
        rows.run(
            """
            INSERT OR REPLACE INTO message VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL, '', 'http', ?7, NULL, NULL,
            ?8, ?9, ?10, ?11, ?12, ?13)
            """,
            event.subjectName,
            event.position,
            fact.message,
            fact.temporaryID,
            fact.from.rawValue,
            event.envelope.actor,
            event.time,
            fact.person,
            fact.blob,
            fact.bytes,
            fact.mediaType.rawValue,
            fact.width,
            fact.height
        )
    }
}
