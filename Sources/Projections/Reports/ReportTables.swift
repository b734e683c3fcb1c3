// SPDX-License-Identifier: Apache-2.0
/// The tables behind ``Reports``.
enum ReportTables {
    static let all = [report, change, assignment, photo, update, agency]

    static let report = Table(
        "report",
        key: ["id"],
        columns: [
            "id TEXT NOT NULL", "number INTEGER NOT NULL", "org TEXT NOT NULL",
            "reporter TEXT NOT NULL", "status TEXT NOT NULL", "species TEXT NOT NULL",
            "size_class TEXT NOT NULL", "condition TEXT NOT NULL", "fix TEXT NOT NULL",
            "notes TEXT",
            "contact TEXT", "photos TEXT NOT NULL", "submitted_at INTEGER NOT NULL",
            "changed_at INTEGER NOT NULL", "changed_by TEXT", "revision INTEGER NOT NULL",
            "agency TEXT", "assigned_at INTEGER", "is_open INTEGER NOT NULL", "cell TEXT",
            "acknowledged_at INTEGER", "arrived_at INTEGER", "joined_to TEXT",
            "is_hidden INTEGER NOT NULL", "publishes_photos INTEGER NOT NULL", "previous TEXT",
            "incident TEXT",
        ],
        indexes: [
            ["org", "number"], ["reporter", "number"], ["number"], ["is_open", "number"],
            ["org", "is_open", "number"], ["joined_to", "number"],
        ]
    )

    static let assignment = Table(
        "report_assignment",
        key: ["report", "position"],
        columns: [
            "report TEXT NOT NULL", "position INTEGER NOT NULL", "agency TEXT NOT NULL",
            "rule TEXT NOT NULL", "by TEXT", "reason TEXT",
            "at INTEGER NOT NULL",
        ]
    )

    static let photo = Table(
        "report_photo",
        key: ["report", "position"],
        columns: [
            "report TEXT NOT NULL", "position INTEGER NOT NULL", "blob TEXT NOT NULL",
            "person TEXT NOT NULL", "media_type TEXT NOT NULL", "width INTEGER NOT NULL",
            "height INTEGER NOT NULL", "by TEXT", "at INTEGER NOT NULL", "origin TEXT",
            "is_public INTEGER",
        ]
    )

    static let update = Table(
        "report_update",
        key: ["report", "position"],
        columns: [
            "report TEXT NOT NULL", "position INTEGER NOT NULL", "by TEXT NOT NULL",
            "words TEXT NOT NULL", "at INTEGER NOT NULL",
        ]
    )

    /// Which agencies there are; what they are is in the log.
    static let agency = Table(
        "agency",
        key: ["org", "id"],
        columns: ["org TEXT NOT NULL", "id TEXT NOT NULL"]
    )

    static let change = Table(
        "report_change",
        key: ["report", "position"],
        columns: [
            "report TEXT NOT NULL", "position INTEGER NOT NULL", "from_status TEXT NOT NULL",
            "to_status TEXT NOT NULL", "by TEXT NOT NULL", "note TEXT", "at INTEGER NOT NULL",
            "occurred_at INTEGER",
        ]
    )
}
