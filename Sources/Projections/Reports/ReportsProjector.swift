// SPDX-License-Identifier: Apache-2.0
import Events

/// Builds ``Reports``.
public struct ReportsProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("reports", version: 2)
    public var tables: [Table] { ReportTables.all }
    public var handlers: Handlers { Self.handlers }

    private static let handlers = Handlers {
        On(ReportSubmitted.self) { insert($0, of: $1, into: $2) }
        On(ReportStatusChanged.self) { change($0, of: $1, in: $2) }
    }

    private static func insert(
        _ fact: ReportSubmitted,
        of event: RecordedEvent,
        into rows: RowWriter
    ) {
        rows.run(
            """
            INSERT OR REPLACE INTO report VALUES
            (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13, NULL, ?14)
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
            UPDATE report SET status = ?2, changed_at = ?3, changed_by = ?4, revision = ?5
            WHERE id = ?1
            """,
            event.subjectName,
            fact.to.rawValue,
            event.time,
            fact.by,
            event.envelope.revision
        )
        rows.run(
            "INSERT OR REPLACE INTO report_change VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            event.subjectName,
            event.position,
            fact.from.rawValue,
            fact.to.rawValue,
            fact.by,
            fact.note,
            event.time
        )
    }
}
