// SPDX-License-Identifier: Apache-2.0
import Events

/// Builds ``Conversations``.
public struct ConversationsProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("conversations", version: 3)
    public var tables: [Table] { ConversationTables.all }
    public var handlers: Handlers { Self.handlers }

    private static let handlers = Handlers {
        On(SessionCreated.self) { created, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO conversation VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL, NULL)",
                event.subjectName,
                created.incident,
                created.caller,
                event.envelope.organisation,
                created.channel.rawValue,
                event.time
            )
        }
        On(SessionClaimed.self) { own($1.subjectName, by: $0.owner, in: $2) }
        On(SessionTransferred.self) { own($1.subjectName, by: $0.to, in: $2) }
        On(SessionExpired.self) { end($1, in: $2) }
        On(SessionClosed.self) { end($1, in: $2) }
        On(IncidentSessionLinked.self) { linked, event, rows in
            rows.run(
                "UPDATE conversation SET incident = ?2 WHERE session = ?1",
                linked.session,
                event.subjectName
            )
        }
        On(ChatMessageSent.self) { insert($0, of: $1, into: $2) }
        On(ChatAttachmentAdded.self) { insert($0, of: $1, into: $2) }
        On(ChatQuickResponseChosen.self) { chosen, _, rows in
            rows.run(
                "UPDATE message SET quick_response = ?2 WHERE id = ?1",
                chosen.message,
                chosen.service.rawValue
            )
        }
        On(SIPMessageReceived.self) { received, _, rows in
            rows.run("UPDATE message SET channel = 'sip' WHERE id = ?1", received.message)
        }
        On(ChatMessageRejected.self) { rejected, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO rejection VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                event.subjectName,
                event.position,
                rejected.temporaryID,
                rejected.from.rawValue,
                rejected.reason,
                event.time
            )
        }
        On(ChatMessageDelivered.self) { delivered, event, rows in
            rows.run(
                """
                UPDATE message SET delivered_at = ?3 WHERE session = ?1 AND delivered_at IS NULL
                AND position = (SELECT position FROM message WHERE id = ?2)
                """,
                event.subjectName,
                delivered.message,
                event.time
            )
        }
        On(ChatMessageSeen.self) { seen, event, rows in
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

    private static func end(_ event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            "UPDATE conversation SET ended_at = ?2 WHERE session = ?1",
            event.subjectName,
            event.time
        )
    }

    private static func own(_ session: String, by owner: UserID, in rows: RowWriter) {
        rows.run("UPDATE conversation SET owner = ?2 WHERE session = ?1", session, owner)
    }

    private static func insert(
        _ fact: ChatMessageSent,
        of event: RecordedEvent,
        into rows: RowWriter
    ) {
        rows.run(
            """
            INSERT OR REPLACE INTO message VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, NULL, NULL,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL)
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

    private static func insert(
        _ fact: ChatAttachmentAdded,
        of event: RecordedEvent,
        into rows: RowWriter
    ) {
        rows.run(
            """
            INSERT OR REPLACE INTO message VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL, '', 'http', ?7, NULL, NULL,
            ?8, ?9, ?10, ?11, ?12, ?13, NULL)
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
