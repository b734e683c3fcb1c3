// SPDX-License-Identifier: Apache-2.0
public import Events

/// Builds ``Deadlines``.
public struct DeadlinesProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("deadlines", version: 4)
    public let tables = [
        Table(
            "start_limit",
            key: ["session"],
            columns: [
                "session TEXT NOT NULL", "caller TEXT NOT NULL", "org TEXT NOT NULL",
                "expires_at INTEGER NOT NULL", "position INTEGER NOT NULL", "event TEXT NOT NULL",
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
    public let kinds: Set<Kind> = [
        SessionCreated.kind, SessionExpired.kind, SessionClosed.kind, SessionRequestSent.kind,
        SessionRequestAnswered.kind, ChatMessageSent.kind, ChatAttachmentAdded.kind,
        LocationReported.kind, StreamStarted.kind,
        StreamChunkArchived.kind, StreamInterrupted.kind, StreamResumed.kind, StreamStopped.kind,
        StreamFinalized.kind, PolicyEnabled.kind,
    ]

    public func apply(_ event: RecordedEvent, to rows: RowWriter) {
        switch event.fact {
        case .session(let fact): apply(fact, of: event, to: rows)
        case .stream(let fact): apply(fact, of: event, to: rows)
        case .chat(let fact):
            if fact.author == .caller { start(event.subjectName, in: rows) }
        case .location(.reported): start(event.subjectName, in: rows)
        case .policy(.enabled(let fact)):
            rows.run(
                "INSERT OR REPLACE INTO policy VALUES (?1, ?2, ?3, ?4)",
                fact.policy,
                PolicySettings(fact.settings).text,
                event.position,
                event.time
            )
        case .incident, .location, .device, .user, .report, .alert, .patrol, .access, .person,
            .hold, .clock:
            break
        }
    }

    private func apply(_ fact: SessionEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        case .created(let created):
            guard let limit = created.expiresAt else { return }
            rows.run(
                "INSERT OR REPLACE INTO start_limit VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                event.subjectName,
                created.caller,
                event.envelope.organisation,
                limit,
                event.position,
                event.envelope.id
            )
        case .requestSent(let sent):
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
        case .requestAnswered(let answered):
            rows.run("DELETE FROM request_limit WHERE request = ?1", answered.request)
        case .expired, .closed:
            start(event.subjectName, in: rows)
            // What still waits for an answer gets none any more: it is due now.
            rows.run(
                "UPDATE request_limit SET expires_at = ?2 WHERE session = ?1 AND expires_at > ?2",
                event.subjectName,
                event.time
            )
        case .sealed, .unsealed, .offered, .offerDeclined, .transferred, .unattended, .linkProposed,
            .linkDeclined, .linkAccepted, .claimed,
            .released, .resumed, .activitySignalled, .requestOpened, .linkIssued, .linkOpened,
            .consentRecorded:
            break
        }
    }

    private func apply(_ fact: StreamEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        case .started(let started):
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
        case .chunkArchived, .resumed: arrive(event, in: rows)
        case .interrupted:
            rows.run(
                "UPDATE stream SET state = 'interrupted' WHERE id = ?1 AND state = 'live'",
                event.subjectName
            )
        case .stopped:
            rows.run(
                "UPDATE stream SET state = 'stopped', last_at = ?2, position = ?3, event = ?4 WHERE id = ?1",
                event.subjectName,
                event.time,
                event.position,
                event.envelope.id
            )
        case .finalized: rows.run("DELETE FROM stream WHERE id = ?1", event.subjectName)
        case .chunksInspected, .gapDetected, .qualityChanged, .cameraSwitched, .torchToggled,
            .recordingFailed, .viewed:
            break
        }
    }

    private func arrive(_ event: RecordedEvent, in rows: RowWriter) {
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

    private func start(_ session: String, in rows: RowWriter) {
        rows.run("DELETE FROM start_limit WHERE session = ?1", session)
    }
}
