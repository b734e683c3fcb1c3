// SPDX-License-Identifier: Apache-2.0
/// The tables behind ``HourlyTrends``.
enum HourlyTrendsTables {
    static let all = [
        count, sample, session, request, message, stream, queue, part, report, roundPoint,
        guardAlarm,
    ]

    /// What is counted or added up in an hour.
    static let count = Table(
        "trend_count",
        key: ["org", "hour", "metric", "dimension"],
        columns: [
            "org TEXT NOT NULL",
            "hour INTEGER NOT NULL", "metric TEXT NOT NULL", "dimension TEXT NOT NULL",
            "value INTEGER NOT NULL",
        ],
        indexes: [["hour"]]
    )

    /// Times that percentiles are taken of.
    static let sample = Table(
        "trend_sample",
        key: ["org", "hour", "metric", "milliseconds", "item"],
        columns: [
            "org TEXT NOT NULL",
            "hour INTEGER NOT NULL", "metric TEXT NOT NULL", "milliseconds INTEGER NOT NULL",
            "item TEXT NOT NULL",
        ],
        indexes: [["hour"]]
    )

    static let session = Table(
        "trend_session",
        key: ["id"],
        columns: [
            "id TEXT NOT NULL", "org TEXT NOT NULL", "hour INTEGER NOT NULL",
            "channel TEXT NOT NULL",
            "outcome TEXT NOT NULL", "active_at INTEGER", "claims INTEGER NOT NULL",
            "owned INTEGER NOT NULL", "is_answered INTEGER NOT NULL",
        ],
        indexes: [["hour"]]
    )

    /// What callers were asked for.
    static let request = Table(
        "trend_request",
        key: ["id"],
        columns: ["id TEXT NOT NULL", "ask TEXT NOT NULL", "opened INTEGER NOT NULL"]
    )

    /// Messages that are not yet seen.
    static let message = Table(
        "trend_message",
        key: ["session", "position"],
        columns: [
            "session TEXT NOT NULL", "position INTEGER NOT NULL", "id TEXT NOT NULL",
            "sender TEXT NOT NULL", "sent_at INTEGER NOT NULL", "delivered_at INTEGER",
            "seen INTEGER NOT NULL",
        ],
        lookups: [["id"], ["session", "seen", "sender"]]
    )

    static let stream = Table(
        "trend_stream",
        key: ["id"],
        columns: ["id TEXT NOT NULL", "last_ms INTEGER NOT NULL"]
    )

    /// From when to when something stood in a queue.
    static let queue = Table(
        "trend_queue",
        key: ["queue", "item", "from_at", "position"],
        columns: [
            "queue TEXT NOT NULL", "item TEXT NOT NULL", "org TEXT NOT NULL",
            "from_at INTEGER NOT NULL",
            "position INTEGER NOT NULL", "until_at INTEGER",
        ],
        indexes: [["queue", "until_at"]]
    )

    /// The parts of alerts, and whether they are still to go.
    static let part = Table(
        "trend_alert_part",
        key: ["alert", "channel"],
        columns: [
            "alert TEXT NOT NULL", "channel TEXT NOT NULL", "cause TEXT NOT NULL",
            "queued_at INTEGER NOT NULL", "is_open INTEGER NOT NULL",
        ],
        lookups: [["cause"]]
    )

    /// Reports that wait for their first change of status.
    static let report = Table(
        "trend_report",
        key: ["id"],
        columns: ["id TEXT NOT NULL", "submitted_at INTEGER NOT NULL"]
    )

    /// When points of rounds are due, when they were scanned, and since when they are late.
    static let roundPoint = Table(
        "trend_round_point",
        key: ["round", "point"],
        columns: [
            "round TEXT NOT NULL", "point TEXT NOT NULL", "from_at INTEGER NOT NULL",
            "until_at INTEGER NOT NULL", "scanned_at INTEGER", "overdue_at INTEGER",
            "is_handled INTEGER NOT NULL",
        ]
    )

    /// Guards' calls for help, each with the first one that the guard made without an answer.
    static let guardAlarm = Table(
        "trend_guard_alarm",
        key: ["id"],
        columns: [
            "id TEXT NOT NULL", "guard TEXT NOT NULL", "since INTEGER NOT NULL",
            "is_open INTEGER NOT NULL",
        ],
        lookups: [["guard", "is_open"]]
    )
}
