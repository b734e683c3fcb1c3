// SPDX-License-Identifier: Apache-2.0
public import Events

/// Builds ``IncidentTimeline``.
public struct IncidentTimelineProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("incident-timeline", version: 3)
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
        case .incident(.unmerged(let fact)):
            rows.run(
                """
                UPDATE membership SET until = ?3
                WHERE root = ?1 AND subject = ?2 AND until IS NULL
                """,
                Subject.incident(fact.from),
                event.envelope.subject,
                event.position
            )
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
            """
            INSERT INTO membership SELECT ?1, ?2, ?3, NULL WHERE NOT EXISTS
            (SELECT 1 FROM membership WHERE root = ?1 AND subject = ?2 AND until IS NULL)
            """,
            root,
            subject,
            event.position
        )
    }

    /// A new subject belongs wherever its parent belongs now.
    private func adopt(
        _ subject: Subject,
        by parent: Subject,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run("INSERT OR REPLACE INTO parent VALUES (?1, ?2, NULL)", subject, parent)
        // What an incident was merged into finds the incident's subjects through the incident.
        guard parent.category != "incident" else { return join(parent, subject, event, in: rows) }
        rows.run(
            """
            INSERT OR IGNORE INTO membership SELECT root, ?1, ?3, NULL FROM membership
            WHERE subject = ?2 AND until IS NULL
            """,
            subject,
            parent,
            event.position
        )
    }

    /// A linked session brings its streams and their alerts along; what they do from here on belongs here and no more to
    /// the incident that they came from.
    private func move(_ fact: IncidentSessionLinked, of event: RecordedEvent, in rows: RowWriter) {
        let incident = event.envelope.subject
        let session = Subject.session(fact.session)
        join(incident, incident, event, in: rows)
        rows.run("INSERT OR REPLACE INTO parent VALUES (?1, ?2, ?2)", session, incident)
        rows.run(
            """
            UPDATE membership SET until = ?3 WHERE until IS NULL AND root <> ?1 AND subject IN
            (WITH RECURSIVE family (subject) AS (SELECT ?2 UNION
            SELECT parent.subject FROM parent JOIN family ON parent.parent = family.subject)
            SELECT subject FROM family)
            """,
            incident,
            session,
            event.position
        )
        rows.run(
            """
            INSERT INTO membership
            WITH RECURSIVE family (subject) AS (SELECT ?2 UNION
            SELECT parent.subject FROM parent JOIN family ON parent.parent = family.subject)
            SELECT ?1, subject, ?3, NULL FROM family WHERE NOT EXISTS (SELECT 1 FROM membership
            WHERE root = ?1 AND membership.subject = family.subject AND until IS NULL)
            """,
            incident,
            session,
            event.position
        )
    }

}
