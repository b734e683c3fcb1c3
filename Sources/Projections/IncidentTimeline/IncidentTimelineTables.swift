// SPDX-License-Identifier: Apache-2.0
/// The tables behind ``IncidentTimeline``.
enum IncidentTimelineTables {
    static let all = [entry, membership, parent]

    static let entry = Table(
        "entry",
        key: ["position"],
        columns: [
            "position INTEGER NOT NULL", "subject TEXT NOT NULL", "revision INTEGER NOT NULL",
            "id TEXT NOT NULL", "kind TEXT NOT NULL", "actor TEXT NOT NULL", "at INTEGER NOT NULL",
            "occurred_at INTEGER", "file TEXT", "start INTEGER", "length INTEGER",
            "first_ms INTEGER", "last_ms INTEGER", "summary TEXT NOT NULL",
        ],
        indexes: [["subject", "position"]]
    )

    /// Which subjects belonged to an incident (or to a report), from which position on and until which; also which incidents
    /// were merged into it, whose own subjects are found by their own rows.
    static let membership = Table(
        "membership",
        key: ["root", "subject", "since"],
        columns: [
            "root TEXT NOT NULL", "subject TEXT NOT NULL", "since INTEGER NOT NULL",
            // Where it left; nothing while it belongs there.
            "until INTEGER",
        ],
        lookups: [["subject", "until"]]
    )

    /// What a subject came from: a stream from its session, an alert from its cause.
    static let parent = Table(
        "parent",
        key: ["subject"],
        columns: ["subject TEXT NOT NULL", "parent TEXT NOT NULL", "incident TEXT"],
        lookups: [["parent"]]
    )
}
