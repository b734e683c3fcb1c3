// SPDX-License-Identifier: Apache-2.0
import Events

/// Builds ``OperatorDesk``.
public struct OperatorDeskProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("operator-desk", version: 18)
    public var tables: [Table] { OperatorDeskTables.all }
    public var searchTables: [SearchTable] { OperatorDeskTables.search }
    public var handlers: Handlers { Self.handlers }

    private static let handlers = Handlers {
        sessions
        incidents
        chats
        On(LocationReported.self) { reported, event, rows in
            find(reported, event, in: rows)
            rows.run(
                "INSERT OR REPLACE INTO location VALUES (?1, ?2, ?3, ?4, ?5, NULL, ?6)",
                event.subjectName,
                event.position,
                event.time,
                reported.fix,
                reported.method,
                reported.request
            )
            started(event.subjectName, at: event.time, in: rows)
            active(event.subjectName, at: event.time, in: rows)
        }
        On(LocationUnavailable.self) { unavailable, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO location VALUES (?1, ?2, ?3, NULL, NULL, ?4, ?5)",
                event.subjectName,
                event.position,
                event.time,
                unavailable.reason.rawValue,
                unavailable.request
            )
            active(event.subjectName, at: event.time, in: rows)
        }
        On(StreamStarted.self) { stream, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO stream VALUES (?1, ?2, 'live', ?3)",
                event.subjectName,
                stream.session,
                event.time
            )
            started(stream.session.description, at: event.time, in: rows)
            active(stream.session.description, at: event.time, in: rows)
            pend(stream.session.description, at: event.time, in: rows)
        }
        On(StreamInterrupted.self) { _, event, rows in
            rows.run(
                "UPDATE stream SET state = 'interrupted' WHERE id = ?1 AND state = 'live'",
                event.subjectName
            )
        }
        On(StreamResumed.self) { _, event, rows in
            rows.run(
                "UPDATE stream SET state = 'live' WHERE id = ?1 AND state = 'interrupted'",
                event.subjectName
            )
        }
        On(StreamStopped.self) { _, event, rows in
            rows.run("UPDATE stream SET state = 'stopped' WHERE id = ?1", event.subjectName)
        }
        accounts
        On(PersonErased.self) { erased, _, rows in
            let key = erased.keyText
            rows.run("UPDATE session SET phone = NULL WHERE phone_key = ?1", key)
            rows.run("UPDATE caller SET phone = NULL WHERE person = ?1", key)
            rows.run("UPDATE device SET phone = NULL WHERE person = ?1", key)
            forgetWords(of: key, in: rows)
        }
    }

    private static let incidents = Handlers {
        On(IncidentOpened.self) { opened, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO incident VALUES (?1, NULL, ?2, ?3, NULL, NULL)",
                event.subjectName,
                opened.type,
                opened.priority
            )
        }
        On(IncidentClassified.self) { classified, event, rows in
            rows.run(
                """
                UPDATE incident SET type = ?2, priority = ?3, classified_by = ?4, classified_at = ?5
                WHERE id = ?1
                """,
                event.subjectName,
                classified.type,
                classified.priority,
                event.envelope.actor,
                event.time
            )
        }
        On(IncidentNoteAdded.self) { added, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO note VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                added.note,
                event.subjectName,
                event.position,
                added.session,
                event.envelope.actor,
                event.time,
                added.text
            )
        }
        // Whatever moves a session links it where it goes.
        On(IncidentSessionLinked.self) { linked, event, rows in
            rows.run(
                "UPDATE session SET incident = ?2 WHERE id = ?1",
                linked.session,
                event.subjectName
            )
        }
        On(IncidentAddressSet.self) { set, event, rows in
            find(set, event, in: rows)
            rows.run(
                "UPDATE incident SET address = ?2 WHERE id = ?1",
                event.subjectName,
                set.address
            )
        }
    }

    /// A session has started with the caller's stream, place or first message (ruling 35).
    static func started(_ session: String, at time: Timestamp, in rows: RowWriter) {
        rows.run(
            """
            UPDATE session SET started_at = ?2, state = 'open'
            WHERE id = ?1 AND started_at IS NULL AND state IN ('waiting', 'open')
            """,
            session,
            time
        )
    }

    static func active(_ session: String, at time: Timestamp, in rows: RowWriter) {
        rows.run("UPDATE session SET activity_at = ?2 WHERE id = ?1", session, time)
    }
}
