// SPDX-License-Identifier: Apache-2.0
public import Events

/// Builds ``OperatorDesk``.
public struct OperatorDeskProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("operator-desk", version: 12)
    public var tables: [Table] { OperatorDeskTables.all }
    public let kinds: Set<Kind> = SessionOffered.kinds.union(SessionSealed.kinds)
        .union(SessionUnsealed.kinds).union([
            SessionCreated.kind, SessionExpired.kind, SessionClaimed.kind, SessionReleased.kind,
            SessionResumed.kind, SessionActivitySignalled.kind, SessionRequestSent.kind,
            SessionRequestOpened.kind, SessionRequestAnswered.kind, SessionConsentRecorded.kind,
            SessionClosed.kind,
            SessionOfferDeclined.kind, SessionTransferred.kind,
            SessionUnattended.kind, SessionLinkProposed.kind, SessionLinkDeclined.kind,
            SessionLinkAccepted.kind,
            IncidentOpened.kind, IncidentSessionLinked.kind, IncidentAddressSet.kind,
            IncidentClassified.kind, IncidentNoteAdded.kind, ChatMessageSent.kind,
            ChatAttachmentAdded.kind,
            ChatMessageSeen.kind, LocationReported.kind, LocationUnavailable.kind,
            StreamStarted.kind,
            StreamInterrupted.kind, StreamResumed.kind, StreamStopped.kind, DeviceRegistered.kind,
            DeviceRevoked.kind, UserCreated.kind, UserLoggedIn.kind, UserLoggedOut.kind,
            UserRoleChanged.kind,
            PersonErased.kind,
        ])

    public func apply(_ event: RecordedEvent, to rows: RowWriter) {
        switch event.fact {
        case .session(let fact): apply(fact, of: event, to: rows)
        case .chat(let fact): apply(fact, of: event, to: rows)
        case .stream(let fact): apply(fact, of: event, to: rows)
        case .location(let fact): apply(fact, of: event, to: rows)
        case .incident(let fact): apply(fact, of: event, to: rows)
        case .device(let fact): apply(fact, of: event, to: rows)
        case .user(let fact): apply(fact, of: event, to: rows)
        case .person(.erased(let fact)): forget(fact, in: rows)
        case .report, .alert, .patrol, .access, .hold, .policy, .clock: break
        }
    }

    private func forget(_ fact: PersonErased, in rows: RowWriter) {
        let key = fact.keyText
        rows.run("UPDATE session SET phone = NULL WHERE phone_key = ?1", key)
        rows.run("UPDATE caller SET phone = NULL WHERE person = ?1", key)
        rows.run("UPDATE device SET phone = NULL WHERE person = ?1", key)
    }

    private func apply(_ fact: IncidentEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        // Whatever moves a session links it where it goes.
        case .sessionUnlinked, .merged, .unmerged: break
        case .opened(let opened):
            rows.run(
                "INSERT OR REPLACE INTO incident VALUES (?1, NULL, ?2, ?3, NULL, NULL)",
                event.subjectName,
                opened.type,
                opened.priority
            )
        case .classified(let classified):
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
        case .noteAdded(let added):
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
        case .sessionLinked(let linked):
            rows.run(
                "UPDATE session SET incident = ?2 WHERE id = ?1",
                linked.session,
                event.subjectName
            )
        case .addressSet(let set):
            rows.run(
                "UPDATE incident SET address = ?2 WHERE id = ?1",
                event.subjectName,
                set.address
            )
        }
    }

    private func apply(_ fact: LocationEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        case .reported(let reported):
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
        case .unavailable(let unavailable):
            rows.run(
                "INSERT OR REPLACE INTO location VALUES (?1, ?2, ?3, NULL, NULL, ?4, ?5)",
                event.subjectName,
                event.position,
                event.time,
                unavailable.reason.rawValue,
                unavailable.request
            )
        }
        active(event.subjectName, at: event.time, in: rows)
    }

    private func apply(_ fact: StreamEvent, of event: RecordedEvent, to rows: RowWriter) {
        switch fact {
        case .started(let started):
            rows.run(
                "INSERT OR REPLACE INTO stream VALUES (?1, ?2, 'live', ?3)",
                event.subjectName,
                started.session,
                event.time
            )
            self.started(started.session.description, at: event.time, in: rows)
            active(started.session.description, at: event.time, in: rows)
            pend(started.session.description, at: event.time, in: rows)
        case .interrupted:
            rows.run(
                "UPDATE stream SET state = 'interrupted' WHERE id = ?1 AND state = 'live'",
                event.subjectName
            )
        case .resumed:
            rows.run(
                "UPDATE stream SET state = 'live' WHERE id = ?1 AND state = 'interrupted'",
                event.subjectName
            )
        case .stopped:
            rows.run("UPDATE stream SET state = 'stopped' WHERE id = ?1", event.subjectName)
        case .chunkArchived, .chunksInspected, .gapDetected, .qualityChanged, .cameraSwitched,
            .torchToggled, .finalized, .recordingFailed, .viewed:
            break
        }
    }

    /// A session has started with the caller's stream, place or first message (ruling 35).
    func started(_ session: String, at time: Timestamp, in rows: RowWriter) {
        rows.run(
            """
            UPDATE session SET started_at = ?2, state = 'open'
            WHERE id = ?1 AND started_at IS NULL AND state IN ('waiting', 'open')
            """,
            session,
            time
        )
    }

    func active(_ session: String, at time: Timestamp, in rows: RowWriter) {
        rows.run("UPDATE session SET activity_at = ?2 WHERE id = ?1", session, time)
    }
}
