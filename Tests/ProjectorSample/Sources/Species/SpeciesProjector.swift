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
    public let handlers = Handlers {
        On(ReportSubmitted.self) {
            SpeciesProjector.count($0.species, at: $1.envelope.time, in: $2)
        }
    }

    public init() {}

    /// Counts one report.
    package static func count(_ species: String, at time: Timestamp, in rows: RowWriter) {
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
