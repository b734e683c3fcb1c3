// SPDX-License-Identifier: Apache-2.0
import Events

/// Builds ``Deadlines``.
public struct DeadlinesProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("deadlines", version: 6)
    public let tables = [
        // Sessions in which nothing has started, with the moment at which they expire if they do.
        Table(
            "start_limit",
            key: ["session"],
            columns: [
                "session TEXT NOT NULL", "caller TEXT NOT NULL", "org TEXT NOT NULL",
                "expires_at INTEGER", "position INTEGER NOT NULL", "event TEXT NOT NULL",
                "is_wish INTEGER NOT NULL",
            ],
            indexes: [["expires_at", "position"]]
        ),
        Table(
            "request_limit",
            key: ["request"],
            columns: [
                "request TEXT NOT NULL", "session TEXT NOT NULL", "org TEXT NOT NULL",
                "expires_at INTEGER NOT NULL", "position INTEGER NOT NULL", "event TEXT NOT NULL",
            ],
            lookups: [["session"]],
            indexes: [["expires_at", "position"]]
        ),
        Table(
            "stream",
            key: ["id"],
            columns: [
                "id TEXT NOT NULL", "session TEXT NOT NULL", "org TEXT NOT NULL",
                "state TEXT NOT NULL", "last_at INTEGER NOT NULL", "position INTEGER NOT NULL",
                "event TEXT NOT NULL",
            ],
            indexes: [["state", "last_at", "position"]]
        ),
        Table(
            "policy",
            key: ["name"],
            columns: [
                "name TEXT NOT NULL", "settings TEXT NOT NULL", "position INTEGER NOT NULL",
                "at INTEGER NOT NULL",
            ]
        ),
    ]
    public var handlers: Handlers { Self.handlers }

    private static let handlers = Handlers {
        On(SessionCreated.self) { created, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO start_limit VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0)",
                event.subjectName,
                created.caller,
                event.envelope.organisation,
                created.expiresAt,
                event.position,
                event.envelope.id
            )
        }
        // A session in which the caller only wants to show video ends with the wish, unless somebody takes it.
        On(SessionVideoWished.self) { wished, event, rows in
            rows.run(
                """
                UPDATE start_limit SET expires_at = ?2, position = ?3, event = ?4, is_wish = 1
                WHERE session = ?1 AND (expires_at IS NULL OR is_wish = 1)
                """,
                event.subjectName,
                wished.expiresAt,
                event.position,
                event.envelope.id
            )
        }
        On(SessionClaimed.self) { endWish(of: $1.subjectName, in: $2) }
        On(SessionVideoWishWithdrawn.self) { endWish(of: $1.subjectName, in: $2) }
        On(SessionRequestSent.self) { sent, event, rows in
            guard let limit = sent.expiresAt else { return }
            rows.run(
                "INSERT OR REPLACE INTO request_limit VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                sent.request,
                event.subjectName,
                event.envelope.organisation,
                limit,
                event.position,
                event.envelope.id
            )
        }
        On(SessionRequestAnswered.self) { answered, _, rows in
            rows.run("DELETE FROM request_limit WHERE request = ?1", answered.request)
        }
        On(SessionExpired.self) { end($1, in: $2) }
        On(SessionClosed.self) { end($1, in: $2) }
        On(ChatMessageSent.self) { sent, event, rows in
            if sent.from == .caller { start(event.subjectName, in: rows) }
        }
        On(ChatAttachmentAdded.self) { added, event, rows in
            if added.from == .caller { start(event.subjectName, in: rows) }
        }
        On(LocationReported.self) { start($1.subjectName, in: $2) }
        On(StreamStarted.self) { started, event, rows in
            start(started.session.description, in: rows)
            rows.run(
                "INSERT OR REPLACE INTO stream VALUES (?1, ?2, ?3, 'live', ?4, ?5, ?6)",
                event.subjectName,
                started.session,
                event.envelope.organisation,
                event.time,
                event.position,
                event.envelope.id
            )
        }
        On(StreamChunkArchived.self) { arrive($1, in: $2) }
        On(StreamResumed.self) { arrive($1, in: $2) }
        On(StreamInterrupted.self) { _, event, rows in
            rows.run(
                "UPDATE stream SET state = 'interrupted' WHERE id = ?1 AND state = 'live'",
                event.subjectName
            )
        }
        On(StreamStopped.self) { _, event, rows in
            rows.run(
                "UPDATE stream SET state = 'stopped', last_at = ?2, position = ?3, event = ?4 WHERE id = ?1",
                event.subjectName,
                event.time,
                event.position,
                event.envelope.id
            )
        }
        On(StreamFinalized.self) { $2.run("DELETE FROM stream WHERE id = ?1", $1.subjectName) }
        On(PolicyEnabled.self) { enabled, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO policy VALUES (?1, ?2, ?3, ?4)",
                enabled.policy,
                PolicySettings(enabled.settings).text,
                event.position,
                event.time
            )
        }
    }

    private static func end(_ event: RecordedEvent, in rows: RowWriter) {
        start(event.subjectName, in: rows)
        // What still waits for an answer gets none any more: it is due now.
        rows.run(
            "UPDATE request_limit SET expires_at = ?2 WHERE session = ?1 AND expires_at > ?2",
            event.subjectName,
            event.time
        )
    }

    private static func arrive(_ event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            """
            UPDATE stream SET state = 'live', last_at = ?2, position = ?3, event = ?4
            WHERE id = ?1 AND state <> 'stopped'
            """,
            event.subjectName,
            event.time,
            event.position,
            event.envelope.id
        )
    }

    private static func endWish(of session: String, in rows: RowWriter) {
        rows.run(
            "UPDATE start_limit SET expires_at = NULL WHERE session = ?1 AND is_wish = 1",
            session
        )
    }

    private static func start(_ session: String, in rows: RowWriter) {
        rows.run("DELETE FROM start_limit WHERE session = ?1", session)
    }
}
