// SPDX-License-Identifier: Apache-2.0
public import Events
public import Projections

/// Counts the reports of each species, and remembers when the last one came.
public struct SpeciesProjector: Projector {
    public let identity = ProjectorIdentity("species", version: 1)
    public let tables = [
        Table(
            "species",
            key: ["name"],
            columns: ["name TEXT NOT NULL", "reports INTEGER NOT NULL", "last_at INTEGER NOT NULL"]
        )
    ]
    public let kinds: Set<Kind> = [ReportSubmitted.kind]

    public init() {}

    public func apply(_ event: RecordedEvent, to rows: RowWriter) {
        guard case .report(.submitted(let report)) = event.fact else { return }
        count(report.species, at: event.envelope.time, in: rows)
    }

    /// Counts one report.
    package func count(_ species: String, at time: Timestamp, in rows: RowWriter) {
        rows.run(
            """
            INSERT INTO species VALUES (?1, 1, ?2)
            ON CONFLICT (name) DO UPDATE SET reports = reports + 1, last_at = ?2
            """,
            species,
            time
        )
    }
}
