// SPDX-License-Identifier: Apache-2.0
/// The tables behind ``Recordings``.
enum RecordingTables {
    static let all = [stream, chunk, gap, inspection, session, incident, operatorName]
    static let search = [SearchTable("recording_search", columns: ["file", "address", "operator"])]

    static let stream = Table(
        "stream",
        key: ["id"],
        columns: [
            "id TEXT NOT NULL", "number INTEGER NOT NULL", "session TEXT NOT NULL",
            "incident TEXT NOT NULL", "caller TEXT NOT NULL", "org TEXT NOT NULL",
            "state TEXT NOT NULL", "transport TEXT NOT NULL", "codec TEXT NOT NULL",
            "width INTEGER NOT NULL", "height INTEGER NOT NULL", "fps INTEGER NOT NULL",
            "kbps INTEGER NOT NULL", "quality TEXT NOT NULL", "camera TEXT", "file TEXT NOT NULL",
            "name TEXT NOT NULL", "time_zone TEXT NOT NULL", "started_at INTEGER NOT NULL",
            "local_date TEXT NOT NULL",
            "local_time TEXT NOT NULL", "stopped_at INTEGER", "stop_reason TEXT", "stopped_by TEXT",
            "chunks INTEGER NOT NULL", "bytes INTEGER NOT NULL", "first_ms INTEGER",
            "last_ms INTEGER", "last_chunk_at INTEGER", "part INTEGER", "through INTEGER",
            "duration_ms INTEGER", "sha256 TEXT", "final_bytes INTEGER", "failure TEXT",
            "operator TEXT", "operator_name TEXT", "operator_name_key TEXT", "phone TEXT",
            "phone_key TEXT",
        ],
        opened: ["operator_name", "phone"],
        lookups: [
            ["session", "number"], ["incident", "number"], ["operator_name_key"], ["phone_key"],
        ],
        indexes: [
            ["number"], ["org", "number"], ["local_date"], ["operator"], ["name"], ["phone"],
        ]
    )

    static let chunk = Table(
        "chunk",
        key: ["stream", "number"],
        columns: [
            "stream TEXT NOT NULL", "number INTEGER NOT NULL", "file TEXT NOT NULL",
            "start INTEGER NOT NULL", "length INTEGER NOT NULL", "sha256 TEXT NOT NULL",
            "first_ms INTEGER NOT NULL", "last_ms INTEGER NOT NULL", "key_frame INTEGER NOT NULL",
            "part INTEGER NOT NULL", "through INTEGER NOT NULL", "position INTEGER NOT NULL",
            "archived_at INTEGER NOT NULL",
        ]
    )

    static let gap = Table(
        "gap",
        key: ["stream", "position"],
        columns: [
            "stream TEXT NOT NULL", "position INTEGER NOT NULL", "from_ms INTEGER NOT NULL",
            "to_ms INTEGER NOT NULL", "cause TEXT NOT NULL",
        ]
    )

    static let inspection = Table(
        "inspection",
        key: ["stream", "position"],
        columns: [
            "stream TEXT NOT NULL", "position INTEGER NOT NULL", "first_chunk INTEGER NOT NULL",
            "last_chunk INTEGER NOT NULL", "outcome TEXT NOT NULL", "frames INTEGER NOT NULL",
            "undecodable INTEGER NOT NULL", "width INTEGER NOT NULL", "height INTEGER NOT NULL",
            "mean_luma REAL", "thumbnail TEXT",
        ]
    )

    /// What a stream of the session takes over when it starts.
    static let session = Table(
        "session",
        key: ["id"],
        columns: ["id TEXT NOT NULL", "owner TEXT", "phone TEXT", "phone_key TEXT"],
        opened: ["phone"],
        lookups: [["phone_key"]]
    )

    /// Where an incident is; whatever stream belongs to it is found by that, as long as it does.
    static let incident = Table(
        "incident",
        key: ["id"],
        columns: [
            "id TEXT NOT NULL", "address TEXT", "address_key TEXT", "sealed_address TEXT NOT NULL",
        ],
        opened: ["address"],
        lookups: [["address_key"]]
    )

    static let operatorName = Table(
        "operator_name",
        key: ["user"],
        columns: ["user TEXT NOT NULL", "name TEXT", "name_key TEXT"],
        opened: ["name"],
        lookups: [["name_key"]]
    )
}
