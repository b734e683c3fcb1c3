// SPDX-License-Identifier: Apache-2.0
/// The tables behind ``Reports``.
enum ReportTables {
    static let all = [report, change]

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
        ],
        indexes: [["org", "number"], ["reporter", "number"], ["number"]]
    )

    static let change = Table(
        "report_change",
        key: ["report", "position"],
        columns: [
            "report TEXT NOT NULL", "position INTEGER NOT NULL", "from_status TEXT NOT NULL",
            "to_status TEXT NOT NULL", "by TEXT NOT NULL", "note TEXT", "at INTEGER NOT NULL",
        ]
    )
}
