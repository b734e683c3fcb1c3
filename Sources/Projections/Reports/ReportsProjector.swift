// SPDX-License-Identifier: Apache-2.0
import Events

/// Builds ``Reports``.
public struct ReportsProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("reports", version: 4)
    public var tables: [Table] { ReportTables.all }
    public var handlers: Handlers { Self.handlers }

    private static let handlers = Handlers {
        On(ReportSubmitted.self) { insert($0, of: $1, into: $2) }
        On(ReportStatusChanged.self) { change($0, of: $1, in: $2) }
        On(ReportAssigned.self) { assign($0, of: $1, in: $2) }
        On(ReportPhotoAdded.self) { photo, event, rows in
            rows.run(
                """
                INSERT OR REPLACE INTO report_photo VALUES
                (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, NULL)
                """,
                event.subjectName,
                event.position,
                photo.blob.text,
                photo.person,
                photo.mediaType.rawValue,
                photo.width,
                photo.height,
                photo.by,
                event.time,
                photo.origin
            )
            touch(event, in: rows)
        }
        On(ReportUpdateAdded.self) { update, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO report_update VALUES (?1, ?2, ?3, ?4, ?5)",
                event.subjectName,
                event.position,
                update.by,
                update.text,
                event.time
            )
            touch(event, in: rows)
        }
        On(ReportJoined.self) { join(to: $0.into, $1, in: $2) }
        On(ReportSeparated.self) { join(to: nil, $1, in: $2) }
        On(ReportAttached.self) { attach(to: $0.incident, $1, in: $2) }
        On(ReportDetached.self) { attach(to: nil, $1, in: $2) }
        On(ReportVisibilitySet.self) { show($0, of: $1, in: $2) }
        On(AgencyDefined.self) { agency, event, rows in
            rows.run(
                agency.isRetired
                    ? "DELETE FROM agency WHERE org = ?1 AND id = ?2"
                    : "INSERT OR REPLACE INTO agency VALUES (?1, ?2)",
                event.envelope.organisation,
                event.subjectName
            )
        }
    }

    private static func insert(
        _ fact: ReportSubmitted,
        of event: RecordedEvent,
        into rows: RowWriter
    ) {
        rows.run(
            """
            INSERT OR REPLACE INTO report VALUES
            (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13, NULL, ?14, NULL, NULL, 1,
            NULL, NULL, NULL, NULL, 0, 0, NULL, NULL)
            """,
            event.subjectName,
            event.position,
            event.envelope.organisation,
            fact.reporter,
            ReportStatus.submitted.rawValue,
            fact.species,
            fact.sizeClass.rawValue,
            fact.condition.rawValue,
            fact.fix,
            fact.notes,
            fact.contact,
            fact.photos.map(\.text).joined(separator: " "),
            event.time,
            event.envelope.revision
        )
    }

    private static func change(
        _ fact: ReportStatusChanged,
        of event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run(
            """
            UPDATE report SET status = ?2, changed_at = ?3, changed_by = ?4, revision = ?5,
            is_open = ?6 AND joined_to IS NULL,
            acknowledged_at = CASE ?2 WHEN 'submitted' THEN NULL WHEN 'stood_down'
            THEN acknowledged_at ELSE coalesce(acknowledged_at, ?3) END,
            arrived_at = CASE ?2 WHEN 'on_scene' THEN coalesce(arrived_at, ?3)
            WHEN 'heading_out' THEN NULL ELSE arrived_at END, previous = ?7 WHERE id = ?1
            """,
            event.subjectName,
            fact.to.rawValue,
            event.time,
            fact.by,
            event.envelope.revision,
            fact.to.isFinal ? 0 : 1,
            fact.from.rawValue
        )
        rows.run(
            "INSERT OR REPLACE INTO report_change VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            event.subjectName,
            event.position,
            fact.from.rawValue,
            fact.to.rawValue,
            fact.by,
            fact.note,
            event.time,
            event.envelope.occurredAt
        )
    }

    private static func assign(
        _ fact: ReportAssigned,
        of event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run(
            "UPDATE report SET agency = ?2, assigned_at = ?3, cell = ?4 WHERE id = ?1",
            event.subjectName,
            fact.agency,
            event.time,
            fact.cell
        )
        rows.run(
            "INSERT OR REPLACE INTO report_assignment VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            event.subjectName,
            event.position,
            fact.agency,
            fact.rule.rawValue,
            fact.by,
            fact.reason,
            event.time
        )
        touch(event, in: rows)
    }

    private static func join(
        to other: ReportID?,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run(
            """
            UPDATE report SET joined_to = ?2, changed_at = ?3,
            is_open = ?2 IS NULL AND status IN ('submitted', 'acknowledged', 'heading_out', 'on_scene')
            WHERE id = ?1
            """,
            event.subjectName,
            other,
            event.time
        )
        touch(event, in: rows)
    }

    private static func attach(
        to incident: IncidentID?,
        _ event: RecordedEvent,
        in rows: RowWriter
    ) {
        rows.run("UPDATE report SET incident = ?2 WHERE id = ?1", event.subjectName, incident)
        touch(event, in: rows)
    }

    private static func show(
        _ fact: ReportVisibilitySet,
        of event: RecordedEvent,
        in rows: RowWriter
    ) {
        switch fact.of {
        case .report:
            rows.run(
                "UPDATE report SET is_hidden = ?2 WHERE id = ?1",
                event.subjectName,
                fact.isPublic ? 0 : 1
            )
        case .reporterPhotos:
            rows.run(
                "UPDATE report SET publishes_photos = ?2 WHERE id = ?1",
                event.subjectName,
                fact.isPublic ? 1 : 0
            )
        case .photo:
            rows.run(
                "UPDATE report_photo SET is_public = ?3 WHERE report = ?1 AND blob = ?2",
                event.subjectName,
                fact.photo?.text,
                fact.isPublic ? 1 : 0
            )
        }
        touch(event, in: rows)
    }

    private static func touch(_ event: RecordedEvent, in rows: RowWriter) {
        rows.run(
            "UPDATE report SET revision = ?2 WHERE id = ?1",
            event.subjectName,
            event.envelope.revision
        )
    }
}
