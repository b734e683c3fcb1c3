// SPDX-License-Identifier: Apache-2.0
public import Events

/// Builds ``IncidentTimeline``.
public struct IncidentTimelineProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("incident-timeline", version: 1)
    public var tables: [Table] { IncidentTimelineTables.all }
    public let kinds = Set(
        EventCatalog.current.rows.map(\.kind).filter { kind in
            ["session.", "incident.", "stream.", "chat.", "location.", "report.", "alert."]
                .contains { kind.text.hasPrefix($0) }
        }
    )

    public func apply(_ event: RecordedEvent, to rows: RowWriter) {
        switch event.fact {
        case .session(.created(let fact)): join(fact, of: event, in: rows)
        case .incident(.opened):
            join(event.envelope.subject, event.envelope.subject, event, in: rows)
        case .incident(.sessionLinked(let fact)): move(fact, of: event, in: rows)
        case .incident(.merged(let fact)):
            join(.incident(fact.into), event.envelope.subject, event, in: rows)
        case .stream(.started(let fact)):
            adopt(event.envelope.subject, by: .session(fact.session), event, in: rows)
        case .alert(.queued(let fact)):
            adopt(event.envelope.subject, by: fact.cause, event, in: rows)
        case .report(.submitted):
            join(event.envelope.subject, event.envelope.subject, event, in: rows)
        case .session, .incident, .stream, .alert, .report, .chat, .location, .device, .user,
            .patrol, .access, .person, .hold, .policy, .clock:
            break
        }
        record(event, in: rows)
    }

    private func record(_ event: RecordedEvent, in rows: RowWriter) {
        let place = event.envelope
        let file = FileRange(event.fact)
        rows.run(
            "INSERT OR REPLACE INTO entry VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
            place.position,
            place.subject,
            place.revision,
            place.id,
            place.kind,
            place.actor,
            place.time,
            place.occurredAt,
            file?.file,
            file?.offset,
            file?.length,
            file?.firstMilliseconds,
            file?.lastMilliseconds,
            SummaryText.of(event.fact).text
        )
    }

    private func join(_ fact: SessionCreated, of event: RecordedEvent, in rows: RowWriter) {
        let incident = Subject.incident(fact.incident)
        join(incident, incident, event, in: rows)
        join(incident, event.envelope.subject, event, in: rows)
        rows.run(
            "INSERT OR REPLACE INTO parent VALUES (?1, ?2, ?2)",
            event.envelope.subject,
            incident
        )
    }

    private func join(
        _ root: Subject,
        _ subject: Subject,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run(
            "INSERT OR IGNORE INTO membership VALUES (?1, ?2, ?3)",
            root,
            subject,
            event.position
        )
    }

    /// A new subject belongs wherever its parent ever belonged.
    private func adopt(
        _ subject: Subject,
        by parent: Subject,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run("INSERT OR REPLACE INTO parent VALUES (?1, ?2, NULL)", subject, parent)
        rows.run(
            """
            INSERT OR IGNORE INTO membership SELECT root, ?1, ?3 FROM membership WHERE subject = ?2
            """,
            subject,
            parent,
            event.position
        )
    }

    /// A linked session brings its streams and their alerts along; it stays in the timeline it came from, too.
    private func move(_ fact: IncidentSessionLinked, of event: RecordedEvent, in rows: RowWriter) {
        let incident = event.envelope.subject
        let session = Subject.session(fact.session)
        join(incident, incident, event, in: rows)
        rows.run("INSERT OR REPLACE INTO parent VALUES (?1, ?2, ?2)", session, incident)
        rows.run(
            """
            INSERT OR IGNORE INTO membership
            WITH RECURSIVE family (subject) AS (SELECT ?2 UNION
            SELECT parent.subject FROM parent JOIN family ON parent.parent = family.subject)
            SELECT ?1, subject, ?3 FROM family
            """,
            incident,
            session,
            event.position
        )
    }
}
