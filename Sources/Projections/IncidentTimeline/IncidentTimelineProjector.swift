// SPDX-License-Identifier: Apache-2.0
public import Events

/// Builds ``IncidentTimeline``.
public struct IncidentTimelineProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("incident-timeline", version: 8)
    public var tables: [Table] { IncidentTimelineTables.all }
    public let kinds = EventCatalog.current.kinds { $0.isInTimeline }

    /// What brings subjects into a case, or takes them out; each event besides has its line.
    public var handlers: Handlers { Self.handlers }

    private static let handlers = Handlers {
        On(SessionCreated.self) { join($0, of: $1, in: $2) }
        On(IncidentOpened.self) { join($1.envelope.subject, $1.envelope.subject, $1, in: $2) }
        On(IncidentSessionLinked.self) { move($0, of: $1, in: $2) }
        On(IncidentMerged.self) { join(.incident($0.into), $1.envelope.subject, $1, in: $2) }
        On(IncidentUnmerged.self) { unmerged, event, rows in
            rows.run(
                """
                UPDATE membership SET until = ?3
                WHERE root = ?1 AND subject = ?2 AND until IS NULL
                """,
                Subject.incident(unmerged.from),
                event.envelope.subject,
                event.position
            )
        }
        On(StreamStarted.self) {
            adopt($1.envelope.subject, by: .session($0.session), $1, in: $2)
        }
        On(AlertQueued.self) { adopt($1.envelope.subject, by: $0.cause, $1, in: $2) }
        On(CallOutOpened.self) { opened, event, rows in
            guard let cause = opened.cause else { return }
            adopt(event.envelope.subject, by: cause, event, in: rows)
        }
        On(ReportSubmitted.self) { join($1.envelope.subject, $1.envelope.subject, $1, in: $2) }
        On(ReportAttached.self) { attach(to: .incident($0.incident), $1, in: $2) }
        On(ReportDetached.self) { leave(except: nil, $1, in: $2) }
        On(SOSRaised.self) { join($1.envelope.subject, $1.envelope.subject, $1, in: $2) }
        On(RoundStarted.self) { join($1.envelope.subject, $1.envelope.subject, $1, in: $2) }
        On(PatrolCheckedIn.self) { lend(to: $0.round, $1, in: $2) }
        On(PatrolCheckInRefused.self) { lend(to: $0.round, $1, in: $2) }
        On(GuardAlarmRaised.self) { raised, event, rows in
            guard let round = raised.round else { return }
            join(.round(round), event.envelope.subject, event, in: rows)
        }
        On(GuardAlarmAnswered.self) { answered, event, rows in
            guard let incident = answered.incident.map({ Subject.incident($0) }) else { return }
            join(incident, incident, event, in: rows)
            joinFamily(of: event.envelope.subject, to: incident, event, in: rows)
        }
    }

    /// A patrol point is many rounds': one of its entries belongs to the round on which it was recorded.
    private static func lend(to round: RoundID?, _ event: RecordedEvent, in rows: RowWriter) {
        guard let round else { return }
        rows.run(
            "INSERT OR REPLACE INTO membership VALUES (?1, ?2, ?3, ?3 + 1)",
            Subject.round(round),
            event.envelope.subject,
            event.position
        )
    }

    public func apply(_ event: RecordedEvent, to rows: RowWriter) {
        handlers.apply(event, to: rows)
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
            SummaryText(event.fact.payload.summary).text
        )
    }

    private static func join(_ fact: SessionCreated, of event: RecordedEvent, in rows: RowWriter) {
        let incident = Subject.incident(fact.incident)
        join(incident, incident, event, in: rows)
        join(incident, event.envelope.subject, event, in: rows)
        rows.run(
            "INSERT OR REPLACE INTO parent VALUES (?1, ?2, ?2)",
            event.envelope.subject,
            incident
        )
    }

    private static func join(
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
    private static func adopt(
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

    /// A report brings its alerts and call-outs along; the entry by which it goes elsewhere is the last one here.
    private static func attach(
        to incident: Subject,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        leave(except: incident, event, in: rows)
        joinFamily(of: event.envelope.subject, to: incident, event, in: rows)
    }

    /// Brings a subject to an incident, and all that came from it.
    private static func joinFamily(
        of subject: Subject,
        to incident: Subject,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run(
            """
            INSERT INTO membership
            WITH RECURSIVE family (subject) AS (SELECT ?2 UNION
            SELECT parent.subject FROM parent JOIN family ON parent.parent = family.subject)
            SELECT ?1, subject, ?3, NULL FROM family WHERE NOT EXISTS (SELECT 1 FROM membership
            WHERE root = ?1 AND membership.subject = family.subject AND until IS NULL)
            """,
            incident,
            subject,
            event.position
        )
    }

    private static func leave(
        except incident: Subject?,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run(
            """
            UPDATE membership SET until = ?3 + 1 WHERE until IS NULL AND root LIKE 'incident/%'
            AND root IS NOT ?1 AND subject IN
            (WITH RECURSIVE family (subject) AS (SELECT ?2 UNION
            SELECT parent.subject FROM parent JOIN family ON parent.parent = family.subject)
            SELECT subject FROM family)
            """,
            incident,
            event.envelope.subject,
            event.position
        )
    }

    /// A linked session brings its streams and their alerts along; what they do from here on belongs here and no more to
    /// the incident that they came from.
    private static func move(
        _ fact: IncidentSessionLinked,
        of event: RecordedEvent,
        in rows: RowWriter
    ) {
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
        joinFamily(of: session, to: incident, event, in: rows)
    }

}
